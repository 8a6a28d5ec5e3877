"""Links from an article to the pages of the features it speaks of; the article's own words stay as they are."""

from __future__ import annotations

from hooks.articles import Article
from hooks.atlas import passages, text
from hooks.atlas.model import Atlas, Feature


def lead(page: str, article: Article, atlas: Atlas, edition: str, origin: str) -> str:
    """Put links to feature pages below the headings of features and behind the passages that mention one.

    Args:
        page: Markdown of the article in an edition, without its frame.
        article: The article.
        atlas: The facts.
        edition: Edition of the page.
        origin: Repository path of the page, for a refusal.

    Raises:
        Refusal: A passage is broken up otherwise than in Chinese, so that its place is not known.
    """
    insertions: list[tuple[int, str]] = []
    blocks = passages.blocks(page)
    for key, features in passages.features(atlas, article.release).items():
        links = " ".join(_link(feature, edition) for feature in features)
        block = passages.matching(article.page, page, key, origin)
        badge = blocks.get((key[0], 1))
        if key[1]:
            insertions.append((block.end, f" {links}"))
        elif badge and badge.is_badge:
            insertions.append((badge.end, f" {links}"))
        else:
            insertions.append((block.end, f"\n\n{links}"))
    for at, links in sorted(insertions, reverse=True):
        page = page[:at] + links + page[at:]
    return page


def _link(feature: Feature, edition: str) -> str:
    return f"[{text.escaped(text.reading(feature.name, edition))}](../features/{feature.id}.md){{.to-feature}}"
