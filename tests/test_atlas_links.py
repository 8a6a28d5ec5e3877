"""A walk over the built site: what the facts name is linked there and back, and no link or reader ends in nothing."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag, urljoin

import pytest
from conftest import ROOT, Site

from hooks import articles
from hooks.atlas import model, places, release_pages
from hooks.atlas.model import Atlas
from hooks.atlas.places import Spot

EDITIONS = {"zh-Hans": "", "zh-Hant": "zh-Hant/", "en": "en/"}
LOCALES = {"zh-Hans": "zh_CN", "zh-Hant": "zh_TW", "en": "en_US"}
FETCHING = {"stylesheet", "icon", "preload", "modulepreload", "prefetch", "preconnect", "dns-prefetch", "manifest"}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
CLICKS = 3


@dataclass(frozen=True)
class Link:
    """A link of a page: its full address, the ids of the headings it stands under, and whether it is the page's own text."""

    address: str
    under: tuple[str, ...]
    content: bool
    attributes: Mapping[str, str]

    @property
    def page(self) -> str:
        return unquote(urldefrag(self.address).url)


@dataclass
class Page(HTMLParser):
    """What a page of the site holds: ids, links, what a browser fetches for it, and what it says of itself."""

    url: str
    html: str
    ids: list[str] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)
    meta: dict[str, str] = field(default_factory=dict)
    alternates: dict[str, str] = field(default_factory=dict)
    linked: list[str] = field(default_factory=list)
    lang: str | None = None

    def __post_init__(self) -> None:
        super().__init__()
        self._open: list[tuple[str, bool]] = []
        self._headings: list[tuple[int, str]] = []
        self.feed(self.html)

    @property
    def content(self) -> list[Link]:
        """Links of the text: no navigation, no edit button, no mark that links a heading to itself."""
        return [link for link in self.links if link.content]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {key: value or "" for key, value in attrs}
        if tag not in VOID:
            self._open.append((tag, tag == "article"))
        if tag == "html":
            self.lang = named.get("lang")
        if named.get("id"):
            self.ids.append(named["id"])
            if re.fullmatch("h[1-6]", tag):
                level = int(tag[1])
                self._headings = [each for each in self._headings if each[0] < level] + [(level, named["id"])]
        if tag == "meta":
            self.meta[named.get("property") or named.get("name", "")] = named.get("content", "")
        if tag in ("a", "area") and "href" in named:
            text = any(inside for _, inside in self._open) and not {"headerlink", "md-content__button"} & set(named.get("class", "").split())
            self.links.append(Link(urljoin(self.url, named["href"]), tuple(name for _, name in self._headings), text, named))
        if tag == "link" and "href" in named:
            kinds = set(named.get("rel", "").split())
            if kinds & FETCHING:
                self.fetched.append(urljoin(self.url, named["href"]))
            else:
                self.links.append(Link(urljoin(self.url, named["href"]), (), False, named))
            if "alternate" in kinds and "hreflang" in named:
                self.alternates[named["hreflang"]] = named["href"]
        elif tag not in ("a", "area", "base"):
            self.fetched += [urljoin(self.url, named[key]) for key in ("src", "href", "poster", "data", "xlink:href") if named.get(key)]
            self.fetched += [urljoin(self.url, part.split()[0]) for part in named.get("srcset", "").split(",") if part.strip()]
        self.fetched += _in_styles(self.url, named.get("style", ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1][0] == "style":
            self.fetched += _in_styles(self.url, data)
        elif self._open and self._open[-1][0] == "script" and '"@context"' in data:
            self.linked.append(data)


def _in_styles(base: str, css: str) -> list[str]:
    found = re.findall(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)", re.sub(r"/\*.*?\*/", "", css, flags=re.S))
    return [urljoin(base, url or imported) for url, imported in found]


@pytest.fixture(scope="module")
def pages(site: Site) -> dict[str, Page]:
    """Every page by its address."""
    files = {site.url + file.relative_to(site.folder).as_posix().removesuffix("index.html"): file for file in site.folder.rglob("*.html")}
    return {url: Page(url, file.read_text(encoding="utf-8")) for url, file in files.items()}


@pytest.fixture(scope="module")
def atlas() -> Atlas:
    return model.read(ROOT)


@pytest.fixture(scope="module")
def spots(atlas: Atlas) -> dict[str, list[Spot]]:
    return {feature: [spot for _, spot in found] for feature, found in places.spots(ROOT, atlas.features).items()}


def edition_of(site: Site, url: str) -> str:
    """The edition that an address belongs to."""
    path = url.removeprefix(site.url)
    return next((edition for edition, prefix in EDITIONS.items() if prefix and path.startswith(prefix)), "zh-Hans")


def regular(site: Site, pages: Mapping[str, Page], edition: str) -> dict[str, Page]:
    """The pages of an edition, without the answer to a missing address."""
    return {url: page for url, page in pages.items() if not url.endswith("404.html") and edition_of(site, url) == edition}


def named(atlas: Atlas, spots: Mapping[str, list[Spot]], feature: str) -> Iterator[tuple[str, str]]:
    """The places that a feature's facts name: path of the page within an edition, and the heading there or `""`."""
    fact = atlas.features[feature]
    released = frozenset(articles.releases(ROOT))
    yield f"areas/{fact.area}/", ""
    yield "features/", ""
    for other in (*fact.related, *filter(None, [fact.today.replacement])):
        yield f"features/{other}/", ""
    for tier in {each.tier for each in (*fact.history, *fact.mentions) if each.tier}:
        yield "tiers/", tier
    for release in {change.minor for change in fact.history if release_pages.has_page(atlas, change.minor, released)}:
        yield f"releases/{release}/", ""
    for spot in spots[feature]:
        yield f"releases/{spot.release}/", spot.heading


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_feature_reaches_what_it_names_and_is_reached_from_there(
    site: Site, pages: dict[str, Page], atlas: Atlas, spots: dict[str, list[Spot]], edition: str
) -> None:
    home, missing = site.url + EDITIONS[edition], set()
    for feature in atlas.features:
        here = f"{home}features/{feature}/"
        there = {link.address for link in pages[here].content}
        for path, heading in named(atlas, spots, feature):
            target = home + path
            if f"{target}#{heading}" not in there if heading else target not in {urldefrag(address).url for address in there}:
                missing.add((feature, "→", f"{path}#{heading}"))
            # Words that a whole page says of a feature have no heading but the title, which holds all of them.
            back = [link for link in pages[target].content if link.page == here and (not heading or heading in link.under)]
            if not back:
                missing.add((feature, "←", f"{path}#{heading}"))
    assert len(atlas.features) > 70 and missing == set()


def test_every_link_and_fragment_leads_somewhere(site: Site, pages: dict[str, Page]) -> None:
    """Pages, files and fragments, across editions and to raw texts, data, feeds and twins."""
    dead = set()
    for page in pages.values():
        for address in {*(link.address for link in page.links), *page.fetched, *json_addresses(page)}:
            url, fragment = urldefrag(address)
            if not url.startswith(site.url):
                continue
            path = unquote(url.removeprefix(site.url))
            exists = (site.folder / path / ("index.html" if path.endswith("/") or not path else "")).is_file()
            if not exists or fragment and url in pages and unquote(fragment) not in pages[url].ids:
                dead.add((page.url, address))
    assert dead == set()


def test_no_id_stands_twice_on_a_page(pages: dict[str, Page]) -> None:
    """A browser goes to the first of two, so that a link to the second leads elsewhere than it says."""
    assert {(page.url, name) for page in pages.values() for name in page.ids if page.ids.count(name) > 1} == set()


def json_addresses(page: Page) -> Iterator[str]:
    """The addresses in the JSON-LD of a page."""

    def walk(value: object) -> Iterator[str]:
        if isinstance(value, dict):
            for key, item in value.items():
                if key in ("url", "@id", "image") and isinstance(item, str):
                    yield item
                else:
                    yield from walk(item)
        elif isinstance(value, list):
            for item in value:
                yield from walk(item)

    for text in page.linked:
        yield from walk(json.loads(text))


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_page_is_more_than_three_clicks_from_home(site: Site, pages: dict[str, Page], edition: str) -> None:
    """By the links that stand in the texts, for whoever does not open the navigation."""
    inside = regular(site, pages, edition)
    reached = frontier = {site.url + EDITIONS[edition]}
    for _ in range(CLICKS):
        frontier = {link.page for url in frontier for link in inside[url].content if link.page in inside} - reached
        reached = reached | frontier
    assert set(inside) - reached == set()


def test_no_page_is_a_dead_end(site: Site, pages: dict[str, Page]) -> None:
    """The text of every page leads on to another page of its edition."""
    for edition in EDITIONS:
        inside = regular(site, pages, edition)
        assert [url for url, page in inside.items() if not {link.page for link in page.content} & set(inside) - {url}] == []


def test_links_stay_in_their_edition(site: Site, pages: dict[str, Page]) -> None:
    """Only the switch, the alternates of the head and a link that says its language lead to another one."""
    strays = {
        (page.url, link.address)
        for edition in EDITIONS
        for page in regular(site, pages, edition).values()
        for link in page.links
        if link.page in pages and edition_of(site, link.page) != edition and link.attributes.get("hreflang") in (None, edition)
    }
    assert strays == set()


def test_a_page_that_says_its_language_has_its_editions(site: Site, pages: dict[str, Page]) -> None:
    for edition, prefix in EDITIONS.items():
        for url, page in regular(site, pages, edition).items():
            path = url.removeprefix(site.url + prefix)
            own = {other: f"{site.url}{below}{path}" for other, below in EDITIONS.items()}
            assert page.lang == edition, url
            assert page.alternates == {**own, "x-default": own["zh-Hans"]}, url
            switch = {link.attributes["hreflang"]: link.address for link in page.links if link.attributes.get("class") == "md-select__link"}
            assert switch == own, url


def test_the_sitemap_lists_every_page_once_with_the_alternates_of_the_page(site: Site, pages: dict[str, Page]) -> None:
    names = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}
    urls = ElementTree.parse(site.folder / "sitemap.xml").findall("s:url", names)
    listed = [url.findtext("s:loc", namespaces=names) for url in urls]
    assert sorted(listed) == sorted(url for url in pages if not url.endswith("404.html"))
    for address, url in zip(listed, urls):
        assert {link.get("hreflang"): link.get("href") for link in url.findall("x:link", names)} == pages[address].alternates


def test_machines_learn_language_and_title_of_every_page(site: Site, pages: dict[str, Page]) -> None:
    for edition in EDITIONS:
        for url, page in regular(site, pages, edition).items():
            assert page.meta["og:locale"] == LOCALES[edition] and page.meta["og:url"] == url
            assert all(page.meta.get(f"og:{key}") for key in ("title", "type", "site_name", "description")), url
            assert page.meta["description"] == page.meta["og:description"], url
            (text,) = page.linked
            data = json.loads(text)
            assert data["inLanguage"] == edition and data["url"] == url
            assert page.meta["og:title"] in (data.get("name"), data.get("headline"), *([page.meta["og:title"]] if data["@type"] == "WebSite" else ()))


def test_the_feed_names_pages_of_its_edition(site: Site, pages: dict[str, Page]) -> None:
    for edition, prefix in EDITIONS.items():
        feed = ElementTree.parse(site.folder / prefix / "feed.xml")
        addresses = [link.get("href") for link in feed.iter("{http://www.w3.org/2005/Atom}link") if link.get("rel") == "alternate"]
        assert len(addresses) > 20 and set(addresses) <= set(regular(site, pages, edition))


def test_no_page_and_no_style_fetches_from_another_host(site: Site, pages: dict[str, Page]) -> None:
    fetched = {(page.url, address) for page in pages.values() for address in page.fetched}
    for file in site.folder.rglob("*.css"):
        url = site.url + file.relative_to(site.folder).as_posix()
        fetched |= {(url, address) for address in _in_styles(url, file.read_text(encoding="utf-8"))}
    assert len(fetched) > 1000
    assert {each for each in fetched if not each[1].startswith((site.url, "data:", "#"))} == set()
