"""The tokeniser: nothing lost, nothing touched that is not prose, and code where Markdown makes code."""

from __future__ import annotations

import re

import markdown as python_markdown
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hooks import markdown

PIECES = st.sampled_from(
    [*"#*_`~[](){}<>!|:-=+$\\\"'&^ \n\t字", "    ", "\n\n", "```", "~~~", "$$", "!!! note", "=== \"", "[^1]", "[[a]]", "-{", "}-"]
    + ["--8<--", "::: a.b", "<!--", "-->", "<code>", "</code>", "https://a.b/字", "---\n", "title: 字\n", "> ", "- ", "|-|\n"]
)


@given(st.lists(PIECES, max_size=60).map("".join))
def test_spans_are_the_text_without_gap_or_overlap(text: str) -> None:
    spans = markdown.spans(text)
    assert "".join(span.text for span in spans) == text
    position = 0
    for span in spans:
        assert span.start == position < span.end
        assert span.text == text[span.start : span.end]
        position = span.end


def prose(text: str) -> str:
    return "".join(span.text for span in markdown.spans(text) if not span.protected)


# In each text 甲 is prose and 乙 is not.
CASES = {
    "front matter": "---\ntitle: 甲\ndescription: 甲  # 乙\ntags: [乙]\n---\n甲",
    "quoted front matter": "---\ntitle: \"甲：甲\"\ndescription: '甲'\nauthor: 乙\n---\n甲",
    "folded front matter": "---\ndescription: >-\n  甲\n  甲\nauthor: 乙\n---\n甲",
    "fence": "甲\n\n```python title=\"甲\"\n# 乙\n\n乙\n```\n甲",
    "tilde fence": "~~~ {.python #乙}\n```\n乙\n~~~\n甲",
    "long fence": "````markdown\n```\n乙\n```\n乙\n````\n甲",
    "fence in a list": "1. 甲\n\n    ```\n    乙\n    ```\n\n    甲",
    "fence in an admonition": "!!! note\n    甲\n\n    ```\n    乙\n\n    乙\n    ```\n甲",
    "fence in a quotation": "> 甲\n> ```\n> 乙\n> ```\n> 甲",
    "open fence": "甲\n\n```\n乙\n\n乙",
    "indented code": "甲\n\n    乙\n\n    乙\n\n甲",
    "no code inside a paragraph": "甲\n    甲",
    "no code in a list": "- 甲\n\n    甲\n\n        乙\n\n    甲",
    "nested list": "- 甲\n    - 甲\n\n        甲\n\n            乙",
    "list after a lazy line": "- 甲\n甲\n\n    甲",
    "admonition": '!!! warning "甲"\n\n    甲\n\n        乙\n\n甲',
    "folded admonition": '???+ note "甲"\n    甲\n',
    "tabs": '=== "甲"\n\n    甲\n\n        乙\n\n=== "甲"\n\n    甲',
    "block": "/// note | 甲\n甲\n///\n\n甲",
    "inline code": "甲`乙`甲``乙`乙``甲```乙``乙```甲",
    "code over two lines": "甲 `乙\n乙` 甲",
    "a lone backtick": "甲 ` 甲\n\n甲 ` 甲",
    "link": '[甲](https://a.b/乙 "甲")甲[甲](<乙 乙>)甲[甲](乙(乙)乙)',
    "image": '![甲](乙.png "甲"){ width=乙 }甲',
    "linked image": "[![甲](乙.png)](乙)甲",
    "reference link": '[甲][乙] [甲][a.b]\n\n[乙]: https://a.b/乙 "甲"',
    "brackets that are no link": "[甲][甲] 甲[甲]",
    "autolink": "<https://a.b/乙>甲<a@b.c>",
    "address": "甲https://a.b甲，https://a.b/wiki/乙。甲",
    "attributes": "## 甲 {#a .乙}\n\n甲{: title=\"甲\" data-x='乙' }",
    "braces in prose": "甲{甲}",
    "tag": '<b class="乙" title="甲">甲</b><img alt="甲" src="乙">',
    "code element": "甲<code>乙</code>甲<pre>乙\n\n乙</pre>甲<script>乙</script>甲",
    "comment": "甲<!-- 乙\n\n乙 -->甲",
    "footnote": "甲[^乙]甲\n\n[^乙]: 甲\n\n    甲\n\n        乙",
    "reference": "甲[[tier:乙]]甲",
    "include": '甲\n\n--8<-- "乙.md"\n\n--8<--\n乙.md\n--8<--\n\n甲',
    "library": "::: 乙.b\n    options:\n\n      x: 乙\n\n甲",
    "math": "甲$x_乙\\,$甲\\(乙\\)甲\n\n$$\n乙\n$$\n\n\\[\n乙\n\\]\n\n甲",
    "money": "甲$5甲，甲$6甲",
    "emoji": "甲:smile:甲10:20:30甲",
    "abbreviation": "甲\n\n*[乙]: 甲",
    "table": "| 甲 | 甲 |\n| --- | :-: |\n| 甲 | `乙` |\n",
    "definition list": "甲\n:   甲\n\n        乙",
    "heading underlined": "甲\n===\n\n甲\n---\n\n甲",
    "override": "甲-{乙}-甲",
    "crlf": "甲\r\n\r\n```\r\n乙\r\n```\r\n甲\r\n",
}


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_prose_and_only_prose_is_open(text: str) -> None:
    assert "乙" not in prose(text)
    assert prose(text).count("甲") == text.count("甲")


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ("甲\n\n```pycon\n>>> 1\n```\n", "fence", ["```pycon\n>>> 1\n```"]),
        ("甲[^a]甲[^b-c]。", "footnote", ["[^a]", "[^b-c]"]),
        ("[[tier:beta]] 甲 `[[no]]`", "reference", ["[[tier:beta]]"]),
        ('--8<-- "a.pycon"\n', "include", ['--8<-- "a.pycon"']),
        ("用 torch.fft 和 PyTorch 的 functional_call() 与 nvFuser", "name", ["torch.fft", "PyTorch", "functional_call()", "nvFuser"]),
        ("甲\\*甲\\-{", "escape", ["\\*", "\\-"]),
    ],
)
def test_readers_find_their_spans_by_kind(text: str, kind: str, found: list[str]) -> None:
    assert [span.text for span in markdown.spans(text) if span.kind == kind] == found


@pytest.mark.parametrize(
    "text",
    [
        "$$甲$$ <pre>乙\n</pre> 丁",
        "---\ntitle: 甲 <!-- 乙\ndescription: 丙\n---\n\n丁 --> 戊",
        '!!! note "甲 <pre>"\n\n    乙</pre> 丙',
        "/// note | 甲 <pre>\n乙</pre> 丙\n///",
    ],
)
def test_spans_are_the_page_where_a_comment_or_an_element_goes_on(text: str) -> None:
    assert "".join(span.text for span in markdown.spans(text)) == text


def test_headings_have_level_text_id_and_line() -> None:
    page = """---
title: 甲
---

# 甲 `x` {#one}

```
# 乙 {#no}
```

!!! note
    甲

    ## 乙在提示里 {#two .wide}

    # 乙不是代码

        # 乙是代码

### 丙
#### 丁 ##

戊
---
"""
    assert [(one.level, one.text, one.id, one.line) for one in markdown.headings(page)] == [
        (1, "甲 `x`", "one", 5),
        (2, "乙在提示里", "two", 14),
        (1, "乙不是代码", "", 16),
        (3, "丙", "", 20),
        (4, "丁", "", 21),
        (2, "戊", "", 23),
    ]


EXTENSIONS = ["admonition", "attr_list", "def_list", "footnotes", "tables", "abbr", "pymdownx.superfences", "pymdownx.tabbed", "pymdownx.details"]
RENDERED = [name for name in CASES if name not in {
    # what other extensions than the ones above turn into something else
    "front matter", "quoted front matter", "folded front matter", "block", "include", "library", "math", "open fence",
    "code element", "comment", "reference", "override", "tilde fence", "crlf", "address", "autolink", "emoji",
}]  # fmt: skip


@pytest.mark.parametrize("name", RENDERED)
def test_code_is_what_python_markdown_makes_code(name: str) -> None:
    html = python_markdown.markdown(CASES[name], extensions=EXTENSIONS, extension_configs={"pymdownx.tabbed": {"alternate_style": True}})
    code = "".join(re.findall(r"<code.*?</code>|<pre.*?</pre>", html, re.DOTALL))
    assert "甲" not in code
    spans = markdown.spans(CASES[name])
    assert bool(re.search("乙", code)) == any("乙" in span.text for span in spans if span.kind in ("code", "fence"))
