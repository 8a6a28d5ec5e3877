"""The editions of a page have the same bones, and published anchors stay."""

from __future__ import annotations

from pathlib import Path

import pytest

import sample_site
from hooks import pages, parity
from hooks.errors import Refusal
from hooks.pages import Page
from sample_site import ROOT, change

FRONT = "---\ntitle: t\ndescription: d\n---\n"
CHINESE = FRONT + """# 标题 {#title}

见[分级](tiers.md#beta)和[别处](https://example.org/zh)。[[tier:beta]][^a] [[tier:stable]][^b]

## 一 {#one}

```python
x = 1 # 行
```

## 二 {#two}

--8<-- "hello.pycon"

![图](chart.png)
"""
ENGLISH = FRONT + """# Title {#title}

A [[tier:stable]][^b] and a [[tier:beta]][^a], see [elsewhere](https://example.org/en) and [tiers](tiers.md#beta).

## One {#one}

```python
x = 1 # 行
```

## Two {#two}

--8<-- "hello.pycon"

![Chart](chart.png)
"""


def compare(english: str, chinese: str = CHINESE) -> None:
    model = Page("x.md", "zh-Hans", chinese, "docs/zh-Hans/x.md")
    page = Page("x.md", "en", english, "docs/en/x.md")
    parity.headed(model)
    parity.headed(page)
    parity.compare(model, page)


def test_editions_may_order_a_sentence_differently() -> None:
    compare(ENGLISH)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("## One {#one}", "## One {#uno}", "docs/en/x.md:9: heading `## {#uno}` where docs/zh-Hans/x.md:9 has `## {#one}`. Make them the same, in the same order."),
        ("## One {#one}", "### One {#one}", "docs/en/x.md:9: heading `### {#one}` where docs/zh-Hans/x.md:9 has `## {#one}`."),
        ("## One {#one}", "## One", "docs/en/x.md:9: the heading `One` has no id. Add one at the end of the line: {#name-in-ascii}."),
        ("## One {#one}", "## One {#two}", "docs/en/x.md:15: the id `two` stands on line 9 already. Give each heading its own id."),
        ("## One {#one}", "## One {#One}", "docs/en/x.md:9: the id `One` is not plain ASCII. Use small letters, digits and hyphens."),
        ("## Two {#two}\n", "", "docs/en/x.md:9: the heading `## {#two}` of docs/zh-Hans/x.md:15 is missing after this line. Add it."),
        ("## Two {#two}\n", "## Two {#two}\n\n## More {#more}\n", "docs/en/x.md:17: the heading `## {#more}` is not in docs/zh-Hans/x.md. Take it out, or add it there."),
        ("# Title {#title}", "Title", "docs/en/x.md: 0 headings of level 1. A page has one title: `# Title {#id}`."),
        ("## One {#one}", "# One {#one}", "docs/en/x.md:9: 2 headings of level 1."),
        ("x = 1", "x = 2", "docs/en/x.md:12: code block `x = 2 # 行` where docs/zh-Hans/x.md:12 has `x = 1 # 行`."),
        ("```python\nx = 1 # 行\n```\n", "", "docs/en/x.md:1: the code block `python…` of docs/zh-Hans/x.md:11 is missing after this line. Add it."),
        ('"hello.pycon"', '"bye.pycon"', "docs/en/x.md:17: include `bye.pycon` where docs/zh-Hans/x.md:17 has `hello.pycon`."),
        ("[[tier:beta]]", "[[tier:prototype]]", "docs/en/x.md:7: reference `[[tier:prototype]]` where docs/zh-Hans/x.md:7 has `[[tier:beta]]`."),
        ("[^b]", "", "docs/en/x.md:7: the footnote `[^b]` of docs/zh-Hans/x.md:7 is missing after this line. Add it."),
        ("[[tier:stable]][^b] and a ", "[[tier:stable]] and a ", "docs/en/x.md:7: the footnote `[^b]` of docs/zh-Hans/x.md:7 is missing after this line."),
        ("[[tier:beta]]", "", "docs/en/x.md:7: the reference `[[tier:beta]]` of docs/zh-Hans/x.md:7 is missing after this line."),
        ("tiers.md#beta", "tiers.md#stable", "docs/en/x.md:7: relative link `tiers.md#stable` where docs/zh-Hans/x.md:7 has `tiers.md#beta`."),
        ("chart.png", "chart-en.png", "docs/en/x.md:19: relative link `chart-en.png` where docs/zh-Hans/x.md:19 has `chart.png`."),
        ("title: t\n", "", "docs/en/x.md:1: the front matter lacks `title`. Add a line `title: …` between the two `---`."),
    ],
)
def test_the_first_difference_is_told_with_its_line(before: str, after: str, message: str) -> None:
    assert ENGLISH.count(before) == 1
    with pytest.raises(Refusal) as caught:
        compare(ENGLISH.replace(before, after))
    assert str(caught.value).startswith(message)


def test_a_reference_does_not_wander_into_another_section() -> None:
    moved = ENGLISH.replace("[[tier:stable]]", "").replace("{#two}\n", "{#two}\n\n[[tier:stable]]\n")
    with pytest.raises(Refusal, match="docs/en/x.md:7: the reference `.*tier:stable.*` of docs/zh-Hans/x.md:7 is missing after this line"):
        compare(moved)


def test_headings_in_code_do_not_count() -> None:
    code = "\n```sh\n# no heading\n```\n"
    compare(ENGLISH + code, CHINESE + code)


def test_an_override_is_compared_too(tmp_path: Path) -> None:
    site = sample_site.build(tmp_path)
    sample_site.write(site, "docs/zh-Hant/index.md", sample_site.INDEX["zh-Hans"].replace("{#levels}", "{#level}"))
    with pytest.raises(Refusal) as caught:
        parity.check(pages.collect(site), site)
    assert str(caught.value).startswith("docs/zh-Hant/index.md:10: heading `## {#level}` where docs/zh-Hans/index.md:10")


def test_a_difference_from_an_article_names_no_line_that_no_file_has(tmp_path: Path) -> None:
    site = sample_site.build(tmp_path)
    change(site, "docs/en/releases/1.3.md", "{#profiler}", "{#prof}")
    with pytest.raises(Refusal) as caught:
        parity.check(pages.collect(site), site)
    assert "docs/en/releases/1.3.md:11: heading `## {#prof}` where seeds/pytorch-1.3.yml has `## {#profiler}`" in str(caught.value)


def test_a_published_anchor_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = sample_site.build(tmp_path)
    assert parity.main(["--root", str(site), "--record"]) == 0
    assert "index.md#levels" in capsys.readouterr().out.split()
    assert parity.recorded(site) == sorted(parity.anchors(pages.collect(site)))
    for edition in ("zh-Hans", "en"):
        change(site, f"docs/{edition}/index.md", "{#levels}", "{#renamed}")
    assert parity.main(["--root", str(site)]) == 1
    assert capsys.readouterr().err == (
        "docs/data/anchors.txt:2: no page has the published anchor `index.md#levels` any more. "
        "Give the id back to a heading of that page: links from outside lead there.\n"
    )
    parity.main(["--root", str(site), "--record"])
    assert {"index.md#levels", "index.md#renamed"} <= set(parity.recorded(site))


def test_every_anchor_of_the_site_is_recorded() -> None:
    assert parity.recorded(ROOT) == sorted(parity.anchors(pages.collect(ROOT))), "run python -m hooks.parity --record"


def test_the_editions_of_the_site_agree() -> None:
    parity.check(pages.collect(ROOT), ROOT)
