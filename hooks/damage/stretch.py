"""The bytes of a damaged stretch, and the words that they can spell.

The damaged characters go back to bytes. A `?` stands for bytes that are gone, so it opens alternatives; everything else
is fixed. From each place in the bytes the next characters and words can be listed, with their costs.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from hooks.damage.codepage import ATOMS, CHARACTER_OF
from hooks.damage.language import followers, is_hanzi, occurrences, script, simplified, word_cost, words

State = tuple[int, int]
"""Place in the bytes: index of a unit, and how much of it is used (for a `?`: the lead byte it began with)."""

_HIGH = [chr(0xDC00 + byte) for byte in range(0x81, 0xFF)]
_ANY = [*map(chr, range(0x20, 0x7F)), "\n", *_HIGH]
_SWALLOWED = {first: [second for second in _ANY if first + second not in CHARACTER_OF] for first in _HIGH}
"""Lead byte → the bytes that it takes into its `?`."""
_ALIKE = {ord(lead): ord(next(it for it in _HIGH if _SWALLOWED[it] == _SWALLOWED[lead])) for lead in _HIGH}
"""Lead byte → the first that takes the same bytes: behind both, the same words can begin."""

# Costs in nats, on the scale of word_cost: a frequent word costs about 6, a rare one 17.
_PUNCTUATION = {
    **dict.fromkeys("，。", 3.0),
    **dict.fromkeys("、！？：", 5.0),
    **dict.fromkeys("；「」『』（）《》“” ", 6.5),
    **dict.fromkeys("‘’—…·", 9.0),
}
_LATIN = 2.5
_SYMBOL = 15.0
_QUESTION_IN_CHINESE = 22.0
_LOST = 9.0
_OTHER_SCRIPT = 5.0
_UNLISTED = 3.0

_OWN = 0.2
"""How much of a text, in words, is said in words that it says elsewhere too."""
_CHARACTERS_OF_A_WORD = 1.6
_SHORTEST = 130.0
"""Words that a text is taken to have at least, lest a short one makes too much of what it says once."""

_SIGNS = frozenset("@[\\]^_`{|}~")
_CLOSING = frozenset("。；，、：…」』）》”’")
_WORDS = 24
"""How many words between the same two states are followed up."""


@dataclass(frozen=True)
class Unit:
    """One damaged character as bytes, or something that stands between bytes.

    Attributes:
        start: Offset in the damaged text.
        end: Offset behind it.
        raw: Its bytes; empty for a gloss, which has none in the clean text.
        kind: `bytes`, `other` (a character outside the code page), `gloss`, `torn` (the `?` in front of the rest of a
            gloss) or `mark` (any other `?`).
        seconds: For `torn`: the bytes that it can have been → the glossed characters that they can complete.
    """

    start: int
    end: int
    raw: str
    kind: str
    seconds: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Piece:
    """One clean character and the damaged units from which its bytes come (`last` included)."""

    character: str
    first: int
    last: int


Word = tuple[tuple[Piece, ...], State, float]
"""The pieces of a word, the state behind it and its cost."""

Characters = dict[str, list[Word]]
"""Simplified form → the Chinese characters of this form, each as a word without the cost of one; all others under ``""``."""


@dataclass(frozen=True)
class Setting:
    """What the whole text says about a stretch.

    Attributes:
        script: `hant` or `hans`.
        known: The characters and pairs of characters in it.
        glossed: The characters that are glossed in it.
        counts: Simplified word → occurrences.
        length: Its words, estimated.
    """

    script: str
    known: frozenset[str]
    glossed: frozenset[str]
    counts: Mapping[str, int]
    length: float

    @classmethod
    def of(cls, text: str, glossed: Iterable[str]) -> Setting:
        """Look at a text without its glosses, and note the characters that had one."""
        scripts = Counter(map(script, text))
        pairs = {text[i : i + 2] for i in range(len(text) - 1)}
        own = "hant" if scripts["hant"] >= scripts["hans"] else "hans"
        length = max(_SHORTEST, sum(map(is_hanzi, text)) / _CHARACTERS_OF_A_WORD)
        return cls(own, frozenset(pairs | set(text)), frozenset(glossed), occurrences(text), length)

    def cost(self, word: str) -> float:
        """Cost of a simplified word here: one that the text says elsewhere is likely to come again."""
        seen = self.counts.get(word, 0)
        if not seen:
            return word_cost(word)
        return -math.log((1 - _OWN) * math.exp(-word_cost(word)) + _OWN * seen / self.length)


def is_chinese(text: str) -> bool:
    """Whether one character is Chinese writing: a character or its punctuation."""
    return is_hanzi(text) or text in _PUNCTUATION and text not in " ·"


def _swallowed_cost(byte: str, following: str) -> float:
    """Cost of an ASCII character that vanished into a `?`, judged by what follows it."""
    if byte == " ":
        return 3.0 if following.isascii() and following.isalnum() else 8.0
    if byte == "\n":
        return 3.0 if following in ("\n", "") else 4.0
    if byte.isdigit():
        return 4.0 if following.isdigit() or following in tuple(".%") else 7.0
    if byte.isalpha():
        return 5.0 if following.isascii() and following.isalnum() else 8.0
    return 7.0 if byte in "(.:" else 9.0


class Stretch:
    """The graph of one stretch: its units, and the steps from each state to the next."""

    def __init__(self, text: str, units: Sequence[Unit], setting: Setting) -> None:
        self.text = text
        self.units = list(units)
        self.setting = setting
        self._bytes: dict[State, list[tuple[str, int, State, float]]] = {}
        self._pairs: dict[tuple[str, State], Characters] = {}
        self._characters: dict[State, tuple[Characters, list[Word]]] = {}
        self._places: dict[State, dict[str, int]] = {}
        self._ends: dict[tuple[str, State], list[Word]] = {}

    def _before(self, unit: int) -> str:
        """The damaged character in front of a unit, across glosses."""
        while unit > 0 and self.units[unit - 1].kind == "gloss":
            unit -= 1
        start = self.units[unit].start
        return self.text[start - 1 : start]

    def _after(self, unit: int) -> str:
        end = self.units[unit].end
        return self.text[end : end + 1]

    def _stops_here(self, unit: int) -> bool:
        """Whether a lead byte cannot take a partner from here: an unbreakable mark, a foreign character, the end."""
        if unit == len(self.units):
            return self.units[-1].end == len(self.text)
        return self.units[unit].kind == "other" or self.text[self.units[unit].start] in "，？！"

    def _bytes_from(self, state: State) -> list[tuple[str, int, State, float]]:
        """Every byte that can stand at a state, its unit, the next state and the cost."""
        if state not in self._bytes:
            self._bytes[state] = list(self._bytes_at(state))
        return self._bytes[state]

    def _bytes_at(self, state: State) -> Iterator[tuple[str, int, State, float]]:
        index, used = state
        while index < len(self.units) and self.units[index].kind == "gloss":
            index += 1
        if index == len(self.units):
            return
        unit = self.units[index]
        if unit.kind in ("bytes", "other"):
            whole = used + 1 == len(unit.raw)
            yield unit.raw[used], index, (index + 1, 0) if whole else (index, used + 1), 0.0
        elif unit.kind == "torn":
            for second, characters in unit.seconds.items():
                listed = not self.setting.glossed.isdisjoint(characters)
                yield second, index, (index + 1, 0), 0.0 if listed else _UNLISTED
        elif used:
            following = self._after(index)
            for byte in _SWALLOWED[chr(used)]:
                yield byte, index, (index + 1, 0), _swallowed_cost(byte, following) if byte.isascii() else 0.0
        else:
            alone = self._stops_here(index + 1)
            for byte in _HIGH:
                yield byte, index, (index + 1, 0) if alone else (index, ord(byte)), 0.0

    def _mark_as_it_is(self, index: int) -> Iterator[tuple[str, int, State, float]]:
        """A `?` that was one in the clean text, or a character that GBK lacks."""
        before, after = self._before(index), self._after(index)
        chinese = is_chinese(before) or is_chinese(after)
        yield "?", index, (index + 1, 0), _QUESTION_IN_CHINESE if chinese else 1.0
        if before in _CLOSING and (after in ("", "\n", " ") or is_hanzi(after)):
            yield "", index, (index + 1, 0), _LOST

    def _contradicted(self, first: int, last: int) -> frozenset[str]:
        """The characters that the damage would have found in these units, leaving a trace that is not there."""
        if any(unit.kind == "gloss" for unit in self.units[first + 1 : last + 1]):
            return frozenset()
        atoms = frozenset(ATOMS)
        behind = self.units[last + 1 : last + 2]
        glossed = self.setting.glossed - atoms if behind and behind[0].kind != "gloss" else frozenset()
        return glossed | atoms if first != last else glossed

    def _pairs_from(self, byte: str, first: int, behind: State) -> Characters:
        """The characters that begin with a byte of the unit `first`, before the cost of that byte."""
        if (byte, behind) not in self._pairs:
            found: Characters = defaultdict(list)
            contradicted: dict[int, frozenset[str]] = {}
            for second, last, end, cost in self._bytes_from(behind):
                if last not in contradicted:
                    contradicted[last] = self._contradicted(first, last)
                character = CHARACTER_OF.get(byte + second)
                if character and character not in contradicted[last]:
                    self._add(found, Piece(character, first, last), end, cost)
            self._pairs[byte, behind] = found
        return self._pairs[byte, behind]

    def _characters_from(self, state: State) -> Characters:
        """Every character that can begin at a state."""
        found: Characters = defaultdict(list)
        for byte, first, behind, cost in self._bytes_from(state):
            if not "\udc80" <= byte <= "\udcff":
                self._add(found, Piece(byte, first, first), behind, cost)
                continue
            if byte == "\udc80":
                self._add(found, Piece("€", first, first), behind, cost)
            if behind[0] == first and self.units[first].kind == "mark":
                continue  # in step, lead and partner make a character; they never make a `?`
            for form, pairs in self._pairs_from(byte, first, behind).items():
                found[form] += [(pieces, end, cost + more) for pieces, end, more in pairs] if cost else pairs
        index, used = state
        while index < len(self.units) and self.units[index].kind == "gloss":
            index += 1
        if index < len(self.units) and self.units[index].kind == "mark" and not used:
            for character, unit, end, cost in self._mark_as_it_is(index):
                self._add(found, Piece(character, unit, unit), end, cost)
        return found

    def _add(self, found: Characters, piece: Piece, behind: State, cost: float) -> None:
        if is_hanzi(piece.character):
            found[simplified(piece.character)].append(((piece,), behind, cost + self._script_cost(piece.character)))
        else:
            found[""].append(((piece,), behind, cost + self._single_cost(piece.character)))

    def _single_cost(self, character: str) -> float:
        if not character or character == "?":
            return 0.0
        if character in _SIGNS:
            return _SYMBOL
        if character.isascii():
            return _LATIN
        return _PUNCTUATION.get(character, _SYMBOL)

    def _script_cost(self, character: str) -> float:
        own = script(character)
        strange = own and own != self.setting.script and character not in self.setting.known
        return _OTHER_SCRIPT if strange else 0.0

    def _hanzi_and_others(self, state: State) -> tuple[Characters, list[Word]]:
        """The Chinese characters that can begin at a state, and all others."""
        if state not in self._characters:
            hanzi = self._characters_from(state)
            others = hanzi.pop("", [])
            self._characters[state] = hanzi, others
            self._places[state] = {form: place for place, form in enumerate(hanzi)}
        return self._characters[state]

    def _forms(self, beginning: str, state: State) -> Iterable[str]:
        """The simplified forms at a state that begin a word or go on with one, in the order of their bytes."""
        hanzi = self._hanzi_and_others(state)[0]
        if not beginning:
            return hanzi
        following = followers(beginning)
        if hanzi.keys().isdisjoint(following):
            return ()
        return sorted(hanzi.keys() & following, key=self._places[state].__getitem__)

    def _endings(self, beginning: str, state: State) -> list[Word]:
        """All ways to complete a word of which `beginning` stands before a state."""
        if (beginning, state) in self._ends:
            return self._ends[beginning, state]
        forms = self._forms(beginning, state)
        if not forms:
            return []
        hanzi = self._hanzi_and_others(state)[0]
        found: list[Word] = []
        for form in forms:
            longer = beginning + form
            whole, goes_on, more = not beginning or words()[longer], followers(longer), self.setting.cost(longer)
            for pieces, behind, cost in hanzi[form]:
                if whole:
                    found.append((pieces, behind, cost + more))
                if goes_on:
                    endings = self._endings(longer, _alike(behind))
                    found += [(pieces + rest, end, cost + further) for rest, end, further in endings]
        self._ends[beginning, state] = _cheapest(found)
        return self._ends[beginning, state]

    def words_from(self, state: State) -> list[Word]:
        """List the words that can begin at a state; of many that lead to the same state only the cheapest."""
        state = _alike(state)
        return _cheapest(self._endings("", state) + self._hanzi_and_others(state)[1])


def _alike(state: State) -> State:
    """The state that stands for all from which the same words begin."""
    index, used = state
    return index, _ALIKE.get(used, used)


def _cheapest(found: list[Word]) -> list[Word]:
    if len(found) <= _WORDS:
        return found
    counts: Counter[State] = Counter()
    kept = []
    for word in sorted(found, key=itemgetter(2)):
        counts[word[1]] += 1
        if counts[word[1]] <= _WORDS:
            kept.append(word)
    return kept
