"""Which parentheses are glosses of the damage, and which are a writer's own.

The damage glossed every occurrence of a character of its list, always with the same reading. So a character that also
stands bare in the text is not of the list, and `好(hǎo)` beside a bare `好` belongs to a pinyin lesson.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import pypinyin

from hooks.damage.codepage import CHARACTER_OF, spell
from hooks.damage.language import frequency, is_hanzi

_TONED = "āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜńňǹḿ"
_SYLLABLE = f"[a-zɑɡüê{_TONED}]{{1,6}}"
_WHOLE = re.compile(rf"\(({_SYLLABLE})\)")
_TORN = re.compile(rf"\?({_SYLLABLE})\)")

_COMMON = 1000
"""Occurrences in jieba's dictionary from which on no writer explains how a character is read."""


@dataclass(frozen=True)
class Gloss:
    """A parenthesis of the damage: `text[start:end]`, which is `(reading)`, or `reading)` where `torn`."""

    start: int
    end: int
    reading: str
    torn: bool


@dataclass(frozen=True)
class Glosses:
    """What a text tells about its damage: the glosses in order and the list of characters they come from.

    `bare` holds the raw byte pairs that occur without a gloss and so cannot be on the list.
    """

    found: tuple[Gloss, ...]
    table: dict[str, str]
    bare: frozenset[str]


def _plain(reading: str) -> str:
    """The syllable without its tone, `ɑ` and `ɡ` as ordinary letters."""
    letters = unicodedata.normalize("NFD", reading.replace("ɑ", "a").replace("ɡ", "g"))
    return "".join(letter for letter in letters if letter not in "\u0300\u0301\u0304\u030c")


@lru_cache(maxsize=None)
def _readings(character: str) -> tuple[str, ...]:
    if not is_hanzi(character):
        return ()
    return tuple(pypinyin.pinyin(character, heteronym=True)[0])


def reads_as(character: str, reading: str) -> bool:
    """Whether a Chinese character can be read so; a syllable without tone mark must be a neutral tone."""
    known = _readings(character)
    plain = _plain(reading)
    if plain == reading.replace("ɑ", "a").replace("ɡ", "g"):
        return plain in known
    return any(_plain(other) == plain for other in known)


@lru_cache(maxsize=None)
def _pairs_from(first: str) -> tuple[tuple[str, str], ...]:
    return tuple((pair, character) for pair, character in CHARACTER_OF.items() if pair[0] == first)


def torn_seconds(first: str, reading: str, glosses: Glosses) -> dict[str, str]:
    """Second raw bytes that make, after `first`, a character with this reading → that character.

    Only those that can be on the list of the damage: with the same reading there, or never bare and never otherwise.
    """
    return {
        pair[1]: character
        for pair, character in _pairs_from(first)
        if glosses.table.get(character, reading) == reading
        and pair not in glosses.bare
        and reads_as(character, reading)
    }


def _pair_before(text: str, place: int) -> str:
    """The two raw bytes before a place. Matches of the damage share no byte, so none of them stands behind a gloss."""
    return spell(text[max(0, place - 2) : place])[-2:]


def _bare_pairs(text: str, glosses: list[tuple[int, int]]) -> Counter[str]:
    """Count the raw byte pairs, at any alignment, that no gloss follows."""
    pairs: Counter[str] = Counter()
    start = 0
    for gloss_start, gloss_end in [*glosses, (len(text), len(text))]:
        raw = spell(text[start:gloss_start])
        pairs.update(raw[i : i + 2] for i in range(len(raw) - 1 - (gloss_start < len(text))))
        start = gloss_end
    return pairs


def _is_running(text: str, start: int, end: int) -> bool:
    """Whether a glossed character stands inside a sentence, not on its own in a list or in quotation marks."""
    return is_hanzi(text[end : end + 1]) or (start >= 2 and is_hanzi(text[start - 2]))


def _is_damaged(text: str, spots: dict[str, list[tuple[int, int]]], table: dict[str, str]) -> bool:
    """Whether the glosses can only be damage.

    A writer explains a rare character (`饕(tāo)餮(tiè)`) or an unexpected reading (`叶公好(hào)龙`), lists single
    characters, glosses every character of a text for children, or leaves most of the glossed ones bare elsewhere. Nobody
    explains 機 or 過 in the middle of a sentence.
    """
    hanzi = sum(map(is_hanzi, text))
    places = [place for character in table for place in spots[character]]
    own = sum(map(len, spots.values())) - len(places)
    if 2 * len(places) > hanzi or len(places) <= 2 * own:
        return False
    return any(
        frequency(character) >= _COMMON and _readings(character)[0] == reading and _is_running(text, *place)
        for character, reading in table.items()
        for place in spots[character]
    )


def find_glosses(text: str) -> Glosses:
    """Find the glosses of the damage; none at all where the text does not prove that it was damaged."""
    readings: dict[str, set[str]] = defaultdict(set)
    spots: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for match in _WHOLE.finditer(text):
        character = CHARACTER_OF.get(_pair_before(text, match.start()), "")
        if reads_as(character, match[1]):
            readings[character].add(match[1])
            spots[character].append(match.span())
    bare = _bare_pairs(text, sorted(span for spans in spots.values() for span in spans))
    table = {
        character: min(found)
        for character, found in readings.items()
        if len(found) == 1 and not bare[spell(character)]
    }
    torn = list(_torn(text, Glosses((), table, frozenset(bare))))
    if not torn and not _is_damaged(text, spots, table):
        return Glosses((), {}, frozenset())
    found = [Gloss(*span, reading, torn=False) for character, reading in table.items() for span in spots[character]]
    return Glosses(tuple(sorted(found + torn, key=lambda gloss: gloss.start)), table, frozenset(bare))


def _torn(text: str, glosses: Glosses) -> Iterator[Gloss]:
    """Glosses whose opening parenthesis went into a `?`; no writer leaves such a parenthesis behind a character."""
    for match in _TORN.finditer(text):
        opened = max(text.rfind("(", 0, match.start()), text.rfind("\n", 0, match.start()))
        if opened >= 0 and text[opened] == "(" and ")" not in text[opened : match.start()]:
            continue
        before = _pair_before(text, match.start())[-1:]
        if before == "?" or torn_seconds(before, match[1], glosses):
            yield Gloss(match.start() + 1, match.end(), match[1], torn=True)


def without_glosses(text: str, glosses: Glosses) -> str:
    """The text without its whole glosses, torn places as they are."""
    place, kept = 0, []
    for gloss in glosses.found:
        if not gloss.torn:
            kept.append(text[place : gloss.start])
            place = gloss.end
    return "".join(kept) + text[place:]
