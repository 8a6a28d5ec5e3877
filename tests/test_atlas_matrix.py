"""The matrix as a table of HTML: what each cell says and shows, on the facts of the repository."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from pathlib import Path

import pytest

from hooks import editions
from hooks.atlas import feature_pages, matrix, model, release_pages, tierline, timeline

ROOT = Path(__file__).resolve().parent.parent
ATLAS = model.read(ROOT)
PAGES = feature_pages.prepare(ATLAS, editions.words(ROOT))
RELEASES = list(ATLAS.releases)
Row = Mapping[str, ElementTree.Element]


def _table(edition: str) -> ElementTree.Element:
    page = matrix.page(PAGES, edition)
    return ElementTree.fromstring(page[page.index("<table") : page.index("</table>") + len("</table>")])


TABLES = {edition: _table(edition) for edition in editions.WRITTEN}


def rows(edition: str) -> dict[str, Row]:
    """The cells of each feature by release."""
    out = {}
    for row in TABLES[edition].iterfind("tbody/tr[@data-s]"):
        name = row.find("th/a").get("href").removeprefix("../features/").removesuffix("/")
        out[name] = dict(zip(RELEASES, row.findall("td"), strict=False))
    return out


ROWS = {edition: rows(edition) for edition in editions.WRITTEN}


def words(cell: ElementTree.Element) -> str:
    return "".join(cell.itertext())


@pytest.mark.parametrize("edition", editions.WRITTEN)
def test_every_feature_has_a_cell_for_every_release_and_its_status(edition: str) -> None:
    assert set(ROWS[edition]) == set(ATLAS.features)
    for row, name in zip(TABLES[edition].iterfind("tbody/tr[@data-s]"), ROWS[edition]):
        assert row.get("data-s") == PAGES.evidence.status(ATLAS.features[name])
        assert len(row) == 1 + len(RELEASES) + 1
        assert all(words(cell).strip() for cell in row)


def test_table_is_marked_up_for_screen_readers() -> None:
    table = TABLES["en"]
    assert words(table.find("caption")).strip()
    assert {cell.get("scope") for cell in table.iterfind("thead/tr/th")} == {"col"}
    assert {row.find("th").get("scope") for row in table.iterfind("tbody/tr[@data-s]")} == {"row"}
    for body in table.iterfind("tbody"):
        assert body[0][0].get("scope") == "rowgroup" and body.get("id") in ATLAS.areas


def test_a_tier_that_an_article_states_is_the_tier_of_the_cell() -> None:
    for feature in ATLAS.features.values():
        for mention in feature.mentions:
            if mention.tier:
                cell = ROWS["en"][feature.id][mention.release]
                assert {matrix.STATES[mention.tier], "t"} <= set(cell.get("class").split()), (feature.id, mention.release)


def test_stated_and_carried_differ_to_the_eye_and_in_words() -> None:
    stated, carried = (ROWS["en"]["amp"][release] for release in ("1.6", "1.7"))
    assert (stated.get("class"), words(stated)) == ("s t", "Stable (stated here)")
    assert (carried.get("class"), words(carried)) == ("s", "Stable (carried on)")


def test_every_event_is_said() -> None:
    for feature in ATLAS.features.values():
        for cell in timeline.cells(ATLAS, feature):
            said = words(ROWS["en"][feature.id][cell.release])
            for change in cell.changes:
                if change.event and not (change.tier and change.event == "introduced"):
                    assert PAGES.say(f"event.{change.event}", "en") in said, (feature.id, cell.release)


def test_silence_is_said_too() -> None:
    assert words(ROWS["en"]["fsdp"]["1.5"]) == "not mentioned"
    assert words(ROWS["zh-Hans"]["fsdp"]["1.5"]) == "未提及"


def test_tier_of_a_part_is_shown_as_one_and_keeps_that_of_the_whole() -> None:
    cell = ROWS["en"]["tensorpipe-rpc"]["1.8"]
    assert cell.get("class").split()[:3] == ["p", "t", "h"] and cell.get("data-w") == "b"
    assert "CUDA RPC only" in words(cell) and "Beta (carried on)" in words(cell)


def test_editions_show_the_same() -> None:
    def look(rows: dict[str, Row]) -> dict[tuple[str, str], str]:
        return {(name, release): cell.get("class") for name, row in rows.items() for release, cell in row.items()}

    assert look(ROWS["zh-Hans"]) == look(ROWS["en"])


def test_heads_of_columns_lead_to_the_pages_there_are() -> None:
    for cell, release in zip(TABLES["en"].findall("thead/tr/th")[1:-1], RELEASES, strict=True):
        link = cell.find("a")
        assert (link is not None) == release_pages.has_page(ATLAS, release, PAGES.released)
        assert link is None or link.get("href") == f"../releases/{release}/"


def test_every_state_and_event_has_its_look() -> None:
    assert set(matrix.STATES) == {*ATLAS.tiers, *tierline.WORDS}
    schema = json.loads((ROOT / "docs/data/schema/feature.schema.json").read_text("utf-8"))
    events = schema["$defs"]["change"]["properties"]["event"]["enum"]
    assert sorted(event for kinds in matrix.MARKS.values() for event in kinds) == sorted(events)


def test_free_text_finds_a_feature_by_its_names_in_code_and_its_english_name() -> None:
    sought = " ".join(matrix.sought(ATLAS.features["amp"], "zh-Hans"))
    assert "torch.cuda.amp.GradScaler" in sought and "Automatic mixed precision" in sought
