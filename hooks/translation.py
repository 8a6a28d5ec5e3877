"""Is a translation up to date? One definition, read by the notice on the page, the test and the table of states.

An English page records in its front matter a fingerprint of the Chinese page it was made from:
`translates: zh-Hans@0123456789ab`. The value always begins with a word, for a bare fingerprint of digits alone, or one
such as `12345e678901`, is a number to YAML and loses its leading zeros.

    python -m hooks.translation                          list every page and its state; exit 1 if one is behind
    python -m hooks.translation --accept docs/en/x.md    record that the page translates the Chinese one as it is now
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path

from hooks import frame, hant, lines, pages
from hooks.editions import CANONICAL, ENGLISH, Words
from hooks.errors import Refusal, command
from hooks.pages import Page, Sources

KEY = "translates"
READ_BY_READERS = ("title", "description")
_STAMP = re.compile(rf"{CANONICAL}@([0-9a-f]{{12}})")


class State(str, Enum):
    """The state of a translation."""

    CURRENT = "current"
    BEHIND = "behind"
    UNEDITED = "unedited"


def fingerprint(markdown: str) -> str:
    """Twelve hexadecimal digits that change when the reader's text of a Chinese page changes, and only then.

    Taken over title, description and body. Left out are all other front matter, line ends (CRLF or LF), spaces at
    line ends, empty lines at either end, the places where a Chinese paragraph is broken over lines, and what a page
    says for the Traditional edition alone.
    """
    stripped = "\n".join(line.rstrip() for line in markdown.replace("\r\n", "\n").split("\n"))
    front, body = pages.front_matter(lines.join(hant.plain(stripped)))
    text = "\0".join([*(str(front.get(key, "")) for key in READ_BY_READERS), body.strip("\n")])
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def stamp(page: Page) -> str:
    """The fingerprint that an English page records.

    Raises:
        Refusal: There is none, or it is not of the form `zh-Hans@` and twelve hexadecimal digits.
    """
    front, _ = pages.front_matter(page.text, page.origin)
    mend = f"Run python -m hooks.translation --accept {page.origin} once it translates the Chinese page"
    if KEY not in front:
        raise Refusal(page.origin, 1, f"the front matter lacks `{KEY}`", mend)
    match = _STAMP.fullmatch(str(front[KEY]))
    if match is None:
        raise Refusal(page.origin, _line(page.text), f"`{KEY}: {front[KEY]}` is no fingerprint", mend)
    return match[1]


def state(chinese: Page, english: Page | None) -> State:
    """Whether an English page translates the Chinese page as it stands now."""
    if english is None:
        return State.UNEDITED
    return State.CURRENT if stamp(english) == fingerprint(chinese.text) else State.BEHIND


def states(sources: Sources) -> dict[str, State]:
    """The state of every translated page, by its path within the edition; pages made from data are no translations."""
    return {
        path: state(page, sources.english.get(path)) for path, page in sorted(sources.chinese.items()) if not page.from_data
    }


def notice(path: str, words: Words) -> str:
    """The admonition that tops an English page which is behind, with the way to the Chinese one."""
    return (
        f'!!! warning translation-behind "{words("translation.behind", ENGLISH)}"\n\n'
        f'    {words("translation.behind-text", ENGLISH)} {frame.to_chinese(path, words)}\n'
    )


def table(found: Mapping[str, State], titles: Mapping[str, str], edition: str, link: Callable[[str], str], words: Words) -> str:
    """The table of the page on translation states.

    Args:
        found: State by path.
        titles: Title by path, in the edition's language.
        edition: Edition of the page the table stands on.
        link: Function from a path to the relative link to it.
        words: Interface strings.
    """
    current = sum(one is State.CURRENT for one in found.values())
    rows = [
        f"| [{titles[path]}]({link(path)}) | {words(f'translation.state.{one.value}', edition)} |"
        for path, one in found.items()
    ]
    return "\n".join(
        [
            words("translation.summary", edition, total=len(found), current=current),
            "",
            f"| {words('translation.page', edition)} | {words('translation.state', edition)} |",
            "| --- | --- |",
            *rows,
        ]
    )


def _line(text: str) -> int | None:
    match = re.search(rf"^{KEY}[ \t]*:", text, re.M)
    return text.count("\n", 0, match.start()) + 1 if match else 1


def accepted(text: str, chinese: str) -> str:
    """An English page whose front matter records the fingerprint of the Chinese page `chinese`."""
    entry = f"{KEY}: {CANONICAL}@{fingerprint(chinese)}"
    front, _ = pages.front_matter(text)
    if KEY in front:
        return re.sub(rf"^{KEY}[ \t]*:.*$", entry, text, count=1, flags=re.M)
    if front:
        return re.sub(r"^---[ \t]*$", f"---\n{entry}", text, count=1, flags=re.M)
    return f"---\n{entry}\n---\n\n{text}"


def _accept(root: Path, names: list[str]) -> None:
    sources = pages.collect(root)
    by_origin = {page.origin: page for page in sources.english.values()}
    for name in names:
        file = (root / name).resolve()
        origin = file.relative_to(root.resolve()).as_posix() if file.is_relative_to(root.resolve()) else name
        page = by_origin.get(origin)
        if page is None:
            raise Refusal(name, None, "no English page of the site", "Name a file below docs/en that has a Chinese counterpart")
        file.write_text(accepted(page.text, sources.chinese[page.path].text), encoding="utf-8", newline="\n")


@command
def main(arguments: list[str] | None = None) -> int:
    """List the states, or record that pages are up to date."""
    parser = argparse.ArgumentParser(prog="python -m hooks.translation", description="Which English pages are behind?")
    parser.add_argument("--accept", nargs="+", metavar="PAGE", help="record that these English pages are up to date")
    parser.add_argument("--root", type=Path, default=Path("."), help="root of the repository")
    options = parser.parse_args(arguments)
    if options.accept:
        _accept(options.root, options.accept)
        return 0
    found = states(pages.collect(options.root))
    for path, one in found.items():
        print(f"{one.value:9} {path}")
    return int(State.BEHIND in found.values())


if __name__ == "__main__":
    sys.exit(main())
