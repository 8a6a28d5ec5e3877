"""One tree, three full editions; and everything that must stop the build."""

from __future__ import annotations

import hashlib
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sample_site
from hooks import editions, lines, markdown, tree
from hooks.errors import Refusal
from sample_site import change, write


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return sample_site.build(tmp_path)


def page(site: Path, path: str) -> str:
    return tree.expand(site).pages[path].content


def refusal(site: Path) -> str:
    with pytest.raises(Refusal) as caught:
        tree.expand(site)
    return str(caught.value)


def test_every_edition_has_every_page_and_the_files(site: Path) -> None:
    staged = tree.expand(site).pages
    for edition in editions.EDITIONS:
        for name in ("index.md", "tiers.md", "releases/1.3.md"):
            assert f"{edition}/{name}" in staged
    assert staged["seeds/pytorch-1.3.txt"].content == sample_site.SEED.encode()
    assert staged["seeds/pytorch-1.3.ledger.tsv"].content.startswith("offset\tbefore\tafter\tkind\treason\n")
    assert staged["assets/logo.svg"].content == b"<svg/>"
    assert not any(path.split("/")[0] in ("data", "snippets") for path in staged)


def test_edit_links_open_the_file_of_the_text_one_reads(site: Path) -> None:
    write(site, "docs/zh-Hant/tiers.md", sample_site.TIERS["zh-Hans"])
    staged = tree.expand(site).pages
    assert staged["zh-Hant/index.md"].origin == "docs/zh-Hans/index.md"
    assert staged["zh-Hant/tiers.md"].origin == "docs/zh-Hant/tiers.md"
    assert staged["zh-Hant/releases/1.3.md"].origin == "seeds/pytorch-1.3.yml"
    assert staged["en/releases/1.3.md"].origin == "docs/en/releases/1.3.md"
    for file in staged.values():
        assert (site / file.origin).is_file()


def test_the_traditional_page_derives_from_the_simplified_one(site: Path) -> None:
    text = page(site, "zh-Hant/index.md")
    assert "軟體的預設設定" in text and "title: 首頁" in text and "{#levels}" in text
    assert "[測試版](tiers.md#beta){.tier .tier-beta}" in text


def test_an_override_replaces_page_or_phrase_in_one_edition(site: Path) -> None:
    write(site, "docs/zh-Hant/tiers.md", sample_site.TIERS["zh-Hans"].replace("title: 分级", "title: 手寫"))
    change(site, "docs/zh-Hans/index.md", "很好", "-{zh-Hans:很好;zh-Hant:讚}-")
    staged = tree.expand(site).pages
    assert "title: 手寫" in staged["zh-Hant/tiers.md"].content
    assert "手寫" not in staged["zh-Hans/tiers.md"].content
    assert "很好" in staged["zh-Hans/index.md"].content and "讚" in staged["zh-Hant/index.md"].content
    assert not any("-{" in file.content for path, file in staged.items() if path.endswith(".md"))


@pytest.mark.parametrize(
    ("path", "phrase", "message"),
    [
        ("docs/zh-Hans/index.md", "-{很好", "docs/zh-Hans/index.md:12: "),
        ("docs/zh-Hans/index.md", "-{zh-Hanz:很好}-", "docs/zh-Hans/index.md:12: "),
        ("docs/en/index.md", "-{fine}-", "docs/en/index.md:13: `-{fine}-` outside docs/zh-Hans. Write the phrase itself"),
    ],
)
def test_an_override_gone_wrong_stops_the_build(site: Path, path: str, phrase: str, message: str) -> None:
    change(site, path, "[[tier:beta]]", f"[[tier:beta]] {phrase}")
    assert refusal(site).startswith(message)


def test_an_article_has_its_frame_in_every_edition(site: Path) -> None:
    staged = {edition: page(site, f"{edition}/releases/1.3.md") for edition in editions.EDITIONS}
    for edition, (box, note, gone) in {
        "zh-Hans": ("刊载：测试报", "[^sox]: **名称损坏**：原作 soxpostend。来源：[", "unknown"),
        "zh-Hant": ("測試報", "[^sox]: **名稱損壞**：原作 soxpostend。來源：[", "unknown"),
        "en": ('Published by: The Test (<span lang="zh-Hans">测试报</span>)', "[^sox]: **Garbled name**: The source has soxpostend. Source: [", "日期"),
    }.items():
        text = staged[edition]
        assert box in text and note in text and gone not in text
        assert text.index("{#pytorch-1-3}") < text.index("article-source") < text.index("{#profiler}")
        assert text.index("{#profiler}") < text.index("[^sox]: ") < text.index("??? note article-changes")
        assert "../../seeds/pytorch-1.3.ledger.tsv" in text and "../sources.md" in text
        assert text.index("??? note article-changes") < text.index(hashlib.sha256(sample_site.SEED.encode()).hexdigest())
    counts = [re.findall(r"\| (\d+) \|", text) for text in staged.values()]
    assert counts[0] == counts[1] == counts[2] and len(counts[0]) > 3


def test_the_body_of_an_article_stands_in_its_page_unchanged(site: Path) -> None:
    from hooks import articles, references

    body = articles.article(site, "1.3").body
    kinds = {"tier": references.tiers(site)}
    place = references.Place("releases/1.3.md", "zh-Hans")
    assert references.resolve(body, place, kinds).strip() in page(site, "zh-Hans/releases/1.3.md")


def test_a_seed_without_edits_is_a_page_that_says_so(site: Path) -> None:
    write(site, "seeds/pytorch-1.4.txt", "PyTorch1.4也发布了。它支持更多的软件和默认设置。\n")
    staged = tree.expand(site).pages
    assert "尚未编辑" in staged["zh-Hans/releases/1.4.md"].content
    assert "PyTorch 1.4 也发布了" in staged["zh-Hans/releases/1.4.md"].content
    assert "尚未編輯" in staged["zh-Hant/releases/1.4.md"].content and "軟體" in staged["zh-Hant/releases/1.4.md"].content
    english = staged["en/releases/1.4.md"].content
    assert "not yet edited" in english and 'href="../../../releases/1.4/"' in english
    assert not re.search(r"[\u4e00-\u9fff]", english)


def test_a_snippet_comes_as_our_own_example(site: Path) -> None:
    for edition in editions.WRITTEN:
        path = f"docs/{edition}/index.md"
        write(site, path, (site / path).read_text() + "\n[[snippet:hello]]\n")
    for edition, mark in (("zh-Hans", "本站补写"), ("zh-Hant", "本站補寫"), ("en", "written for this site")):
        title, example = page(site, f"{edition}/index.md").split("!!! example snippet ")[1].split("\n\n", 1)
        assert mark in title
        assert example == '    ```pycon\n    --8<-- "hello.pycon"\n    ```\n'


def test_images_beside_a_page_stand_beside_it_in_every_edition(site: Path) -> None:
    (site / "docs/zh-Hans/chart.png").write_bytes(b"\x89PNG")
    (site / "docs/zh-Hans/word.png").write_bytes(b"zh")
    (site / "docs/en/word.png").write_bytes(b"en")
    staged = tree.expand(site).pages
    assert {staged[f"{edition}/chart.png"].content for edition in editions.EDITIONS} == {b"\x89PNG"}
    assert [staged[f"{edition}/word.png"].content for edition in editions.EDITIONS] == [b"zh", b"zh", b"en"]


@pytest.mark.parametrize(
    ("path", "text", "message"),
    [
        ("docs/de/index.md", "x", "docs/de: no part of the site. Put pages below docs/zh-Hans and docs/en, other files into docs/assets."),
        ("docs/notes.md", "x", "docs/notes.md: no part of the site."),
        ("docs/zh-Hans/new.md", "# 新 {#new}", "docs/zh-Hans/new.md: the page has no English counterpart. Write docs/en/new.md."),
        ("docs/en/new.md", "# New {#new}", "docs/en/new.md: the page translates nothing. Write docs/zh-Hans/new.md, or delete this page."),
        ("docs/zh-Hant/new.md", "# 新 {#new}", "docs/zh-Hant/new.md: the page overrides nothing. Write docs/zh-Hans/new.md, or delete this page."),
        ("docs/zh-Hans/releases/1.3.md", "# 一 {#a}", "docs/zh-Hans/releases/1.3.md: seeds/pytorch-1.3.txt already makes this page."),
    ],
)
def test_a_page_out_of_place_stops_the_build(site: Path, path: str, text: str, message: str) -> None:
    write(site, path, text)
    assert refusal(site).startswith(message)


def test_an_edited_article_needs_its_translation(site: Path) -> None:
    (site / "docs/en/releases/1.3.md").unlink()
    assert refusal(site) == (
        "seeds/pytorch-1.3.yml: the article has edits but no translation docs/en/releases/1.3.md. "
        "Write the English page, or take the edits file away."
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('```pycon\n--8<-- "gone.pycon"\n```', "docs/zh-Hans/index.md:15: the snippet docs/snippets/gone.pycon does not exist. Write the file, or mend its name."),
        ("```\n--8<--\nhello.pycon\n--8<--\n```", "docs/zh-Hans/index.md:15: an include without a file name."),
    ],
)
def test_an_include_that_cannot_work_stops_the_build(site: Path, text: str, message: str) -> None:
    write(site, "docs/zh-Hans/index.md", sample_site.INDEX["zh-Hans"] + f"\n{text}\n")
    assert refusal(site).startswith(message)


def test_an_escaped_include_is_text(site: Path) -> None:
    for edition in ("zh-Hans", "en"):
        path = f"docs/{edition}/index.md"
        write(site, path, (site / path).read_text() + '\n```\n;--8<-- "gone.pycon"\n```\n')
    assert ';--8<-- "gone.pycon"' in page(site, "zh-Hant/index.md")


def test_a_note_that_cites_an_unknown_source_stops_the_build(site: Path) -> None:
    change(site, "seeds/pytorch-1.3.yml", '"blog-1.6"', '"blog-0.0"')
    assert "the note `sox` names the unknown source `blog-0.0`. Add it to docs/data/sources.yml" in refusal(site)


def test_a_broken_chinese_line_is_joined_in_both_scripts(site: Path) -> None:
    change(site, "docs/zh-Hans/index.md", "软件的默认设置见", "软\n件的默认\n设置见")
    assert "软件的默认设置见[分级]" in page(site, "zh-Hans/index.md")
    assert "軟體的預設設定" in page(site, "zh-Hant/index.md")


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("中文\n继续", "中文继续"),
        ("中文。\n“继续”", "中文。“继续”"),
        ("**粗体**\n继续\n再继续", "**粗体**继续再继续"),
        ("- 条目\n  继续\n- 条目", "- 条目继续\n- 条目"),
        ("> 引文\n> 继续", "> 引文继续"),
        ("正文\n> 引文", "正文\n> 引文"),
        ("PyTorch\n中文", "PyTorch\n中文"),
        ("中文\n\n新段", "中文\n\n新段"),
        ("# 标题\n正文", "# 标题\n正文"),
        ("中文  \n换行", "中文  \n换行"),
        ("中文\n- 条目", "中文\n- 条目"),
        ("| 中 |\n| --- |\n| 文 |", "| 中 |\n| --- |\n| 文 |"),
        ("```\n中文\n代码\n```", "```\n中文\n代码\n```"),
        ("<!-- 中文\n注释 -->", "<!-- 中文\n注释 -->"),
        ("---\ndescription: >\n  中文\n  描述\n---\n", "---\ndescription: >\n  中文描述\n---\n"),
    ],
)
def test_lines_are_joined_where_a_reader_would_see_a_hole(text: str, joined: str) -> None:
    assert lines.join(text) == joined


@given(st.lists(st.sampled_from(["中", "文。", "a", "\n", "\n\n", "`中\n文`", "\n```\n中\n文\n```\n", "- ", "> ", "# ", "**", "  ", "“"]), max_size=25).map("".join))
def test_joining_takes_only_line_ends_and_only_once(text: str) -> None:
    joined = lines.join(text)
    assert lines.join(joined) == joined
    assert re.sub(r"[\s>]", "", joined) == re.sub(r"[\s>]", "", text)
    fences = [[span.text for span in markdown.spans(one) if span.kind in ("fence", "comment")] for one in (text, joined)]
    assert fences[0] == fences[1]


@pytest.mark.parametrize(
    ("source", "target", "link"),
    [
        ("en/releases/1.6.md", "zh-Hans/releases/1.6.md", "../../../releases/1.6/"),
        ("en/index.md", "zh-Hans/index.md", "../"),
        ("zh-Hans/index.md", "en/index.md", "en/"),
        ("zh-Hant/tiers.md", "en/tiers.md", "../../en/tiers/"),
        ("zh-Hans/tiers.md", "zh-Hans/releases/index.md", "../releases/"),
        ("zh-Hans/index.md", "zh-Hans/index.md", "./"),
        ("en/index.md", "en/my page 说明.md", "my%20page%20%E8%AF%B4%E6%98%8E/"),
    ],
)
def test_the_way_between_editions(source: str, target: str, link: str) -> None:
    assert editions.way(source, target) == link


@pytest.mark.parametrize(
    ("path", "entry", "message"),
    [
        ("docs/data/ui.yml", "article.box: {zh-Hans: 甲, en: a, fr: b}", "unknown key `fr`"),
        ("docs/data/ui.yml", "article.box: {zh-Hans: 甲}", "'en' is a required property"),
        ("docs/data/tiers.yml", "gamma: {word: {zh-Hans: 甲, en: G}, labels: [gamma], since: 1.10}", "is read as the number 1.1"),
    ],
)
def test_bad_data_stops_the_build(site: Path, path: str, entry: str, message: str) -> None:
    text = (site / path).read_text(encoding="utf-8")
    kept = [line for line in text.splitlines() if not line.startswith(entry.split(" ")[0])]
    write(site, path, "\n".join([*kept, entry]) + "\n")
    assert f"{path}:{len(kept) + 1}: " in refusal(site) and message in refusal(site)


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """The sources of the real site."""
    root = tmp_path / "repository"
    for folder in ("docs", "seeds"):
        shutil.copytree(sample_site.ROOT / folder, root / folder)
    return root


def test_a_seed_of_a_release_with_facts_keeps_what_its_page_had(whole: Path) -> None:
    write(whole, "seeds/pytorch-1.11.txt", "PyTorch1.11也发布了。\n")
    staged = tree.expand(whole).pages
    for edition in editions.EDITIONS:
        text = staged[f"{edition}/releases/1.11.md"].content
        assert [heading.id for heading in markdown.headings(text)] == ["pytorch-1-11", "features", "elsewhere"]
        assert "functorch" in text and "[[" not in text
    assert "PyTorch 1.11 也发布了" in staged["zh-Hans/releases/1.11.md"].content


def test_an_article_and_its_translation_with_other_headings_stop_the_build(whole: Path) -> None:
    change(whole, "docs/en/releases/1.10.md", "{#torch-special}", "{#special}")
    assert re.match(r"docs/en/releases/1\.10\.md:\d+: heading `special` where the article has `torch-special`\. ", refusal(whole))


def test_a_heading_may_not_take_the_id_of_a_section_that_the_facts_add(whole: Path) -> None:
    change(whole, "seeds/pytorch-1.10.yml", "id: torch-special", "id: features")
    change(whole, "docs/en/releases/1.10.md", "{#torch-special}", "{#features}")
    assert "the id `features` belongs to a section that the facts add" in refusal(whole)


def test_what_editors_and_systems_leave_behind_is_no_source(site: Path) -> None:
    before = tree.expand(site).pages
    for name in ("seeds/.pytorch-1.3.yml.swp", "seeds/pytorch-1.3.yml~", "seeds/.DS_Store", "docs/en/._index.md", "docs/assets/.DS_Store"):
        write(site, name, "\0")
    (site / "docs/zh-Hans/.#index.md").symlink_to("someone@machine.1")
    assert tree.expand(site).pages == before


def test_a_byte_order_mark_is_no_part_of_a_page(site: Path) -> None:
    before = tree.expand(site).pages
    for name in ("docs/zh-Hans/index.md", "docs/en/index.md", "seeds/pytorch-1.3.yml"):
        write(site, name, "\ufeff" + (site / name).read_text("utf-8"))
    assert tree.expand(site).pages == before


def test_facts_that_break_a_rule_stop_the_build(whole: Path) -> None:
    change(whole, "docs/data/features/amp.yml", "\narea: performance\n", "\narea: speed\n")
    with pytest.raises(Refusal, match="docs/data/features/amp.yml:[0-9]+: unknown area `speed`"):
        tree.expand(whole)
