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
_PARAGRAPH = Step("paragraph", "lines of the source are paragraphs")
_CUT = Step("paragraph", "long block cut at the end of a sentence")

_SENTENCE_START = r"(?:(?<=\n)|(?<=\A)|(?<=[。！？!?]))"
_ADDRESS = r"https?://[^\s<>\"'`\\|\u2018-\u201f\u3000-\u303f\u3400-\u9fff\uff00-\uffef]+"
# Signs that act at the start of a line only. A hyphen or a number with a space after it stays: that is a list.
_LINE_SIGNS = re.compile(r"(#+|>|:{2,}|!{3}|\?{3}|={3,}|-{2,}|~{3,})")
_SIGNS = re.compile(r"[\\`*\[\]{}<|$^~]|&(?=#?\w+;)|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|:(?=[\w+-]+:)")
_ENTITIES = {"<": "&lt;", "&": "&amp;", "$": "&#36;", "^": "&#94;", "~": "&#126;", ":": "&#58;", ">": "&gt;",
             "=": "&#61;", "?": "&#63;"}  # fmt: skip
_BULLET_SIGN = re.compile(r"[•·●▪◦‣]\s*|\*\s+")
_ITEM = re.compile(r"[-+*]\s|\d+[.)]\s")


def shape(text: str) -> list[Edit]:
    """The edits that make paragraphs and lists of lines.

    Every line of a source is a paragraph of its own, whether or not an empty line follows; only the
    items of a list stand close together, bullets apart from numbers.
    """
    out: list[Edit] = []
    end, item = 0, ""
    for start, line in _lines(text):
        body = line.strip()
        if not body:
            continue
        first = start + line.index(body)
        bullet = _BULLET_SIGN.match(body)
        listed = _ITEM.match(body)
        kind = "bullet" if bullet else "" if listed is None else "number" if body[0].isdigit() else "bullet"
        wanted = "" if end == 0 else "\n" if kind and kind == item else "\n\n"
        if text[end:first] != wanted:
            out.append(Edit(end, first, wanted, _PARAGRAPH))
        if bullet:
            out.append(Edit(first, first + bullet.end(), "- ", _BULLET))
        end, item = first + len(body), kind
    if text[end:]:
        out.append(Edit(end, len(text), "", _PARAGRAPH))
    return out


def mark(text: str, labels: Mapping[str, str]) -> list[Edit]:
    """The edits that mark tier labels and addresses, and make every other sign inert.

    Args:
        text: Plain text shaped by `shape`.
        labels: Tier words as articles print them, lower case, and the tier each one means.
    """
    pattern = _inline(labels)
    out: list[Edit] = []
    for start, line in _lines(text):
        first = start + re.match(rf"(?:{_ITEM.pattern})*", line).end()
        if _LINE_SIGNS.match(text, first):
            out.append(Edit(first, first + 1, _escaped(text[first]), _ESCAPE))
            first += 1
        out += _inline_edits(text, first, start + len(line), pattern, labels)
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
