"""How likely a stretch of Chinese is: word frequencies of jieba, read in simplified form."""

from __future__ import annotations

import logging
import math
from bisect import bisect
from collections import Counter
from functools import lru_cache

import jieba
from opencc import OpenCC

_TO_SIMPLIFIED = OpenCC("t2s")
_TO_TRADITIONAL = OpenCC("s2t")


def is_hanzi(character: str) -> bool:
    """Whether this is one Chinese character."""
    return len(character) == 1 and ("\u4e00" <= character <= "\u9fff" or "\u3400" <= character <= "\u4dbf")


@lru_cache(maxsize=None)
def simplified(character: str) -> str:
    """One character in simplified form."""
    return _TO_SIMPLIFIED.convert(character)


@lru_cache(maxsize=None)
def script(character: str) -> str:
    """`hant` or `hans` for a character of only one script, otherwise empty. 后 and 于 count as simplified."""
    if not is_hanzi(character):
        return ""
    if simplified(character) != character:
        return "hant"
    return "hans" if _TO_TRADITIONAL.convert(character) != character else ""


@lru_cache(maxsize=1)
def words() -> dict[str, int]:
    """jieba's dictionary: word → occurrences, and every beginning of a word → at least 0."""
    jieba.setLogLevel(logging.WARNING)
    jieba.initialize()
    return jieba.dt.FREQ


@lru_cache(maxsize=1)
def _in_order() -> list[str]:
    return sorted(words())


@lru_cache(maxsize=None)
def followers(beginning: str) -> frozenset[str]:
    """The characters with which the beginning of a word can go on."""
    ordered = _in_order()
    longer = ordered[bisect(ordered, beginning) : bisect(ordered, beginning + "\U0010ffff")]
    return frozenset(word[len(beginning)] for word in longer)


@lru_cache(maxsize=1)
def _tags() -> dict[str, str]:
    with jieba.dt.get_dict_file() as lines:
        entries = map(str.split, lines.read().decode("utf-8").splitlines())
        return {word: tag for word, _, tag in entries}


def tag(word: str) -> str:
    """What jieba's dictionary calls a simplified word: `a` adjective, `c` conjunction, `d` adverb, `p` preposition, …"""
    return _tags().get(word, "")


@lru_cache(maxsize=1)
def _total() -> float:
    words()
    return math.log(jieba.dt.total)


def frequency(character: str) -> int:
    """Occurrences of a character as a word of its own."""
    return words().get(simplified(character), 0)


@lru_cache(maxsize=None)
def word_cost(word: str) -> float:
    """Cost of a simplified word in nats; an unknown one costs more than the rarest word."""
    occurrences = words().get(word, 0)
    return _total() - math.log(occurrences) if occurrences else _total() + 3


def occurrences(text: str) -> Counter[str]:
    """Count the words of a text, in simplified form, wherever their characters stand side by side.

    One character is not counted: it is too often half of another word.
    """
    text = "".join(map(simplified, text))
    listed = words()
    found: Counter[str] = Counter()
    for start in filter(lambda place: is_hanzi(text[place]), range(len(text))):
        end = start + 2
        while end <= len(text) and text[start:end] in listed:
            found[text[start:end]] += 1
            end += 1
    return found
