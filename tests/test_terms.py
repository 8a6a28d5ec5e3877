"""The term table: what it refuses, and how a sentence chooses between the readings of a word."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hooks import terms
from hooks.errors import Refusal

SOURCES = 'sources: {usage: {title: "Common usage"}}\nterms:\n'


def table(folder: Path, *entries: str) -> Path:
    path = folder / "terms.yml"
    path.write_text(SOURCES + "".join(f"- {{{entry}, source: usage}}\n" for entry in entries), encoding="utf-8")
    return path


def refused(path: Path) -> Refusal:
    with pytest.raises(Refusal) as caught:
        terms.load(path)
    return caught.value


def test_two_readings_without_a_context_are_refused_at_the_second(tmp_path: Path) -> None:
    path = table(
        tmp_path,
        "en: parameter, zh-Hans: 参数, zh-Hant: 參數",
        "en: loop, zh-Hans: 循环, zh-Hant: 迴圈",
        "en: argument, zh-Hans: 参数, zh-Hant: 引數",
    )
    refusal = refused(path)
    assert (refusal.file, refusal.line) == (str(path), 5)
    assert "参数" in refusal.what and "line 3" in refusal.what


def test_one_context_for_two_readings_is_refused(tmp_path: Path) -> None:
    refusal = refused(
        table(
            tmp_path,
            "en: class, zh-Hans: 类, zh-Hant: 類別, context: {before: [个, 该]}",
            "en: kind, zh-Hans: 类, zh-Hant: 類, context: {before: [这, 该]}",
        )
    )
    assert refusal.line == 4
    assert "same context" in refusal.what


@pytest.mark.parametrize(
    ("entry", "word"),
    [
        ("en: file, zh-Hans: 文件, zh-Hant: 檔案, opencc: 檔案", "opencc"),
        ("en: file, zh-Hans: 文件", "zh-Hant"),
        ("en: file, zh-Hans: file, zh-Hant: 檔案", "file"),
        ("en: file, zh-Hans: 文件, zh-Hant: 檔案, context: {around: [夹]}", "around"),
        ("en: file, zh-Hans: 文件, zh-Hant: 檔案, context: {}", "{}"),
    ],
    ids=["unknown key", "no Taiwanese form", "not Chinese", "unknown place", "empty context"],
)
def test_a_breach_of_the_schema_is_refused_with_its_line(tmp_path: Path, entry: str, word: str) -> None:
    refusal = refused(table(tmp_path, entry))
    assert refusal.line == 3
    assert word in str(refusal)


def test_a_source_must_be_listed(tmp_path: Path) -> None:
    path = tmp_path / "terms.yml"
    path.write_text(SOURCES + "- {en: file, zh-Hans: 文件, zh-Hant: 檔案, source: hearsay}\n", encoding="utf-8")
    assert "hearsay" in refused(path).what


def chosen(path: Path, left: str, right: str) -> str:
    """How the table at `path` reads 行 between two stretches of its sentence."""
    return terms.choose(terms.load(path)["行"], left, right).hant


def test_a_reading_looks_at_its_neighbours_and_its_sentence(tmp_path: Path) -> None:
    path = table(
        tmp_path,
        "en: row, zh-Hans: 行, zh-Hant: 列, context: {before: [第 0], near: [矩阵]}",
        "en: class, zh-Hans: 行, zh-Hant: A, context: {before: [A]}",
        'en: end, zh-Hans: 行, zh-Hant: end, context: {after: ["。", 了…行]}',
        "en: line, zh-Hans: 行, zh-Hant: 行",
    )

    assert chosen(path, "第 12 ", "很长") == "列"
    assert chosen(path, "第**三**", "很长") == "列"
    assert chosen(path, "把", "加到矩阵上") == "列"
    assert chosen(path, "PyTorch ", "好") == "A"
    assert chosen(path, "`x`".replace("`x`", terms.NAME * 3), "好") == "A"
    assert chosen(path, "也", "") == "end"
    assert chosen(path, "也", "了好几行") == "end"
    assert chosen(path, "也", "了好几千万亿公里以外的行") == "行"
    assert chosen(path, "另", "代码") == "行"


def test_where_a_word_comes_again_only_a_topic_holds_for_the_whole_sentence(tmp_path: Path) -> None:
    path = table(
        tmp_path,
        "en: row, zh-Hans: 行, zh-Hant: 列, context: {near: [求和], topic: [矩阵]}",
        "en: line, zh-Hans: 行, zh-Hant: 行",
    )

    assert chosen(path, "先求和，再看这一", "") == "列"
    assert chosen(path, "这一行求和，再看那一", "") == "行"
    assert chosen(path, "这一", "很长，那一行求和") == "行"
    assert chosen(path, "这是矩阵，这一行求和，再看那一", "") == "列"


def test_what_stands_beside_a_word_weighs_more_than_what_stands_near_it(tmp_path: Path) -> None:
    path = table(
        tmp_path,
        "en: row, zh-Hans: 行, zh-Hant: 列, context: {near: [矩阵]}",
        "en: line, zh-Hans: 行, zh-Hant: 行, context: {after: [代码]}",
    )
    readings = terms.load(path)["行"]
    assert terms.choose(readings, "矩阵的", "").hant == "列"
    assert terms.choose(readings, "生成矩阵的三", "代码").hant == "行"
    assert terms.choose(readings, "三", "字") is None


def test_the_table_gives_every_word_one_reading_at_most_without_a_context() -> None:
    for readings in terms.load().values():
        assert [bool(term.context) for term in readings].count(False) <= 1
        assert all(term.context for term in readings[:-1])


def test_an_accepted_form_is_another_form() -> None:
    again = {
        term.hans: term.line
        for readings in terms.load().values()
        for term in readings
        if term.hant in term.accepted or len(set(term.accepted)) < len(term.accepted)
    }
    assert not again


def test_words_of_every_day_convert_but_are_no_terms(tmp_path: Path) -> None:
    path = table(tmp_path, "en: file, zh-Hans: 文件, zh-Hant: 檔案")
    path.write_text(path.read_text(encoding="utf-8") + "words:\n- {en: week, zh-Hans: 周, zh-Hant: 週, source: usage}\n", encoding="utf-8")
    assert {word: readings[0].technical for word, readings in terms.load(path).items()} == {"文件": True, "周": False}
    path.write_text(path.read_text(encoding="utf-8") + "- {en: paper, zh-Hans: 文件, zh-Hant: 文件, source: usage}\n", encoding="utf-8")
    os.utime(path, ns=(1, 1))
    assert refused(path).line == 6
