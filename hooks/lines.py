"""Chinese paragraphs written over several source lines, joined again.

A line end inside a paragraph renders as a space. Between Latin words that is right; between two Chinese characters
it is a hole in the sentence. Writers may break their lines all the same: the line ends go before anything renders.
"""

from __future__ import annotations

import re
from itertools import accumulate

from hooks import markdown

_CHINESE = r"\u2014\u2018-\u201d\u2026\u3001-\u303f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff60\U00020000-\U0003ffff"
_QUOTED = re.compile(r"(?:[ \t]*>)*")
# Marks of emphasis may stand between the character and the line end.
_OPEN_END = re.compile(rf"[{_CHINESE}][*~]*$")
_OPEN_START = re.compile(rf"[ \t]*[*~]*[{_CHINESE}]")


def join(text: str) -> str:
    """Take out every line end between two Chinese characters of running text.

    Headings, tables, list items and hard breaks (two spaces or a backslash at the end) keep their line ends, and so
    does everything protected: code, front matter, raw HTML. In a quotation the marks `>` of the joined line go too.
    """
    lines = text.split("\n")
    ends = list(accumulate((len(line) + 1 for line in lines), initial=-1))[1:]
    protected = [(span.start, span.end) for span in markdown.spans(text) if span.protected]
    out = [lines[0]]
    for end, line, after in zip(ends, lines, lines[1:]):
        quoted = _QUOTED.match(after)[0]
        runs_on = (
            _OPEN_END.search(line)
            and quoted == _QUOTED.match(line)[0]
            and _OPEN_START.match(after, len(quoted))
            and not line.startswith("#")
            and not any(start <= end < stop for start, stop in protected)
        )
        if runs_on:
            out[-1] += after[len(quoted) :].lstrip()
        else:
            out.append(after)
    return "\n".join(out)
