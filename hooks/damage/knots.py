"""Lines of a damaged text, read back from their bytes.

Most lines only lose their glosses. A line with a knot (a gloss that tore a character, `，？！` found across two of them)
goes through `hooks.damage.readings`, and counts as solved only if damaging it again gives the line that was there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from hooks.damage.codepage import CHARACTER_OF, damage, spell
from hooks.damage.glosses import Gloss, Glosses, torn_seconds
from hooks.damage.readings import BEAM, Reading, readings
from hooks.damage.stretch import Piece, Setting, Stretch, Unit, is_chinese

_KNOT = re.compile(r"\?[，？！]|[。；，、：…」』）》”’]\?")
_CONTEXT = 8


@dataclass(frozen=True)
class Text:
    """A damaged text and what is known about all of it.

    `ruled` maps the offset of a phrase that the caller decided to the phrase and its reading.
    """

    damaged: str
    glosses: Glosses
    setting: Setting
    ruled: Mapping[int, tuple[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Group:
    """Neighbouring damaged units and the clean characters that share their bytes; a gloss alone makes none."""

    first: int
    last: int
    clean: str


@dataclass(frozen=True)
class Line:
    """One line read back.

    Attributes:
        units: The damaged line, unit by unit.
        groups: All units in order, joined where clean characters straddle them.
        listed: Characters of the damaging list that only torn glosses tell, with their reading.
    """

    units: tuple[Unit, ...]
    groups: tuple[Group, ...]
    listed: Mapping[str, str]

    @property
    def clean(self) -> str:
        """The line as it was before the damage."""
        return "".join(group.clean for group in self.groups)

    @property
    def lost(self) -> tuple[int, ...]:
        """Offsets in `clean` of the characters that GBK lacked."""
        places, length = [], 0
        for group in self.groups:
            if self.is_stray(group):
                places.append(length)
            length += len(group.clean)
        return tuple(places)

    def is_stray(self, group: Group) -> bool:
        """Whether a group is the `?` of a lost character."""
        return not group.clean and self.units[group.first].kind == "mark"

    def has_gap(self, group: Group) -> bool:
        """Whether bytes of a group were gone and had to be chosen."""
        return bool(group.clean) and any(
            unit.kind in ("torn", "mark") for unit in self.units[group.first : group.last + 1]
        )


def _seconds(first: str, reading: str, glosses: Glosses) -> dict[str, tuple[str, ...]]:
    """Second bytes of the glossed character whose first byte is given, or `?` where that one is gone too."""
    firsts = sorted({pair[0] for pair in CHARACTER_OF}) if first == "?" else [first]
    seconds: dict[str, tuple[str, ...]] = {}
    for one in firsts:
        for second, character in torn_seconds(one, reading, glosses).items():
            seconds[second] = (*seconds.get(second, ()), character)
    return seconds


def _units(text: Text, start: int, end: int, glosses: Sequence[Gloss]) -> tuple[Unit, ...]:
    """Cut a line into units."""
    at = {gloss.start: gloss for gloss in glosses}
    units: list[Unit] = []
    place, last_byte = start, ""
    while place < end:
        gloss, behind, character = at.get(place), at.get(place + 1), text.damaged[place]
        if place in text.ruled:
            phrase, clean = text.ruled[place]
            unit = Unit(place, place + len(phrase), spell(clean), "bytes")
        elif gloss:
            unit = Unit(place, gloss.end, "", "gloss")
        elif character == "?" and behind and behind.torn:
            unit = Unit(place, place + 1, "?", "torn", _seconds(last_byte, behind.reading, text.glosses))
        elif character == "?":
            unit = Unit(place, place + 1, "?", "mark")
        else:
            raw = spell(character)
            foreign = raw == character and not character.isascii()
            unit = Unit(place, place + 1, raw, "other" if foreign else "bytes")
        last_byte = unit.raw[-1:] or last_byte
        units.append(unit)
        place = unit.end
    return tuple(units)


def _groups(units: Sequence[Unit], pieces: Sequence[Piece]) -> tuple[Group, ...]:
    joined: list[Group] = []
    for piece in pieces:
        if joined and piece.first <= joined[-1].last:
            before = joined.pop()
            joined.append(Group(before.first, max(piece.last, before.last), before.clean + piece.character))
        else:
            joined.append(Group(piece.first, piece.last, piece.character))
    covered = {index for group in joined for index in range(group.first, group.last + 1)}
    glosses = [Group(index, index, "") for index in range(len(units)) if index not in covered]
    return tuple(sorted(joined + glosses, key=lambda group: group.first))


def _listed(units: Sequence[Unit], glosses: Sequence[Gloss], clean: str) -> dict[str, str]:
    """The characters that torn glosses must have belonged to if a line reads `clean`."""
    raw = spell(clean)
    reading_at = {gloss.start: gloss.reading for gloss in glosses}
    return {
        character: reading_at[unit.end]
        for unit in units
        if unit.kind == "torn"
        for character in chain.from_iterable(unit.seconds.values())
        if spell(character) in raw
    }


def _is_reading(text: Text, line: Line) -> bool:
    """Whether damaging the clean line gives the damaged one."""
    start, end = line.units[0].start, line.units[-1].end
    table = {**text.glosses.table, **line.listed}
    return damage(line.clean, table, line.lost) == text.damaged[start:end]


def _candidates(text: Text, units: Sequence[Unit]) -> Iterator[Reading]:
    """Readings of a line, at first only the obvious ones."""
    stretch = Stretch(text.damaged, units, text.setting)
    yield from readings(stretch)
    yield from readings(stretch, limit=32, beam=2 * BEAM)


def read_line(text: Text, start: int, end: int) -> Line:
    """Read back one line; what cannot be explained stays as it is, without its whole glosses."""
    glosses = [gloss for gloss in text.glosses.found if start <= gloss.start < end]
    units = _units(text, start, end, glosses)
    if any(unit.kind == "torn" for unit in units) or _KNOT.search(text.damaged, start, end):
        for reading in _candidates(text, units):
            line = Line(units, _groups(units, reading.pieces), _listed(units, glosses, reading.text))
            if _is_reading(text, line):
                return line
    torn = {gloss.start for gloss in glosses if gloss.torn}
    groups = (
        Group(i, i, "" if unit.kind == "gloss" and unit.start not in torn else _kept(text, unit))
        for i, unit in enumerate(units)
    )
    return Line(units, tuple(groups), {})


def _kept(text: Text, unit: Unit) -> str:
    if unit.start in text.ruled:
        return text.ruled[unit.start][1]
    return text.damaged[unit.start : unit.end]


def rivals(text: Text, line: Line, group: Group, limit: int = 6) -> list[tuple[str, float]]:
    """The readings of one group, all else being as in `line`: clean characters and cost in nats, the best first."""
    place = line.groups.index(group)
    left = max(0, place - _CONTEXT)
    nearby = line.groups[left : place + _CONTEXT + 1]
    units: list[Unit] = []
    before = after = ""
    for other in nearby:
        if other == group:
            units += line.units[group.first : group.last + 1]
            continue
        start, end = line.units[other.first].start, line.units[other.last].end
        kind = "bytes" if other.clean else "gloss"
        units.append(Unit(start, end, spell(other.clean), kind))
        if other.first < group.first:
            before += other.clean
        else:
            after += other.clean
    glosses = [it for it in text.glosses.found if line.units[0].start <= it.start < line.units[-1].end]
    found = []
    for reading in readings(Stretch(text.damaged, units, text.setting), limit):
        if not (reading.text.startswith(before) and reading.text.endswith(after)):
            continue
        clean = reading.text[len(before) : len(reading.text) - len(after)]
        changed = tuple(replace(it, clean=clean) if it == group else it for it in line.groups)
        other_line = Line(line.units, changed, {})
        other_line = replace(other_line, listed=_listed(line.units, glosses, other_line.clean))
        if _is_reading(text, other_line):
            found.append((clean, reading.cost))
    return found


def unexplained(text: Text, line: Line) -> list[int]:
    """Offsets of every `?` that stays although Chinese stands beside it."""
    places = []
    for group in line.groups:
        unit = line.units[group.first]
        if group.clean == "?" and unit.raw == "?":
            beside = text.damaged[max(0, unit.start - 1) : unit.start], text.damaged[unit.end : unit.end + 1]
            if any(map(is_chinese, beside)):
                places.append(unit.start)
    return places
