"""References `[[kind:id]]` in pages: a short name in the text becomes a badge, a link or a table."""

from __future__ import annotations

import posixpath
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hooks import editions, markdown, runs, yamlfile
from hooks.atlas import evidence, examples, model, tierline
from hooks.atlas.model import Atlas
from hooks.atlas.text import escaped, reading
from hooks.editions import Words
from hooks.errors import Refusal
from hooks.pages import SNIPPETS, Page

TIERS = "docs/data/tiers.yml"
_REFERENCE = re.compile(r"\[\[(?:([^:\[\]]*):)?([^\[\]]*)\]\]")


@dataclass(frozen=True)
class Place:
    """Where a reference stands: the page's path within its edition (`releases/1.6.md`) and the edition."""

    path: str
    edition: str

    def link(self, path: str) -> str:
        """The relative link from here to another page of the same edition."""
        return posixpath.relpath(path, posixpath.dirname(self.path) or ".")


@dataclass(frozen=True)
class Kind:
    """One kind of reference.

    Attributes:
        ids: The ids it knows.
        render: Markdown that stands in the page instead of the reference.
        home: Repository path where its ids are defined.
        block: Whether it becomes a block of its own, so that it must stand alone on its line.
    """

    ids: frozenset[str]
    render: Callable[[str, Place], str]
    home: str
    block: bool = False


Kinds = Mapping[str, Kind]
"""Kinds by the word before the colon; a reference without colon, `[[amp]]`, is of the kind ``""``."""


def tiers(root: Path) -> Kind:
    """The kind `tier`: `[[tier:beta]]` is a badge with the edition's word, linking to `tiers.md#beta`."""
    data = yamlfile.load(root / TIERS, "tiers").data

    return Kind(frozenset(data), lambda name, place: _badge(data, name, place), TIERS)


def _badge(data: Mapping[str, Mapping[str, Any]], name: str, place: Place) -> str:
    word = editions.reading(data[name]["word"], place.edition)
    return f"[{word}]({place.link('tiers.md')}#{name}){{.tier .tier-{name}}}"


def features(atlas: Atlas | None) -> Kind:
    """References without a kind: `[[amp]]` is the feature's name, linked to its page, and the tier last stated for it."""
    known = atlas.features if atlas else {}

    def named(name: str, place: Place) -> str:
        feature = known[name]
        link = f"[{escaped(reading(feature.name, place.edition))}]({place.link(f'features/{name}.md')})"
        tier = tierline.last_tier(feature)
        return f"{link} {_badge(atlas.tiers, tier, place)}" if tier else link

    return Kind(frozenset(known), named, f"{model.DATA}/features")


def statuses(say: Words) -> Kind:
    """The kind `status`: `[[status:renamed]]` is a badge with what has become of a feature, linking to the words' meaning."""

    def badge(name: str, place: Place) -> str:
        word = say(f"status.{name}", place.edition)
        return f"[{word}]({place.link('features/index.md')}#status){{.status .status-{name}}}"

    return Kind(frozenset(model.STATUSES), badge, "docs/data/schema/feature.schema.json")


def works(say: Words) -> Kind:
    """The kind `today`: `[[today:warns]]` is a badge that says whether a feature works today, as its runs show it."""

    def badge(name: str, place: Place) -> str:
        word = say(f"today.{name}", place.edition)
        return f"[{word}]({place.link('features/index.md')}#today){{.status .today-{name}}}"

    return Kind(frozenset(runs.STATUSES), badge, "hooks/runs.py")


def snippets(root: Path, say: Words, atlas: Atlas | None = None) -> Kind:
    """The kind `snippet`: `[[snippet:amp]]` shows docs/snippets/amp.pycon and its runs in a box that marks it as this site's own."""
    known = evidence.read(root) if atlas else None

    def example(name: str, place: Place) -> str:
        if known and atlas:
            body = examples.block(known, list(atlas.releases), known.snippets[name], place.path, place.edition, say)
        else:
            body = examples.fence(name)
        return f'!!! example snippet "{say("snippet.title", place.edition)}"\n\n{textwrap.indent(body, "    ")}'

    return Kind(frozenset(file.stem for file in yamlfile.visible(root / SNIPPETS, "*.pycon")), example, SNIPPETS, block=True)


def found(text: str) -> Iterator[re.Match[str]]:
    """The references of a page, in order; what stands in code, raw HTML or front matter is no reference."""
    for span in markdown.spans(text):
        if span.kind == "reference" and (match := _REFERENCE.fullmatch(text, span.start, span.end)):
            yield match


def check(page: Page, kinds: Kinds) -> None:
    """Refuse a reference that leads nowhere, with its line in the source of the page or of the article's notes.

    Raises:
        Refusal: An unknown kind or id.
    """
    for match in found(page.text):
        if problem := _problem(match, kinds):
            raise page.refusal(page.text.count("\n", 0, match.start()) + 1, *problem)
    for name, note in (page.article.notes if page.article else {}).items():
        for match in (match for edition in editions.WRITTEN for match in found(note[edition])):
            if problem := _problem(match, kinds):
                raise Refusal(f"seeds/pytorch-{page.article.release}.yml", None, f"in the note `{name}`: {problem[0]}", problem[1])


def resolve(text: str, place: Place, kinds: Kinds) -> str:
    """Replace every reference of a page that has been checked.

    Args:
        text: Markdown of the page.
        place: Page and edition, for words and relative links.
        kinds: What can be referred to.
    """
    out, at = [], 0
    for match in found(text):
        out += [text[at : match.start()], kinds[match[1] or ""].render(match[2], place)]
        at = match.end()
    return "".join(out) + text[at:]


def _problem(match: re.Match[str], kinds: Kinds) -> tuple[str, str] | None:
    """What is wrong with a reference, and the mend."""
    kind = kinds.get(match[1] or "")
    if kind is None:
        known = ", ".join(f"[[{name}:…]]" if name else "[[…]]" for name in sorted(kinds))
        return f"`{match[0]}` is no known kind of reference", f"Known kinds: {known}; write brackets that are meant as text as `code`"
    if match[2] not in kind.ids:
        return f"`{match[0]}` names an unknown id", f"Known in {kind.home}: {', '.join(sorted(kind.ids)) or 'none'}"
    if kind.block and not _alone(match):
        return f"`{match[0]}` stands within a line", "Put it on a line of its own, between empty lines"
    return None


def _alone(match: re.Match[str]) -> bool:
    before, after = match.string[: match.start()], match.string[match.end() :]
    return before[-2:] in ("", "\n", "\n\n") and after[:2] in ("", "\n", "\n\n")
