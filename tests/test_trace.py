"""The ledger loses nothing: the seed follows from the text, and the text from the seed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hooks import trace as t

STEP = t.Step("fix", "a reason")
TEXT = st.text("甲乙丙ab\t\n\\ ", max_size=30)


@st.composite
def rounds(draw):
    """A seed and some rounds of edits, each drawn against the text that the round before left."""
    trace = t.begin(draw(TEXT))
    expected = trace.text
    for kind in draw(st.lists(st.sampled_from(["fix", "split", "drop"]), max_size=5)):
        cuts = sorted(draw(st.lists(st.integers(0, len(expected)), max_size=8)))
        edits = [
            t.Edit(start, end, draw(st.text("丁xy\n", max_size=3)), t.Step(kind, kind))
            for start, end in zip(cuts[::2], cuts[1::2])
        ]
        trace = t.apply(trace, edits)
        for edit in reversed(sorted(edits, key=lambda e: (e.start, e.end))):
            expected = expected[: edit.start] + edit.after + expected[edit.end :]
        assert trace.text == expected
    return trace


@given(rounds())
def test_text_and_ledger_give_back_the_seed(trace):
    entries = t.ledger(trace)
    assert t.restore(trace.text, entries) == trace.seed
    assert t.restore(trace.text, t.from_tsv(t.to_tsv(entries))) == trace.seed


def test_an_entry_names_offset_both_texts_kind_and_reason():
    trace = t.begin("支持TorchScript.")
    trace = t.replace(trace, 2, 2, " ", t.Step("spacing", "gap"))
    assert t.ledger(trace) == [t.Entry(2, "", " ", "spacing", "gap")]


def test_an_edit_of_an_edit_is_one_entry_with_both_kinds():
    trace = t.apply(t.begin("soxpostend"), [t.Edit(3, 3, " ", t.Step("split", "glued"))])
    trace = t.apply(trace, [t.Edit(2, 8, "X", t.Step("fix", "torn"))])
    (entry,) = t.ledger(trace)
    assert (entry.before, entry.after, entry.kind) == ("xpost", "X", "split+fix")
    assert t.counts([entry]) == {"split": 1, "fix": 1}


def test_a_change_that_is_undone_leaves_no_entry():
    trace = t.apply(t.begin("甲乙"), [t.Edit(0, 1, "丙", STEP)])
    assert t.ledger(t.apply(trace, [t.Edit(0, 1, "甲", STEP)])) == []


def test_a_small_change_in_a_long_phrase_is_a_small_entry():
    trace = t.replace(t.begin("开头甲乙丙结尾"), 0, 7, "开头甲丁丙结尾", STEP)
    assert [(e.offset, e.before, e.after) for e in t.ledger(trace)] == [(3, "乙", "丁")]


def test_a_ledger_of_another_text_is_not_believed():
    entries = t.ledger(t.replace(t.begin("甲乙"), 0, 1, "丙", STEP))
    with pytest.raises(ValueError, match="does not hold"):
        t.restore("丁乙", entries)


def test_overlapping_edits_are_refused():
    with pytest.raises(ValueError, match="overlap"):
        t.apply(t.begin("甲乙丙"), [t.Edit(0, 2, "", STEP), t.Edit(1, 3, "", STEP)])
