"""Search: one index per edition, Chinese cut into words, and queries understood in either Chinese script.

Material cuts Chinese text with jieba while it builds its index; everything else about an edition's index is here. The
other half, what happens to a query in the reader's browser, is theme/assets/javascripts/workers/atlas-search.js.
"""

from __future__ import annotations

import json
import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import jieba
import opencc

_HAN_WORD = re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]+")
_CONFIG = re.compile(r'(?<=<script id="__config" type="application/json">)(.*?)(?=</script>)', re.S)


def teach_traditional(cutter: jieba.Tokenizer = jieba.dt) -> None:
    """Let jieba cut Traditional text as well as Simplified: its word list once more, converted by OpenCC.

    Adding 235,000 words through `add_word` takes half a minute; written into the prefix table directly, half a second.
    """
    jieba.setLogLevel(logging.WARNING)
    cutter.initialize()
    words = Path(jieba.__file__).with_name("dict.txt").read_text(encoding="utf-8").split("\n")
    known = [word.split(" ")[0] for word in words if word]
    for word, traditional in zip(known, opencc.OpenCC("s2twp").convert("\n".join(known)).split("\n"), strict=True):
        if traditional != word and not cutter.FREQ.get(traditional):
            count = cutter.FREQ[word]
            cutter.FREQ[traditional] = count
            cutter.total += count
            for end in range(1, len(traditional)):
                cutter.FREQ.setdefault(traditional[:end], 0)


def index(config: Mapping[str, Any], entries: Iterable[Mapping[str, Any]], prefix: str, variants: Mapping[str, str]) -> bytes:
    """The index of one edition.

    Args:
        config: What Material's worker reads: lang, separator, pipeline, fields.
        entries: Material's entries of this edition, locations relative to the site's root.
        prefix: The edition's folder with a final slash; empty at the root.
        variants: Words and characters of the other script → this edition's, see `variants`.
    """
    docs = [{**entry, "location": entry["location"].removeprefix(prefix).removeprefix("./")} for entry in entries]
    data = {"config": {**config, "variants": dict(sorted(variants.items()))}, "docs": docs}
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def words(entries: Iterable[Mapping[str, Any]]) -> Counter[str]:
    """The Chinese words of an edition, as they were cut, and how often each occurs."""
    return Counter(word for entry in entries for key in ("title", "text") for word in _HAN_WORD.findall(entry[key]))


def variants(simplified: Counter[str], traditional: Counter[str], convert: Callable[[str], str]) -> tuple[dict[str, str], dict[str, str]]:
    """What a query in the other script means.

    Args:
        simplified: Words of the zh-Hans edition.
        traditional: Words of the zh-Hant edition.
        convert: zh-Hans → zh-Hant, a whole text at once.

    Returns:
        For zh-Hans and for zh-Hant: single characters of the other script, and the words that are not just their
        characters converted (`記憶體` → `内存`), in either spelling (`记忆体`, `內存`). Left out is what the edition itself uses more often than what it would
        become: 文件 is a word of both, and an edition may quote the other script without losing its queries.
    """
    characters = "\n".join(map(chr, range(0x3400, 0xA000)))
    simplify = dict(zip(characters.split("\n"), opencc.OpenCC("t2s").convert(characters).split("\n"), strict=True))
    here, there = _characters(simplified), _characters(traditional)
    to_simplified = {char: simple for char, simple in simplify.items() if simple in here}
    usual_last = sorted(simplified, key=lambda word: (simplified[word], word))  # 内存 wins over a 記憶體 quoted in zh-Hans
    converted = _each(convert, sorted(here) + [word for word in usual_last if len(word) > 1])
    to_traditional = {simplify.get(char, char): char for char in sorted(there)} | {char: converted[char] for char in sorted(here)}
    pairs = [(word, other) for word, other in converted.items() if len(word) > 1]

    def spell(word: str, by: Mapping[str, str]) -> str:
        return "".join(by.get(char, char) for char in word)

    def useful(found: dict[str, str], used: Counter[str]) -> dict[str, str]:
        return {a: b for a, b in found.items() if a != b and used[a] <= used[b]}

    for_simplified = {spelt: a for a, b in pairs for spelt in (spell(b, simplify), b) if spell(spelt, to_simplified) != a}
    for_traditional = {spelt: b for a, b in pairs for spelt in (spell(a, to_traditional), a) if spell(spelt, to_traditional) != b}
    return useful(to_simplified | for_simplified, simplified + here), useful(to_traditional | for_traditional, traditional + there)


def _each(convert: Callable[[str], str], pieces: list[str]) -> dict[str, str]:
    """Convert many pieces in one go, each a paragraph of its own: one by one takes ten times as long."""
    return dict(zip(pieces, convert("\n\n".join(pieces)).split("\n\n"), strict=True)) if pieces else {}


def _characters(used: Counter[str]) -> Counter[str]:
    """How often the single characters of words occur."""
    characters: Counter[str] = Counter()
    for word, count in used.items():
        for char in word:
            characters[char] += count
    return characters


def point(html: str, prefix: str) -> str:
    """Point a page's client at its own edition's index and at our search worker.

    Args:
        html: A rendered page.
        prefix: The edition's folder with a final slash; empty at the root.
    """

    def edit(match: re.Match[str]) -> str:
        config = json.loads(match[0])
        if prefix:
            config["base"] = f"{config['base'].rstrip('/')}/{prefix}"
        folder, _, worker = config["search"].rpartition("/")
        config["search"] = f"{folder}/atlas-search.js?{worker}"
        return json.dumps(config, ensure_ascii=False).replace("<", "\\u003c")

    return _CONFIG.sub(edit, html, count=1)
