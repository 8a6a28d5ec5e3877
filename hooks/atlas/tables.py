"""Tables that hand-written pages ask for with `[[table:…]]`: releases, tiers, numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hooks.atlas import release_pages, text, timeline
from hooks.atlas.model import Atlas, Feature
from hooks.editions import Words

Table = Callable[[str, str], str]
"""From the page's path within its edition and the edition to Markdown."""


def tables(atlas: Atlas, articles: frozenset[str], say: Words) -> Mapping[str, Table]:
    """Every table by its id.

    Args:
        atlas: The facts.
        articles: Releases that have an article.
        say: Interface strings.
    """
    out: dict[str, Table] = {
        "releases": lambda path, edition: releases(atlas, articles, path, edition, say),
        "timeline": lambda path, edition: line(atlas, articles, path, edition, say),
        "numbers": lambda _, edition: numbers(atlas, articles, edition, say),
    }
    for tier in atlas.tiers:
        out[f"tier-{tier}"] = lambda path, edition, tier=tier: standing(atlas, tier, path, edition, say)
    return out


def releases(atlas: Atlas, articles: frozenset[str], path: str, edition: str, say: Words) -> str:
    """Every release, newest first: date, how many features changed, and whether there is an article."""
    rows = []
    for release, entry in reversed(atlas.releases.items()):
        changed = {feature.id for feature, _ in release_pages.changes(atlas, release)}
        name = f"PyTorch {release}"
        if release_pages.has_page(atlas, release, articles):
            name = f"[{name}]({text.link(path, release_pages.path(release))})"
        article = say("releases.article", edition) if release in articles else ""
        rows.append([name, entry.date, str(len(changed)) if changed else "–", article])
    header = [say(f"releases.{key}", edition) for key in ("release", "date", "changed", "source")]
    return text.table(header, rows, "llrl")


def line(atlas: Atlas, articles: frozenset[str], path: str, edition: str, say: Words) -> str:
    """The releases year by year, those with an article marked."""
    years = text.grouped((entry.date[:4], release) for release, entry in atlas.releases.items())

    def shown(release: str) -> str:
        if not release_pages.has_page(atlas, release, articles):
            return release
        mark = f'{{.told title="{say("releases.told", edition)}"}}' if release in articles else ""
        return f"[{release}]({text.link(path, release_pages.path(release))}){mark}"

    rows = [f"- **{year}** {' '.join(shown(release) for release in found)}" for year, found in years.items()]
    return '<div class="release-line" markdown>\n\n' + "\n".join(rows) + "\n\n</div>"


def standing(atlas: Atlas, tier: str, path: str, edition: str, say: Words) -> str:
    """The features that were given a tier, release by release."""
    lines = []
    for release in atlas.releases:
        found = timeline.standing(atlas, release, tier)
        if not found:
            continue
        name = f"[PyTorch {release}]({text.link(path, release_pages.path(release))})"
        features = [
            f"[{text.reading(feature.name, edition)}]({text.link(path, f'features/{feature.id}.md')}){_scopes(feature, release, tier, edition, say)}"
            for feature in found
        ]
        lines.append(f"- {say('tiers.release', edition, release=name, features=say('list.comma', edition).join(features))}")
    return "\n".join(lines) or say("tiers.none", edition)


def _scopes(feature: Feature, release: str, tier: str, edition: str, say: Words) -> str:
    """What of the feature got the tier, where it was a part."""
    given = [change for change in feature.history if change.minor == release and change.tier == tier]
    if any(change.scope is None for change in given):
        return ""
    return say("release.scope", edition, scope=say("list.comma", edition).join(text.reading(change.scope, edition) for change in given))


def numbers(atlas: Atlas, articles: frozenset[str], edition: str, say: Words) -> str:
    """What the atlas holds, counted."""
    lines = sum(len(feature.history) for feature in atlas.features.values())
    pitfalls = sum(len(feature.pitfalls) for feature in atlas.features.values())
    return say(
        "home.numbers",
        edition,
        features=len(atlas.features),
        lines=lines,
        pitfalls=pitfalls,
        releases=len(atlas.releases),
        articles=len(articles),
        first=next(iter(atlas.releases)),
        last=next(reversed(atlas.releases)),
    )
