"""zh-Hans Markdown to zh-Hant Markdown, in the words of Taiwan; `python -m hooks.hant < page.md`.

A text is cut into words first, and each word is then converted by itself: by the term table where the table has
it, otherwise by OpenCC. OpenCC alone takes the longest match from the left wherever a word begins, and so reads
展示了如何 as 展示|了如|何; cut first, no conversion can reach across the border of a word. The words of the table join
the dictionary that cuts, just strong enough to stay whole, so that 损失函数 is one word and 改变量子比特 keeps its 改变.

A writer can settle one phrase in the page, with the marks that Chinese wikis use for this:

    -{zh-Hans:视频;zh-Hant:視訊}-     this phrase in this edition
    -{通过}-                          the same characters in both editions

The marks vanish from both: `plain` makes the zh-Hans page, `convert` the zh-Hant one. `\\-{` is no mark.
"""

from __future__ import annotations

import functools
import re
import sys
import warnings
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from hooks import inline, markdown, terms
from hooks.errors import Refusal, command

OPENCC_VERSION = "1.4.2"
JIEBA_VERSION = "0.42.1"

# Both forms are in use in Taiwan; the site writes 平台, 宣布 and 帳號, OpenCC 平臺, 宣佈 and 賬號.
_VARIANTS = str.maketrans("臺佈賬", "台布帳")

# How often, in the 60 million words that jieba counted, a word of the table is taken to occur at least: enough to cut
# 显存|放不下 and 训练集|合并, not so much as to cut 此|前端|点 or 缓存|内存|在大量过期的条目.
_STRENGTH = 100

# 一行, 这类 and 每列 are words of the dictionary; which 行 or 类 is meant is for its context to say.
_DETERMINERS = frozenset("第一二两三四五六七八九十百千万亿几多每各这那该某此同个")

# 数据库里 is 数据库|里, though 库里 is a word.
_PLACES = frozenset("里中上下内外前后")

_HAN = re.compile(f"[{inline.HAN}]+")
_LETTER = re.compile(f"[{inline.HAN}0-9A-Za-z{terms.NAME}]")
_ENDS = "。！？；\n"
_END = re.compile(rf"[{_ENDS}]|\Z")
_QUOTE = re.compile("[“”‘’]")
_EDITION = re.compile(r"\s*(zh-[\w-]+|en)\s*:\s*(.*?)\s*", re.DOTALL)


def convert(text: str, file: str | Path | None = None) -> str:
    """Derive zh-Hant from zh-Hans: a whole page with its front matter, or a single phrase.

    To be done once: the result is no valid input (文档 → 文件 → 檔案).

    Args:
        text: zh-Hans Markdown.
        file: The file it comes from, for refusals.

    Raises:
        Refusal: An override is unbalanced or names an unknown edition; OpenCC or jieba is missing or of another
            version; the term table is unsound.
    """
    spans = markdown.spans(text)
    masked = _quotes("".join(_mask(span) for span in spans))
    converter = _Converter.ready()
    pieces: list[str] = []
    brackets: list[tuple[int, int]] = []  # of each open bracket: how many pieces, and the offset, behind it
    for span in spans:
        if not span.protected:
            pieces.append(converter.prose(masked, span.start, span.end))
        elif span.kind == "override":
            pieces.append(_override(text, span, "zh-Hant", file))
        elif span.kind == "bracket" and span.text != "]":
            pieces.append(span.text)
            brackets.append((len(pieces), span.end))
        elif span.text.startswith("]") and brackets:
            behind, offset = brackets.pop()
            label = text[offset : span.start]
            # The label of [教程] is also its text: keep the one, convert the other.
            kept = span.kind != "shortcut" or "".join(pieces[behind:]) == label
            pieces.append(span.text if kept else f"][{label}]")
        else:
            pieces.append(span.text)
    return "".join(pieces)


def plain(text: str, file: str | Path | None = None) -> str:
    """The zh-Hans page without the marks of overrides.

    Raises:
        Refusal: An override is unbalanced or names an unknown edition.
    """
    return "".join(
        _override(text, span, "zh-Hans", file) if span.kind == "override" else span.text
        for span in markdown.spans(text)
    )


def _override(text: str, span: markdown.Span, edition: str, file: str | Path | None) -> str:
    """What an override says in one edition."""

    def refusal(what: str, mend: str) -> Refusal:
        return Refusal(file, text.count("\n", 0, span.start) + 1, what, mend)

    if not (span.text.startswith("-{") and span.text.endswith("}-") and len(span.text) > 3):
        raise refusal(
            f"`{span.text}` is half an override",
            r"Close it with `}-` in the same paragraph, or write `\-{` and `}\-` for the plain characters",
        )
    content = span.text[2:-2]
    if not content.strip() or "-{" in content:
        raise refusal(f"`{span.text}` is empty or holds another override", "Put one phrase between `-{` and `}-`")
    if not _EDITION.match(content):
        return content
    phrases: dict[str, str] = {}
    for part in content.split(";"):
        named = _EDITION.fullmatch(part)
        if not named or named[1] not in ("zh-Hans", "zh-Hant") or not named[2] or named[1] in phrases:
            raise refusal(
                f"`{span.text}` does not give one phrase each for zh-Hans and zh-Hant", "Write `-{zh-Hans:…;zh-Hant:…}-`"
            )
        phrases[named[1]] = named[2]
    if len(phrases) < 2:
        raise refusal(f"`{span.text}` leaves one edition out", "Write `-{zh-Hans:…;zh-Hant:…}-`")
    return phrases[edition]


def _mask(span: markdown.Span) -> str:
    """What prose sees of a span: a protected one keeps its length, and its line ends for the sake of the sentence.

    The Latin letters of names and code stay in sight, for `docker pull` decides what a 镜像 is.
    """
    if not span.protected:
        return span.text
    if span.kind in ("name", "code"):
        return re.sub(r"[^A-Za-z0-9.\n]", terms.NAME, span.text)
    mask = {"math": terms.NAME, "url": terms.ADDRESS, "autolink": terms.ADDRESS}
    return re.sub(".", mask.get(span.kind, terms.MARKUP), span.text)


def _quotes(masked: str) -> str:
    """Quotation marks of Taiwan, “外‘内’” → 「外『內』」, in every line that holds Chinese; an apostrophe stays."""
    lines = []
    for line in masked.split("\n"):
        if _QUOTE.search(line) and _HAN.search(line):
            closers: list[str] = []
            characters = list(line)
            for index, character in enumerate(characters):
                if character in "“‘":
                    if character == "‘" and "’" not in line[index:]:
                        continue
                    characters[index] = "『" if len(closers) % 2 else "「"
                    closers.append(("』" if len(closers) % 2 else "」") + character)
                elif character == "”":
                    characters[index] = closers.pop()[0] if closers else "」"
                elif character == "’" and closers and closers[-1][1] == "‘" and not line[index - 1 : index + 2].isascii():
                    characters[index] = closers.pop()[0]
            line = "".join(characters)
        lines.append(line)
    return "\n".join(lines)


def _spaced(word: str, masked: str, start: int, end: int) -> str:
    """A word that became a Latin one, 谷歌 → Google, keeps its distance from a word on either side."""
    if word[0].isascii() and start and _LETTER.match(masked[start - 1]):
        word = " " + word
    if word[-1].isascii() and _LETTER.match(masked, end):
        word += " "
    return word


class _Converter:
    """OpenCC, jieba and the term table, ready to convert prose."""

    def __init__(self, table: Mapping[str, tuple[terms.Term, ...]]) -> None:
        self.table = table
        self.opencc = _opencc()
        self.cutter = _cutter(table)
        self.mixed = {word.replace(" ", ""): word for word in table if word[0].isascii()}
        self.runs = _runs(self.mixed)
        self.cut = functools.lru_cache(maxsize=20_000)(self._cut)
        self.parts = functools.lru_cache(maxsize=50_000)(self._parts)

    _last: tuple[Mapping[str, tuple[terms.Term, ...]], _Converter] | None = None

    @classmethod
    def ready(cls) -> _Converter:
        """The converter for the table as it stands; a new one where the table has changed since."""
        table = terms.load()
        if cls._last is None or cls._last[0] is not table:
            cls._last = table, cls(table)
        return cls._last[1]

    def prose(self, masked: str, start: int, end: int) -> str:
        """Convert `masked[start:end]`; what stands around it decides between the readings of a word."""
        pieces: list[str] = []
        position = start
        for run in self.runs.finditer(masked, start, end):
            pieces.append(masked[position : run.start()])
            position = run.start()
            if run["mixed"]:
                pieces.append(self._word(self.mixed["".join(run[0].split())], masked, position))
                position = run.end()
                continue
            for word in self.cut(run[0]):
                pieces.append(_spaced(self._word(word, masked, position), masked, position, position + len(word)))
                position += len(word)
        pieces.append(masked[position:end])
        return "".join(pieces)

    def _cut(self, run: str) -> tuple[str, ...]:
        """Cut a run of Chinese characters into words.

        A single letter beside a long word may be a word cut in two: 权重文件|夹 and 字|段错误, where the table has
        文件夹 and 字段, become 权重|文件夹 and 字段|错误.
        """
        words = list(self.cutter.cut(run, HMM=False))
        for index in range(len(words) - 1):
            left, right = words[index : index + 2]
            if len(right) == 1 < len(left) - 1 and right not in _PLACES:
                borders = range(2, len(left))
            elif len(left) == 1 < len(right) - 1:
                borders = range(2, len(right))
            else:
                continue
            both = left + right
            for border in borders:
                first, second = both[:border], both[border:]
                whole, rest = (second, first) if len(right) == 1 else (first, second)
                if whole in self.table and self.cutter.FREQ.get(rest, 0) >= _STRENGTH:
                    words[index : index + 2] = first, second
                    break
        return tuple(words)

    def _word(self, word: str, masked: str, start: int) -> str:
        """Convert the word at `masked[start]`: by the table, by its parts where the table has one, else by OpenCC."""
        reading = self._reading(word, masked, start, start + len(word))
        if reading is not None:
            return reading
        parts = self.parts(word)
        if parts == (word,):
            return self.opencc.convert(word).translate(_VARIANTS)
        pieces = []
        for part in parts:
            # In 图片库 and 升级包, words of the dictionary, the last letter is no word that the table could know.
            letter = len(part) == 1 and not _DETERMINERS.issuperset(word[:-1])
            pieces.append(self.opencc.convert(part).translate(_VARIANTS) if letter else self._word(part, masked, start))
            start += len(part)
        return "".join(pieces)

    def _reading(self, word: str, masked: str, start: int, end: int) -> str | None:
        readings = self.table.get(word)
        if not readings:
            return None
        if not readings[0].context:
            return readings[0].hant
        before = max(masked.rfind(mark, 0, start) for mark in _ENDS) + 1
        after = _END.search(masked, end)
        left, right = masked[before:start], masked[end : after.start()]
        chosen = terms.choose(readings, left, right)
        # A letter in quotation marks, the 「库」 of 三个“库”, stands for itself unless its sentence says what it means.
        if chosen is None or not chosen.context and masked[start - 1 : end + 1] == f"「{word}」" and len(word) == 1:
            return None
        return chosen.hant

    def _parts(self, word: str) -> tuple[str, ...]:
        """Cut a word as if the dictionary did not have it, if that brings up a word of the table."""
        if len(word) > 1 and word[-1] in self.table and _DETERMINERS.issuperset(word[:-1]):
            return word[:-1], word[-1]
        if len(word) < 3:
            return (word,)
        frequency = self.cutter.FREQ.get(word, 0)
        self.cutter.FREQ[word] = 0
        parts = tuple(self.cutter.cut(word, HMM=False))
        self.cutter.FREQ[word] = frequency
        return parts if any(len(part) > 1 and part in self.table for part in parts) else (word,)


def _runs(mixed: Collection[str]) -> re.Pattern[str]:
    """Runs of Chinese characters, and words like U 盘, whose first space goes with the letter if that goes."""
    words = "|".join(" ?".join(map(re.escape, word)) for word in mixed)
    return re.compile(rf"(?P<mixed>(?:(?<=[{inline.HAN}]) )?(?<![A-Za-z0-9])(?:{words or '(?!)'}))|[{inline.HAN}]+")


def _opencc() -> Any:
    mend = f"Install it with `pip install -r requirements.txt` (OpenCC {OPENCC_VERSION})"
    try:
        import opencc
    except ImportError:
        raise Refusal("requirements.txt", None, "OpenCC is not installed", mend) from None
    version = getattr(opencc, "__version__", "of another project")
    if version != OPENCC_VERSION:
        what = f"OpenCC {version} is installed, and the zh-Hant pages were checked with {OPENCC_VERSION}"
        raise Refusal("requirements.txt", None, what, mend)
    return opencc.OpenCC("s2twp")


def _cutter(table: Mapping[str, object]) -> Any:
    mend = f"Install it with `pip install -r requirements.txt` (jieba {JIEBA_VERSION})"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # jieba asks for pkg_resources and has escapes that newer Pythons dislike
            import jieba
    except ImportError:
        raise Refusal("requirements.txt", None, "jieba is not installed", mend) from None
    if jieba.__version__ != JIEBA_VERSION:
        what = f"jieba {jieba.__version__} is installed, and the zh-Hant pages were checked with {JIEBA_VERSION}"
        raise Refusal("requirements.txt", None, what, mend)
    jieba.setLogLevel(60)  # it reports its loading on stderr
    cutter = jieba.Tokenizer()
    for word in table:
        strength = cutter.suggest_freq(word, tune=False)
        cutter.add_word(word, max(strength, _STRENGTH) if len(word) > 1 else strength)
    return cutter


@command
def main() -> int:
    """Convert standard input."""
    sys.stdout.write(convert(sys.stdin.read()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
