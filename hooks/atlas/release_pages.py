"""What a release brought: sections that stand below an article, and whole pages for the releases that have none."""

from __future__ import annotations

from collections.abc import Iterator

from hooks.atlas import text
from hooks.atlas.model import Atlas, Change, Feature, Release
from hooks.editions import Words

TIER_ORDER = ("stable", "beta", "prototype", "experimental", "api-stable", "api-unstable", None)


def path(release: str) -> str:
    """Path of a release's page within an edition."""
    return f"releases/{release}.md"


def changes(atlas: Atlas, release: str) -> list[tuple[Feature, Change]]:
    """What the histories say of a release: by tier, then by area, then by id."""
    areas = list(atlas.areas)
    found = [(f, c) for f in atlas.features.values() for c in f.history if c.minor == release]
    return sorted(found, key=lambda each: (TIER_ORDER.index(each[1].tier), areas.index(each[0].area), each[0].id))


def has_page(atlas: Atlas, release: str, articles: frozenset[str]) -> bool:
    """Whether a release has a page: it has an article, or a feature of the atlas changed in it."""
    return release in articles or (release in atlas.releases and bool(changes(atlas, release)))


def table(atlas: Atlas, release: str, edition: str, say: Words) -> str:
    """The features of a release: feature and area, tier stated or event, and what happened.

    Two columns, so that a phone shows the row whole.
    """
    here = path(release)
    rows = []
    for feature, change in changes(atlas, release):
        name = f"[{text.reading(feature.name, edition)}]({text.link(here, f'features/{feature.id}.md')})"
        area = f"[{text.reading(atlas.areas[feature.area]['name'], edition)}]({text.link(here, f'areas/{feature.area}.md')})"
        rows.append([f"{name}<br>{area}", f"{standing(change, edition, say)}<br>{text.reading(change.what, edition)}"])
    header = [say(f"release.{key}", edition) for key in ("feature", "what")]
    return f'<div class="release-features" markdown>\n\n{text.table(header, rows)}\n\n</div>'


def standing(change: Change, edition: str, say: Words) -> str:
    """The tier that a line of history states, as a badge with its scope, and the event in a word."""
    parts = []
    if change.tier:
        scope = f"{say('release.scope', edition, scope=text.reading(change.scope, edition))}" if change.scope else ""
        parts.append(f"[[tier:{change.tier}]]{scope}")
    if change.event:
        parts.append(say(f"event.{change.event}", edition))
    return " · ".join(parts)


def page(atlas: Atlas, release: str, edition: str, say: Words) -> str:
    """The page of a release that has no article."""
    entry = atlas.releases[release]
    count = len({feature.id for feature, _ in changes(atlas, release)})
    title = f"PyTorch {release}"
    parts = [
        text.front_matter(title, say("release.description", edition, release=release, date=entry.date, count=count)),
        f"# {title} {{#pytorch-{release.replace('.', '-')}}}",
        "\n".join(f"- {fact}" for fact in facts(entry, edition, say)),
        sections(atlas, release, edition, say),
    ]
    return "\n\n".join(parts) + "\n"


def sections(atlas: Atlas, release: str, edition: str, say: Words) -> str:
    """The features of a release and what else its announcement highlights, each under its heading; empty if neither is known.

    They stand on every page of a release, so that its published anchors stay when an article arrives.
    """
    parts = []
    if changes(atlas, release):
        parts += [f"## {say('release.features', edition)} {{#features}}", table(atlas, release, edition, say)]
    if release in atlas.releases and (items := atlas.releases[release].elsewhere):
        parts += [f"## {say('release.elsewhere', edition)} {{#elsewhere}}", say("release.elsewhere-text", edition)]
        parts.append("\n".join(f"- {_highlight(item, edition)}" for item in items))
    return "\n\n".join(parts)


def facts(entry: Release, edition: str, say: Words) -> Iterator[str]:
    """Date, counts, official texts and sources of a release, each as a line."""
    yield say("release.date", edition, date=entry.date)
    for key in ("commits", "contributors"):
        value = getattr(entry, key)
        if value == "unpublished":
            continue
        shown = say("release.unknown", edition) if value == "unknown" else say("release.over", edition, count=f"{int(value[:-1]):,}") if isinstance(value, str) else f"{value:,}"
        since = say("release.since", edition, release=entry.counted_since) if entry.counted_since and key == "commits" and value != "unknown" else ""
        yield say(f"release.{key}", edition, count=shown) + since
    if entry.links:
        links = [f"[{say('release.link.' + link['kind'].replace('_', '-'), edition)}]({link['url']})" for link in entry.links]
        yield say("release.links", edition, links=say("list.comma", edition).join(links))
    if entry.note:
        yield text.reading(entry.note, edition)
    yield say("release.sources", edition, sources=text.sources(entry.sources, path(entry.release), edition, say))


def _highlight(item: dict, edition: str) -> str:
    badge = f" [[tier:{item['tier']}]]" if "tier" in item else ""
    return text.reading(item["name"], edition) + badge
