"""From the plain text of a seed to Markdown that says the same and nothing more.

Whatever Markdown, HTML or a template engine would act on is made inert, so that a seed can bring
no markup of its own; only what the text plainly is (tier labels, bullets, web addresses,
paragraphs) becomes markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from hooks.trace import Edit, Step

_LABEL = Step("label", "tier label in one form")
_BULLET = Step("bullet", "bullet as a list item")
_LINK = Step("link", "web address as a link")
_ESCAPE = Step("escape", "sign with a meaning in Markdown, kept as text")
_SPACE = Step("whitespace", "white space at the border of a line")
_PARAGRAPH = Step("paragraph", "lines of the source are paragraphs")
_CUT = Step("paragraph", "long block cut at the end of a sentence")

_SENTENCE_START = r"(?:(?<=\n)|(?<=\A)|(?<=[。！？!?]))"
_ADDRESS = r"https?://[^\s<>\"'`\\|\u2018-\u201f\u3000-\u303f\u3400-\u9fff\uff00-\uffef]+"
# Signs that act at the start of a line only. A hyphen or a number with a space after it stays: that is a list.
_LINE_SIGNS = re.compile(r"(#+|>|:{2,}|!{3}|\?{3}|={3,}|-{2,}|~{3,})")
_SIGNS = re.compile(r"[\\`*\[\]{}<|$^~]|&(?=#?\w+;)|(?<!\w)_|_(?!\w)|:(?=[\w+-]+:)")
_ENTITIES = {"<": "&lt;", "&": "&amp;", "$": "&#36;", "^": "&#94;", "~": "&#126;", ":": "&#58;", ">": "&gt;",
             "=": "&#61;", "?": "&#63;"}  # fmt: skip
_BULLETS = re.compile(r"[•·●▪◦‣*]\s*")


def edits(text: str, labels: Mapping[str, str]) -> list[Edit]:
    """The edits that turn plain text into Markdown.

    Args:
        text: Plain text with LF line ends.
        labels: Tier words as articles print them, lower case, and the tier each one means.

    Returns:
        Edits that do not overlap, in order.
    """
    out: list[Edit] = []
    out += _blank_lines(text)
    pattern = _inline(labels)
    for start, line in _lines(text):
        body = line.strip()
        first = start + len(line) - len(line.lstrip())
        last = first + len(body)
        if first > start:
            out.append(Edit(start, first, "", _SPACE))
        if last < start + len(line) and body:
            out.append(Edit(last, start + len(line), "", _SPACE))
        if bullet := _BULLETS.match(body):
            out.append(Edit(first, first + bullet.end(), "- ", _BULLET))
            first += bullet.end()
        elif sign := _LINE_SIGNS.match(body):
            out.append(Edit(first, first + 1, _escaped(body[0]), _ESCAPE))
            first += sign.end() if body[0] not in ":" else 1
        out += _inline_edits(text, first, last, pattern, labels)
    return out


def paragraphs(text: str, limit: int = 300) -> list[Edit]:
    """Cuts for blocks too long to read, at the ends of sentences; for an article that nobody has edited.

    Args:
        text: Markdown with blank lines between blocks.
        limit: Characters after which a block is cut at the next end of a sentence.
    """
    out: list[Edit] = []
    for start, line in _lines(text):
        begin = 0
        for stop in re.finditer(r"[。！？](?:[”」』）])?(?=[^\s”」』）])", line):
            if stop.end() - begin >= limit and len(line) - stop.end() > limit // 4:
                out.append(Edit(start + stop.end(), start + stop.end(), "\n\n", _CUT))
                begin = stop.end()
    return out


def _lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.split("\n"):
        yield start, line
        start += len(line) + 1


def _blank_lines(text: str) -> Iterator[Edit]:
    """One blank line between paragraphs, none between the items of a list."""
    yield from (Edit(*m.span(), "", _SPACE) for m in (re.match(r"\s*\n", text), re.search(r"\n\s*\Z", text)) if m)
    for gap in re.finditer(r"(?<=[^\s])[^\S\n]*\n(?:[^\S\n]*\n)*(?=[^\S\n]*\S)", text):
        item = re.compile(r"[^\S\n]*(?:[•·●▪◦‣*+-]|\d+[.)])\s")
        before = text[text.rfind("\n", 0, gap.start()) + 1 : gap.start()]
        wanted = "\n" if item.match(before + " ") and item.match(text, gap.end()) else "\n\n"
        newlines = gap.start() + len(gap[0]) - len(gap[0].lstrip(" \t\u3000"))
        if text[newlines : gap.end()] != wanted:
            yield Edit(newlines, gap.end(), wanted, _PARAGRAPH)


def _inline(labels: Mapping[str, str]) -> re.Pattern[str]:
    words = "|".join(sorted(map(re.escape, labels), key=len, reverse=True))
    return re.compile(
        rf"(?P<link>{_ADDRESS})"
        rf"|(?P<square>[\[［]\s*(?P<word1>{words})\s*[\]］])"
        rf"|(?P<round>{_SENTENCE_START}(?P<open>[（(])(?P<word2>{words})[)）]|[（(](?P<word3>{words})[)）](?=\s*[：:]))"
        rf"|(?P<sign>{_SIGNS.pattern})",
        re.IGNORECASE,
    )


def _inline_edits(text: str, first: int, last: int, pattern: re.Pattern[str], labels: Mapping[str, str]) -> Iterator[Edit]:
    for match in pattern.finditer(text, first, last):
        start, end = match.span()
        if match["link"]:
            end = start + len(match["link"].rstrip(".,;:!?)'"))
            yield Edit(start, start, "<", _LINK)
            yield Edit(end, end, ">", _LINK)
        elif match["sign"]:
            yield Edit(start, end, _escaped(match["sign"]), _ESCAPE)
        else:
            tier = labels[(match["word1"] or match["word2"] or match["word3"]).lower()]
            before = "" if start == first or text[start - 1] in " \n" else " "
            after = "" if end == last or text[end] in " \n：:" else " "
            yield Edit(start, end, f"{before}[[tier:{tier}]]{after}", _LABEL)


def _escaped(sign: str) -> str:
    return _ENTITIES.get(sign, "\\" + sign)
