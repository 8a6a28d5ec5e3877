"""The frame of an article: what stands around its body in every edition, one function for each part.

    # Title {#pytorch-1-10}
    !!! info article-source "This article"      box()
    …the body…
    ## Features in this release {#features}      what the facts say of the release
    [^id]: …                                    footnotes()
    ??? note article-changes "123 changes …"    changes()

The page inside the frame is the one that `hooks.articles` makes, or a translation of it. The Traditional page of an
article is converted with its frame.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hooks import markdown, yamlfile
from hooks import trace as tracing
from hooks.articles import Article
from hooks.editions import CANONICAL, ENGLISH, Words, reading, way
from hooks.errors import Refusal

SOURCES = "docs/data/sources.yml"
SEEDS = "../../seeds"  # from an article page, whatever its edition
_HAN = re.compile(r"[\u3400-\u9fff](?:.*[\u3400-\u9fff\u3002])?")


def around(page: str, article: Article, edition: str, titles: Mapping[str, Any], say: Words, below: str = "") -> str:
    """Put the frame around the page of an article.

    Args:
        page: Markdown with front matter, title and body.
        article: The article it holds or translates.
        edition: Edition of the page.
        titles: What notes may cite: key → {title, url}.
        say: Interface strings.
        below: The sections that the facts add.
    """
    parts = [
        below_title(page, box(article, edition, say)).rstrip("\n"),
        below,
        footnotes(article, edition, titles, say),
        changes(article, edition, say),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def below_title(page: str, block: str) -> str:
    """Insert a block directly below the page's title."""
    title = next(heading for heading in markdown.headings(page) if heading.level == 1)
    lines = page.split("\n")
    return "\n".join([*lines[: title.line], "", block.rstrip("\n"), *lines[title.line :]])


def box(article: Article, edition: str, say: Words) -> str:
    """The box with the facts about the source: who, when, which file, whose rights; for an unedited article also a note."""

    def value(key: str) -> str:
        given = article.meta.get(key, "unknown")
        return say("article.unknown", edition) if given == "unknown" else _quoted(given, edition)

    meta = article.meta
    raw = f"{SEEDS}/pytorch-{article.release}.txt"
    facts = [say("article.publisher", edition, value=value("publisher")), say("article.date", edition, value=value("date"))]
    if "original_name" in meta:
        facts.append(say("article.original", edition, value=meta["original_name"], link=raw))
    if "rights" in meta:
        facts.append(say("article.rights", edition, value=_quoted(meta["rights"], edition)))
    if meta.get("links"):
        links = [f"[{text}]({url})" for text, url in meta["links"].items()]
        facts.append(say("article.links", edition, value=say("list.comma", edition).join(links)))
    closing = [say("article.unaffiliated", edition, link="../sources.md")]
    if edition == ENGLISH:
        closing.insert(0, say("article.translated", edition))
    listed = "\n".join(f"- {fact}" for fact in facts)
    blocks = [_admonition("!!! info article-source", say("article.box", edition), f"{listed}\n\n{' '.join(closing)}")]
    if not article.edited:
        blocks.append(_admonition("!!! warning unedited", say("article.unedited", edition), say("article.unedited-text", edition)))
    return "\n\n".join(blocks)


def footnotes(article: Article, edition: str, titles: Mapping[str, Any], say: Words) -> str:
    """The definitions of the article's footnotes, in the order of its edits file, each with its kind and its sources.

    Raises:
        Refusal: A note names a source that docs/data/sources.yml does not have.
    """
    notes = article.notes.items()
    return "\n\n".join(f"[^{name}]: {note(article.release, name, entry, edition, titles, say)}" for name, entry in notes)


def note(release: str, name: str, entry: Mapping[str, Any], edition: str, titles: Mapping[str, Any], say: Words) -> str:
    """A note of an article's edits file: its kind, its text and its sources.

    Raises:
        Refusal: It names a source that docs/data/sources.yml does not have.
    """
    text = say("note.shape", edition, kind=say(f"note.{entry['kind']}", edition), text=reading(entry, edition).strip())
    if unknown := [key for key in entry.get("sources", ()) if key not in titles]:
        what = f"the note `{name}` names the unknown source `{unknown[0]}`"
        raise Refusal(f"seeds/pytorch-{release}.yml", None, what, f"Add it to {SOURCES}, or mend its name")
    links = [f"[{titles[key]['title']}]({titles[key]['url']})" for key in entry.get("sources", ())]
    if links:
        gap = " " if edition == ENGLISH else ""
        text += gap + say("note.sources", edition, links=say("list.comma", edition).join(links))
    return text


def changes(article: Article, edition: str, say: Words) -> str:
    """The folded count of changes by kind, with links to the raw text and to the ledger, and the hash of the raw text.

    A change of two kinds counts in both rows, and once in the heading.
    """
    entries = [entry for entry in article.ledger if entry.kind != "head"]
    counts = sorted(tracing.counts(entries).items(), key=lambda item: (-item[1], item[0]))
    links = {"raw": f"{SEEDS}/pytorch-{article.release}.txt", "ledger": f"{SEEDS}/pytorch-{article.release}.ledger.tsv"}
    body = [
        f"| {say('changes.kind', edition)} | {say('changes.count', edition)} |",
        "| --- | ---: |",
        *(f"| {say(f'change.{kind}', edition)} | {count} |" for kind, count in counts),
        "",
        say("changes.links", edition, **links),
    ]
    if article.edited:
        body += ["", say("changes.sha256", edition, sha256=article.meta["sha256"])]
    title = say("changes.title", edition, count=len(entries))
    return _admonition("??? note article-changes", title, "\n".join(body))


def unedited_english(article: Article, say: Words, below: str = "") -> str:
    """The English page of an article that nobody has edited: it says so, shows the way to the Chinese text and gives the facts."""
    title = say("article.unedited-title", ENGLISH, release=article.release)
    text = say("article.unedited-text", ENGLISH)
    # A JSON string is a YAML string whatever it holds.
    front = f"title: {json.dumps(title)}\ndescription: {json.dumps(text)}"
    link = to_chinese(f"releases/{article.release}.md", say)
    parts = [f"---\n{front}\n---", f"# {title} {{#{article.id}}}", f"{text} {link}", below]
    return "\n\n".join(part for part in parts if part) + "\n"


def to_chinese(path: str, say: Words) -> str:
    """The link from an English page to the Chinese one, as HTML, for it leads to another edition."""
    link = way(f"{ENGLISH}/{path}", f"{CANONICAL}/{path}")
    return f'<a href="{link}" hreflang="{CANONICAL}">{say("article.read-chinese", ENGLISH)}</a>'


def sources(root: Path) -> Mapping[str, Any]:
    """Read docs/data/sources.yml: key → {title, url}."""
    file = root / SOURCES
    return yamlfile.load(file, "sources").data if file.exists() else {}


def _quoted(value: str | Mapping[str, str], edition: str) -> str:
    """Words of the source, translated if the edits file does so; Chinese in English is marked, for screen readers and fonts."""
    words = value if isinstance(value, str) else reading(value, edition)
    return _HAN.sub(rf'<span lang="{CANONICAL}">\g<0></span>', words) if edition == ENGLISH else words


def _admonition(opening: str, title: str, body: str) -> str:
    return f'{opening} "{title}"\n\n' + "\n".join(f"    {line}".rstrip() for line in body.split("\n"))
