"""The whole site as one plain Markdown tree: three full editions, nothing left to convert or to derive.

    docs/zh-Hans, docs/en, docs/zh-Hant, seeds      pages.collect      what writers wrote
      → parity.check, translation.states            refused or marked
      → frame, references, joined lines             Chinese page
      → hant.convert                                Traditional page
      → Tree                                        what any builder of Markdown sites can take
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hooks import editions, frame, hant, lines, notebooks, pages, parity, references, translation
from hooks import trace as tracing
from hooks.atlas import evidence, leads, model, published, site, tables
from hooks.atlas.model import Atlas
from hooks.editions import CANONICAL, DERIVED, EDITIONS, ENGLISH, Words
from hooks.pages import Page, Sources
from hooks.references import Kind, Place
from hooks.translation import State


@dataclass(frozen=True)
class Staged:
    """A file of the tree: its content, and the repository path that an edit link opens."""

    content: str | bytes
    origin: str


@dataclass(frozen=True)
class Tree:
    """Staged path (`zh-Hant/releases/1.6.md`, `assets/x.css`, `seeds/pytorch-1.6.txt`) → file, in order."""

    pages: Mapping[str, Staged]


def expand(root: Path) -> Tree:
    """Expand the repository at `root` into the tree.

    Raises:
        Refusal: Anything in the sources is not as it must be.
    """
    root = Path(root)
    sources = pages.collect(root)
    parity.check(sources, root)
    states = translation.states(sources)
    say = editions.words(root)
    titles = frame.sources(root)
    facts = model.read(root) if (root / model.DATA / "features").is_dir() else None
    kinds = {
        "": references.features(facts),
        "tier": references.tiers(root),
        "status": references.statuses(say),
        "today": references.works(say),
        "snippet": references.snippets(root, say, facts),
        "table": _tables(sources, states, facts, say),
    }
    for page in sources:
        references.check(page, kinds)

    def finished(page: Page) -> str:
        """A written page with everything that is generated in it."""
        text = page.text
        if page.article is not None:
            if facts:
                text = leads.lead(text, page.article, facts, page.edition, page.origin)
            text = frame.around(text, page.article, page.edition, titles, say, page.below)
        if page.edition == ENGLISH and states.get(page.path) is State.BEHIND:
            text = frame.below_title(text, translation.notice(page.path, say))
        text = references.resolve(text, Place(page.path, page.edition), kinds)
        return text if page.edition == ENGLISH else lines.join(text)

    staged: dict[str, Staged] = {}
    for path, page in sources.chinese.items():
        text = finished(page)
        staged[f"{CANONICAL}/{path}"] = Staged(hant.plain(text), page.origin)
        override = sources.overrides.get(path)
        if override is None:
            staged[f"{DERIVED}/{path}"] = Staged(hant.convert(text, file=page.origin), page.origin)
        else:
            staged[f"{DERIVED}/{path}"] = Staged(finished(override), override.origin)
        english = sources.english.get(path)
        if english is None:
            text = frame.unedited_english(page.article, say, site.below(root, page.article.release, ENGLISH))
            staged[f"{ENGLISH}/{path}"] = Staged(references.resolve(text, Place(path, ENGLISH), kinds), page.origin)
        else:
            staged[f"{ENGLISH}/{path}"] = Staged(finished(english), english.origin)
    staged |= _files(sources, root)
    if facts:
        staged |= {path: Staged(content, str(model.DATA)) for path, content in published.files(facts)}
        known = evidence.read(root)
        downloads = notebooks.files({feature: known.of(feature) for feature in facts.features}, known.ran)
        staged |= {path: Staged(content, origin) for path, content, origin in downloads}
    return Tree(dict(sorted(staged.items())))


def _tables(sources: Sources, states: Mapping[str, State], facts: Atlas | None, say: Words) -> Kind:
    """The kind `table`: `[[table:translation]]` lists every page and the state of its translation; the rest is data's."""
    released = frozenset(page.article.release for page in sources.chinese.values() if page.article)
    made = tables.tables(facts, released, say) if facts else {}

    def title(path: str, edition: str) -> str:
        if edition != ENGLISH:
            return editions.reading({CANONICAL: sources.chinese[path].title}, edition)
        page = sources.english.get(path)
        return page.title if page else say("article.unedited-title", ENGLISH, release=sources.chinese[path].article.release)

    def render(name: str, place: Place) -> str:
        if name in made:
            return made[name](place.path, place.edition)
        titles = {path: title(path, place.edition) for path in states}
        return translation.table(states, titles, place.edition, place.link, say)

    return Kind(frozenset({"translation", *made}), render, "hooks/tree.py", block=True)


def _files(sources: Sources, root: Path) -> Iterator[tuple[str, Staged]]:
    """What is no page: assets, images beside pages in every edition, and each article's raw text and ledger."""
    for path, file in sources.files.items():
        folder, _, rest = path.partition("/")
        shared = [f"{edition}/{rest}" for edition in EDITIONS] if folder == CANONICAL else []
        for target in [path, *(one for one in shared if one not in sources.files)]:
            yield target, Staged(file.read_bytes(), file.relative_to(root).as_posix())
    for article in (page.article for page in sources.chinese.values() if page.article):
        name = f"seeds/pytorch-{article.release}"
        yield f"{name}.txt", Staged((root / f"{name}.txt").read_bytes(), f"{name}.txt")
        yield f"{name}.ledger.tsv", Staged(tracing.to_tsv(article.ledger), f"{name}.txt")
