"""What an edition offers besides its pages: Markdown twins, llms.txt and a feed of the releases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from hooks import articles, editions, pages, versions, yamlfile
from hooks.atlas import model, release_pages
from hooks.editions import Words
from hooks.tree import Tree
from hooks.web import feeds, twins

GROUPS = ("features", "areas", "releases", "upgrade", ".", "contributing")
"""Folders of an edition in the order in which llms.txt lists them."""


def files(root: Path, tree: Tree, say: Words, site: str) -> Iterator[tuple[str, bytes]]:
    """Every file, by its path below the site's root.

    Args:
        root: The repository.
        tree: The expanded site.
        say: Interface strings.
        site: Address of the site, with a final slash.
    """
    snippets = {file.name: file.read_text("utf-8") for file in yamlfile.visible(root / pages.SNIPPETS, "*.pycon")}
    for edition in editions.EDITIONS:
        found = {
            path.removeprefix(f"{edition}/"): str(file.content)
            for path, file in tree.pages.items()
            if path.startswith(f"{edition}/") and path.endswith(".md")
        }
        prefix = editions.address(f"{edition}/index.md")
        for path, text in found.items():
            yield f"{prefix}{path}", twins.twin(text, snippets).encode()
        yield f"{prefix}llms.txt", _index(found, prefix, edition, say, site).encode()
        if (root / model.DATA / "features").is_dir():
            entries = _releases(model.read(root), frozenset(articles.releases(root)), found, edition)
            name, description = say("site.name", edition), say("site.description", edition)
            yield f"{prefix}feed.xml", feeds.atom(entries, site, prefix, edition, name, description)


def _index(found: Mapping[str, str], prefix: str, edition: str, say: Words, site: str) -> str:
    def entry(path: str) -> tuple[str, str, str]:
        front, _ = pages.front_matter(found[path])
        return str(front["title"]), f"{prefix}{path}", str(front.get("description", ""))

    def order(path: str) -> tuple:
        stem = PurePosixPath(path).stem
        return (stem != "index", versions.key(stem) if stem.replace(".", "").isdecimal() else (), stem)

    sections = []
    for group in GROUPS:
        inside = sorted((path for path in found if str(PurePosixPath(path).parent) == group), key=order)
        if inside:
            sections.append((say(f"llms.{'site' if group == '.' else group}", edition), [entry(path) for path in inside]))
    return twins.index(say("site.name", edition), say("site.description", edition), site, sections)


def _releases(atlas: model.Atlas, released: frozenset[str], found: Mapping[str, str], edition: str) -> Iterator[feeds.Entry]:
    for release, entry in atlas.releases.items():
        if release_pages.has_page(atlas, release, released):
            path = release_pages.path(release)
            front, _ = pages.front_matter(found[path])
            yield feeds.Entry(str(front["title"]), str(front.get("description", "")), editions.address(f"{edition}/{path}"), entry.date)
