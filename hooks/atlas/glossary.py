"""The glossary: the term table in three columns, and where a term is used in an article."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hooks import terms
from hooks.atlas import text
from hooks.editions import CANONICAL, DERIVED, ENGLISH, Words

PATH = "glossary.md"


def page(bodies: Mapping[str, str], edition: str, say: Words) -> str:
    """The page.

    Args:
        bodies: zh-Hans text of each article, by release.
        edition: Written edition.
        say: Interface strings.
    """
    rows = []
    for readings in sorted(terms.load().values(), key=lambda each: _key(each[0].en)):
        for term in readings:
            if not term.technical:
                continue
            hant = "、".join([term.hant, *term.accepted])
            rows.append([term.en, _kept(term.hans, CANONICAL, edition), _kept(hant, DERIVED, edition), _uses(term.hans, bodies)])
    header = [say(f"glossary.{key}", edition) for key in ("en", "hans", "hant", "articles")]
    parts = [
        text.front_matter(say("glossary.title", edition), say("glossary.description", edition)),
        f"# {say('glossary.title', edition)} {{#glossary}}",
        say("glossary.intro", edition, count=len(rows)),
        text.table(header, rows),
    ]
    return "\n\n".join(parts) + "\n"


def _key(term: str) -> str:
    return re.sub(r"[^a-z0-9]", "", term.lower())


def _kept(words: str, script: str, edition: str) -> str:
    """Words of one script that stay as they are in every edition, marked as what they are."""
    shown = words if edition == ENGLISH else f"-{{{words}}}-"
    return f'<span lang="{script}">{shown}</span>'


def _uses(word: str, bodies: Mapping[str, str]) -> str:
    return " ".join(f"[{release}](releases/{release}.md)" for release, body in bodies.items() if word in body)
