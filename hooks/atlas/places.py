"""From a phrase in a seed to the place on the article's page where a reader finds it."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hooks import articles, markdown
from hooks.articles import Article
from hooks.atlas.model import Feature, Mention
from hooks.edits import MARKER
from hooks.trace import Trace


_BORDER = re.compile(r"\n\n|\n(?= *- )")
_BADGE = re.compile(rf"\n*({MARKER.pattern})\n")


@dataclass(frozen=True)
class Spot:
    """A mention on its page.

    Attributes:
        release: Release of the article.
        heading: Id of the heading under which the phrase stands; the title's where there is none above it.
        at: Offset on the zh-Hans page of the phrase's last character.
        block: The heading, paragraph or list item around the phrase.
        labels: Where on the page the tier labels that hold for this block stand → the tier: its own labels, else the
            badge below its heading.
    """

    release: str
    heading: str
    at: int
    block: str
    labels: Mapping[int, str]


def offset(trace: Trace, position: int) -> int:
    """Where in the present text the character `seed[position]` went."""
    at = 0
    for piece in trace.pieces:
        if piece.start <= position < piece.end:
            return at + (position - piece.start if not piece.steps else 0)
        at += len(piece.text)
    return at


def spot(article: Article, mention: Mention) -> Spot:
    """Find a mention on the article's page.

    Raises:
        ValueError: The phrase does not occur exactly once in the seed.
    """
    seed = article.trace.seed
    if seed.count(mention.phrase) != 1:
        raise ValueError(f"`{mention.phrase}` occurs {seed.count(mention.phrase)} times in the {article.release} seed")
    start = seed.index(mention.phrase)
    # The last character counts: the first may have become part of a heading's marks.
    at = max(offset(article.trace, start), offset(article.trace, start + len(mention.phrase) - 1))
    page = article.page
    first, last = _block(page, at)
    heading = next(h for h in reversed(markdown.headings(page)) if _line_start(page, h.line) <= at)
    labels = {match.start(): match[1] for match in MARKER.finditer(page, first, last)}
    if not labels and (badge := _BADGE.match(page, _line_start(page, heading.line + 1))):
        labels = {badge.start(1): badge[2]}
    return Spot(article.release, heading.id, at, page[first:last], labels)


def labels(article: Article) -> dict[int, str]:
    """Where the tier labels stand on an article's page → the tier of each."""
    return {match.start(): match[1] for match in MARKER.finditer(article.page)}


def _line_start(page: str, line: int) -> int:
    """Offset of the start of a line, counted from 1."""
    return len("".join(f"{text}\n" for text in page.split("\n")[: line - 1]))


def _block(page: str, at: int) -> tuple[int, int]:
    """The heading, paragraph or list item that holds the character at `at`."""
    starts = [match.end() for match in _BORDER.finditer(page, 0, at)]
    end = _BORDER.search(page, at)
    return max(starts, default=0), end.start() if end else len(page)


@functools.lru_cache(maxsize=8)
def _article(root: Path, release: str, _stamp: tuple) -> Article:
    return articles.article(root, release)


def article(root: Path, release: str) -> Article:
    """The article of a release, made once as long as its files stay as they are."""
    files = [root / f"seeds/pytorch-{release}.{suffix}" for suffix in ("txt", "yml")]
    files += [root / "docs/data/names.yml", root / "docs/data/tiers.yml"]
    return _article(root, release, tuple(file.stat().st_mtime_ns for file in files if file.exists()))


def spots(root: Path, features: Mapping[str, Feature]) -> dict[str, list[tuple[Mention, Spot]]]:
    """Every mention of every feature with its place, by feature id."""
    return {
        feature.id: [(mention, spot(article(root, mention.release), mention)) for mention in feature.mentions]
        for feature in features.values()
    }
