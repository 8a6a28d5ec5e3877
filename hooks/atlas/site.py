"""Every page that is written out of the facts, in the two written editions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hooks import articles, editions, snippets
from hooks.atlas import agreement, area_pages, evidence, feature_pages, glossary, lints, matrix, model, places, release_pages, snippet_pages, upgrade  # agreement adds its rules to those of lints
from hooks.errors import Refusal


@dataclass(frozen=True)
class Made:
    """A page made from data.

    Attributes:
        path: Path within an edition, e.g. `features/amp.md`.
        texts: Markdown with front matter and references, by written edition (`zh-Hans`, `en`).
        origin: Repository path that an edit link opens.
    """

    path: str
    texts: Mapping[str, str]
    origin: str


def pages(root: Path) -> Iterator[Made]:
    """The pages of the repository at `root` that are made from data."""
    if not (root / model.DATA / "features").is_dir():
        return
    atlas, say = model.read(root), editions.words(root)
    for finding in lints.check(atlas):
        raise finding.refusal  # what breaks a rule is not published; `python -m hooks.atlas check` lists all of it
    released = articles.releases(root)

    def made(path: str, origin: str, write: Callable[[str], str]) -> Made:
        return Made(path, {edition: write(edition) for edition in editions.WRITTEN}, origin)

    for release in atlas.releases:
        if release not in released and release_pages.has_page(atlas, release, frozenset(released)):
            yield made(
                release_pages.path(release),
                f"{model.DATA}/releases.yml",
                lambda edition, release=release: release_pages.page(atlas, release, edition, say),
            )
    facts = feature_pages.prepare(atlas, say)
    for feature in atlas.features.values():
        yield made(feature_pages.path(feature.id), feature.origin, lambda edition, feature=feature: feature_pages.page(facts, feature, edition))
    yield made(feature_pages.INDEX, f"{model.DATA}/areas.yml", lambda edition: feature_pages.index(facts, edition))
    for area in atlas.areas:
        yield made(area_pages.path(area), f"{model.DATA}/areas.yml", lambda edition, area=area: area_pages.page(facts, area, edition))
    yield made(area_pages.INDEX, f"{model.DATA}/areas.yml", lambda edition: area_pages.index(facts, edition))
    yield made(matrix.PATH, f"{model.DATA}/releases.yml", lambda edition: matrix.page(facts, edition))
    yield made(upgrade.INDEX, f"{model.DATA}/releases.yml", lambda edition: upgrade.page(facts, edition))
    for path in upgrade.paths(atlas):
        yield made(path, f"{model.DATA}/releases.yml", lambda edition, path=path: upgrade.since(facts, path, edition))
    if facts.evidence.snippets:
        yield made(snippet_pages.PATH, str(snippets.SESSIONS), lambda edition: snippet_pages.page(facts, edition))
    bodies = {release: places.article(root, release).body for release in released}
    yield made(glossary.PATH, f"{model.DATA}/terms.yml", lambda edition: glossary.page(bodies, edition, say))


def below(root: Path, release: str, edition: str) -> str:
    """What the facts say of a release, to stand below its article; empty where there is nothing."""
    if not (root / model.DATA / "features").is_dir():
        return ""
    return release_pages.sections(model.read(root), release, edition, editions.words(root))


def unrun(root: Path) -> Sequence[Refusal]:
    """The snippets that have not run as they are now on every release: the pages say so, and a strict build ends with it."""
    return evidence.read(root).lacking() if (root / model.DATA / "features").is_dir() else []


def sections(root: Path) -> list[tuple[Mapping[str, str], list[str]]]:
    """The navigation of the features: each area's name, its page and those of its features."""
    if not (root / model.DATA / "features").is_dir():
        return []
    atlas = model.read(root)
    return [
        (words["name"], [area_pages.path(area), *(feature_pages.path(feature.id) for feature in feature_pages.ordered(atlas, area))])
        for area, words in atlas.areas.items()
    ]
