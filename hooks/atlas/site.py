"""Every page that is written out of the facts, in the two written editions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hooks import articles, editions
from hooks.atlas import glossary, model, places, release_pages


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
    bodies = {release: places.article(root, release).body for release in released}
    yield made(glossary.PATH, f"{model.DATA}/terms.yml", lambda edition: glossary.page(bodies, edition, say))
