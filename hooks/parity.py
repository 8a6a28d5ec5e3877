"""Do the editions of a page have the same bones? And do published anchors still stand?

    python -m hooks.parity             check; exit 1 with one line if something differs
    python -m hooks.parity --record    add the ids of new headings to docs/data/anchors.txt
"""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from hooks import markdown, pages, references
from hooks.errors import Refusal, command
from hooks.markdown import Span
from hooks.pages import Page, Sources

ANCHORS = "docs/data/anchors.txt"
_ID = re.compile(r"[a-z0-9][a-z0-9._-]*")
_LINK = re.compile(r"\]\([ \t]*<?([^)\s>]+)")
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.I)


@dataclass(frozen=True)
class Bone:
    """A part of a page that must be the same in every edition: what it is, and the line on which it stands."""

    what: str
    line: int


def check(sources: Sources, root: Path) -> None:
    """Compare the editions of every page and the anchors of all with those once published.

    Raises:
        Refusal: The first difference, with the line in the edition that is to be mended.
    """
    for path, chinese in sources.chinese.items():
        headed(chinese)
        for other in (sources.english.get(path), sources.overrides.get(path)):
            if other is not None:
                headed(other)
                compare(chinese, other)
    standing = anchors(sources)
    for line, anchor in enumerate(recorded(root), start=1):
        if anchor not in standing:
            raise Refusal(
                ANCHORS,
                line,
                f"no page has the published anchor `{anchor}` any more",
                "Give the id back to a heading of that page: links from outside lead there",
            )


def headed(page: Page) -> None:
    """Refuse a page without title and description, or with a heading whose id is missing, not ASCII or taken."""
    front, _ = pages.front_matter(page.text, page.origin)
    for key in ("title",) if page.generated else ("title", "description"):
        if not front.get(key):
            raise page.refusal(1, f"the front matter lacks `{key}`", f"Add a line `{key}: …` between the two `---`")
    seen: dict[str, int] = {}
    headings = markdown.headings(page.text)
    titles = [heading for heading in headings if heading.level == 1]
    if len(titles) != 1:
        line = titles[1].line if titles else None
        raise page.refusal(line, f"{len(titles)} headings of level 1", "A page has one title: `# Title {#id}`")
    for heading in headings:
        if not heading.id:
            raise page.refusal(heading.line, f"the heading `{heading.text}` has no id", "Add one at the end of the line: {#name-in-ascii}")
        if not _ID.fullmatch(heading.id):
            raise page.refusal(heading.line, f"the id `{heading.id}` is not plain ASCII", "Use small letters, digits and hyphens")
        if heading.id in seen:
            what = f"the id `{heading.id}` stands on line {seen[heading.id]} already"
            raise page.refusal(heading.line, what, "Give each heading its own id")
        seen[heading.id] = heading.line
    for heading in markdown.headings(page.below):
        if heading.id in seen:
            what = f"the id `{heading.id}` belongs to a section that the facts add"
            raise page.refusal(seen[heading.id], what, "Give the heading another id")


def compare(model: Page, page: Page) -> None:
    """Refuse the first difference between a Chinese page and another edition of it.

    Headings, code and includes follow one another in the same order. Footnotes, references and links may change
    places with their words, for languages order a sentence differently, but stay within their section.
    """
    for name, bones in (("heading", _headings), ("code block", _fences), ("include", _includes)):
        _same(name, bones(model), bones(page), model, page, 1)
    for name, bones in (("reference", _references), ("footnote", _footnotes), ("relative link", _links)):
        for expected, given in zip(_sections(model, bones(model)), _sections(page, bones(page))):
            want, have = _unmatched(expected.bones, given.bones), _unmatched(given.bones, expected.bones)
            _same(name, want, have, model, page, max((bone.line for bone in given.bones), default=given.line))


def _same(name: str, expected: Sequence[Bone], given: Sequence[Bone], model: Page, page: Page, top: int) -> None:
    """Refuse where two lists part; `top` is the line to name where the page has nothing to point at."""
    for want, have in zip_longest(expected, given):
        if want is None:
            what = f"the {name} {_short(have.what)} is not in {model.place(None)}"
            raise page.refusal(have.line, what, "Take it out, or add it there")
        if have is None:
            line = max((bone.line for bone in given), default=top)
            what = f"the {name} {_short(want.what)} of {model.place(want.line)} is missing after this line"
            raise page.refusal(line, what, "Add it")
        if want.what != have.what:
            at, wanted, had = _parting(want.what, have.what)
            what = f"{name} {_short(had)} where {model.place(want.line + at)} has {_short(wanted)}"
            raise page.refusal(have.line + at, what, "Make them the same, in the same order")


def _unmatched(bones: Iterable[Bone], others: Iterable[Bone]) -> list[Bone]:
    """The bones that are left when each has been paired off with an equal one of `others`, wherever it stands."""
    spare = Counter(bone.what for bone in others)
    left = []
    for bone in bones:
        if spare[bone.what]:
            spare[bone.what] -= 1
        else:
            left.append(bone)
    return left


def _parting(want: str, have: str) -> tuple[int, str, str]:
    """The first line in which two texts differ: its index and what each of them has there."""
    pairs = zip_longest(want.split("\n"), have.split("\n"), fillvalue="")
    return next((at, one, other) for at, (one, other) in enumerate(pairs) if one != other)


def _short(what: str) -> str:
    first, *more = what.strip("`~ \n").split("\n")
    return f"`{first[:60]}{'…' if more or len(first) > 60 else ''}`"


def _headings(page: Page) -> list[Bone]:
    return [Bone(f"{'#' * heading.level} {{#{heading.id}}}", heading.line) for heading in markdown.headings(page.text)]


def _fences(page: Page) -> list[Bone]:
    # A fence inside a list item is indented with it, and no further in one edition than in the other.
    return [Bone(textwrap.dedent(span.text), _line(page.text, span.start)) for span in _spans(page, "fence")]


def _includes(page: Page) -> list[Bone]:
    return [Bone(name, line) for name, line in pages.includes(page.text)]


def _references(page: Page) -> list[Bone]:
    return [Bone(match[0], _line(page.text, match.start())) for match in references.found(page.text)]


def _footnotes(page: Page) -> list[Bone]:
    return [Bone(span.text, _line(page.text, span.start)) for span in _spans(page, "footnote")]


def _links(page: Page) -> list[Bone]:
    targets = ((_LINK.match(span.text), span) for span in _spans(page, "link"))
    return [Bone(match[1], _line(page.text, span.start)) for match, span in targets if match and not _ELSEWHERE.match(match[1])]


def _spans(page: Page, kind: str) -> Iterator[Span]:
    return (span for span in markdown.spans(page.text) if span.kind == kind)


@dataclass(frozen=True)
class _Section:
    line: int
    bones: list[Bone]


def _sections(page: Page, bones: Iterable[Bone]) -> list[_Section]:
    """The bones of each section: of what stands before the first heading, then of what follows each heading."""
    sections = [_Section(1, []), *(_Section(heading.line, []) for heading in markdown.headings(page.text))]
    for bone in bones:
        next(section for section in reversed(sections) if section.line <= bone.line).bones.append(bone)
    return sections


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def anchors(sources: Sources) -> set[str]:
    """Every anchor a reader can link to, as `path#id`."""
    parts = ((path, part) for path, page in sources.chinese.items() for part in (page.text, page.below))
    return {f"{path}#{heading.id}" for path, part in parts for heading in markdown.headings(part)}


def recorded(root: Path) -> list[str]:
    """The anchors once published, as docs/data/anchors.txt lists them."""
    file = root / ANCHORS
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def record(root: Path) -> list[str]:
    """Add the anchors that are new, and return them; none is ever taken away."""
    known = recorded(root)
    new = sorted(anchors(pages.collect(root)) - set(known))
    if new:
        (root / ANCHORS).write_text("".join(f"{anchor}\n" for anchor in sorted({*known, *new})), encoding="utf-8", newline="\n")
    return new


@command
def main(arguments: list[str] | None = None) -> int:
    """Check the editions, or record new anchors."""
    parser = argparse.ArgumentParser(prog="python -m hooks.parity", description="Do the editions have the same bones?")
    parser.add_argument("--record", action="store_true", help=f"add the ids of new headings to {ANCHORS}")
    parser.add_argument("--root", type=Path, default=Path("."), help="root of the repository")
    options = parser.parse_args(arguments)
    if options.record:
        for anchor in record(options.root):
            print(anchor)
    check(pages.collect(options.root), options.root)
    return 0


if __name__ == "__main__":
    sys.exit(main())
