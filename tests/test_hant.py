"""zh-Hans to zh-Hant as a Taiwanese engineer would write it, and nothing but prose touched."""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys
from collections.abc import Callable, Collection
from pathlib import Path

import jieba
import opencc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hant_golden
from hooks import hant, markdown, terms, tree
from hooks.errors import Refusal

ROOT = Path(__file__).resolve().parent.parent
SENTENCES = [
    line.split("\t")
    for line in (ROOT / "tests" / "data" / "hant.sentences.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def prose(text: str) -> str:
    return "".join(span.text for span in markdown.spans(text) if not span.protected)


def protected(text: str) -> list[str]:
    return [span.text for span in markdown.spans(text) if span.protected]


@functools.lru_cache(maxsize=None)
def site() -> tree.Tree:
    return tree.expand(ROOT)


def derived_pages() -> dict[str, str]:
    return {
        path: staged.content
        for path, staged in site().pages.items()
        if path.startswith("zh-Hant/") and path.endswith(".md") and path != "zh-Hant/glossary.md"
    }


# Words


def test_hard_sentences_read_as_taiwan_writes_them() -> None:
    assert len(SENTENCES) > 200
    wrong = {simplified: made for simplified, held in SENTENCES if (made := hant.convert(simplified)) != held}
    assert not wrong


@functools.lru_cache(maxsize=None)
def simplified_only() -> frozenset[str]:
    """What OpenCC converts by itself and never writes itself, over every word that jieba knows.

    后 is converted alone but kept in 皇后, so it may stand in a Traditional text; 优 may not.
    """
    to_traditional = opencc.OpenCC("s2tw").convert
    jieba.initialize()
    written = set(to_traditional("\n".join(jieba.dt.FREQ)))
    return frozenset(c for c in map(chr, range(0x4E00, 0xA000)) if to_traditional(c) != c) - written


MAINLAND = re.compile(
    "內存(?!在)|網絡|默認|(?<!大)數據|用戶(?!端)|視頻|音頻|軟件|硬件|代碼(?<!錯誤代碼)(?<!控制代碼)(?<!國家代碼)(?<!顏色代碼)(?<!區域代碼)|字符|字節|數組|變量|線程"
    "|接口|調用|加載|優化|兼容|信息|服務器|鼠標|屏幕|打印|鏈接|緩存|異步|隊列|搜索|博客|文檔|模塊|編程|概率|芯片|分辨率|比特(?!幣)"
    "|圖像|移動端|移動設備|帶寬|人工智能|激活環境|插件|菜單|界面|字段|硬盤|磁盤|光盤|筆記本電腦|互聯網|在線|質量好|寄存器"
    "|流水線|分布式|分佈式|指針|析構|哈希|閾值函數|遞歸|堆棧|二進制|十六進制|宏定義|(?<!紅)頭文件|源代碼|命令行|文件夾|程序員|操作系統"
    "|數據庫|反饋|出租車|激光|噪聲|(?<!微)信號|協方差|正態|算法(?<!演算法)|顯存|顯卡|網卡|臺式|自定義|項目經理|博文|報道|幻燈片|水印"
)

# Where such letters meet across the border of two words, as in 少數|組織, nothing is wrong.
BORDERS = re.compile("少數組織|改變量子|海內存知己|版本比特別|參數組")


def test_the_set_of_simplified_characters_is_sound() -> None:
    assert set("们数习为优这") <= simplified_only()
    assert not simplified_only() & set("後里面台只干系松准制征云谷斗后發髮")


@pytest.mark.parametrize(
    "left", [lambda text: set(text) & simplified_only(), MAINLAND.findall], ids=["simplified characters", "mainland words"]
)
def test_nothing_of_the_mainland_is_left(left: Callable[[str], Collection[str]]) -> None:
    texts = {simplified: hant.convert(simplified) for simplified, _ in SENTENCES} | derived_pages()
    assert not {name: found for name, text in texts.items() if (found := left(BORDERS.sub("", prose(text))))}


def test_greedy_matches_do_not_cross_the_border_of_a_word() -> None:
    # Each of these holds, across a border, a word that the table or OpenCC would convert: 数组, 变量, 了如, 内存, 并为 …
    assert hant.convert("少数组织") == "少數組織"
    assert hant.convert("改变量子比特") == "改變量子位元"
    assert hant.convert("展示了如何") == "展示了如何"
    assert hant.convert("海内存知己") == "海內存知己"
    assert hant.convert("分为两类并为每一类命名") == "分為兩類並為每一類命名"
    assert hant.convert("在此前端点之前") == "在此前端點之前"


def test_a_document_is_no_file() -> None:
    assert hant.convert("官方文件规定，合同文件须由双方签署。") == "官方文件規定，合約文件須由雙方簽署。"
    assert hant.convert("模型文件保存在文件夹里，见文档。") == "模型檔案儲存在資料夾裡，見文件。"


def test_two_readings_of_a_word_stand_side_by_side() -> None:
    assert hant.convert("感谢社区的支持，新版本支持复数。") == "感謝社群的支持，新版本支援複數。"
    assert hant.convert("Sigmoid 函数单调递增，`sigmoid` 函数会溢出。") == "Sigmoid 函數單調遞增，`sigmoid` 函式會溢位。"


def test_names_stay_names() -> None:
    names = "Transformer、FX、TorchScript、PyTorch、DataLoader、Kineto、torch.fft、GradScaler、Hugging Face"
    assert hant.convert(f"支持 {names}") == f"支援 {names}"


def test_what_was_converted_is_no_input() -> None:
    once = hant.convert("请阅读文档。")
    assert once == "請閱讀文件。"
    assert hant.convert(once) != once  # 文档 → 文件 → 檔案: hence once, and only once


def test_the_site_is_converted_exactly_once() -> None:
    for path, staged in site().pages.items():
        derived = site().pages.get(path.replace("zh-Hans/", "zh-Hant/", 1))
        if path.startswith("zh-Hans/") and path.endswith(".md") and derived.origin == staged.origin:
            assert "文檔" not in prose(derived.content), path
            if "文档" in prose(staged.content):
                assert "文件" in prose(derived.content), path


def test_every_converted_line_of_the_site_is_as_recorded() -> None:
    recorded = hant_golden.GOLDEN.read_text(encoding="utf-8").splitlines()
    changed = [line for line in hant_golden.rows(site()) if line not in set(recorded)]
    assert not changed, "look at the new lines, then run `python tests/hant_golden.py`"
    assert list(hant_golden.rows(site())) == recorded, "run `python tests/hant_golden.py`: lines are gone"


# Markdown

WORDS = st.sampled_from([simplified for simplified, _ in SENTENCES if not re.search(r"[`*_\[<]", simplified)])
INLINE = st.sampled_from(
    [
        "`默认`",
        "``函数`x` ``",
        "[链接](https://example.org/文档 \"标题\")",
        "![图像](图.png){ width=\"300\" data-名=\"值\" }",
        "[参考][torch.fft]",
        "<https://example.org/线程>",
        "<span class=\"内存\" title=\"内存\">网络</span>",
        "<!-- 默认 -->",
        "<code>默认</code>",
        "[^脚注]",
        "[[tier:beta]]",
        "$x_{\\text{默认}}$",
        ":smile:",
        "&nbsp;",
        "\\*",
        "**视频**",
        "“质量”",
        "torch.nn.Module",
    ]
)
PARAGRAPH = st.lists(st.one_of(WORDS, INLINE), min_size=1, max_size=5).map("".join)


def indented(block: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in block.split("\n"))


CODE = st.sampled_from(
    ["```python title=\"代码\"\n# 默认\n\nprint('内存')\n```", "~~~\n线程\n~~~", "````\n```\n默认\n```\n````", "--8<-- \"默认.md\"", "$$\n默认\n$$"]
)
BLOCK = st.recursive(
    st.one_of(
        PARAGRAPH,
        CODE,
        PARAGRAPH.map("## {} {{#id .类}}".format),
        PARAGRAPH.map(lambda text: f"| {text} | 列 |\n| --- | :-: |\n| 行 | {text} |".replace("$", "")),
        st.just("::: torch.nn\n    options:\n      标题: 默认"),
        st.just("[标签]: https://example.org/内存 \"默认\""),
        st.just("*[内存]: 默认"),
    ),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda blocks: "- " + indented("\n\n".join(blocks)).lstrip(" ")),
        inner.map(lambda block: "!!! note \"提示信息\"\n\n" + indented(block)),
        inner.map(lambda block: "=== \"默认\"\n\n" + indented(block)),
        inner.map(lambda block: "[^注]: 默认\n\n" + indented(block)),
    ),
    max_leaves=6,
)
PAGE = st.lists(BLOCK, max_size=6).map("\n\n".join).map("---\ntitle: 默认“设置”\nkey: 默认\n---\n\n{}\n".format)


@settings(max_examples=150, deadline=None)
@given(PAGE)
def test_the_protected_stream_stays_byte_for_byte(page: str) -> None:
    made = hant.convert(page)
    assert protected(made) == protected(page)
    assert len(made.split("\n")) == len(page.split("\n"))
    assert not simplified_only() & set(prose(made))


def test_the_label_of_a_link_survives_the_conversion_of_its_text() -> None:
    page = "见[教程]和[教程][]，[`x` 文档][]。\n\n[教程]: https://example.org/教程\n[`x` 文档]: https://example.org\n"
    assert hant.convert(page) == page.replace("见[教程]和[教程][]，[`x` 文档][]", "見[教學][教程]和[教學][教程]，[`x` 文件][`x` 文档]")


def test_a_context_reaches_across_markup_and_code() -> None:
    assert hant.convert("**`Dataset`** 类和这一*类*问题") == "**`Dataset`** 類別和這一*類*問題"
    assert hant.convert("请访问[官网](https://example.org)，再访问 `x`。") == "請造訪[官網](https://example.org)，再存取 `x`。"


def test_a_context_sees_into_names_and_code() -> None:
    assert hant.convert("DockerHub 上的镜像，`docker pull` 下载的镜像") == "DockerHub 上的映像檔，`docker pull` 下載的映像檔"
    assert hant.convert("TensorFlow 和 PyPI 的镜像") == "TensorFlow 和 PyPI 的鏡像"


def test_a_letter_in_quotation_marks_stands_for_itself() -> None:
    assert hant.convert("库和“库”，包和“包”字") == "函式庫和「庫」，套件和「包」字"


def test_a_letter_can_belong_to_a_word() -> None:
    assert hant.convert("拷到 U 盘里，U盘和CPU 盘") == "拷到隨身碟裡，隨身碟和CPU 盤"


def test_the_title_of_a_code_block_is_converted_and_its_content_is_not() -> None:
    page = "- 甲\n\n    ```python title=\"训练脚本\" hl_lines=\"1\"\n    print(title=\"默认\")\n    ```\n"
    assert hant.convert(page) == page.replace("训练脚本", "訓練指令碼")


def test_quotation_marks_are_those_of_taiwan() -> None:
    assert hant.convert("他说：“这是‘测试版’功能。”") == "他說：「這是『測試版』功能。」"
    assert hant.convert("所谓‘原型’和“`x`”") == "所謂「原型」和「`x`」"
    assert hant.convert("PyTorch’s “beta” tier\n\n见 PyTorch’s 文档") == "PyTorch’s “beta” tier\n\n見 PyTorch’s 文件"


def test_a_word_that_becomes_latin_keeps_its_distance() -> None:
    assert hant.convert("谷歌和微软都用谷歌。") == "Google 和微軟都用 Google。"


# Overrides

PAGE_WITH_OVERRIDES = "---\ntitle: -{zh-Hans:视频;zh-Hant:視訊}-\n---\n\n“-{内存}-”是旧称，`-{内存}-` 不变，\\-{内存。\n"


def test_an_override_says_what_it_says_and_vanishes() -> None:
    assert hant.convert(PAGE_WITH_OVERRIDES) == "---\ntitle: 視訊\n---\n\n「内存」是舊稱，`-{内存}-` 不變，\\-{記憶體。\n"
    assert hant.plain(PAGE_WITH_OVERRIDES) == "---\ntitle: 视频\n---\n\n“内存”是旧称，`-{内存}-` 不变，\\-{内存。\n"
    assert hant.convert("-{zh-Hant:影音;zh-Hans:视频}-") == "影音"


@pytest.mark.parametrize(
    "half",
    ["甲-{乙", "甲}-乙", "-{}-", "-{a-{b}-", "-{zh-Hans:甲}-", "-{zh-Hans:甲;zh-TW:乙}-", "-{zh-Hans:甲;zh-Hant:}-", "-{zh-Hans:甲;zh-Hans:乙}-", "-{en:a;zh-Hant:乙}-"],
)
@pytest.mark.parametrize("edition", [hant.convert, hant.plain])
def test_an_override_that_is_none_is_refused_with_its_line(edition, half: str) -> None:
    with pytest.raises(Refusal) as caught:
        edition(f"# 标题\n\n- 项目\n- {half}\n", "docs/zh-Hans/a.md")
    assert (caught.value.file, caught.value.line) == ("docs/zh-Hans/a.md", 4)


# What must be installed


@pytest.mark.parametrize("name", ["opencc", "jieba"])
def test_a_missing_or_another_version_stops_everything(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(hant._Converter, "_last", None)
    monkeypatch.setattr({"opencc": opencc, "jieba": jieba}[name], "__version__", "0.0.1")
    with pytest.raises(Refusal, match="0.0.1"):
        hant.convert("文档")
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(Refusal, match="not installed"):
        hant.convert("文档")


def test_a_change_of_the_table_shows_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    table = tmp_path / "terms.yml"
    load = terms.load
    monkeypatch.setattr(terms, "load", lambda: load(table))
    entry = "sources: {{usage: {{title: Usage}}}}\nterms:\n- {{en: file, zh-Hans: 文件, zh-Hant: {}, source: usage}}\n"
    for moment, word in enumerate(("檔案", "文書")):
        table.write_text(entry.format(word), encoding="utf-8")
        os.utime(table, ns=(moment, moment))
        assert hant.convert("文件") == word


def test_the_table_leaves_the_dictionary_of_search_alone() -> None:
    hant.convert("文档")
    jieba.initialize()
    assert "图神经网络" in hant._Converter.ready().cutter.FREQ
    assert "图神经网络" not in jieba.dt.FREQ


def run(text: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "hooks.hant"], input=text, capture_output=True, encoding="utf-8", cwd=ROOT)


def test_the_command_line_converts_a_page_and_refuses_in_one_line() -> None:
    done = run("---\ntitle: 默认设置\n---\n\n# 文档 {#docs}\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "---\ntitle: 預設設定\n---\n\n# 文件 {#docs}\n", "")
    refused = run("一\n-{二\n")
    assert refused.returncode == 1
    assert refused.stdout == ""
    assert refused.stderr.count("\n") == 1
    assert refused.stderr.startswith("<stdin>:2: ")
