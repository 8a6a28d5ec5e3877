"""The Python that pages show: sessions in their Markdown and in the HTML that is built from it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from hooks import markdown, yamlfile
from hooks.editions import EDITIONS
from hooks.snippets import SESSIONS

ROOT = Path(__file__).resolve().parent.parent
_PROMPT = re.compile(r"^\s*>>> ", re.M)
_FENCE = re.compile(r"(?P<mark>`{3,}|~{3,})[ \t]*(?:\{[^}\n]*?\.(?P<attribute>[\w+-]+)[^}\n]*\}|(?P<word>[\w+-]*)).*\n(?P<body>(?:.*\n)*?)[ \t>]*(?P=mark)")
_INCLUDE = re.compile(r'\s*--8<-- "([\w-]+)\.pycon"\s*')


@dataclass(frozen=True)
class Fence:
    """A block of Python in a page: the line it begins on, its text, and the snippet it includes, if it does."""

    line: int
    text: str
    snippet: str | None = None


def is_python(language: str, text: str) -> bool:
    """Whether a block is Python by its name, whichever of the names, or by its prompts."""
    try:
        named = get_lexer_by_name(language).name.startswith("Python") if language else False
    except ClassNotFound:
        named = False
    return (named and language not in ("pytb", "py3tb", "py2tb")) or bool(_PROMPT.search(text))


def in_markdown(page: str, root: Path = ROOT) -> Iterator[Fence]:
    """The blocks of Python in a Markdown page, fenced or indented, in order."""
    for span in markdown.spans(page):
        if span.kind == "fence" and (match := _FENCE.match(page, span.start)):  # the span ends where a title begins
            body, language = textwrap.dedent(match["body"]), match["attribute"] or match["word"]
            included = _INCLUDE.fullmatch(body)
            if included:
                body = yamlfile.read_text(root / SESSIONS / f"{included[1]}.pycon")
            if is_python(language, body):
                yield Fence(page.count("\n", 0, span.start) + 1, body.strip("\n"), included and included[1])
        elif span.kind == "code" and _PROMPT.match(span.text):
            yield Fence(page.count("\n", 0, span.start) + 1, span.text.strip())


def written(root: Path = ROOT) -> Iterator[tuple[str, Fence]]:
    """The blocks of Python that stand in the pages themselves, those of the README included, with their repository path."""
    for path in [root / "README.md", *(page for edition in EDITIONS for page in sorted((root / "docs" / edition).rglob("*.md")))]:
        for fence in in_markdown(yamlfile.read_text(path), root):
            if fence.snippet is None:
                yield path.relative_to(root).as_posix(), fence


def in_html(page: str) -> list[str]:
    """The text of the blocks of Python in a built page, in order; a signature in the library reference is none."""
    reader = _Blocks()
    reader.feed(page)
    return [text.strip("\n") for language, text in reader.blocks if is_python(language, text)]


class _Blocks(HTMLParser):
    """Collects (language, text) of every `pre` that no signature holds."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks: list[tuple[str, str]] = []
        self.language = ""
        self.text: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        classes = (dict(attrs).get("class") or "").split()
        if tag == "div" and "highlight" in classes:
            named = [name.removeprefix("language-") for name in classes if name.startswith("language-")]
            self.language = "signature" if "doc-signature" in classes else (named or [""])[0]
        elif tag == "pre" and self.language != "signature":
            self.text = []

    def handle_endtag(self, tag: str) -> None:
        if tag == "pre":
            if self.text is not None:
                self.blocks.append((self.language, "".join(self.text)))
            self.text, self.language = None, ""

    def handle_data(self, data: str) -> None:
        if self.text is not None:
            self.text.append(data)
