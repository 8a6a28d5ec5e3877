"""The one tokeniser: what in a Markdown page is prose, and what nothing may touch.

It follows the dialect this site is built with: Python-Markdown with the Material and PyMdown extensions.
Conversion, spacing and the comparison of editions all read their text through `spans`.

Kinds of protected spans: front-matter, fence, code, comment, tag, link, bracket, shortcut, reference, footnote,
definition, include, library, block, admonition, tab, heading, attributes, list, quote, rule, table, math, escape,
autolink, url, emoji, entity, keys, name, override. Prose has the kind "text".
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from hooks import inline


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a page: `text` is `page[start:end]`; spans follow each other without a gap."""

    start: int
    end: int
    text: str
    protected: bool
    kind: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a page: its level 1 to 6, its text without the attribute list, its id or "", its line from 1."""

    level: int
    text: str
    id: str
    line: int


def spans(text: str) -> list[Span]:
    """Split a page into protected spans and prose that together are the page, character for character."""
    return list(_read(text)[0])


def headings(text: str) -> list[Heading]:
    """List the headings of a page in order; a line with `#` inside code is none."""
    return list(_read(text)[1])


# Conversion, parity and references ask for the same page a dozen times over in one build.
@functools.lru_cache(maxsize=1024)
def _read(text: str) -> tuple[tuple[Span, ...], tuple[Heading, ...]]:
    page = _Page(text)
    found: list[Span] = []
    position = 0
    for start, end, kind in page.read():
        if position < start:
            found.append(Span(position, start, text[position:start], False, "text"))
        found.append(Span(start, end, text[start:end], True, kind))
        position = end
    if position < len(text):
        found.append(Span(position, len(text), text[position:], False, "text"))
    return tuple(found), tuple(_heading(text, *heading) for heading in page.headings)


def _heading(text: str, level: int, start: int, end: int) -> Heading:
    line = text[start:end].strip()
    attributes = re.search(r"\s*" + inline.ATTRIBUTES.pattern + r"\s*$", line)
    name = re.search(r"#([\w:.-]+)", attributes[0]) if attributes else None
    title = line[: attributes.start()] if attributes else re.sub(r"\s+#+$", "", line)
    return Heading(level, title, name[1] if name else "", text.count("\n", 0, start) + 1)


_FRONT = re.compile(r"\ufeff?---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_VALUE = re.compile(r"^(?:title|description)[ \t]*:[ \t]*(?:[|>][+-]?\d?[ \t]*\n((?:[ \t]+.*\n|[ \t]*\n)+)|(.*))", re.MULTILINE)
_QUOTES = re.compile(r"[ \t]*(?:>[ \t]?[ \t]*)+(?=\S|$)")
_FENCE = re.compile(r"(?:(`{3,})[^`]*|(~{3,}).*)$")
_HEADING = re.compile(r"(#{1,6})(?![#])[ \t]*(?=\S)")
_SETEXT = re.compile(r"(=+|-+)[ \t]*$")
_RULE = re.compile(r"(?:[-*_][ \t]*){3,}$")
_TABLE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_INCLUDE = re.compile(r";*-+8<-+(.*)$")
_LIBRARY = re.compile(r":::[ \t]*\S+")
_DEFINED = re.compile(
    r"""\[(?!\^)([^\[\]]+)\]:[ \t]*(?:<[^<>]*>|[^\s"'(]\S*)(?:[ \t]+(?:"([^"]*)"|'([^']*)'|\(([^)]*)\)))?[ \t]*$"""
)
_MATH = re.compile(r"(\$\$|\\\[|\\begin\{([a-z*]+)\})")

# Markers that open a container, whose content is indented by four; the group is what a reader sees in the marker.
_CONTAINERS = {
    "admonition": re.compile(r"(?:!!!|\?\?\?\+?)[ \t]*[\w -]*(?:\"(.*)\")?[ \t]*$", re.ASCII),
    "tab": re.compile(r"={3,}[!+]*[ \t]+(?:\"(.*)\"|'(.*)')[ \t]*$"),
    "list": re.compile(r"(?:[-*+]|\d{1,9}[.)])(?:[ \t]+(?:\[[ xX]\](?=\s))?|$)"),
    "footnote": re.compile(r"\[\^[^\]\s]+\]:[ \t]*"),
    "definition": re.compile(r"\*\[[^\]]+\]:[ \t]*|:[ \t]{1,3}(?=\S)"),
}
_BLOCK = re.compile(r"/{3,}(?:[ \t]*[\w-]+(?:[ \t]*\|[ \t]*(.*))?)?[ \t]*$", re.ASCII)

_BREAKS = [_FENCE, _HEADING, _RULE, _TABLE, _SETEXT, _INCLUDE, _LIBRARY, _DEFINED, _MATH, _BLOCK, *_CONTAINERS.values()]


class _Page:
    """One reading of a page, line by line; `protected` fills in order."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.protected: list[tuple[int, int, str]] = []
        self.headings: list[tuple[int, int, int]] = []
        self.labels = {
            inline.label(found[1])
            for line in text.splitlines()
            if "]:" in line and (found := _DEFINED.match(re.sub(r"^(?:[\s>]|[-*+][ \t]|\d+[.)][ \t])+", "", line)))
        }
        self.containers: list[int] = []  # column at which the content of each open container begins
        self.depth = 0  # of quotation
        self.previous = "blank"

    def read(self) -> list[tuple[int, int, str]]:
        position = self._front_matter()
        while position < len(self.text):
            position = self._line(position)
        return self.protected

    def _protect(self, start: int, end: int, kind: str) -> None:
        if start < end:
            self.protected.append((start, end, kind))

    def _end(self, position: int) -> int:
        end = self.text.find("\n", position)
        return len(self.text) if end < 0 else end

    def _bare(self, position: int) -> tuple[int, int]:
        """Offsets of a line's content behind indentation and quote marks, and of its end."""
        end = self._end(position)
        quotes = _QUOTES.match(self.text, position, end)
        start = quotes.end() if quotes else position
        return start + len(self.text[start:end]) - len(self.text[start:end].lstrip(" \t")), end

    def _scan(self, start: int, end: int) -> int:
        return inline.scan(self.text, start, end, self.labels, self._protect)

    def _value(self, start: int, end: int) -> None:
        """Read a title or a value of front matter, out of which no comment can run on."""
        inline.scan(self.text[:end], start, end, self.labels, self._protect)

    def _front_matter(self) -> int:
        front = _FRONT.match(self.text)
        if not front:
            return 0
        position = 0
        for value in _VALUE.finditer(self.text, front.start(1), front.end(1)):
            start, end = value.span(1) if value[1] else value.span(2)
            if not value[1]:
                if quoted := re.match(r"""(["'])(.*)\1[ \t]*(?:#.*)?$""", value[2]):
                    start, end = start + quoted.start(2), start + quoted.end(2)
                else:
                    end = start + len(re.sub(r"(?:^|[ \t]+)#.*$|[ \t]+$", "", value[2]))
            self._protect(position, start, "front-matter")
            self._value(start, end)
            position = end
        self._protect(position, front.end(), "front-matter")
        return front.end()

    def _line(self, position: int) -> int:
        """Read the block that begins at `position`; return where the next one begins."""
        text, end = self.text, self._end(position)
        quotes = _QUOTES.match(text, position, end)
        indent = len(text[position:end]) - len(text[position:end].lstrip(" \t"))
        if quotes and not self._is_code(position, end):
            if quotes[0].count(">") != self.depth:
                self.containers, self.depth, self.previous = [], quotes[0].count(">"), "blank"
            mark = text.rindex(">", position, quotes.end()) + 1
            self._protect(position + indent, mark, "quote")
            position = mark + (text[mark : mark + 1] == " ")
        elif self.depth and self.previous == "blank":
            self.containers, self.depth = [], 0
        if not text[position:end].strip():
            self.previous = "code" if self.previous == "code" else "blank"
            return end + 1
        if self._is_code(position, end):
            self._protect(position, end, "code")
            self.previous = "code"
            return end + 1
        return self._block(position, end)

    def _column(self, position: int, end: int) -> int:
        line = self.text[position:end].expandtabs(4)
        return len(line) - len(line.lstrip(" "))

    def _is_code(self, position: int, end: int) -> bool:
        """Whether a line is indented code: four columns beyond its container, and not the rest of a paragraph."""
        if self.previous not in ("blank", "code", "heading", "fence") or not self.text[position:end].strip():
            return False
        column = self._column(position, end)
        content = self.text[position:end].strip()
        if _FENCE.match(content) and self._closing(position, end, content):
            return False
        return column - next((base for base in reversed(self.containers) if base <= column), 0) >= 4

    def _block(self, position: int, end: int) -> int:
        text, column = self.text, self._column(position, end)
        start = position + len(text[position:end]) - len(text[position:end].lstrip(" \t"))
        content = text[start:end]
        if self.previous != "text" or any(pattern.match(content) for pattern in _BREAKS):
            while self.containers and self.containers[-1] > column:
                self.containers.pop()
        after = self.previous
        self.previous = "text"

        if _FENCE.match(content):
            self.previous = "fence"
            closing = self._closing(position, end, content) or len(text)
            inline.except_values(text, start, closing, "fence", self._protect, inline.SPOKEN, within=end)
            return self._end(closing) + 1
        if match := _MATH.match(content):
            closer = {"$$": "$$", r"\[": r"\]"}.get(match[1], f"\\end{{{match[2]}}}")
            closed = text.find(closer, start + len(match[1]))
            if closed >= 0 and "\n\n" not in text[start:closed]:
                self._protect(start, closed + len(closer), "math")
                return self._past(self._scan(closed + len(closer), self._end(closed)))
        if match := _HEADING.match(content):
            self.previous = "heading"
            self.headings.append((len(match[1]), start + match.end(), end))
            self._protect(start, start + match.end(), "heading")
            return self._past(self._scan(start + match.end(), end))
        if match := _INCLUDE.match(content):
            if not match[1].strip():  # the form that lists files line by line
                closed = re.compile(r"^[ \t]*-+8<-+[ \t]*$", re.MULTILINE).search(text, end)
                end = closed.end() if closed else end
            self._protect(start, end, "include")
            return end + 1
        if _LIBRARY.match(content):
            return self._library(start, end, column)
        if after == "text" and _SETEXT.match(content):
            previous = self._bare(text.rindex("\n", 0, position) and text.rfind("\n", 0, position - 1) + 1)
            self.headings.append((1 if content[0] == "=" else 2, *previous))
            self.previous = "heading"
            self._protect(start, end, "heading")
            return end + 1
        if _RULE.match(content) or (_TABLE.match(content) and "-" in content and (after == "text" or "|" in content)):
            self._protect(start, end, "rule" if _RULE.match(content) else "table")
            return end + 1
        if match := _DEFINED.match(content):
            offset = start
            for group in (2, 3, 4):
                if match[group]:
                    self._protect(offset, start + match.start(group), "definition")
                    offset = start + match.end(group)
            self._protect(offset, end, "definition")
            return end + 1
        if match := _BLOCK.match(content):
            title = match.start(1) if match[1] else len(content)
            self._protect(start, start + title, "block")
            self._value(start + title, end)
            self.previous = "blank"
            return end + 1
        return self._paragraph(start, end)

    def _paragraph(self, start: int, end: int) -> int:
        """Read markers of containers, however many stand in one line, and the text behind them."""
        content = self.text[start:end]
        for kind, pattern in _CONTAINERS.items():
            if not (match := pattern.match(content)):
                continue
            if kind != "definition" or content[0] == ":":
                self.containers.append((self.containers[-1] if self.containers else 0) + 4)
            title = next((group for group in range(1, pattern.groups + 1) if match[group]), 0)
            if kind in ("admonition", "tab"):
                opening = start + match.start(title) if title else end
                self._protect(start, opening, kind)
                if title:
                    self._value(opening, start + match.end(title))
                    self._protect(start + match.end(title), end, kind)
                self.previous = "blank"
                return end + 1
            self._protect(start, start + len(match[0].rstrip()), kind)
            start += match.end()
            if start >= end:
                return end + 1
            if any(inner.match(self.text[start:end]) for inner in (_FENCE, _DEFINED, _CONTAINERS["list"])):
                self.previous = "blank"  # no text stands above what opens inside a marker: `- - ` underlines nothing
                return self._block(start, end)
            break
        return self._past(self._scan(start, self._paragraph_end(end)))

    def _past(self, reached: int) -> int:
        """The line that follows; a comment may have run on into the middle of one, whose rest is text."""
        while reached < len(self.text) and self.text[reached] != "\n":
            reached = self._scan(reached, self._end(reached))
        return reached + 1

    def _paragraph_end(self, end: int) -> int:
        while end < len(self.text):
            start, following = self._bare(end + 1)
            content = self.text[start:following]
            if not content.strip() or any(pattern.match(content) for pattern in _BREAKS):
                break
            end = following
        return end

    def _library(self, start: int, end: int, column: int) -> int:
        """Protect a `:::` line with the options indented below it."""
        position = end + 1
        while position < len(self.text):
            following = self._end(position)
            if self.text[position:following].strip():
                if self._column(position, following) <= column:
                    break
                end = following
            position = following + 1
        self._protect(start, end, "library")
        self.previous = "blank"
        return end + 1

    def _closing(self, position: int, end: int, content: str) -> int:
        """End of the line that closes the fence opened at `position`, or 0."""
        opening = _FENCE.match(content)
        mark = (opening[1] or opening[2]) if opening else ""
        column = self._column(position, end)
        while end < len(self.text):
            start, following = self._bare(end + 1)
            line = self.text[start:following].rstrip()
            if len(line) >= len(mark) and not line.strip(mark[0]) and self._column(end + 1, following) <= column + 3:
                return following
            end = following
        return 0
