"""The damage itself: what was once done to the bytes of a Chinese text, and the spelling needed to undo it.

Clean text lay there in GBK. A list of characters was searched in its bytes at any alignment and each match got its
reading in parentheses; then the byte pairs of `，？！` were replaced, again at any alignment; what was left was read as
code page 936. Where a match straddled two characters the second one was torn, and its neighbours were read out of step.

Bytes are kept as text here: a byte below 0x80 is its ASCII character, a higher one the lone surrogate U+DC80…U+DCFF
that Python's `surrogateescape` uses. Any other character stands for itself: one that GBK lacks, or a replaced `，？！`.
Text, bytes and marks then go through one regular expression together, and no clean text can hold a lone surrogate.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

ATOMS = "，？！"
"""Punctuation whose two bytes were replaced as one unbreakable mark."""

_LEADS = range(0x81, 0xFF)
_TRAILS = [*range(0x40, 0x7F), *range(0x80, 0xFF)]
_UNREADABLE = "?"


def _raw(data: bytes) -> str:
    return data.decode("ascii", "surrogateescape")


def _code_page() -> dict[str, str]:
    """Raw pair → character. Python's codec lacks the one-byte euro sign of code page 936, which `read` adds."""
    pairs = {}
    for lead in _LEADS:
        for trail in _TRAILS:
            data = bytes((lead, trail))
            try:
                pairs[_raw(data)] = data.decode("gbk")
            except UnicodeDecodeError:
                continue
    return pairs


CHARACTER_OF = _code_page()
"""Raw byte pair → the character it spells."""

_SPELLING = {character: pair for pair, character in CHARACTER_OF.items()} | {"€": "\udc80"}
_UNIT = re.compile("[\udc81-\udcfe][\x00-\x7f\udc80-\udcff]?|[\udc80\udcff]")


def spell(text: str) -> str:
    """Give the raw bytes of a text; characters that code page 936 lacks stay themselves."""
    return "".join(_SPELLING.get(character, character) for character in text)


def read(raw: str) -> str:
    """Read raw bytes as code page 936, the way the damaging program did.

    A lead byte with a partner that cannot follow it takes the partner with it into one `?`; before an unbreakable mark
    or at the end it becomes a `?` alone. 0x80 by itself is the euro sign.
    """

    def character(match: re.Match[str]) -> str:
        unit = match.group()
        return "€" if unit == "\udc80" else CHARACTER_OF.get(unit, _UNREADABLE)

    return _UNIT.sub(character, raw)


def damage(text: str, table: Mapping[str, str], lost: Iterable[int] = ()) -> str:
    """Damage a clean text once more.

    Args:
        text: Clean text.
        table: Character → the reading that is written after it, without parentheses.
        lost: Offsets in `text` before which a character stood that GBK lacks; each became a `?`.

    Returns:
        The text as the damaging program would have published it.
    """
    for place in sorted(lost, reverse=True):
        text = text[:place] + _UNREADABLE + text[place:]
    raw = spell(text)
    glosses = {spell(character): f"({spell(reading)})" for character, reading in table.items()}
    if glosses:
        match = re.compile("|".join(map(re.escape, glosses)))
        raw = match.sub(lambda found: found.group() + glosses[found.group()], raw)
    for mark in ATOMS:
        raw = raw.replace(_SPELLING[mark], mark)
    return read(raw)
