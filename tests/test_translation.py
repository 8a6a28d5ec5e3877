"""Whether a translation is up to date, in one definition."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sample_site
from hooks import pages, translation, tree
from hooks.errors import Refusal
from hooks.pages import Page
from hooks.translation import State, fingerprint
from sample_site import INDEX, change, write

CHINESE = INDEX["zh-Hans"]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return sample_site.build(tmp_path)


def behind(site: Path) -> set[str]:
    """The English pages that carry the notice."""
    staged = tree.expand(site).pages
    shown = {path for path, file in staged.items() if path.endswith(".md") and "translation-behind" in file.content}
    states = translation.states(pages.collect(site))
    assert shown == {f"en/{path}" for path, state in states.items() if state is State.BEHIND}
    return shown


def test_nobody_is_told_when_all_is_up_to_date(site: Path) -> None:
    assert behind(site) == set()


def test_a_changed_chinese_sentence_shows_on_its_english_page_only(site: Path) -> None:
    change(site, "docs/zh-Hans/index.md", "很好", "非常好")
    assert behind(site) == {"en/index.md"}
    staged = tree.expand(site).pages
    notice = staged["en/index.md"].content.split("{#home}")[1]
    assert notice.startswith('\n\n!!! warning translation-behind "') and '<a href="../" hreflang="zh-Hans">' in notice
    for edition, row in (("en", "| [Home](index.md) | behind |"), ("zh-Hans", "| [首页](index.md) | 落后 |"), ("zh-Hant", "| [首頁](index.md) | 落後 |")):
        assert row in staged[f"{edition}/tiers.md"].content


def test_accepting_a_page_takes_the_notice_away(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(site, "docs/zh-Hans/index.md", "很好", "非常好")
    assert translation.main(["--root", str(site)]) == 1
    assert "behind    index.md\n" in capsys.readouterr().out
    before = (site / "docs/en/tiers.md").read_bytes()
    assert translation.main(["--root", str(site), "--accept", "docs/en/index.md"]) == 0
    assert behind(site) == set()
    assert translation.main(["--root", str(site)]) == 0
    assert (site / "docs/en/tiers.md").read_bytes() == before


def test_an_article_ages_with_its_words_and_not_with_its_frame(site: Path) -> None:
    data = json.loads((site / "seeds/pytorch-1.3.yml").read_text())
    data["publisher"] = "别的报"
    data["edits"][0]["reason"] = "Another reason."
    data["notes"]["sox"]["zh-Hans"] = "换了说法。"
    write(site, "seeds/pytorch-1.3.yml", json.dumps(data, ensure_ascii=False))
    assert behind(site) == set()
    data["edits"][1]["with"] = "sox 库"
    write(site, "seeds/pytorch-1.3.yml", json.dumps(data, ensure_ascii=False))
    assert behind(site) == {"en/releases/1.3.md"}


@pytest.mark.parametrize(
    "same",
    [
        CHINESE.replace("\n", "\r\n"),
        CHINESE + "\n\n",
        CHINESE.replace("很好。", "很好。  "),
        CHINESE.replace("title: 首页", "title: '首页'\ntags: [甲]"),
        CHINESE.replace("软件的默认", "软件\n的默认"),
        CHINESE.replace("软件", "-{zh-Hans:软件;zh-Hant:軟體}-"),
    ],
)
def test_what_no_reader_of_the_chinese_page_sees_does_not_age_its_translation(same: str) -> None:
    assert same != CHINESE
    assert fingerprint(same) == fingerprint(CHINESE)


@pytest.mark.parametrize("other", [CHINESE.replace("title: 首页", "title: 主页"), CHINESE.replace("测试版网站", "网站"), CHINESE.replace("\n\n## 级别", "\n## 级别"), CHINESE.replace("{#levels}", "{#level}")])
def test_what_a_reader_sees_does(other: str) -> None:
    assert other != CHINESE
    assert fingerprint(other) != fingerprint(CHINESE)


@given(st.text(st.sampled_from("中文a \n。#*`-"), max_size=60), st.sampled_from(["\r\n", "\n"]), st.integers(0, 3))
def test_a_stamp_survives_line_ends_and_trailing_space(text: str, end: str, spaces: int) -> None:
    page = Page("x.md", "zh-Hans", text, "docs/zh-Hans/x.md")
    stamped = translation.accepted("---\ntitle: x\n---\n\n# x {#x}\n", text).replace("\n", end)
    other = "\n".join(line.rstrip() + " " * spaces for line in text.split("\n"))
    english = Page("x.md", "en", stamped.replace("\r\n", "\n"), "docs/en/x.md")
    assert translation.state(page, english) is State.CURRENT
    assert fingerprint(other) == fingerprint("\n".join(line.rstrip() for line in text.split("\n")))


@pytest.mark.parametrize("digits", ["012345678901", "123456789012", "12345e678901"])
def test_a_fingerprint_that_looks_like_a_number_is_read_as_written(digits: str) -> None:
    page = Page("x.md", "en", f"---\ntranslates: zh-Hans@{digits}\n---\n", "docs/en/x.md")
    assert translation.stamp(page) == digits


@pytest.mark.parametrize(
    ("front", "message"),
    [
        ("title: x", "docs/en/x.md:1: the front matter lacks `translates`. Run python -m hooks.translation --accept docs/en/x.md once it translates the Chinese page."),
        ("title: x\ntranslates: 123456789012", "docs/en/x.md:3: `translates: 123456789012` is no fingerprint. Run"),
        ("translates: zh-Hans@12345678901", "docs/en/x.md:2: `translates: zh-Hans@12345678901` is no fingerprint."),
        ("title: a: b", "docs/en/x.md:2: the front matter is not YAML. Put values that hold `: ` or `#` in quotes."),
    ],
)
def test_a_page_without_a_fingerprint_stops_the_build(front: str, message: str) -> None:
    with pytest.raises(Refusal) as caught:
        translation.stamp(Page("x.md", "en", f"---\n{front}\n---\n", "docs/en/x.md"))
    assert str(caught.value).startswith(message)


def test_only_an_english_page_can_be_accepted(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert translation.main(["--root", str(site), "--accept", "docs/zh-Hans/index.md"]) == 1
    assert capsys.readouterr().err.startswith("docs/zh-Hans/index.md: no English page of the site.")


def test_the_english_pages_of_the_site_are_up_to_date() -> None:
    states = translation.states(pages.collect(sample_site.ROOT))
    assert {path for path, state in states.items() if state is not State.CURRENT} == set()
