"""A seed brings words, never markup: what is text in the source is text on the page."""

from __future__ import annotations

import html
import re

import markdown as python_markdown
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hooks import markup
from hooks import trace as tracing

LABELS = {"稳定": "stable", "稳定版": "stable", "stable": "stable", "测试版": "beta", "beta": "beta", "原型版": "prototype"}
# Everything of the site's configuration that could act on a seed's text.
EXTENSIONS = [
    "admonition", "attr_list", "def_list", "footnotes", "md_in_html", "tables", "toc",
    "pymdownx.details", "pymdownx.superfences", "pymdownx.snippets", "pymdownx.tabbed", "pymdownx.tilde", "pymdownx.caret",
]  # fmt: skip


def traced(text: str) -> tracing.Trace:
    trace = tracing.begin(text)
    trace = tracing.apply(trace, markup.shape(trace.text))
    return tracing.apply(trace, markup.mark(trace.text, LABELS))


def marked(text: str) -> str:
    return traced(text).text


def visible(markdown: str) -> str:
    """What a reader sees, without white space."""
    page = python_markdown.markdown(markdown, extensions=EXTENSIONS)
    return re.sub(r"\s+", "", html.unescape(re.sub(r"<[^>]+>", "", page)))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("[BETA]内存分析器", "[[tier:beta]] 内存分析器"),
        ("性能和分析[稳定]自动混合精度", "性能和分析 [[tier:stable]] 自动混合精度"),
        ("（原型版）支持 A100", "[[tier:prototype]] 支持 A100"),
        ("工作流程和开发。（测试版）复数卷积", "工作流程和开发。 [[tier:beta]] 复数卷积"),
        ("torch.special（稳定版）：模块", "torch.special [[tier:stable]]：模块"),
        ("• Remote Module（稳定版）：此功能", "- Remote Module [[tier:stable]]：此功能"),
        ("(Beta)正向模式", "[[tier:beta]] 正向模式"),
    ],
)
def test_every_spelling_of_a_tier_label_becomes_one_marker(source, expected):
    assert marked(source) == expected


def test_bullets_and_numbers_are_lists_of_their_own():
    page = python_markdown.markdown(marked("• 甲\n• 乙\n1. 丙\n2. 丁"), extensions=[*EXTENSIONS, "sane_lists"])
    assert [page.count(tag) for tag in ("<ul>", "<ol>", "<li>")] == [1, 1, 4]


@pytest.mark.parametrize("text", ["分为 Stable（稳定版）、Beta（测试版）和 Prototype（原型版）。", "新的 beta 特性", "（高斯）误差函数"])
def test_words_for_tiers_in_running_text_are_no_labels(text):
    assert "[[" not in marked(text)


def test_lines_become_paragraphs_and_bullets_become_one_list():
    assert marked("甲\n乙\n\n\n• 丙\n\n• 丁\n戊") == "甲\n\n乙\n\n- 丙\n- 丁\n\n戊"


def test_addresses_become_links_without_the_full_stop_behind_them():
    assert marked("详见 https://pytorch.org/blog/。") == "详见 <https://pytorch.org/blog/>。"
    assert marked("见https://a.org/x_y?q=1#z了解") == "见<https://a.org/x_y?q=1#z>了解"


@pytest.mark.parametrize(
    "attack",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[点我](javascript:alert(1))",
        "![图](https://a.org/x.png)",
        "{{ config.site_url }} {% raw %}",
        '--8<-- "secret.txt"',
        ";--8<--",
        "::: hooks.repair",
        '!!! note "标题"',
        "??? 详情",
        '=== "标签"',
        "# 标题",
        "> 引文",
        "正文\n===",
        "正文\n---",
        "~~~\n代码\n~~~",
        "```python\nimport os\n```",
        "    缩进不是代码",
        "a | b\n--- | ---\n1 | 2",
        "[^1]: 脚注 [^1]",
        "*[API]: 缩写",
        "[引用]: https://a.org",
        "文字 { .class #id }",
        "[[tier:stable]] [[amp]]",
        "**粗** __粗__ _斜_ *斜* ~~删~~ H~2~O x^2^",
        "&lt;b&gt; &#60;b&#62; &copy;",
        "\\*反斜杠\\*",
        ":smile: $x$ \\(x\\)",
        "-{zh-Hant:替}- -{x}-",
    ],
)
def test_markup_in_a_seed_comes_out_as_text(attack):
    page = python_markdown.markdown(marked(attack), extensions=EXTENSIONS)
    assert set(re.findall(r"<(\w+)", page)) <= {"p", "a", "ul", "ol", "li"}
    assert "javascript" not in re.sub(r">[^<]*<", "><", page)
    assert visible(marked(attack)) == re.sub(r"\s+", "", attack)


@given(st.text(st.sampled_from("甲，。ab1 \n-#>*_`[](){}<>&;:!?|~^=+.\\$\"'%8"), max_size=60))
def test_no_sign_of_a_seed_is_lost_or_acts(text):
    assert re.sub(r"^-|^\d+\.", "", visible(marked(text))) in re.sub(r"\s+", "", text)
    trace = traced(text)
    assert tracing.restore(trace.text, tracing.ledger(trace)) == text


def test_a_block_that_nobody_has_edited_is_cut_at_the_ends_of_sentences():
    sentence = "这是一个关于自动混合精度训练的完整句子，用来检验分段。"
    text = sentence * 40
    cut = tracing.apply(tracing.begin(text), markup.paragraphs(text)).text
    blocks = cut.split("\n\n")
    assert len(blocks) > 2 and "".join(blocks) == text
    assert all(block.endswith("。") and len(block) < 400 for block in blocks)
