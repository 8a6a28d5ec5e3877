"""The matrix and the upgrade view in a real browser: by keyboard, by address, without a script, on a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import Site
from playwright.sync_api import Browser, Page, expect

EDITIONS = {"zh-Hans": "", "zh-Hant": "zh-Hant/", "en": "en/"}
ADDRESSES = ["matrix/", "upgrade/", "upgrade/since-1.12/"]
SEMANTICS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


def shown(page: Page) -> list[str]:
    """The features whose rows can be seen."""
    rows = page.locator("tr[data-s]:visible th a")
    return [re.search(r"features/([\w.-]+)/$", link)[1] for link in rows.evaluate_all("all => all.map(link => link.href)")]


def view(page: Page) -> dict[str, dict[str, list[str]]]:
    """Group → feature → what is told of it, as far as it can be seen."""
    return page.locator(".up-group:visible").evaluate_all(
        """groups => Object.fromEntries(groups.map(group => [group.dataset.g, Object.fromEntries(
             [...group.querySelectorAll(".up-entry")].map(entry => [
               entry.querySelector("h3").id,
               [...entry.querySelectorAll("li")].filter(line => line.checkVisibility()).map(line => line.textContent.trim()),
             ]))]))"""
    )


def address(page: Page) -> str:
    """The address as the page itself has it: the driver's copy lags behind what a script changes."""
    return page.evaluate("location.href")


def query(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(address(page)).query)


# ------------------------------------------------------------------- matrix


def test_filter_by_keyboard(site: Site, page: Page) -> None:
    page.goto(f"{site.url}en/matrix/")
    page.get_by_label("Find").focus()
    page.keyboard.type("GradScaler")
    assert shown(page) == ["amp"]
    expect(page.get_by_role("status")).to_have_text(re.compile(r"^1 of \d+ features shown$"))
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    page.keyboard.press("Tab")
    page.keyboard.type("Distributed")
    page.keyboard.press("Tab")
    page.keyboard.type("Beta")
    page.keyboard.press("Tab")
    page.keyboard.type("1.10")
    assert query(page) == {"area": ["distributed"], "tier": ["beta"], "release": ["1.10"]}
    assert shown(page) == ["ddp-plus-rpc", "tensorpipe-rpc"]
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.locator(".mx-form [type=reset]")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/en/matrix/")
    assert len(shown(page)) == page.locator("tr[data-s]").count()


def test_focus_can_be_seen_and_is_not_hidden_below_the_head(site: Site, page: Page) -> None:
    page.goto(f"{site.url}en/matrix/")
    page.get_by_role("region", name="Feature matrix").focus()
    head = page.locator(".mx-table thead")
    for _ in range(60):
        page.keyboard.press("Tab")
    link = page.locator(":focus")
    assert link.evaluate("link => getComputedStyle(link).outlineStyle") == "solid"
    assert link.bounding_box()["y"] >= head.bounding_box()["y"] + head.bounding_box()["height"] - 1


def test_address_and_form_say_the_same(site: Site, page: Page) -> None:
    shared = f"{site.url}matrix/?find=torch&area=frontend&tier=stable&release=1.12&status=works"
    page.goto(shared)
    first = shown(page)
    assert first and page.locator(".mx-form [name=release]").input_value() == "1.12"
    page.locator(".mx-form [name=find]").fill("torch.fft")
    page.locator(".mx-form [name=find]").fill("torch")
    assert address(page) == shared
    page.reload()
    assert shown(page) == first


def test_release_alone_lists_what_changed_in_it(site: Site, page: Page) -> None:
    page.goto(f"{site.url}en/matrix/?release=1.6")
    assert "amp" in shown(page) and "fsdp" not in shown(page)
    expect(page.locator("thead th.on")).to_have_text("1.6")


def test_words_that_nobody_offers_are_ignored(site: Site, page: Page) -> None:
    page.goto(f"{site.url}en/matrix/?tier=gold&release=9.9&area=%3Cb%3E")
    assert len(shown(page)) == page.locator("tr[data-s]").count()


def test_back_undoes_one_choice_after_another(site: Site, page: Page) -> None:
    page.goto(f"{site.url}en/matrix/")
    everything = shown(page)
    page.get_by_label("Today").select_option("gone")
    gone = shown(page)
    page.get_by_label("Find").press_sequentially("torchdata")
    assert 0 < len(shown(page)) < len(gone) < len(everything)
    page.go_back()
    assert shown(page) == gone and page.get_by_label("Find").input_value() == ""
    page.go_back()
    assert shown(page) == everything
    page.go_forward()
    assert shown(page) == gone


def test_switch_of_language_keeps_the_choice(site: Site, page: Page) -> None:
    page.goto(f"{site.url}en/matrix/?tier=prototype&release=1.6")
    before = shown(page)
    page.locator(".atlas-editions__button").hover()
    page.locator(".md-select__link[hreflang=zh-Hant]").click()
    page.wait_for_url("**/zh-Hant/matrix/?tier=prototype&release=1.6")
    assert shown(page) == before


def test_cell_leads_to_the_feature_and_head_to_the_release(site: Site, page: Page) -> None:
    page.goto(f"{site.url}en/matrix/?find=torch.cuda.amp.GradScaler")
    page.locator("tr[data-s]:visible td").nth(1).click()
    page.wait_for_url("**/en/features/amp/#history")
    page.go_back()
    page.get_by_role("columnheader", name="1.10").get_by_role("link").click()
    page.wait_for_url("**/en/releases/1.10/")


@pytest.mark.parametrize("edition", EDITIONS)
def test_head_and_first_column_stay_on_a_phone(site: Site, browser: Browser, edition: str) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto(f"{site.url}{EDITIONS[edition]}matrix/")
    box = page.locator(".mx")
    box.scroll_into_view_if_needed()
    box.evaluate("box => box.scrollTo(500, 900)")
    frame = box.bounding_box()
    corner = page.locator(".mx-table thead th").first.bounding_box()
    assert abs(corner["x"] - frame["x"]) < 3 and abs(corner["y"] - frame["y"]) < 3
    assert corner["width"] < frame["width"] / 2
    names = page.locator(".mx-table [scope=row]").evaluate_all("all => all.map(name => name.getBoundingClientRect().x)")
    assert all(abs(x - frame["x"]) < 3 for x in names)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()


def test_tiers_in_cells_differ_without_colour(site: Site, page: Page) -> None:
    page.goto(f"{site.url}en/matrix/")
    icons = [page.locator(f"td.{tier}.t").first.evaluate("cell => getComputedStyle(cell, '::before').maskImage") for tier in "sbpe"]
    assert "none" not in icons and len(set(icons)) == 4


@pytest.mark.parametrize("edition", EDITIONS)
def test_without_a_script_everything_is_there(site: Site, browser: Browser, edition: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site.url}{EDITIONS[edition]}matrix/")
    assert page.locator("tr[data-s]:visible").count() == page.locator("tr[data-s]").count() > 0
    expect(page.locator(".mx-form")).to_be_hidden()
    page.goto(f"{site.url}{EDITIONS[edition]}upgrade/")
    expect(page.locator(".up-form")).to_be_hidden()
    expect(page.locator("#torchdata-s3")).to_be_visible()
    page.locator(".up-static a", has_text="1.12").click()
    expect(page.locator(".up-group[data-g=must] #torchdata-s3")).to_be_visible()
    context.close()


# ------------------------------------------------------------------ upgrade


@pytest.mark.parametrize("start", ["1.6", "1.10", "2.4"])
def test_chooser_shows_what_the_static_page_lists(site: Site, page: Page, start: str) -> None:
    page.goto(f"{site.url}en/upgrade/since-{start}/")
    static = view(page)
    page.goto(f"{site.url}en/upgrade/")
    page.locator("[name=from]").select_option(start)
    chosen = view(page)
    assert chosen == static and [list(entries) for entries in chosen.values()] == [list(entries) for entries in static.values()]


def test_pair_has_an_address_and_back_works(site: Site, page: Page) -> None:
    page.goto(f"{site.url}en/upgrade/")
    usual = view(page)
    page.locator("[name=from]").select_option("1.12")
    page.locator("[name=to]").select_option("2.0")
    assert query(page) == {"from": ["1.12"], "to": ["2.0"]}
    pair = view(page)
    assert set(pair["must"]) and "2.1" not in {line.split()[0] for entries in pair.values() for lines in entries.values() for line in lines}
    page.reload()
    assert view(page) == pair
    page.go_back()
    page.go_back()
    assert view(page) == usual


def test_choosing_an_older_target_moves_the_start(site: Site, page: Page) -> None:
    page.goto(f"{site.url}en/upgrade/?from=2.0&to=2.15")
    page.locator("[name=to]").select_option("1.8")
    assert page.locator("[name=from]").input_value() == "1.7"


def test_addresses_that_make_no_sense_fall_back(site: Site, page: Page) -> None:
    page.goto(f"{site.url}en/upgrade/")
    usual = view(page)
    page.goto(f"{site.url}en/upgrade/?from=x&to=1.6")
    assert view(page) == usual


def test_keyboard_chooses_releases(site: Site, page: Page) -> None:
    page.goto(f"{site.url}en/upgrade/")
    page.locator("[name=from]").focus()
    page.keyboard.type("1.8")
    page.keyboard.press("Tab")
    page.keyboard.type("1.9")
    assert query(page) == {"from": ["1.8"], "to": ["1.9"]}
    expect(page.get_by_role("status")).to_have_text(f"Features concerned: {sum(map(len, view(page).values()))}")


# --------------------------------------------------------------------- both


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", ADDRESSES)
def test_axe_finds_nothing(site: Site, browser: Browser, address: str, scheme: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    for prefix in EDITIONS.values() if scheme == "light" else ["en/"]:  # colours are the same in all editions
        page.goto(site.url + prefix + address)
        found = Axe().run(page, context=".md-content__inner", options={"runOnly": SEMANTICS}).response["violations"]
        assert [(violation["id"], [node["html"][:120] for node in violation["nodes"]][:3]) for violation in found] == []
    context.close()


@pytest.mark.parametrize("address", ADDRESSES)
def test_pages_fit_a_phone(site: Site, browser: Browser, address: str) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    for prefix in EDITIONS.values():
        page.goto(site.url + prefix + address)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()


def test_scripts_and_styles_load_on_their_pages_only(site: Site, page: Page) -> None:
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url.rsplit("/", 1)[-1]))
    page.goto(f"{site.url}en/features/amp/")
    assert not {"filters.js", "filters.css", "matrix.js", "matrix.css", "upgrade.js", "upgrade.css"} & set(loaded)
    page.goto(f"{site.url}en/upgrade/since-1.12/")
    assert "upgrade.css" in loaded and not {"filters.js", "filters.css"} & set(loaded)
    page.goto(f"{site.url}en/matrix/")
    assert {"filters.js", "filters.css", "matrix.js", "matrix.css"} <= set(loaded) and "snippets.js" not in loaded
