"""The three editions: their order, the addresses of their pages, and the words of generated parts."""

from __future__ import annotations

import functools
import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from hooks import hant, yamlfile
from hooks.errors import Refusal

CANONICAL = "zh-Hans"
DERIVED = "zh-Hant"
ENGLISH = "en"
EDITIONS = (CANONICAL, DERIVED, ENGLISH)
WRITTEN = (CANONICAL, ENGLISH)

UI = "docs/data/ui.yml"


def address(staged: str) -> str:
    """The address of a staged page below the site's root, e.g. `en/releases/1.6.md` → `en/releases/1.6/`, percent-encoded.

    The canonical edition stands at the root itself: the address of `zh-Hans/index.md` is empty.
    """
    parts = staged.removesuffix(".md").split("/")
    if parts[0] == CANONICAL:
        del parts[0]
    if parts[-1] == "index":
        del parts[-1]
    return quote("".join(f"{part}/" for part in parts))


def way(source: str, target: str) -> str:
    """The relative address that leads from one staged page to another, also across editions.

    Links between editions are written as addresses and not as `.md` paths: the i18n plugin resolves a path into
    another edition to the page of the edition being built, so that `en/x.md` would link to itself.
    """
    start, end = address(source) or ".", address(target) or "."
    return posixpath.relpath(end, start) + "/"


@functools.lru_cache(maxsize=None)
def _derived(text: str) -> str:
    return hant.convert(text)


def reading(texts: Mapping[str, str], edition: str) -> str:
    """The text of an edition out of a mapping; zh-Hant derives from zh-Hans unless the mapping has one of its own."""
    return texts[edition] if edition in texts else _derived(texts[CANONICAL])


@dataclass(frozen=True)
class Words:
    """The interface strings of generated parts: key → {written edition: text}, where texts may hold `{name}` fields."""

    texts: Mapping[str, Mapping[str, str]]

    def __call__(self, key: str, edition: str, **values: object) -> str:
        """The text under `key` in an edition, its fields filled with `values`.

        Raises:
            Refusal: No such key.
        """
        if key not in self.texts:
            raise Refusal(UI, None, f"no string `{key}`", "Add it with its text in zh-Hans and en")
        return reading(self.texts[key], edition).format(**values)


def words(root: Path) -> Words:
    """Read the interface strings of the repository at `root`."""
    return Words(yamlfile.load(root / UI, "ui").data)
