"""The index of an edition, apart from any page: words, prefixes and what a query in the other script means."""

from __future__ import annotations

import json
from collections import Counter

import jieba
import pytest

from hooks.web import search


@pytest.fixture(scope="module")
def cutter() -> jieba.Tokenizer:
    tokenizer = jieba.Tokenizer()
    search.teach_traditional(tokenizer)
    return tokenizer


@pytest.mark.parametrize(
    "text, words",
    [
        ("混合精度训练", ["混合", "精度", "训练"]),
        ("混合精度訓練", ["混合", "精度", "訓練"]),
        ("張量的記憶體", ["張量", "的", "記憶體"]),
        ("使用者可以在裝置上執行", ["使用者", "可以", "在", "裝置", "上", "執行"]),
    ],
)
def test_both_scripts_are_cut(cutter: jieba.Tokenizer, text: str, words: list[str]) -> None:
    assert list(cutter.cut(text)) == words


def test_simplified_is_cut_as_before(cutter: jieba.Tokenizer) -> None:
    text = "用户可以在设备上执行模型优化，反向传播梯度，数据加载器在多个进程之间共享内存。"
    assert list(cutter.cut(text)) == list(jieba.Tokenizer().cut(text))


def test_index_locations_are_relative_to_the_edition() -> None:
    entries = [{"location": location, "title": "", "text": ""} for location in ("zh-Hant/", "zh-Hant/tiers/#beta")]
    data = json.loads(search.index({"lang": ["en"]}, entries, "zh-Hant/", {"内": "內"}))
    assert [doc["location"] for doc in data["docs"]] == ["", "tiers/#beta"]
    assert data["config"] == {"lang": ["en"], "variants": {"内": "內"}}


def _by_paragraph(text: str, known: dict[str, str]) -> str:
    return "\n\n".join(known.get(paragraph, paragraph) for paragraph in text.split("\n\n"))


def test_variants_lead_from_either_script_to_the_edition() -> None:
    known = {"内存": "記憶體", "内": "內", "训练": "訓練", "异步": "非同步", "异": "異"}
    simplified, traditional = Counter(["内存", "内存", "训练", "异步", "記憶體"]), Counter(["記憶體", "訓練", "非同步", "内存", "記憶體"])
    to_simplified, to_traditional = search.variants(simplified, traditional, lambda text: _by_paragraph(text, known))
    assert to_simplified["記憶體"] == "内存" and to_traditional["内存"] == "記憶體"
    assert to_simplified["记忆体"] == "内存" and to_traditional["內存"] == "記憶體", "the other region's word in this script"
    assert to_simplified["訓"] == "训" and "訓練" not in to_simplified, "what its characters say needs no entry"
    assert to_simplified["異"] == "异", "a Traditional spelling that the other edition never uses"
    assert to_traditional["忆"] == "憶", "a Simplified spelling of a Taiwanese word"


def test_a_word_of_both_scripts_stays_where_it_is_usual() -> None:
    known = {"文件": "檔案", "文档": "文件"}
    used = Counter({"文件": 5, "檔案": 1})
    _, to_traditional = search.variants(Counter(["文件", "文档"]), used, lambda text: _by_paragraph(text, known))
    assert "文件" not in to_traditional
    assert to_traditional["文档"] == "文件"


def test_client_of_an_edition_reads_its_own_index() -> None:
    html = '<script id="__config" type="application/json">{"base": "../..", "search": "../../assets/javascripts/workers/search.0.min.js", "x": "\\u003c/b>"}</script>'
    config = json.loads(search.point(html, "en/").split(">", 1)[1].rsplit("</script>", 1)[0])
    assert config["base"] == "../../en/"
    assert config["search"] == "../../assets/javascripts/workers/atlas-search.js?search.0.min.js"
    assert "</b>" not in search.point(html, "en/")
    assert json.loads(search.point(html, "").split(">", 1)[1].rsplit("</script>", 1)[0])["base"] == "../.."
