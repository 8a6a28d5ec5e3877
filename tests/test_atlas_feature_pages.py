"""The pages of features and areas, and the links between them and the articles."""

from __future__ import annotations

import dataclasses
import html
import re

import pytest

from conftest import ROOT, Site
from hooks import articles, editions, markdown, references
from hooks.atlas import area_pages, feature_pages, leads, model, passages, places, tierline
from hooks.atlas.feature_pages import Pages
from hooks.atlas.model import Change
from hooks.editions import WRITTEN
from hooks.errors import Refusal
from hooks.references import Place

SAY = editions.words(ROOT)
ATLAS = model.read(ROOT)
SOURCE = [{"article": "1.6"}]


@pytest.fixture(scope="module")
def pages() -> Pages:
    return feature_pages.prepare(ATLAS, SAY)


def change(release: str, event: str | None = None, tier: str | None = None, scope: str | None = None) -> Change:
    return Change(release, {"zh-Hans": "变", "en": "change"}, SOURCE, "high", event, tier, scope and {"zh-Hans": scope, "en": scope})


def stretches(*history: Change) -> list[tuple[str, str]]:
    """The stretches of an invented feature, each by its state and its first release."""
    feature = dataclasses.replace(ATLAS.features["amp"], history=history)
    return [(stretch.state, stretch.cells[0].release) for stretch in tierline.stretches(ATLAS, feature)]


def test_tiers_stretch_until_the_next_is_stated_and_no_further_than_their_words() -> None:
    assert stretches(change("1.7", "introduced", "beta"), change("1.10", None, "stable")) == [
        ("none", "1.5"), ("beta", "1.7"), ("stable", "1.10"), ("kept", "2.8"),
    ]  # fmt: skip


def test_the_tier_of_a_part_does_not_change_how_the_whole_stands() -> None:
    assert stretches(change("1.6", "introduced", "beta"), change("1.8", None, "prototype", "CUDA"))[1:] == [("beta", "1.6"), ("kept", "2.8")]


def test_what_was_there_in_private_is_an_early_form_and_what_was_removed_is_gone() -> None:
    assert stretches(change("1.6", "private"), change("1.9", "introduced"), change("2.1", "removed")) == [
        ("none", "1.5"), ("early", "1.6"), ("present", "1.9"), ("ended", "2.1"),
    ]  # fmt: skip


def test_a_removal_of_a_part_leaves_the_rest_standing() -> None:
    assert stretches(change("1.6", "introduced"), change("2.1", "removed", scope="a backend"))[-1] == ("present", "1.6")


def test_wishes_of_readers_have_no_tiers_to_draw() -> None:
    wish = dataclasses.replace(ATLAS.features["amp"], history=[change("1.7", "observed")])
    assert tierline.line(ATLAS, wish, "features/x.md", "en", SAY) == ""


@pytest.mark.parametrize("edition", WRITTEN)
def test_every_page_says_how_the_feature_stands_and_has_no_empty_section(pages: Pages, edition: str) -> None:
    for feature in ATLAS.features.values():
        page = feature_pages.page(pages, feature, edition)
        found = markdown.headings(page)
        assert found[0].id == feature.id
        assert pages.evidence.badges(feature) in page
        lines = page.split("\n")
        for heading, after in zip(found[1:], [*found[2:], None]):
            body = lines[heading.line : after.line - 1 if after else None]
            assert any(line.strip() for line in body), (feature.id, heading.id)
        assert ("pitfalls" in {heading.id for heading in found}) == bool(feature.pitfalls)


def test_history_sources_and_exact_messages_all_reach_the_page(pages: Pages) -> None:
    for feature in ATLAS.features.values():
        page = feature_pages.page(pages, feature, "en")
        for line in feature.history:
            assert " ".join(line.what["en"].split()).replace("|", "\\|") in page, feature.id
        for source in (source for line in feature.history for source in line.sources if "url" in source):
            assert source["url"] in page
        for pitfall in feature.pitfalls:
            if isinstance(pitfall.symptom, str):
                assert f"```text\n{pitfall.symptom}\n```" in page


@pytest.mark.parametrize("edition", WRITTEN)
def test_a_quote_is_short_and_stands_in_the_article(pages: Pages, edition: str) -> None:
    for feature in ATLAS.features.values():
        for mention, spot in pages.spots[feature.id]:
            words, language = passages.quote(ATLAS, feature, mention, spot, edition)
            article = places.article(ROOT, mention.release).page if edition == "zh-Hans" else passages.translation(ROOT, mention.release)
            assert language == edition
            assert 0 < len(words) <= passages.LIMITS[edition] + 4
            assert words.strip("…`")[:40] in passages.plain(article), (feature.id, words)


@pytest.mark.parametrize("release", articles.releases(ROOT))
@pytest.mark.parametrize("edition", WRITTEN)
def test_links_leave_the_words_of_an_article_as_they_are(release: str, edition: str) -> None:
    article = places.article(ROOT, release)
    page = article.page if edition == "zh-Hans" else passages.translation(ROOT, release)
    led = leads.lead(page, article, ATLAS, edition, "x")
    mentioned = {f.id for f in ATLAS.features.values() if any(m.release == release for m in f.mentions)}
    assert mentioned <= set(re.findall(r"\(\.\./features/([\w-]+)\.md\)", led))
    without = re.sub(r"\n*\s*\[[^\n\[\]]*\]\(\.\./features/[\w-]+\.md\)\{\.to-feature\}", "", led)
    assert without == page


def test_a_translation_that_breaks_a_passage_up_otherwise_is_refused() -> None:
    article = places.article(ROOT, "1.7")
    page = passages.translation(ROOT, "1.7").replace("- CUDA 11", "A new paragraph.\n\n- CUDA 11", 1)
    with pytest.raises(Refusal, match="paragraphs and items below `highlights`"):
        leads.lead(page, article, ATLAS, "en", "docs/en/releases/1.7.md")


@pytest.mark.parametrize(
    ("edition", "path", "text"),
    [
        ("en", "index.md", f"[{ATLAS.features['amp'].name['en']}](features/amp.md) [Stable](tiers.md#stable){{.tier .tier-stable}}"),
        ("zh-Hans", "releases/1.6.md", f"[{ATLAS.features['amp'].name['zh-Hans']}](../features/amp.md) [稳定版](../tiers.md#stable){{.tier .tier-stable}}"),
        ("zh-Hant", "features/fx.md", "[自動混合精度（AMP）](amp.md) [穩定版](../tiers.md#stable){.tier .tier-stable}"),
    ],
)
def test_a_reference_to_a_feature_is_its_name_a_link_and_the_last_tier(edition: str, path: str, text: str) -> None:
    assert references.resolve("see [[amp]].", Place(path, edition), {"": references.features(ATLAS)}) == f"see {text}."


def test_a_name_shows_as_it_is(pages: Pages) -> None:
    name = "torch-function-subclassing"
    assert "\\_\\_torch_function\\_\\_" in references.resolve(f"[[{name}]]", Place("index.md", "en"), {"": references.features(ATLAS)})


def test_every_area_page_and_the_lists_name_every_feature_once(pages: Pages) -> None:
    listed = re.findall(r"^- \[\[([\w-]+)\]\]", feature_pages.index(pages, "en"), re.M)
    assert sorted(listed) == sorted(ATLAS.features)
    on_areas = [heading.id for area in ATLAS.areas for heading in markdown.headings(area_pages.page(pages, area, "en")) if heading.level == 2]
    assert sorted(on_areas) == sorted(ATLAS.features)


def _page(site: Site, edition: str, path: str) -> str:
    return (site.folder / editions.address(f"{edition}/{path}") / "index.html").read_text(encoding="utf-8")


def test_ids_of_problems_are_one_of_a_kind_and_ascii(pages: Pages) -> None:
    for feature in ATLAS.features.values():
        found = re.findall(r'class="pitfall" id="([^"]*)"', feature_pages.page(pages, feature, "zh-Hans"))
        assert len(found) == len(set(found)) == len(feature.pitfalls)
        assert all(re.fullmatch(r"pitfall(-[a-z0-9]+)*", name) for name in found)


@pytest.mark.parametrize(
    ("since", "until", "told"),
    [("1.7", None, "since 1.7"), ("1.7", "1.9", "1.7 to 1.9"), ("1.7", "1.7", "only 1.7"), (None, "1.9", "up to and including 1.9")],
)
def test_a_problem_names_the_first_and_the_last_release_with_it(pages: Pages, since: str | None, until: str | None, told: str) -> None:
    feature = ATLAS.features["amp"]
    problem = dataclasses.replace(feature.pitfalls[0], since=since, until=until, upgrade=False)
    (shown,) = feature_pages.pitfalls(pages, dataclasses.replace(feature, pitfalls=[problem]), "en")
    assert f"\n{told} · " in shown


@pytest.mark.parametrize("edition", editions.EDITIONS)
def test_article_and_feature_lead_to_each_other_in_the_built_site(site: Site, pages: Pages, edition: str) -> None:
    for feature in ATLAS.features.values():
        page = _page(site, edition, f"features/{feature.id}.md")
        for mention, spot in pages.spots[feature.id]:
            assert f'href="../../releases/{mention.release}/#{spot.heading}"' in page
            article = _page(site, edition, f"releases/{mention.release}.md")
            assert f'class="to-feature" href="../../features/{feature.id}/"' in article
            assert f'id="{spot.heading}"' in article


@pytest.mark.parametrize("edition", editions.EDITIONS)
def test_tiers_of_a_page_are_words_that_lead_to_their_meaning(site: Site, edition: str) -> None:
    page = _page(site, edition, "features/amp.md")
    line = re.search(r'<div[^>]* class="tierline".*?</div>', page, re.S)[0]
    word = editions.reading(ATLAS.tiers["stable"]["word"], edition)
    assert f'<a class="tier tier-stable" href="../../tiers/#stable">{word}</a>' in line
    text = html.unescape(re.sub(r"<[^>]+>", "", line))
    assert "1.6" in text and "{" not in text


def test_phone_width_needs_no_sideways_scrolling(site: Site, browser) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740})
    try:
        page = context.new_page()
        for path in ("features/amp/", "en/features/tensorpipe-rpc/", "zh-Hant/features/nnapi/", "en/features/torch-function-subclassing/", "features/", "en/areas/distributed/", "en/releases/1.7/"):
            page.goto(site.url + path)
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
    finally:
        context.close()
