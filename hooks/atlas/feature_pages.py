"""The page of a feature: how it stands, what happened to it, what the articles say, and what to do today."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hooks import articles, frame, markdown, runs, versions
from hooks.atlas import evidence, examples, model, passages, places, release_pages, text, tierline, timeline
from hooks.atlas.evidence import Evidence
from hooks.atlas.model import Atlas, Change, Feature, Mention, Pitfall, Source
from hooks.atlas.places import Spot
from hooks.editions import ENGLISH, Words

INDEX = "features/index.md"
LINK_KINDS = ("docs", "tutorials", "announcements", "related", "retired")


@dataclass(frozen=True)
class Pages:
    """What the pages of all features draw on: the facts, the snippets with their runs, the places of mentions, the titles of sources."""

    atlas: Atlas
    evidence: Evidence
    spots: Mapping[str, list[tuple[Mention, Spot]]]
    titles: Mapping[str, Any]
    released: frozenset[str]
    say: Words


def prepare(atlas: Atlas, say: Words) -> Pages:
    """Find every mention once, for all pages."""
    released = frozenset(articles.releases(atlas.root))
    return Pages(atlas, evidence.read(atlas.root), places.spots(atlas.root, atlas.features), frame.sources(atlas.root), released, say)


def path(feature: str) -> str:
    """Path of a feature's page within an edition."""
    return f"features/{feature}.md"


def ordered(atlas: Atlas, area: str) -> list[Feature]:
    """The features of an area, the first announced first."""
    found = [feature for feature in atlas.features.values() if feature.area == area]
    return sorted(found, key=lambda feature: (versions.key(feature.announced), feature.id))


def page(pages: Pages, feature: Feature, edition: str) -> str:
    """Markdown of a feature's page in a written edition; a section with nothing to say is left out."""
    name, summary = text.reading(feature.name, edition), text.reading(feature.summary, edition)
    sections = {
        "examples": examples.section(pages.evidence, list(pages.atlas.releases), feature.id, path(feature.id), edition, pages.say),
        "history": history(pages, feature, edition),
        "articles": said(pages, feature, edition),
        "pitfalls": "\n\n".join(pitfalls(pages, feature, edition)),
        "today": today(pages, feature, edition),
        "related": "\n".join(f"- [[{other}]]" for other in feature.related),
        "links": links(feature, edition, pages.say),
    }
    parts = [
        text.front_matter(name, summary),
        f"# {text.escaped(name)} {{#{feature.id}}}",
        status(pages, feature, edition),
        summary,
    ]
    for key, body in sections.items():
        if body:
            parts += [f"## {pages.say(f'feature.{key}', edition)} {{#{key}}}", body]
    return "\n\n".join(parts) + "\n"


def status(pages: Pages, feature: Feature, edition: str) -> str:
    """The block on top: whether it works today, since when, the tiers through the releases, and today's names to copy."""
    atlas, say, here = pages.atlas, pages.say, path(feature.id)
    area = text.link(here, f"areas/{feature.area}.md")
    facts = [pages.evidence.badges(feature)]
    facts.append(since(pages, feature, here, edition))
    facts.append(f"[{text.reading(atlas.areas[feature.area]['name'], edition)}]({area})")
    parts = ['<div class="feature-card" markdown>', " ".join(f"<span>{fact}</span>" for fact in facts)]
    if line := tierline.line(atlas, feature, here, edition, say):
        parts.append(line)
    partial = [change for change in feature.history if change.tier and change.scope]
    if partial and tierline.whole(feature)[0].scope is None:
        shown = (f"{change.release} [[tier:{change.tier}]] {text.reading(change.scope, edition)}" for change in partial)
        parts.append(say("feature.partial", edition, parts=say("list.comma", edition).join(shown)) + "\n{.feature-card__small}")
    if feature.today.api:
        parts.append(f"{say('feature.names', edition)}\n{{.feature-card__small}}")
        parts.append("```text\n" + "\n".join(feature.today.api) + "\n```")
    return "\n\n".join([*parts, "</div>"])


def since(pages: Pages, feature: Feature, here: str, edition: str) -> str:
    """The first release with the feature, or the one whose announcement first tells of it."""
    first = timeline.introduced(feature)
    return pages.say("feature.since" if first else "feature.announced", edition, release=release(pages, first or feature.announced, here))


def release(pages: Pages, number: str, here: str) -> str:
    """A release, linked to its page where it has one."""
    minor = versions.minor(number)
    if release_pages.has_page(pages.atlas, minor, pages.released):
        return f"[{number}]({text.link(here, release_pages.path(minor))})"
    return number


def history(pages: Pages, feature: Feature, edition: str) -> str:
    """The table of what each release said or did, the oldest first."""
    say, here = pages.say, path(feature.id)
    header = [say("feature.release", edition), say("feature.what", edition)]
    rows = []
    for change in feature.history:
        number = say("feature.unknown", edition) if change.release == "unknown" else release(pages, change.release, here)
        rows.append([f"{number}<br>{standing(change, edition, say)}", _told(change, here, edition, say)])
    return f'<div class="feature-history" markdown>\n\n{text.table(header, rows)}\n\n</div>'


def standing(change: Change, edition: str, say: Words) -> str:
    """The tier as a badge and the event in a word."""
    parts = [f"[[tier:{change.tier}]]"] if change.tier else []
    if change.event and not (change.tier and change.event == "introduced"):
        parts.append(f'<span class="event event-{change.event}">{say(f"event.{change.event}", edition)}</span>')
    return " ".join(parts)


def _told(change: Change, here: str, edition: str, say: Words) -> str:
    what = text.reading(change.what, edition)
    if change.scope:
        what += say("feature.scope", edition, scope=text.reading(change.scope, edition))
    names = [name for name in change.api if f"`{name}`" not in what]
    parts = [what]
    if names:
        parts.append(" ".join(f"`{name}`" for name in names))
    if change.note:
        parts.append(text.reading(change.note, edition))
    if change.confidence != "high":
        parts.append(f'<span class="doubt">{say(f"feature.confidence.{change.confidence}", edition)}</span>')
    return "<br>".join(parts) + " " + folded(change.sources, here, edition, say)


def folded(sources: list[Source], here: str, edition: str, say: Words) -> str:
    """Sources that open on demand."""
    title = say("feature.sources" if len(sources) > 1 else "feature.source", edition, count=len(sources))
    return f'<details class="sources"><summary>{title}</summary>{text.sources(sources, here, edition, say)}</details>'


def said(pages: Pages, feature: Feature, edition: str) -> str:
    """What each article says: the heading there, the tier it states, its words in short, and what is wrong with them."""
    out: list[str] = []
    for number in articles.releases(pages.atlas.root):
        found = {spot.block: (mention, spot) for mention, spot in pages.spots[feature.id] if mention.release == number}
        notes = {key: note for key, note in places.article(pages.atlas.root, number).notes.items() if note.get("feature") == feature.id}
        for mention, spot in found.values():
            out += _mention(pages, feature, mention, spot, edition)
        if notes and not found:
            out.append(f"**[PyTorch {number}]({text.link(path(feature.id), release_pages.path(number))})**")
        if notes:
            out.append("\n".join(_correction(pages, feature, number, key, note, edition) for key, note in notes.items()))
    return "\n\n".join(out)


def _mention(pages: Pages, feature: Feature, mention: Mention, spot: Spot, edition: str) -> Iterator[str]:
    say, atlas = pages.say, pages.atlas
    article = places.article(atlas.root, mention.release)
    own = passages.translation(atlas.root, mention.release) if edition == ENGLISH else article.page
    target = text.link(path(feature.id), f"{release_pages.path(mention.release)}#{spot.heading}")
    title = f"PyTorch {mention.release}"
    if spot.heading != article.id and own:
        below = next(heading.text for heading in markdown.headings(own) if heading.id == spot.heading)
        title = say("feature.place", edition, article=title, heading=passages.plain(below))
    badge = f" [[tier:{mention.tier}]]" if mention.tier else ""
    yield f"**[{title}]({target})**{badge}"
    words, language = passages.quote(atlas, feature, mention, spot, edition)
    yield f"> {words}" if language == edition else f'> <span lang="{language}">{words}</span>'
    if mention.note:
        yield text.reading(mention.note, edition)


def _correction(pages: Pages, feature: Feature, number: str, key: str, note: Mapping[str, Any], edition: str) -> str:
    target = text.link(path(feature.id), f"{release_pages.path(number)}#fnref:{key}")
    words = frame.note(number, key, note, edition, pages.titles, pages.say)
    return f"- {words} [{pages.say('feature.in-article', edition)}]({target})"


def pitfalls(pages: Pages, feature: Feature, edition: str) -> Iterator[str]:
    """The known problems, the most frequent first."""
    for pitfall, name in anchored(feature):
        yield _pitfall(pages, feature, pitfall, name, edition)


def anchored(feature: Feature) -> list[tuple[Pitfall, str]]:
    """The known problems with their ids on the feature's page, the most frequent first."""
    order = ("very high", "high", "medium", "low")
    taken: set[str] = set()
    return [(pitfall, anchor(pitfall, taken)) for pitfall in sorted(feature.pitfalls, key=lambda pitfall: order.index(pitfall.frequency))]


def anchor(pitfall: Pitfall, taken: set[str]) -> str:
    """An id out of the words of the symptom, so that it stays when problems are added or sorted anew."""
    words = pitfall.symptom if isinstance(pitfall.symptom, str) else pitfall.symptom[ENGLISH]
    found = "-".join(["pitfall", *re.findall(r"[a-z0-9]+", words.lower())[:6]])
    name = next(candidate for candidate in (found, *(f"{found}-{i}" for i in range(2, 99))) if candidate not in taken)
    taken.add(name)
    return name


def _pitfall(pages: Pages, feature: Feature, pitfall: Pitfall, name: str, edition: str) -> str:
    say, here = pages.say, path(feature.id)
    if isinstance(pitfall.symptom, str):
        symptom = f"```text\n{pitfall.symptom}\n```"
    else:
        symptom = f"**{text.reading(pitfall.symptom, edition)}**"
    about = [say(f"feature.frequency.{pitfall.frequency.replace(' ', '-')}", edition)]
    if pitfall.since or pitfall.until:
        given = [key for key in ("since", "until") if getattr(pitfall, key)]
        key = "only" if pitfall.since == pitfall.until else "-".join(given)
        about.insert(0, say(f"feature.in.{key}", edition, since=pitfall.since, until=pitfall.until))
    if pitfall.upgrade:
        about.append(say("feature.upgrade", edition))
    if pitfall.reproduced != "na":
        about.append(say(f"feature.reproduced.{pitfall.reproduced}", edition))
    cause, remedy = (f"**{say(f'feature.{key}', edition)}** {text.reading(getattr(pitfall, key), edition)}" for key in ("cause", "remedy"))
    note = [text.reading(pitfall.reproduced_note, edition)] if pitfall.reproduced_note else []
    blocks = [
        f'<div class="pitfall" id="{name}" markdown>',
        symptom,
        " · ".join(about) + "\n{.pitfall__about}",
        cause,
        remedy,
        *note,
        folded(pitfall.sources, here, edition, say),
        "</div>",
    ]
    return "\n\n".join(blocks)


def today(pages: Pages, feature: Feature, edition: str) -> str:
    """What has become of it and what to write now."""
    now, say = feature.today, pages.say
    parts = []
    if now.use:
        parts.append(f"[[status:{now.status}]] {text.reading(now.use, edition)}")
    if now.replacement:
        parts.append(say("feature.replacement", edition, feature=f"[[{now.replacement}]]"))
    parts.append(text.reading(now.note, edition))
    parts.append(folded(now.sources, path(feature.id), edition, say))
    return "\n\n".join(parts)


def links(feature: Feature, edition: str, say: Words) -> str:
    """The official texts, by kind."""
    out = []
    for kind in LINK_KINDS:
        found = [_link(entry, edition, say) for entry in feature.links if entry["kind"] == kind]
        if found:
            out.append(f"**{say(f'feature.links.{kind}', edition)}**\n\n" + "\n".join(f"- {entry}" for entry in found))
    return "\n\n".join(out)


def _link(entry: Mapping[str, Any], edition: str, say: Words) -> str:
    notes = [text.reading(entry["note"], edition)] if "note" in entry else []
    if entry.get("status") == "inferred":
        notes.append(say("feature.inferred", edition))
    tail = say("feature.scope", edition, scope=say("list.comma", edition).join(notes)) if notes else ""
    return f"[{text.escaped(entry['title'])}](<{entry['url']}>){tail}"


def index(pages: Pages, edition: str) -> str:
    """All features by area, each with one line and whether it works today; below, what the badges mean."""
    atlas, say = pages.atlas, pages.say
    parts = [
        text.front_matter(say("features.title", edition), say("features.description", edition, count=len(atlas.features))),
        f"# {say('features.title', edition)} {{#features}}",
        say("features.intro", edition, count=len(atlas.features), areas=len(atlas.areas), link="../areas/index.md"),
    ]
    for area, words in atlas.areas.items():
        parts.append(f"## {text.reading(words['name'], edition)} {{#{area}}}")
        parts.append(listing(pages, ordered(atlas, area), edition))
    for kind, names in (("today", runs.STATUSES), ("status", model.STATUSES)):
        meanings = (f"- [[{kind}:{name}]] {say(f'{kind}.{name}.meaning', edition)}" for name in names)
        parts += [f"## {say(f'features.{kind}', edition)} {{#{kind}}}", say(f"features.{kind}.text", edition), "\n".join(meanings)]
    return "\n\n".join(parts) + "\n"


def listing(pages: Pages, features: list[Feature], edition: str) -> str:
    """Features as a list: name and tier, whether it works today, and in one line what it is."""
    items = (f"- [[{f.id}]] {pages.evidence.badges(f)}\n\n    {text.reading(f.summary, edition)}" for f in features)
    return '<div class="feature-list" markdown>\n\n' + "\n\n".join(items) + "\n\n</div>"
