"""What a schema cannot say about the facts: one small rule per function, each with a name.

A rule yields findings; `check` runs all of them and leaves out what `docs/data/exceptions.yml`
allows, with a reason, one finding at a time. An exception that allows nothing is a finding itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from hooks import articles, spacing, versions, yamlfile
from hooks.atlas import places
from hooks.atlas.model import Atlas, Feature
from hooks.errors import Refusal

EXCEPTIONS = "docs/data/exceptions.yml"
LADDER = ("experimental", "prototype", "beta", "stable")
NEEDS_A_WAY_OUT = frozenset({"removed", "renamed", "superseded", "deprecated", "external", "external-archived"})


@dataclass(frozen=True)
class Finding:
    """Something wrong: where (`subject` is a feature id, or a name of the rule's own), what, and how to mend it."""

    rule: str
    subject: str
    refusal: Refusal

    def __str__(self) -> str:
        return f"{self.refusal} [{self.rule}]"


Rule = Callable[[Atlas], Iterator[tuple[str, Refusal]]]
RULES: dict[str, Rule] = {}


def rule(function: Rule) -> Rule:
    """Register a rule under its name in words: `release_known` → `release-known`."""
    RULES[function.__name__.replace("_", "-")] = function
    return function


def check(atlas: Atlas) -> list[Finding]:
    """Every finding of every rule that no exception allows, and every exception that allows nothing."""
    allowed = _exceptions(atlas.root)
    used: set[tuple[str, str]] = set()
    out: list[Finding] = []
    for name, function in RULES.items():
        for subject, refusal in function(atlas):
            if (name, subject) in allowed:
                used.add((name, subject))
            else:
                out.append(Finding(name, subject, refusal))
    for (name, subject), refusal in allowed.items():
        if (name, subject) not in used:
            out.append(Finding("needless-exception", subject, refusal))
    return out


def _exceptions(root: Path) -> dict[tuple[str, str], Refusal]:
    if not (root / EXCEPTIONS).exists():
        return {}
    loaded = yamlfile.load(root / EXCEPTIONS, "exceptions")
    return {
        (name, subject): loaded.refusal(f"`{name}` finds nothing at `{subject}`", "Take the exception out", name, subject)
        for name, subjects in (loaded.data or {}).items()
        for subject in subjects
    }


@rule
def release_known(atlas: Atlas) -> Iterator[tuple[str, Refusal]]:
    """Every release that a history names is listed, or is older than the list."""
    first = versions.key(next(iter(atlas.releases)))
    for feature in atlas.features.values():
        for i, change in enumerate(feature.history):
            if change.minor not in atlas.releases and first <= versions.key(change.release) < versions.key("unknown"):
                yield feature.id, feature.file.refusal(f"unknown release {change.release}", "Add it to docs/data/releases.yml, or mend it", "history", i, "release")


@rule
def history_ordered(atlas: Atlas) -> Iterator[tuple[str, Refusal]]:
    """A history runs from the oldest release to the newest; what is unknown comes last."""
    for feature in atlas.features.values():
        for i, (older, newer) in enumerate(zip(feature.history, feature.history[1:]), 1):
            if versions.key(newer.release) < versions.key(older.release):
                yield feature.id, feature.file.refusal(f"{newer.release} stands after {older.release}", "Sort the history by release", "history", i)


@rule
def pitfall_ordered(atlas: Atlas) -> Iterator[tuple[str, Refusal]]:
    """A problem starts and ends in releases of one package, and ends no earlier than it starts."""
    for feature in atlas.features.values():
        for i, pitfall in enumerate(feature.pitfalls):
            if pitfall.since is None or pitfall.until is None:
                continue
            (package, _, since), (other, _, until) = pitfall.since.rpartition(" "), pitfall.until.rpartition(" ")
            if package != other or versions.key(until) < versions.key(since)[: len(versions.key(until))]:
                what = f"since {pitfall.since} until {pitfall.until}"
                yield feature.id, feature.file.refusal(what, "Give the first and the last release with the problem", "pitfalls", i, "until")


@rule
def tier_rises(atlas: Atlas) -> Iterator[tuple[str, Refusal]]:
    """A feature climbs from Prototype to Stable; where it falls, a note says why."""
    for feature in atlas.features.values():
        last: dict[str | None, int] = {}
        for i, change in enumerate(feature.history):
            if change.tier not in LADDER:
                continue
            scope = change.scope and change.scope["en"]
            step = LADDER.index(change.tier)
            if step < last.get(scope, step) and change.note is None:
                yield feature.id, feature.file.refusal(f"falls back to {change.tier} without a word", "Say in a `note` why", "history", i)
            last[scope] = step


@rule
def phrase_once(atlas: Atlas) -> Iterator[tuple[str, Refusal]]:
    """The phrase of a mention stands exactly once in its seed, so that it finds its place."""
    for feature in atlas.features.values():
        for i, mention in enumerate(feature.mentions):
            count = articles.read_seed(atlas.root, mention.release).count(mention.phrase)
            if count != 1:
                yield feature.id, feature.file.refusal(
                    f"`{mention.phrase}` occurs {count} times in the {mention.release} article", "Quote a phrase that occurs once", "mentions", i
                )


@rule
def tier_as_stated(atlas: Atlas) -> Iterator[tuple[str, Refusal]]:
    """A mention has the tier that the article states at that place, as a label or in words."""
    for feature in atlas.features.values():
        for i, mention in enumerate(feature.mentions):
            if mention.tier is None or articles.read_seed(atlas.root, mention.release).count(mention.phrase) != 1:
                continue
            spot = places.spot(places.article(atlas.root, mention.release), mention)
            # In running text only the full words count: 进行测试 is no tier.
            words = [word.lower() for word in atlas.tiers[mention.tier]["word"].values()]
            labels = set(spot.labels.values())
            if not (mention.tier in labels if labels else any(word in spot.block.lower() for word in words)):
                found = f"the article says {', '.join(sorted(labels))}" if labels else "the article states no tier there"
                yield feature.id, feature.file.refusal(f"tier {mention.tier}, but {found}", "Take the tier from the article, or quote the place that states it", "mentions", i)


@rule
def label_claimed(atlas: Atlas) -> Iterator[tuple[str, Refusal]]:
    """Every tier label of an article belongs to a mention that has its tier."""
    claimed: set[tuple[str, int]] = set()
    for feature in atlas.features.values():
        for mention in feature.mentions:
            if mention.tier and articles.read_seed(atlas.root, mention.release).count(mention.phrase) == 1:
                spot = places.spot(places.article(atlas.root, mention.release), mention)
                claimed |= {(mention.release, at) for at, tier in spot.labels.items() if tier == mention.tier}
    for release in articles.releases(atlas.root):
        article = places.article(atlas.root, release)
        for at, tier in places.labels(article).items():
            if article.edited and (release, at) not in claimed:
                text = " ".join(article.page[max(0, at - 40) : at + 60].split())
                yield f"{release}/{at}", Refusal(f"seeds/pytorch-{release}.txt", None, f"no feature claims the {tier} label in `{text}`", "Add a mention with this tier to its feature")


@rule
def heading_claimed(atlas: Atlas) -> Iterator[tuple[str, Refusal]]:
    """A heading that the edits give to a feature is where a mention of that feature stands."""
    for release in articles.releases(atlas.root):
        article = places.article(atlas.root, release)
        for i, edit in enumerate(article.meta.get("edits", ())):
            feature = atlas.features.get(edit.get("feature", ""))
            if feature is None:
                continue
            found = [places.spot(article, m).heading for m in feature.mentions if m.release == release and article.trace.seed.count(m.phrase) == 1]
            if edit["id"] not in found:
                loaded = yamlfile.load(atlas.root / f"seeds/pytorch-{release}.yml")
                yield f"{release}/{edit['id']}", loaded.refusal(f"no mention of `{feature.id}` under this heading", f"Quote a phrase of it in {feature.origin}", "edits", i)


@rule
def related_known(atlas: Atlas) -> Iterator[tuple[str, Refusal]]:
    """Related features exist and name each other."""
    for feature in atlas.features.values():
        for i, other in enumerate(feature.related):
            if other not in atlas.features or other == feature.id:
                yield feature.id, feature.file.refusal(f"`{other}` is no other feature", "Mend the id", "related", i)
            elif feature.id not in atlas.features[other].related:
                yield feature.id, feature.file.refusal(f"`{other}` does not name `{feature.id}` in turn", f"Add it to {atlas.features[other].origin}", "related", i)


@rule
def way_out(atlas: Atlas) -> Iterator[tuple[str, Refusal]]:
    """Whoever relied on what is gone learns what to do now."""
    for feature in atlas.features.values():
        today = feature.today
        if today.status in NEEDS_A_WAY_OUT and not (today.use or today.replacement or today.api):
            yield feature.id, feature.file.refusal(f"{today.status}, and no word on what to use", "Give `use`, `api` or `replacement`", "today")


@rule
def replacement_ends(atlas: Atlas) -> Iterator[tuple[str, Refusal]]:
    """Replacements exist and lead to an end."""
    for feature in atlas.features.values():
        seen, at = [feature.id], feature.today.replacement
        while at is not None and at in atlas.features and at not in seen:
            seen.append(at)
            at = atlas.features[at].today.replacement
        if at is not None and at not in atlas.features:
            yield feature.id, feature.file.refusal(f"the replacement `{at}` is no feature", "Mend the id", "today", "replacement")
        elif at is not None:
            yield feature.id, feature.file.refusal(f"replacements in a circle: {' → '.join([*seen, at])}", "Let one of them end it", "today", "replacement")


@rule
def url_sound(atlas: Atlas) -> Iterator[tuple[str, Refusal]]:
    """Addresses are https, have a host and no credentials."""
    for feature in atlas.features.values():
        for keys, value in _addresses(feature):
            parts = urlsplit(value)
            if parts.scheme != "https" or not re.fullmatch(r"[\w.-]+\.[a-z]{2,}", parts.netloc):
                yield feature.id, feature.file.refusal(f"`{value}` is no sound address", "Give a full https address", *keys)


@rule
def name_translated(atlas: Atlas) -> Iterator[tuple[str, Refusal]]:
    """A name differs between the languages unless it is a proper name (`docs/data/names.yml`)."""
    known = {name.lower() for name in spacing.names(atlas.root).names}
    for feature in atlas.features.values():
        chinese, english = feature.name["zh-Hans"], feature.name["en"]
        if chinese == english and chinese.lower() not in known:
            yield feature.id, feature.file.refusal(f"`{chinese}` in both languages", "Translate it, or add it to docs/data/names.yml", "name")


@rule
def area_used(atlas: Atlas) -> Iterator[tuple[str, Refusal]]:
    """Every feature lies in a known area, and every area has a feature."""
    for feature in atlas.features.values():
        if feature.area not in atlas.areas:
            yield feature.id, feature.file.refusal(f"unknown area `{feature.area}`", f"Known areas: {', '.join(atlas.areas)}", "area")
    for area in atlas.areas:
        if not any(feature.area == area for feature in atlas.features.values()):
            yield area, atlas.files["areas"].refusal(f"no feature in the area `{area}`", "Take the area out, or give it a feature", area)


def _addresses(feature: Feature) -> Iterator[tuple[tuple[str | int, ...], str]]:
    def walk(value: object, keys: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
        if isinstance(value, Mapping):
            for key, item in value.items():
                if key == "url":
                    yield (*keys, key), item
                else:
                    yield from walk(item, (*keys, key))
        elif isinstance(value, list):
            for index, item in enumerate(value):
                yield from walk(item, (*keys, index))

    yield from walk(feature.file.data, ())
