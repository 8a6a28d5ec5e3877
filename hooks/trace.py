"""Text that remembers where each piece of it came from, and the ledger read off it.

A trace is the seed cut into pieces that, joined, are the present text. A piece that nothing has touched
still holds the seed's own characters; every other piece says which stretch of the seed it stands for and
which steps made it. The ledger is the list of the touched pieces, and it works both ways: with it the text
follows from the seed, and the seed from the text.
"""

from __future__ import annotations

import bisect
import collections
import difflib
import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_UNESCAPES = {"\\": "\\", "t": "\t", "n": "\n", "r": "\r"}
HEADER = ("offset", "before", "after", "kind", "reason")


@dataclass(frozen=True)
class Step:
    """One thing that was done: its kind (a word) and its reason (a short sentence)."""

    kind: str
    reason: str


@dataclass(frozen=True)
class Piece:
    """A stretch of the present text and the stretch `seed[start:end]` that it stands for."""

    start: int
    end: int
    text: str
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True)
class Edit:
    """Replace `text[start:end]` of the present text by `after`."""

    start: int
    end: int
    after: str
    step: Step


@dataclass(frozen=True)
class Entry:
    """A line of the ledger: at `offset` (characters from 0) of the seed, `before` became `after`."""

    offset: int
    before: str
    after: str
    kind: str
    reason: str


@dataclass(frozen=True)
class Trace:
    """A seed and the pieces that now stand in its place, in order and without gaps."""

    seed: str
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """The present text."""
        return "".join(piece.text for piece in self.pieces)


def begin(seed: str) -> Trace:
    """A trace in which nothing has happened yet."""
    return Trace(seed, (Piece(0, len(seed), seed),))


def apply(trace: Trace, edits: Iterable[Edit]) -> Trace:
    """Carry out edits whose offsets all refer to the text before this call.

    An edit that cuts into a piece changed earlier takes the whole piece with it, since half of a
    change has no counterpart in the seed.

    Args:
        edits: Edits in any order; they must not overlap.

    Raises:
        ValueError: Two edits overlap or one lies outside the text.
    """
    text = trace.text
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    if ordered and not (0 <= ordered[0].start and all(e.start <= e.end <= len(text) for e in ordered)):
        raise ValueError("an edit lies outside the text")
    for left, right in zip(ordered, ordered[1:]):
        if right.start < left.end:
            raise ValueError(f"two edits overlap: {left} and {right}")
    take = _taker(trace.pieces)
    out: list[Piece] = []
    for start, end, members in _groups(trace.pieces, ordered):
        out += take(start, deletions=end > start)  # what was deleted just before is no part of a replacement
        covered = take(end) if end > start else []
        after, at = "", start
        for edit in members:
            after += text[at : edit.start] + edit.after
            at = edit.end
        after += text[at:end]
        here = out[-1].end if out else 0
        first, last = (covered[0].start, covered[-1].end) if covered else (here, here)
        steps = (step for source in (*covered, *members) for step in _steps(source))
        changed = after != trace.seed[first:last]  # a change undone is no change
        out.append(Piece(first, last, after, tuple(dict.fromkeys(steps)) if changed else ()))
    out += take(None)
    return Trace(trace.seed, tuple(piece for piece in out if piece.text or piece.start < piece.end))


def _steps(source: Piece | Edit) -> tuple[Step, ...]:
    return source.steps if isinstance(source, Piece) else (source.step,)


def _groups(pieces: Sequence[Piece], edits: Sequence[Edit]) -> list[tuple[int, int, list[Edit]]]:
    """Widen each edit to the borders of the changed pieces it cuts into, and join those that then meet."""
    starts = [0, *itertools.accumulate(len(piece.text) for piece in pieces)]

    def widen(position: int, side: int) -> int:
        index = bisect.bisect_right(starts, position) - 1
        inside = index < len(pieces) and starts[index] < position and pieces[index].steps
        return starts[index + side] if inside else position

    groups: list[tuple[int, int, list[Edit]]] = []
    for edit in edits:
        start, end = widen(edit.start, 0), widen(edit.end, 1)
        if groups and start < groups[-1][1]:
            first, last, members = groups.pop()
            groups.append((first, max(last, end), [*members, edit]))
        else:
            groups.append((start, end, [edit]))
    return groups


def _taker(pieces: Sequence[Piece]) -> Callable[..., list[Piece]]:
    """A function that hands out the pieces up to a text offset, cutting an untouched one where needed."""
    queue = collections.deque(pieces)
    position = 0

    def take(upto: int | None, deletions: bool = False) -> list[Piece]:
        nonlocal position
        taken = []
        while queue and (upto is None or position < upto or (deletions and position == upto and not queue[0].text)):
            piece = queue.popleft()
            length = len(piece.text)
            if upto is not None and position + length > upto:
                cut = upto - position
                queue.appendleft(Piece(piece.start + cut, piece.end, piece.text[cut:]))
                piece, length = Piece(piece.start, piece.start + cut, piece.text[:cut]), cut
            taken.append(piece)
            position += length
        return taken

    return take


def replace(trace: Trace, start: int, end: int, after: str, step: Step) -> Trace:
    """Replace one stretch of the present text, keeping every character that stays out of the ledger."""
    return apply(trace, minimal(trace.text[start:end], after, start, step))


def minimal(before: str, after: str, offset: int, step: Step) -> list[Edit]:
    """The smallest edits that turn `before`, which stands at `offset`, into `after`."""
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    return [
        Edit(offset + a, offset + b, after[c:d], step)
        for tag, a, b, c, d in matcher.get_opcodes()
        if tag != "equal"
    ]


def ledger(trace: Trace) -> list[Entry]:
    """Every change from the seed to the present text, in the order of the text.

    Neighbouring pieces made by the same steps are one entry.
    """
    entries: list[Entry] = []
    groups = itertools.groupby(trace.pieces, key=lambda piece: piece.steps)
    for steps, group in groups:
        if not steps:
            continue
        run = list(group)
        entries.append(
            Entry(
                offset=run[0].start,
                before=trace.seed[run[0].start : run[-1].end],
                after="".join(piece.text for piece in run),
                kind="+".join(dict.fromkeys(step.kind for step in steps)),
                reason="; ".join(dict.fromkeys(step.reason for step in steps if step.reason)),
            )
        )
    return entries


def counts(entries: Iterable[Entry]) -> dict[str, int]:
    """How many entries each kind has; an entry of two kinds counts for both."""
    return dict(collections.Counter(kind for entry in entries for kind in entry.kind.split("+")))


def restore(text: str, entries: Iterable[Entry]) -> str:
    """The seed, from the present text and the ledger alone.

    Raises:
        ValueError: The text does not hold what the ledger says.
    """
    seed: list[str] = []
    position = length = 0
    for entry in entries:
        keep = entry.offset - length
        seed.append(text[position : position + keep])
        position += keep
        if keep < 0 or not text.startswith(entry.after, position):
            raise ValueError(f"the text does not hold {entry.after!r} where the ledger puts it (seed offset {entry.offset})")
        position += len(entry.after)
        seed.append(entry.before)
        length = entry.offset + len(entry.before)
    return "".join([*seed, text[position:]])


def to_tsv(entries: Iterable[Entry]) -> str:
    """The ledger as tab-separated text with a header; backslash, tab and line ends are escaped."""
    rows = [HEADER, *((str(e.offset), e.before, e.after, e.kind, e.reason) for e in entries)]
    return "".join("\t".join(_escape(cell) for cell in row) + "\n" for row in rows)


def from_tsv(text: str) -> list[Entry]:
    """The entries of a ledger written by `to_tsv`."""
    rows = [line.split("\t") for line in text.split("\n")[1:] if line]
    return [Entry(int(row[0]), *map(_unescape, row[1:])) for row in rows]


def _escape(cell: str) -> str:
    return "".join(_ESCAPES.get(character, character) for character in cell)


def _unescape(cell: str) -> str:
    return re.sub(r"\\(.)", lambda match: _UNESCAPES[match[1]], cell)
