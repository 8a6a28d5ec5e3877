"""All clean readings of a damaged stretch, the likeliest first.

A reading is a way through the bytes of `hooks.damage.stretch` in which every pair is a character; its cost is that of its words
and of the places where they meet. Once the first character is whole again, those behind it fall into step by themselves.
"""

from __future__ import annotations

import bisect
import heapq
import math
from collections import defaultdict
from dataclasses import dataclass

from hooks.damage.language import is_hanzi, simplified, tag, word_cost, words
from hooks.damage.stretch import Piece, Setting, State, Stretch, is_chinese

BEAM = 20.0
_LEADS = 32
"""How many lead bytes of one `?` are followed up."""

# Costs in nats, as in hooks.damage.stretch; what makes a reading likelier is below zero.
_CLUMSY = 6.0
_PARTICLE = -4.0
_DEGREE = -4.0
_REPEATED = -2.5
_LONE, _BOUND = 1.0, 3.0
_LEAST = min(_PARTICLE, _DEGREE, _REPEATED)
_DEGREES = ("非常", "十分", "很", "太", "更", "最")
_OPENERS, _CLOSERS = "（「『《“‘…—", "）」』》”’…—"
_LEADING = ("c", "d", "p")
_STOPS = frozenset("，、。！？；")
_FULL_STOPS = "。！？：；」』）…"
_FULL_WIDTH = frozenset(_FULL_STOPS) | _STOPS


@dataclass(frozen=True)
class Reading:
    """A clean reading of a stretch, its cost in nats, and its characters one by one."""

    text: str
    cost: float
    pieces: tuple[Piece, ...]


def _junction(done: str, word: str, setting: Setting) -> float:
    """Cost of one word behind what stands before it: sentences end in a full stop, marks seldom follow each other."""
    before, after = done[-1:], word[:1]
    if done.endswith(_DEGREES) and is_hanzi(after):
        return _DEGREE if tag("".join(map(simplified, word))) == "a" else 0.0
    if is_hanzi(before) and is_hanzi(after):
        return _REPEATED if before + after in setting.known else 0.0
    if after == "？" and before in ("嗎", "呢", "吗"):
        return _PARTICLE
    if is_hanzi(before) and after.isascii() and after.isalnum():
        return _CLUMSY / 2
    if after == " " and before in _FULL_WIDTH:
        return 0.0 if before + after in setting.known else _CLUMSY
    if after in _STOPS and is_hanzi(before):
        return _stop(done)
    if after == "\n":
        return 0.0 if before in _FULL_STOPS else _CLUMSY
    if is_chinese(before) and is_chinese(after) and not is_hanzi(before) and not is_hanzi(after):
        return 0.0 if before in _CLOSERS or after in _OPENERS else _CLUMSY
    return _CLUMSY if before in ("、", "，") and not is_hanzi(after) and after != " " else 0.0


def _stop(done: str) -> float:
    """Cost of a clause that ends so: seldom in a word of one character, least of all in one that leads on to another."""
    pair = "".join(map(simplified, done[-2:]))
    lone = _BOUND if tag(pair[-1]) in _LEADING else _LONE
    if len(pair) < 2 or not words().get(pair):
        return lone
    return min(lone, max(0.0, word_cost(pair) - sum(map(word_cost, pair))))


def _ending(done: str, setting: Setting) -> float:
    """Cost of ending a line here, with every bracket that is still open."""
    unpaired = sum(abs(done.count(left) - done.count(right)) for left, right in zip(_OPENERS[:4], _CLOSERS[:4]))
    return _junction(done, "\n", setting) + _CLUMSY * unpaired


class _Ways:
    """The clean texts that lead to a state, each with its cost and its path; of these only the `limit` cheapest are kept."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._ways: dict[str, tuple[float, tuple]] = {}
        self.costs: list[float] = []
        self.bound = math.inf

    def add(self, clean: str, cost: float, path: tuple) -> None:
        """Add a way, unless one no dearer leads to the same text."""
        if clean in self._ways:
            if self._ways[clean][0] <= cost:
                return
            self.costs.remove(self._ways[clean][0])
        bisect.insort(self.costs, cost)
        self._ways[clean] = cost, path
        if len(self.costs) >= self._limit:
            self.bound = self.costs[self._limit - 1]

    def kept(self) -> list[tuple[str, tuple[float, tuple]]]:
        """The cheapest ways, the cheapest first."""
        return sorted(self._ways.items(), key=lambda item: item[1][0])[: self._limit]


def readings(stretch: Stretch, limit: int = 8, beam: float = BEAM) -> list[Reading]:
    """Find the likeliest clean readings of a stretch.

    Args:
        stretch: The stretch; it keeps what it has found out, for another search.
        limit: How many readings to keep at each place.
        beam: Ways that cost so much more than another one as far as this are given up.

    Returns:
        Up to `limit` different readings, the likeliest first; none where the bytes admit no reading.
    """
    text, units, setting = stretch.text, stretch.units, stretch.setting
    best: dict[State, _Ways] = defaultdict(lambda: _Ways(limit))
    best[0, 0].add("", 0.0, ())
    waiting, seen, narrowed = [(0, 0)], {(0, 0)}, set()
    lowest: dict[int, float] = defaultdict(lambda: math.inf)
    joints: dict[tuple[str, str], float] = {}
    ends: dict[str, tuple[float, tuple]] = {}
    while waiting:
        state = heapq.heappop(waiting)
        if state[1] > 1 and state[0] not in narrowed:
            narrowed.add(state[0])
            cheapest = {it: ways.costs[0] for it, ways in best.items() if it[0] == state[0] and ways.costs}
            for hopeless in sorted(cheapest, key=cheapest.__getitem__)[_LEADS:]:
                best[hopeless] = _Ways(limit)
        kept = best.pop(state).kept()
        if state[0] == len(units):
            closed = text[units[-1].end : units[-1].end + 1] in ("\n", "")
            ends = {done: (cost + _ending(done, setting) * closed, path) for done, (cost, path) in kept}
            continue
        kept = [item for item in kept if item[1][0] < lowest[state[0]] + beam]
        steps = stretch.words_from(state) if kept else []
        if not steps and all(unit.kind == "gloss" for unit in units[state[0] :]):
            ends |= dict(kept)
        for pieces, behind, cost in steps:
            ways, word = best[behind], ""
            for done, (spent, path) in kept:
                if spent + cost >= lowest[behind[0]] + beam or spent + cost + _LEAST > ways.bound:
                    break
                word = word or "".join([piece.character for piece in pieces])
                joint = done[-2:], word
                if joint not in joints:
                    joints[joint] = _junction(*joint, setting)
                total = spent + cost + joints[joint]
                if total > ways.bound:
                    continue
                lowest[behind[0]] = min(lowest[behind[0]], total)
                ways.add(done + word, total, (path, pieces))
                if behind not in seen:
                    seen.add(behind)
                    heapq.heappush(waiting, behind)
    ordered = sorted(ends.items(), key=lambda item: item[1][0])[:limit]
    return [Reading(clean, cost, _unfold(path)) for clean, (cost, path) in ordered]


def _unfold(path: tuple) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    while path:
        path, word = path
        pieces[:0] = word
    return tuple(pieces)
