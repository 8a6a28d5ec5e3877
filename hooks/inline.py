"""What Markdown protects inside a paragraph: code, links, tags, math, references and names.

`hooks.markdown` finds the blocks and hands every stretch of text to `scan`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

Protect = Callable[[int, int, str], None]

HAN = "\u3007\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"

# Attributes whose value a reader sees or hears; every other attribute belongs to the markup.
SPOKEN = re.compile(r"""(?<![\w-])(?:title|alt|aria-label)\s*=\s*(?:"([^"]*)"|'([^']*)')""")

ATTRIBUTES = re.compile(r"""\{:?[ ]*(?=[#.][\w-]|[\w:-]+=)(?:"[^"\n]*"|'[^'\n]*'|[^{}\n"'])*\}""")

_NAME = (
    r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?:\(\))?"  # torch.fft, torch.jit.fork()
    r"|[A-Za-z]\w*_\w*(?:\(\))?|__\w+__|[A-Za-z]\w*\(\)"  # functional_call()
    r"|[A-Z]*[a-z]+[A-Z]\w*|[A-Z][A-Z]+[a-z]\w*"  # PyTorch, nvFuser, MPSGraph
)

# An address ends where Chinese begins, since articles write 见https://pytorch.org了解更多;
# only behind a slash of its own path does Chinese belong to it (…/wiki/张量).
_URL = (
    r"(?:https?|ftp)://[\w.:@-]+(?:[/?#](?:[!-;=?-Z\[\]_a-z~]|(?<=[^/:][/=#])[" + HAN + r"]+)*)?"
    r"|mailto:[\w.+-]+@[\w.-]+|www\.[\w-]+\.[!-;=?-Z\[\]_a-z~]+"
)

_TOKEN = re.compile(
    r"(?P<math>\\\(.+?\\\)|\\\[.+?\\\]|\$\$.+?\$\$|(?<![\\$\w])\$(?![\s$])(?:\\.|[^$\\])+?(?<!\s)\$(?![\w$]))"
    r"|(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<ticks>`+)"
    r"|(?P<comment><!--)"
    r"|(?P<autolink><[A-Za-z][\w+.-]*:[^\s<>]*>|<[\w.+-]+@[\w.-]+>)"
    r"""|(?P<tag></?(?P<element>[A-Za-z][\w:-]*)(?:\s+(?:"[^"]*"|'[^']*'|[^<>"'])*)?/?>)"""
    r"|(?P<reference>\[\[[^\[\]\n]+\]\])"
    r"|(?P<footnote>\[\^[^\]\s]+\])"
    r"|(?P<override>-\{|\}-)"
    r"|(?P<open>!?\[)"
    r"|(?P<close>\])"
    r"|(?P<attributes>" + ATTRIBUTES.pattern + r")"
    r"|(?P<url>" + _URL + r")"
    r"|(?P<emoji>(?<![\w:]):[a-z][\w+-]*:(?!\w))"
    r"|(?P<entity>&(?:#\d+|#[xX][0-9A-Fa-f]+|[A-Za-z]\w*);)"
    r"""|(?P<keys>\+\+[a-z0-9"+-]+\+\+)"""
    r"|(?P<name>(?<![A-Za-z0-9_])(?:" + _NAME + r")(?![A-Za-z0-9_]))",
    re.ASCII | re.DOTALL,
)

# Elements whose content is not prose.
_OPAQUE = {"code", "pre", "script", "style", "kbd", "samp", "var", "svg", "math", "textarea"}

_DESTINATION = re.compile(
    r"""\(\s*(?:<[^<>\n]*>|(?:\\.|[^\s()\\]|\((?:\\.|[^\s()\\]|\([^\s()]*\))*\))*)"""
    r"""(?:\s+(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'))?\s*\)"""
)
_LABEL = re.compile(r"[ ]?\[([^\[\]]*)\]")


def label(text: str) -> str:
    """The form in which two link labels are compared."""
    return " ".join(text.split()).casefold()


def except_values(
    text: str, start: int, end: int, kind: str, protect: Protect, values: re.Pattern[str], within: int | None = None
) -> None:
    """Protect `text[start:end]`, leaving open what the groups of `values` match there, or only before `within`."""
    for match in values.finditer(text, start, end if within is None else within):
        for group in range(1, (match.re.groups or 0) + 1):
            if match[group]:
                protect(start, match.start(group), kind)
                start = match.end(group)
    protect(start, end, kind)


def scan(text: str, start: int, end: int, labels: Collection[str], protect: Protect) -> int:
    """Report every protected stretch of one paragraph.

    Args:
        text: The whole document.
        start: Offset of the paragraph's first character.
        end: Offset behind its last character; no construct but a comment or an opaque element may pass it.
        labels: Labels that the document defines, as `label` writes them.
        protect: Called with start, end and kind of each protected stretch, in order.

    Returns:
        The offset reached: `end`, or more where a comment or an opaque element runs on behind it.
    """
    opened: list[int] = []
    while start < end and (match := _TOKEN.search(text, start, end)):
        kind, at, start = match.lastgroup or "", match.start(), match.end()
        if kind == "math" and re.search(f"[{HAN}]", match[0]) and "\\" not in match[0]:
            start = at + 1  # 原价$5，现价$6 is money
        elif kind == "ticks":
            run = match[0]
            closing = re.compile(rf"(?<!`){run}(?!`)").search(text, start, end)
            if closing:
                start = closing.end()
                protect(at, start, "code")
        elif kind == "comment":
            closed = text.find("-->", start)
            start = len(text) if closed < 0 else closed + 3
            protect(at, start, "comment")
        elif kind == "tag":
            start = _tag(text, match, protect)
        elif kind == "override":
            closed = text.find("}-", start, end) if match[0] == "-{" else -1
            start = start if closed < 0 else closed + 2
            protect(at, start, kind)
        elif kind == "open":
            opened.append(start)
            protect(at, start, "bracket")
        elif kind == "close":
            start = _close(text, at, end, opened, labels, protect)
        elif kind == "attributes":
            except_values(text, at, start, kind, protect, SPOKEN)
        else:
            protect(at, start, kind)
    return max(start, end)


def _tag(text: str, match: re.Match[str], protect: Protect) -> int:
    """Protect a tag, and all of an element whose content is not prose; return the offset behind it."""
    name = match["element"].lower()
    if name in _OPAQUE and not match[0].startswith("</") and not match[0].endswith("/>"):
        closing = re.compile(rf"</{re.escape(name)}\s*>", re.IGNORECASE).search(text, match.end())
        if closing:
            protect(match.start(), closing.end(), "code")
            return closing.end()
    except_values(text, match.start(), match.end(), "tag", protect, SPOKEN)
    return match.end()


def _close(text: str, at: int, end: int, opened: list[int], labels: Collection[str], protect: Protect) -> int:
    """Protect what follows the text of a link: its destination or its label."""
    if not opened:
        return at + 1
    inside = text[opened.pop() : at]
    after = at + 1
    if destination := _DESTINATION.match(text, after, end):
        except_values(text, at, destination.end(), "link", protect, _DESTINATION)
        return destination.end()
    named = _LABEL.match(text, after, end)
    if named and named[1].strip() and (label(named[1]) in labels or not re.search(f"[{HAN}]", named[1])):
        protect(at, named.end(), "link")
        return named.end()
    if label(inside) in labels:
        after = named.end() if named and not named[1].strip() else after
        protect(at, after, "shortcut")
        return after
    protect(at, after, "bracket")
    return after
