"""Every page that is written out of the facts, in the two written editions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path


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
    yield from ()
