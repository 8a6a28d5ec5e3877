"""Spaces between Chinese and Latin writing, and between names that lost theirs."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hooks import markdown, yamlfile
from hooks.trace import Edit, Step

NAMES = Path("docs/data/names.yml")
HAN = "\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"

_SPACE = Step("spacing", "space between Chinese and Latin writing")
_TIGHT = Step("spacing", "no space beside full-width punctuation")
_NAME = Step("name", "names that stood without a space between them")
_SPELLING = Step("name", "name as its owner spells it")

_RUN = re.compile(r"[A-Za-z0-9]+(?:[.+_-][A-Za-z0-9]+)*")
_VERSION = re.compile(r"\d+(?:\.\d+)*\Z")
_GAP = re.compile(
    rf"(?<=[{HAN}])(?=[A-Za-z0-9])"
    rf"|(?<=[A-Za-z0-9%])(?=[{HAN}])"
    rf"|(?<=\w\+\+)(?=[{HAN}])"
    rf"|(?<=\w\(\))(?=[A-Za-z{HAN}])"
    # `自动混合精度(AMP)训练`, but not `f(x)` and not `（高斯）`
    rf"|(?<=[{HAN}])(?=\([!-'*-~ ]+\))"
    rf"|(?<=[A-Za-z0-9])(?=\([A-Z]{{2,}}\))"
)
_AFTER_BRACKET = re.compile(rf"\([!-'*-~ ]+\)(?=[{HAN}])")
_LOOSE = re.compile(r"(?<=[，。；：！？、）」』])[ \t]+(?=\S)|(?<=\S)[ \t]+(?=[，。；：！？、）」』])")


@dataclass(frozen=True)
class Names:
    """Known names: how they are spelled, and the spellings that articles use instead."""

    names: tuple[str, ...]
    variants: Mapping[str, str] = field(default_factory=dict)

    @functools.cached_property
    def glued(self) -> dict[str, str]:
        """Every spelling without spaces, and the name it stands for."""
        return {name.replace(" ", ""): name for name in self.names} | dict(self.variants)


def names(root: Path) -> Names:
    """The known names of the project, from `docs/data/names.yml`."""
    data = yamlfile.load(root / NAMES, "names").data
    return Names(tuple(data["names"]), data.get("variants", {}))


def name_edits(text: str, known: Names) -> list[Edit]:
    """Edits that part names written as one word (`PyTorch1.6`, `AppleMetal`) and mend their spelling.

    A run of letters and digits is parted only if known names and version numbers cover it from
    end to end; the parting with the fewest parts wins, so a longer name is never cut up.
    """
    out: list[Edit] = []
    for run in _runs(text):
        parts = _part(run[0], known)
        at = run.start()
        for index, part in enumerate(parts):
            if index:
                out.append(Edit(at, at, " ", _NAME))
            name = known.glued.get(part, part)
            if name.replace(" ", "") == part:
                offsets = [at + len(name[:i].replace(" ", "")) for i, sign in enumerate(name) if sign == " "]
                out += (Edit(offset, offset, " ", _NAME) for offset in offsets)
            else:
                out.append(Edit(at, at + len(part), name, _SPELLING))
            at += len(part)
    return out


def gap_edits(text: str) -> list[Edit]:
    """Edits that put a space between Chinese and Latin writing and take it away beside full-width punctuation."""
    out: dict[tuple[int, int], Edit] = {}
    for start, end in _prose(text):
        for gap in _GAP.finditer(text, start, end):
            out[gap.start(), gap.start()] = Edit(gap.start(), gap.start(), " ", _SPACE)
        for bracket in _AFTER_BRACKET.finditer(text, start, end):
            if re.match(rf"[{HAN}A-Za-z ]", text[bracket.start() - 1 : bracket.start()] or "x"):
                out[bracket.end(), bracket.end()] = Edit(bracket.end(), bracket.end(), " ", _SPACE)
        for loose in _LOOSE.finditer(text, start, end):
            out[loose.span()] = Edit(*loose.span(), "", _TIGHT)
    return sorted(out.values(), key=lambda edit: edit.start)


def _prose(text: str) -> Iterator[tuple[int, int]]:
    """The stretches that are free to change. A name is no border: in `PyTorch1.6支持` the gaps lie at its ends."""
    start = 0
    for span in markdown.spans(text):
        if span.protected and span.kind != "name":
            yield start, span.start
            start = span.end
    yield start, len(text)


def _runs(text: str) -> Iterable[re.Match[str]]:
    for start, end in _prose(text):
        yield from _RUN.finditer(text, start, end)


def _part(run: str, known: Names) -> list[str]:
    """The run as the fewest known names and version numbers, or as itself."""
    best: list[list[str] | None] = [[]] + [None] * len(run)
    for end in range(1, len(run) + 1):
        for start in range(end):
            head, piece = best[start], run[start:end]
            version = head and _VERSION.match(piece) and not run[start - 1].isdigit() and not run[end : end + 1].isdigit()
            if head is not None and (piece in known.glued or version):
                if best[end] is None or len(head) + 1 < len(best[end]):
                    best[end] = [*head, piece]
    return best[-1] or [run]
