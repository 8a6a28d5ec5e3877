"""What the writers wrote: the pages of every edition as they stand in docs/ and seeds/, before anything is derived."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from hooks import articles, hant, markdown, yamlfile
from hooks.articles import Article
from hooks.atlas import site
from hooks.editions import CANONICAL, DERIVED, EDITIONS, ENGLISH
from hooks.errors import Refusal

DOCS = "docs"
SNIPPETS = "docs/snippets"
FOLDERS = frozenset({*EDITIONS, "assets", "data", "snippets"})
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?\n)?---[ \t]*(?:\n|\Z)", re.S)
_INCLUDE = re.compile(r"^[ \t]*-{1,}8<-{1,}[ \t]*(?:(['\"])(?P<name>.*?)\1)?", re.M)


@dataclass(frozen=True)
class Page:
    """A page of one edition.

    Attributes:
        path: Path within the edition, e.g. `releases/1.6.md`.
        edition: `zh-Hans`, `en`, or `zh-Hant` for a hand-written override.
        text: Markdown with front matter, LF line ends, overrides of phrases still in it; of an article without the frame.
        origin: Repository path of the file to edit.
        article: The article that this page holds or translates, if any.
        below: Sections that the facts add below the article.
        from_data: Whether the page is written by `hooks.atlas` out of the facts, in both written editions at once.
    """

    path: str
    edition: str
    text: str
    origin: str
    article: Article | None = None
    below: str = ""
    from_data: bool = False

    def place(self, line: int | None) -> str:
        """File and line, for a message; a generated page has no lines of its own."""
        return self.origin if self.generated or line is None else f"{self.origin}:{line}"

    def refusal(self, line: int | None, what: str, mend: str) -> Refusal:
        """A refusal that points at a line of this page."""
        return Refusal(self.origin, None if self.generated else line, what, mend)

    @property
    def title(self) -> str:
        """The title in the front matter."""
        return str(front_matter(self.text, self.origin)[0]["title"])

    @property
    def generated(self) -> bool:
        """Whether the page is made from a seed or from data, so that its lines stand in no file."""
        return self.from_data or (self.edition == CANONICAL and self.article is not None)


@dataclass(frozen=True)
class Sources:
    """Everything that becomes part of the site: pages by path within their edition, and files by staged path."""

    chinese: Mapping[str, Page]
    english: Mapping[str, Page]
    overrides: Mapping[str, Page]
    files: Mapping[str, Path] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Page]:
        for pages in (self.chinese, self.english, self.overrides):
            yield from pages.values()


def front_matter(text: str, file: str | Path | None = None) -> tuple[dict[str, Any], str]:
    """Split a page into its front matter and the Markdown below it.

    Raises:
        Refusal: The front matter is not a YAML mapping.
    """
    match = _FRONT_MATTER.match(text)
    if match is None:
        return {}, text
    try:
        data = yaml.safe_load(match[1] or "") or {}
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 2 if mark else 1
        raise Refusal(file, line, "the front matter is not YAML", "Put values that hold `: ` or `#` in quotes") from None
    if not isinstance(data, dict):
        raise Refusal(file, 1, "the front matter is no mapping", "Write `key: value` lines between the two `---`")
    return data, text[match.end() :]


def includes(text: str) -> Iterator[tuple[str, int]]:
    """The snippet files a page includes and the lines on which it does; an include without a name yields an empty one."""
    for match in _INCLUDE.finditer(text):
        yield match["name"] or "", text.count("\n", 0, match.start()) + 1


def collect(root: Path) -> Sources:
    """Read every page and file of the repository at `root`.

    Raises:
        Refusal: A folder that is no part of the site, a page that exists in one written edition only, an override of
            nothing, an article with edits and no translation, a snippet that does not exist, an override of a phrase gone wrong.
    """
    _known_folders(root)
    written = {edition: _read(root, edition) for edition in EDITIONS}
    chinese = written[CANONICAL]
    english = written[ENGLISH]
    for release in articles.releases(root):
        article = articles.article(root, release)
        path = f"releases/{release}.md"
        seed = f"seeds/pytorch-{release}"
        if path in chinese:
            raise chinese[path].refusal(None, f"{seed}.txt already makes this page", f"Delete the file and edit {seed}.yml")
        origin = f"{seed}.yml" if article.edited else f"{seed}.txt"
        chinese[path] = Page(path, CANONICAL, article.page, origin)
        for standing in written.values():
            if path in standing:
                standing[path] = replace(standing[path], article=article)
        if article.edited and path not in english:
            what = f"the article has edits but no translation {DOCS}/{ENGLISH}/{path}"
            raise Refusal(origin, None, what, "Write the English page, or take the edits file away")
    for made in site.pages(root):
        for edition, standing in ((CANONICAL, chinese), (ENGLISH, english)):
            if made.path in standing:
                raise standing[made.path].refusal(None, f"{made.origin} already makes this page", "Delete the file")
            standing[made.path] = Page(made.path, edition, made.texts[edition], made.origin, from_data=True)
    for page in [page for standing in written.values() for page in standing.values() if page.article]:
        written[page.edition][page.path] = replace(page, below=site.below(root, page.article.release, page.edition))
    sources = Sources(chinese, english, written[DERIVED], dict(_files(root)))
    _complete(sources)
    for page in sources:
        _snippets_exist(root, page)
        _overrides_in_place(page)
    return sources


def _known_folders(root: Path) -> None:
    """Refuse what the build would swallow: to the i18n plugin every folder of two letters is a language, and vanishes."""
    for entry in sorted((root / DOCS).iterdir()):
        if not entry.name.startswith(".") and entry.name not in FOLDERS:
            mend = f"Put pages below {DOCS}/{CANONICAL} and {DOCS}/{ENGLISH}, other files into {DOCS}/assets"
            raise Refusal(f"{DOCS}/{entry.name}", None, "no part of the site", mend)


def _read(root: Path, edition: str) -> dict[str, Page]:
    base = root / DOCS / edition
    return {
        path: Page(path, edition, yamlfile.read_text(file), f"{DOCS}/{edition}/{path}")
        for file in yamlfile.visible(base, "**/*.md")
        for path in [file.relative_to(base).as_posix()]
    }


def _files(root: Path) -> Iterator[tuple[str, Path]]:
    """Files that are no pages: assets, and images that lie beside the pages of an edition."""
    for folder in ("assets", *EDITIONS):
        base = root / DOCS / folder
        for file in yamlfile.visible(base, "**/*"):
            if file.suffix != ".md" and file.is_file():
                yield f"{folder}/{file.relative_to(base).as_posix()}", file


def _complete(sources: Sources) -> None:
    for path, page in sources.chinese.items():
        unedited = page.article is not None and not page.article.edited
        if path not in sources.english and not unedited:
            raise page.refusal(None, "the page has no English counterpart", f"Write {DOCS}/{ENGLISH}/{path}")
    for path, page in sources.english.items():
        if path not in sources.chinese:
            raise page.refusal(None, "the page translates nothing", f"Write {DOCS}/{CANONICAL}/{path}, or delete this page")
    for path, page in sources.overrides.items():
        if path not in sources.chinese:
            raise page.refusal(None, "the page overrides nothing", f"Write {DOCS}/{CANONICAL}/{path}, or delete this page")


def _overrides_in_place(page: Page) -> None:
    """Refuse a broken override of a phrase, and one on a page that nothing derives from, where its marks would show."""
    if page.edition == CANONICAL:
        try:
            hant.plain(page.text, page.origin)
        except Refusal as refusal:
            raise page.refusal(refusal.line, refusal.what, refusal.mend) from None
        return
    for span in markdown.spans(page.text):
        if span.kind == "override":
            line = page.text.count("\n", 0, span.start) + 1
            raise page.refusal(line, f"`{span.text}` outside {DOCS}/{CANONICAL}", "Write the phrase itself, or a backslash before the mark")


def _snippets_exist(root: Path, page: Page) -> None:
    for name, line in includes(page.text):
        if not name:
            raise page.refusal(line, "an include without a file name", 'Write it on one line: --8<-- "name.pycon"')
        if not (root / SNIPPETS / name.partition(":")[0]).is_file():
            raise page.refusal(line, f"the snippet {SNIPPETS}/{name} does not exist", "Write the file, or mend its name")
