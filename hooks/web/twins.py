"""The site for programs that read text: the Markdown twin of each page, and an llms.txt for each edition.

A twin stands where its page's source would: `features/amp.md` for the page `features/amp/`. Links between pages are
relative `.md` links, so they lead from twin to twin.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote

_INCLUDE = re.compile(r'^(?P<indent>[ \t]*)-{2}8<-{2} "(?P<name>[^"]+)"$', re.M)


def twin(text: str, snippets: Mapping[str, str]) -> str:
    """A page as text alone: its snippets written out.

    Args:
        text: Expanded Markdown of the page.
        snippets: Text of each snippet by file name.
    """

    def written(match: re.Match[str]) -> str:
        lines = snippets[match["name"]].rstrip("\n").split("\n")
        return "\n".join(f"{match['indent']}{line}".rstrip() for line in lines)

    return _INCLUDE.sub(written, text)


def index(name: str, description: str, site: str, sections: Iterable[tuple[str, Iterable[tuple[str, str, str]]]]) -> str:
    """An llms.txt.

    Args:
        name: Name of the site in the edition's language.
        description: What it is, in one sentence.
        site: Address of the site, with a final slash.
        sections: Title of a section, and title, twin's address below the site's root and description of each of its pages.
    """
    parts = [f"# {name}", f"> {description}"]
    for title, pages in sections:
        lines = [f"- [{page}]({site}{quote(where)})" + (f": {about}" if about else "") for page, where, about in pages]
        parts += [f"## {title}", "\n".join(lines)]
    return "\n\n".join(parts) + "\n"
