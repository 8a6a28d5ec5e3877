"""Articles as blocks, so that a passage found in the Chinese text is found in its translation too.

The editions of an article have the same headings, and between two headings the same paragraphs and list items in the
same order. A passage is therefore named by its heading and by its number below it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from hooks import markdown, yamlfile
from hooks.atlas import places
from hooks.atlas.model import Atlas, Feature, Mention
from hooks.atlas.places import Spot
from hooks.editions import CANONICAL, ENGLISH
from hooks.errors import Refusal

_BORDER = re.compile(r"\n\n|\n(?= *- )")
_BADGE = re.compile(r"\[\[tier:[a-z-]+\]\]")
_MARKS = re.compile(r"\A\s*(?:-|#+)\s+|\s*\{#[\w.-]+\}\Z|\[\^[^\]\s]+\]|\[\[[^\[\]]*\]\]\s*|\*\*")
_SENTENCES = {
    CANONICAL: re.compile(r"[^。！？]+[。！？]*[”」』）]?", re.S),
    ENGLISH: re.compile(r".+?(?:[.!?][”)]?(?:\[\^[^\]]+\])*(?=\s+[A-Z“`]|\Z)|\Z)", re.S),
}
_CLAUSE = re.compile(r"[，；：、,;:](?=\s|[^\d])")
LIMITS = {CANONICAL: 90, ENGLISH: 220}
"""How many characters of an article a page quotes."""

Name = tuple[str, int]
"""The id of a heading, and the number of the block below it; 0 is the heading itself."""


@dataclass(frozen=True)
class Block:
    """A heading, a paragraph or a list item: `page[start:end]`."""

    start: int
    end: int
    text: str

    @property
    def is_badge(self) -> bool:
        """Whether there is only a tier label in it, as below many headings."""
        return _BADGE.fullmatch(self.text.strip()) is not None


@functools.lru_cache(maxsize=16)
def blocks(page: str) -> Mapping[Name, Block]:
    """The blocks of a page from its title on, by name, in order."""
    headings = markdown.headings(page)
    starts = [0]
    for line in page.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    out: dict[Name, Block] = {}
    for heading, following in zip(headings, [*headings[1:], None]):
        at, end = starts[heading.line - 1], starts[following.line - 1] if following else len(page)
        number = 0
        while at < end:
            border = _BORDER.search(page, at, end)
            stop = border.start() if border else end
            text = page[at:stop].rstrip("\n")
            if text.strip():
                out[heading.id, number] = Block(at, at + len(text), text)
                number += 1
            at = border.end() if border else end
    return out


def name(page: str, at: int) -> Name:
    """The name of the block that holds the character at `at`."""
    return next(key for key, block in reversed(blocks(page).items()) if block.start <= at)


def english(release: str) -> str:
    """The repository path of an article's English page."""
    return f"docs/{ENGLISH}/releases/{release}.md"


def translation(root: Path, release: str) -> str | None:
    """The English page of an article, if there is one.

    Raises:
        Refusal: Its headings are not those of the article, so that no passage can be found by them.
    """
    file = root / english(release)
    if not file.exists():
        return None
    page = yamlfile.read_text(file)
    article = places.article(root, release)
    last = 1
    for want, have in zip_longest(markdown.headings(article.page), markdown.headings(page)):
        last = have.line if have else last
        wanted, had = (heading.id if heading else "" for heading in (want, have))
        if wanted != had:
            what = f"heading `{had or 'none'}` where the article has `{wanted or 'none'}`"
            raise Refusal(english(release), last, what, "Give both the same headings, in the same order")
    return page


def matching(chinese: str, other: str, key: Name, origin: str) -> Block:
    """The block of another edition's page that stands where `key` stands on the Chinese one.

    Raises:
        Refusal: The section has more or fewer blocks than in Chinese, so that a number means another passage.
    """
    counts = [sum(heading == key[0] for heading, _ in blocks(page)) for page in (chinese, other)]
    if counts[0] != counts[1]:
        what = f"{counts[1]} paragraphs and items below `{key[0]}`, {counts[0]} in Chinese"
        raise Refusal(origin, None, what, "Break the section up as the Chinese text does")
    return blocks(other)[key]


def features(atlas: Atlas, release: str) -> dict[Name, list[Feature]]:
    """Where an article leads to the pages of features: the blocks that mention one, and the headings of one.

    A block below a feature's own heading needs no link of its own.
    """
    article = places.article(atlas.root, release)
    found: dict[Name, list[Feature]] = {}
    for edit in article.meta.get("edits", ()):
        if edit.get("feature") in atlas.features and "id" in edit:
            found[edit["id"], 0] = [atlas.features[edit["feature"]]]
    for feature in atlas.features.values():
        for mention in feature.mentions:
            if mention.release != release:
                continue
            key = name(article.page, places.spot(article, mention).at)
            if not any(feature in found.get(place, ()) for place in (key, (key[0], 0))):
                found.setdefault(key, []).append(feature)
    return found


def quote(atlas: Atlas, feature: Feature, mention: Mention, spot: Spot, edition: str) -> tuple[str, str]:
    """What the article says of the feature, in a few words, and the edition whose words they are.

    A heading says little: below it, the first sentence speaks.
    """
    article = places.article(atlas.root, mention.release)
    key = name(article.page, spot.at)
    chinese = blocks(article.page)
    start = spot.at - chinese[key].start
    while (key[1] == 0 or chinese[key].is_badge) and (key[0], key[1] + 1) in chinese:
        key, start = (key[0], key[1] + 1), 0
    whole = chinese[key].text
    sentences = _sentences(whole, CANONICAL)
    ends = [sum(map(len, sentences[: i + 1])) for i in range(len(sentences))]
    number = next((i for i, end in enumerate(ends) if start < end), len(sentences) - 1)
    page = translation(atlas.root, mention.release) if edition == ENGLISH else None
    if page is None:
        at = start - (ends[number] - len(sentences[number]))
        return _short(sentences[number], at, CANONICAL), CANONICAL
    translated = _sentences(matching(article.page, page, key, english(mention.release)).text, ENGLISH)
    if len(translated) != len(sentences):
        number = _most_alike(translated, feature, number / len(sentences))
    text = translated[number]
    return _short(text, _first_hit(text, feature), ENGLISH), ENGLISH


def plain(text: str) -> str:
    """The words of a block, without marks of headings and lists, labels and footnotes."""
    words = " ".join(_MARKS.sub("", _MARKS.sub("", text)).split())
    return re.sub(r" (?=[：:，；])", "", words)


def _sentences(text: str, edition: str) -> list[str]:
    return [found for found in _SENTENCES[edition].findall(text) if found.strip()] or [text]


def _words(feature: Feature) -> set[str]:
    return {word for word in re.findall(r"[a-z0-9_]{3,}", f"{feature.name[ENGLISH]} {feature.id}".lower())} - {"torch", "and", "the", "for"}


def _most_alike(sentences: list[str], feature: Feature, share: float) -> int:
    """The sentence that has most words of the feature's name; else the one at the same share of the way."""
    scores = [sum(word in sentence.lower() for word in _words(feature)) for sentence in sentences]
    return scores.index(max(scores)) if max(scores) else min(int(share * len(sentences)), len(sentences) - 1)


def _first_hit(sentence: str, feature: Feature) -> int:
    return min((at for word in _words(feature) if (at := sentence.lower().find(word)) >= 0), default=0)


def _short(text: str, at: int, edition: str) -> str:
    """At most a few words around the character at `at`, cut where a clause ends."""
    at, text, limit = len(plain(text[:at])), plain(text).rstrip("；：;:，,"), LIMITS[edition]
    if len(text) <= limit:
        return text
    start = 0
    if at > limit * 2 // 3:
        start = next((match.end() for match in _CLAUSE.finditer(text) if 0 <= at - match.end() <= limit * 2 // 3), 0)
    end = len(text)
    if end - start > limit:
        end = max((match.start() for match in _CLAUSE.finditer(text, start, start + limit)), default=start + limit)
    cut = text[start:end].strip()
    # A name in code font that the cut went through is closed again.
    cut += "`" * (cut.count("`") % 2)
    dots = "……" if edition == CANONICAL else "…"
    return (dots if start else "") + cut + (dots if end < len(text) else "")
