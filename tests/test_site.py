"""The built site in a real browser, under /repo/ as GitHub Pages serves it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag, urljoin

import pytest
from conftest import PREFIX, Site
from mkdocstrings import Inventory
from playwright.sync_api import Browser, Page, expect

EDITIONS = {"zh-Hans": "", "zh-Hant": "zh-Hant/", "en": "en/"}
PAGES = ["", "releases/", "releases/1.10/", "tiers/", "repair/", "sources/", "contributing/", "contributing/library/", "contributing/coverage/"]

ANSWER = re.compile(r"找到 \d+ |\d+ matching|没有找到|找不到|No matching")

# Words from the middle of sentences, as a reader types them, and what the first result must then say in its text:
# the same word, or this edition's word for it.
QUERIES: dict[str, dict[str, str]] = {
    "zh-Hans": {
        "混合精度": "混合精度",
        "精度": "精度",
        "复数张量": "复数张量",
        "内存分析器": "内存分析器",
        "微软": "微软",
        "異步": "异步",
        "記憶體": "内存",
        "分散式訓練": "分布式训练",
        "傅里叶": "傅里叶",
        "torch.fft": "torch.fft",
        "CUDA Graphs": "CUDA Graphs",
        "torchscript": "TorchScript",
        "分片": "分片",
        "苹果": "苹果",
        "1.10": "1.10",
    },
    "zh-Hant": {
        "混合精度": "混合精度",
        "張量": "張量",
        "记忆体": "記憶體",
        "內存": "記憶體",
        "内存": "記憶體",
        "微軟": "微軟",
        "分散式訓練": "分散式訓練",
        "分布式训练": "分散式訓練",
        "傅立葉": "傅立葉",
        "torch.fft": "torch.fft",
        "cuda graphs": "CUDA Graphs",
        "TorchScript": "TorchScript",
        "分片": "分片",
    },
    "en": {
        "mixed precision": "mixed precision",
        "complex tensors": "complex tensors",
        "memory profiler": "memory profiler",
        "microsoft": "Microsoft",
        "asynchronous": "asynchronous",
        "fourier": "Fourier",
        "torch.fft": "torch.fft",
        "CUDA Graphs": "CUDA Graphs",
        "torch.special": "torch.special",
        "torchscript": "TorchScript",
        "fully sharded": "Fully Sharded",
        "apple silicon": "Apple silicon",
        "pytorch": "PyTorch",
    },
}


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


class _Read(HTMLParser):
    """The text of a page, its ids, and the addresses that its elements name."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: set[str] = set()
        self.text = ""
        self.feed(html)

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.ids |= {named["id"]} if named.get("id") else set()
        self.links |= {link for key in ("href", "src") if (link := named.get(key)) is not None}


def search(page: Page, query: str) -> list[str]:
    """The addresses that the search box shows for a query, below the site's root and without fragment."""
    box = page.locator("[data-md-component=search-query]")
    box.click()
    box.fill(query)  # as a pasted word comes: without a key
    expect(page.locator(".md-search-result__meta")).to_have_text(ANSWER)
    links = page.locator(".md-search-result__link")
    return links.evaluate_all("links => links.map(link => new URL(link.href).pathname)")


@pytest.mark.parametrize("edition", EDITIONS)
def test_search_finds_what_readers_type(site: Site, page: Page, edition: str) -> None:
    missed = {}
    for query, word in QUERIES[edition].items():
        page.goto(site.url + EDITIONS[edition])
        first = next(iter(search(page, query)), None)
        text = _Read((site.folder / first.removeprefix(PREFIX) / "index.html").read_text(encoding="utf-8")).text if first else ""
        if word.lower() not in text.lower():
            missed[query] = first
    assert missed == {}


def test_results_stay_in_the_edition(site: Site, page: Page) -> None:
    for edition, prefix in EDITIONS.items():
        page.goto(f"{site.url}{prefix}releases/1.10/")
        found = search(page, "PyTorch")
        others = [other for other in EDITIONS.values() if other and other != prefix]
        assert found and all(address.startswith(PREFIX + prefix) for address in found), edition
        assert not [address for address in found if any(address.startswith(PREFIX + other) for other in others)], edition


def test_a_result_leads_to_its_section(site: Site, page: Page) -> None:
    page.goto(f"{site.url}en/tiers/")
    search(page, "memory profiler")
    result = page.locator(".md-search-result__link[href*='#']").first
    address = result.evaluate("link => link.href")
    result.evaluate("link => link.click()")
    page.wait_for_url(address)
    assert page.locator(f"[id='{address.partition('#')[2]}']").count() == 1


def test_no_request_fails_or_leaves_the_host(site: Site, page: Page) -> None:
    requests: list[str] = []
    failed: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("response", lambda response: failed.append(response.url) if response.status >= 400 else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    for prefix in EDITIONS.values():
        for path in PAGES:
            page.goto(site.url + prefix + path, wait_until="networkidle")
    host = site.url.removesuffix(PREFIX)
    assert [url for url in requests if not url.startswith((f"{host}{PREFIX}", "data:", "blob:"))] == []
    assert failed == [] and errors == []


def test_language_of_each_edition(site: Site, page: Page) -> None:
    for edition, prefix in EDITIONS.items():
        page.goto(f"{site.url}{prefix}tiers/")
        assert page.locator("html").get_attribute("lang") == edition


def test_switch_keeps_page_and_section(site: Site, page: Page) -> None:
    page.goto(f"{site.url}releases/1.10/#cuda-graphs")
    for edition in ("zh-Hant", "en", "zh-Hans"):
        page.locator(".atlas-editions__button").hover()
        page.locator(f".md-select__link[hreflang={edition}]").click()
        page.wait_for_url(f"{site.url}{EDITIONS[edition]}releases/1.10/#cuda-graphs")
        assert page.locator("#cuda-graphs").is_visible()


def test_alternates_are_absolute_and_complete(site: Site, page: Page) -> None:
    for prefix in EDITIONS.values():
        page.goto(f"{site.url}{prefix}releases/1.6/")
        links = page.locator("head link[rel~=alternate][hreflang]").evaluate_all("all => all.map(link => [link.hreflang, link.getAttribute('href')])")
        expected = {edition: f"{site.url}{other}releases/1.6/" for edition, other in EDITIONS.items()}
        assert dict(links) == expected | {"x-default": expected["zh-Hans"]}
        assert page.locator("link[rel=canonical]").get_attribute("href") == f"{site.url}{prefix}releases/1.6/"


def test_missing_page_answers_in_three_languages(site: Site, page: Page) -> None:
    for address in ("nowhere", "en/releases/9.9/", "zh-Hant/a/b/c/d"):
        response = page.goto(site.url + address)
        assert response.status == 404
        homes = page.locator(".atlas-404 a").evaluate_all("all => all.map(link => link.href)")
        assert homes == [site.url + prefix for prefix in EDITIONS.values()]
        assert page.locator(".atlas-404").evaluate_all("all => all.map(section => section.lang)") == list(EDITIONS)
        assert page.evaluate("getComputedStyle(document.querySelector('.md-header')).position") == "sticky"  # its styles arrived


def test_every_link_within_the_site_leads_somewhere(site: Site) -> None:
    """Pages, files and fragments, also across editions and to raw texts."""
    pages = {
        site.url + file.relative_to(site.folder).as_posix().removesuffix("index.html"): _Read(file.read_text(encoding="utf-8"))
        for file in site.folder.rglob("*.html")
    }
    dead = set()
    for source, page in pages.items():
        for link in page.links:
            target, fragment = urldefrag(urljoin(source, link))
            if not target.startswith(site.url):
                continue
            path = unquote(target.removeprefix(site.url))
            exists = (site.folder / path / ("index.html" if path.endswith("/") or not path else "")).is_file()
            if not exists or fragment and unquote(fragment) not in pages[target].ids:
                dead.add((source, link))
    assert len(pages) > 30 and dead == set()


def test_edit_button_opens_the_source_of_the_text(site: Site, page: Page) -> None:
    expected = {
        "releases/1.10/": "seeds/pytorch-1.10.yml",
        "zh-Hant/releases/1.10/": "seeds/pytorch-1.10.yml",
        "en/releases/1.10/": "docs/en/releases/1.10.md",
        "zh-Hant/tiers/": "docs/zh-Hans/tiers.md",
    }
    for path, source in expected.items():
        page.goto(site.url + path)
        assert page.locator("a[rel=edit]").get_attribute("href") == f"https://github.com/owner/repo/edit/main/{source}"
        assert (site.root / source).is_file()


def test_navigation_speaks_the_edition(site: Site, page: Page) -> None:
    expected = {"zh-Hans": "版本", "en": "Releases"}
    for edition, title in expected.items():
        page.goto(f"{site.url}{EDITIONS[edition]}releases/1.6/")
        expect(page.locator(".md-tabs__item--active")).to_have_text(title)
    page.goto(f"{site.url}releases/1.6/")
    newest_first = page.locator(".md-nav__item--active .md-nav__item a[href]").evaluate_all("all => all.map(link => link.pathname).filter(path => /\\d\\/$/.test(path))")
    releases = [re.search(r"([\d.]+)/$", path)[1] for path in newest_first if "#" not in path]
    listed = list(dict.fromkeys(releases))
    assert {"1.6", "1.7", "1.10", "1.12"} <= set(listed)
    assert listed == sorted(listed, key=lambda release: [int(part) for part in release.split(".")], reverse=True)


def test_footer_denies_affiliation_and_names_the_sources(site: Site, page: Page) -> None:
    for edition, word in {"zh-Hans": "没有隶属关系", "zh-Hant": "隸屬關係", "en": "Not affiliated"}.items():
        page.goto(f"{site.url}{EDITIONS[edition]}releases/1.6/")
        footer = page.locator(".md-copyright")
        expect(footer).to_contain_text(word)
        assert footer.locator("a").first.evaluate("link => link.href") == f"{site.url}{EDITIONS[edition]}sources/"


def test_copied_code_holds_no_prompts_and_no_output(site: Site, page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{site.url}en/releases/1.6/")
    page.locator("button.md-code__button[title*=Copy], button.md-clipboard").first.click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.strip() and ">>>" not in copied
    compile(copied, "copied", "exec")


def test_tiers_differ_without_colour(site: Site, page: Page) -> None:
    """Each tier has its word and its own icon: no two badges look alike in black and white."""
    page.goto(f"{site.url}en/tiers/")
    looks = page.evaluate(
        """() => Object.fromEntries(["stable", "beta", "prototype", "experimental", "api-stable", "api-unstable"].map(tier => {
             const badge = document.querySelector(".md-typeset").appendChild(document.createElement("a"))
             badge.className = `tier tier-${tier}`
             return [tier, getComputedStyle(badge, "::before").maskImage]
           }))"""
    )
    assert "none" not in looks.values() and len(set(looks.values())) == len(looks)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_of_badges_links_and_text(site: Site, browser: Browser, scheme: str) -> None:
    """WCAG 2 AA: 4.5 to 1."""
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    page.goto(f"{site.url}releases/1.6/")
    ratios = page.evaluate(
        """() => {
             const article = document.querySelector(".md-content__inner")
             const canvas = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true})
             const light = (color, below) => {
               canvas.fillStyle = below; canvas.fillRect(0, 0, 1, 1)
               canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1)
               const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
               return 0.2126 * r + 0.7152 * g + 0.0722 * b
             }
             const paper = getComputedStyle(document.body).backgroundColor
             const out = {}
             for (const look of ["", "tier tier-stable", "tier tier-beta", "tier tier-prototype", "tier tier-experimental", "tier tier-api-stable", "tier tier-api-unstable"]) {
               const link = article.appendChild(document.createElement("a"))
               link.className = look; link.href = "#"
               const style = getComputedStyle(link)
               const back = look ? style.backgroundColor : paper
               const [a, b] = [light(style.color, back), light(back, paper)].sort((x, y) => y - x)
               out[look || "link"] = (a + 0.05) / (b + 0.05)
             }
             const [a, b] = [light(getComputedStyle(article).color, paper), light(paper, paper)].sort((x, y) => y - x)
             return {...out, text: (a + 0.05) / (b + 0.05)}
           }"""
    )
    context.close()
    assert {look: ratio for look, ratio in ratios.items() if ratio < 4.5} == {}


def test_no_page_is_wider_than_a_phone(site: Site, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    wide = []
    for prefix in EDITIONS.values():
        for path in PAGES:
            page.goto(site.url + prefix + path)
            if page.evaluate("document.documentElement.scrollWidth") > 360:
                wide.append(prefix + path)
    context.close()
    assert wide == []


def test_sitemap_lists_every_page_once_with_its_editions(site: Site) -> None:
    names = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}
    urls = ElementTree.parse(site.folder / "sitemap.xml").findall("s:url", names)
    listed = [url.findtext("s:loc", namespaces=names) for url in urls]
    built = {site.url + file.relative_to(site.folder).as_posix().removesuffix("index.html") for file in site.folder.rglob("index.html")}
    assert len(listed) == len(set(listed)) and set(listed) == built
    for url in urls:
        assert {link.get("hreflang") for link in url.findall("x:link", names)} == {*EDITIONS, "x-default"}
        assert {link.get("href") for link in url.findall("x:link", names)} <= built


def test_inventory_of_each_edition_points_into_it(site: Site) -> None:
    for prefix in EDITIONS.values():
        with (site.folder / prefix / "objects.inv").open("rb") as file:
            inventory = Inventory.parse_sphinx(file)
        assert "hooks.errors.Refusal" in inventory
        for item in inventory.values():
            page, _, fragment = item.uri.partition("#")
            html = (site.folder / prefix / page / "index.html").read_text(encoding="utf-8")
            assert f'id="{fragment.replace("$", item.name)}"' in html
