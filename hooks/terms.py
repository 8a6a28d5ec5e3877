"""The term table: how Taiwan says what the Chinese pages say, `docs/data/terms.yml`."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hooks import yamlfile
from hooks.errors import Refusal

TERMS = yamlfile.ROOT / "docs" / "data" / "terms.yml"

# What stands in a context for a stretch that the tokeniser protects: whatever is not a Latin letter in a name or code,
# which contexts write `A`; an address, `@`; or markup, which carries no meaning.
NAME, ADDRESS, MARKUP = "\ufffc", "\ufffb", "\ufff9"

_PLACEHOLDERS = {
    "A": rf"[A-Za-z{NAME}][A-Za-z0-9.+{NAME}-]*",
    "@": f"{ADDRESS}+",
    "0": "(?:[0-9]+|[一二三四五六七八九十百千万亿两几多]+)",
    "…": r"[^，。、；：]{0,8}?",
    "。": "$",
}
_CLAUSE = re.compile("[，：]")
_CONTEXT = {"before": "(?:{})$", "after": "(?:{})", "near": "{}", "topic": "{}"}


@dataclass(frozen=True, slots=True)
class Term:
    """One reading of a word.

    Attributes:
        en: The English term, with a word of explanation in brackets where the Chinese has two readings.
        hans: The word in zh-Hans.
        hant: The word in zh-Hant, as the site writes it.
        accepted: Other forms that are in use in Taiwan.
        sources: Keys of the table's own list of sources.
        phrases: What the table lists under `before`, `after`, `near` and `topic`; empty for the reading that needs no context.
        context: The same as patterns.
        line: Line of the entry in the table.
        technical: Whether it belongs in a glossary, and is not a word of every day or a name.
    """

    en: str
    hans: str
    hant: str
    accepted: tuple[str, ...]
    sources: tuple[str, ...]
    phrases: Mapping[str, list[str]]
    context: Mapping[str, re.Pattern[str]]
    line: int
    technical: bool = True


def choose(readings: Sequence[Term], left: str, right: str) -> Term | None:
    """The reading that the rest of the sentence, to the left and to the right of the word, calls for.

    What stands directly beside the word weighs more than what stands anywhere in the sentence. Where the word comes
    again, it may have the other reading there: what stands near it is looked for up to a comma or that place only.
    """
    left, right = bare(left), bare(right)
    word = readings[0].hans
    nearer = _CLAUSE.split(left.rpartition(word)[2])[-1] if word in left else left
    farther = _CLAUSE.split(right.partition(word)[0])[0] if word in right else right
    texts = {"before": left, "after": right, "near": f"{nearer}\n{farther}", "topic": f"{left}\n{right}"}
    for places in (("before", "after"), ("near", "topic")):
        for term in readings:
            for place in places:
                pattern = term.context.get(place)
                if pattern and (pattern.match if place == "after" else pattern.search)(texts[place]):
                    return term
    return None if readings[-1].context else readings[-1]


def bare(text: str) -> str:
    """A context without spaces, markup and quotation marks, which carry no meaning for the choice of a word."""
    return re.sub(rf"[\s*_{MARKUP}「」『』“”‘’]+", "", text)


def load(path: Path = TERMS) -> Mapping[str, tuple[Term, ...]]:
    """Read the table: for each word its readings, those with a context first, in the order of the file.

    The same table comes back until the file changes, so that a server can run on.

    Raises:
        Refusal: A breach of the schema, a source that the table does not list, two readings of one word
            without a context, or two readings that claim the same context; with file and line.
    """
    return _load(path, path.stat().st_mtime_ns if path.is_file() else 0)


@functools.lru_cache(maxsize=8)
def _load(path: Path, changed: int) -> Mapping[str, tuple[Term, ...]]:
    loaded = yamlfile.load(path, "terms")
    words: dict[str, list[Term]] = {}
    entries = [
        (entry, loaded.line(part, index), part == "terms")
        for part in ("terms", "words")
        for index, entry in enumerate(loaded.data.get(part, ()))
    ]
    for entry, line, technical in entries:
        sources = [entry["source"]] if isinstance(entry["source"], str) else entry["source"]
        for source in sources:
            if source not in loaded.data["sources"]:
                raise Refusal(path, line, f"unknown source `{source}`", "Add it to `sources`, or name one that is there")
        term = Term(
            entry["en"],
            entry["zh-Hans"],
            entry["zh-Hant"],
            tuple(entry.get("accepted", ())),
            tuple(sources),
            entry.get("context", {}),
            {place: _pattern(place, phrases) for place, phrases in entry.get("context", {}).items()},
            line,
            technical,
        )
        readings = words.setdefault(term.hans, [])
        _refuse_clash(path, term, readings)
        readings.append(term)
    return {word: tuple(sorted(readings, key=lambda term: not term.context)) for word, readings in words.items()}


def _pattern(place: str, phrases: list[str]) -> re.Pattern[str]:
    parts = ("".join(_PLACEHOLDERS.get(character, re.escape(character)) for character in bare(phrase)) for phrase in phrases)
    return re.compile(_CONTEXT[place].format("|".join(parts)))


def _refuse_clash(path: Path, term: Term, readings: list[Term]) -> None:
    for other in readings:
        if not term.context and not other.context:
            raise Refusal(
                path,
                term.line,
                f"`{term.hans}` stands here and on line {other.line}, both without a context",
                "Give one of them a `context` that tells the two readings apart, or drop it",
            )
        for place, phrases in term.phrases.items():
            if set(phrases) & set(other.phrases.get(place, ())):
                raise Refusal(
                    path,
                    term.line,
                    f"`{term.hans}` stands here and on line {other.line} with the same context under `{place}`",
                    "Let each phrase decide for one reading only",
                )

