"""The navigation of one edition, from the one that mkdocs.yml gives for all of them."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any


Groups = Sequence[tuple[str, Sequence[str]]]
"""Sections by title, with the pages in each."""


def navigation(items: list[Any], pages: Collection[str], title: Callable[[str], str], groups: Mapping[str, Groups] | None = None) -> list[Any]:
    """Name the sections and expand patterns.

    Args:
        items: Items as in mkdocs.yml: paths, patterns such as `releases/*.md`, and sections `{key: items}`.
        pages: Paths of the edition's pages, e.g. `releases/1.10.md`.
        title: Title of a section from its key.
        groups: Patterns whose pages stand in sections of their own.

    Returns:
        Items for MkDocs. A pattern stands for the pages that no other item names, the newest release first.
    """
    groups = groups or {}
    named = set(_paths(items)) | {path for sections in groups.values() for _, paths in sections for path in paths}

    def expand(item: Any) -> list[Any]:
        if isinstance(item, dict):
            return [{title(key): [entry for child in children for entry in expand(child)]} for key, children in item.items()]
        if item in groups:
            return [{name: list(paths)} for name, paths in groups[item]]
        if "*" in item:
            return sorted(set(fnmatch.filter(pages, item)) - named, key=_version, reverse=True)
        return [item]

    return [entry for item in items for entry in expand(item)]


def _paths(items: list[Any]) -> list[str]:
    out = []
    for item in items:
        out += [item] if isinstance(item, str) else [path for children in item.values() for path in _paths(children)]
    return out


def _version(path: str) -> list[tuple[int, str]]:
    """Sorts `1.10` after `1.9`."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.findall(r"\d+|\D+", path)]
