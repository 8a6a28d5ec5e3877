"""What an upgrade brings: which lines of history, in which group."""

from __future__ import annotations

import dataclasses
import itertools
import re
from pathlib import Path

import pytest

from hooks import editions, versions
from hooks.atlas import feature_pages, model, upgrade
from hooks.atlas.model import Change, Pitfall

ROOT = Path(__file__).resolve().parent.parent
ATLAS = model.read(ROOT)
PAGES = feature_pages.prepare(ATLAS, editions.words(ROOT))
RELEASES = list(ATLAS.releases)


def group(feature: str, start: str, end: str) -> str | None:
    return next((entry.group for entry in upgrade.entries(ATLAS, start, end) if entry.feature.id == feature), None)


@pytest.mark.parametrize(
    ("version", "release"),
    [
        ("2.9.0", "2.9"),
        ("1.10", "1.10"),
        ("torchvision 0.6", "1.5"),
        ("torchvision 0.14", "1.13"),
        ("torchvision 0.15", "2.0"),
        ("torchaudio 0.10", "1.10"),
        ("torchaudio 2.1", "2.1"),
        ("torchdata 0.10", "2.6"),
    ],
)
def test_versions_of_companions_belong_to_a_release(version: str, release: str) -> None:
    assert upgrade.torch(version) == release


def test_every_problem_of_the_data_can_be_placed() -> None:
    for feature in ATLAS.features.values():
        for pitfall in feature.pitfalls:
            for version in (pitfall.since, pitfall.until):
                if pitfall.upgrade and version:
                    upgrade.torch(version)


@pytest.mark.parametrize(
    ("feature", "start", "end", "expected"),
    [
        ("torchdata-s3", "1.13", "2.15", "must"),  # there in 1.13, removed in 2.6
        ("torchdata-s3", "1.13", "2.5", "soon"),  # only deprecated by then
        ("torchdata-s3", "1.6", "2.15", "past"),  # came in 1.12: who stands at 1.6 never had it
        ("torchdata-s3", "1.6", "1.12", "may"),
        ("torchdata-s3", "2.6", "2.15", None),
        ("amp", "2.3", "2.4", "soon"),
        ("amp", "1.5", "2.15", "may"),
        ("complex32-half", "1.10", "1.11", "may"),  # its private form was removed before it was introduced
        ("cuda-graphs", "1.13", "2.15", "may"),
    ],
)
def test_group_of_a_feature(feature: str, start: str, end: str, expected: str | None) -> None:
    assert group(feature, start, end) == expected


def test_a_fallen_tier_is_urgent_and_a_risen_one_is_an_offer() -> None:
    def stated(release: str, tier: str) -> Change:
        return Change(release, {"zh-Hans": "", "en": ""}, (), "high", tier=tier)

    history = [stated("1.6", "beta"), stated("1.7", "stable"), stated("1.8", "prototype")]
    feature = dataclasses.replace(ATLAS.features["amp"], history=history)
    assert [upgrade.urgency(feature, change) for change in history] == ["may", "may", "soon"]


def test_single_steps_bring_every_line_that_asks_for_something() -> None:
    listed = {
        (entry.feature.id, id(line.told))
        for start, end in itertools.pairwise(RELEASES)
        for entry in upgrade.entries(ATLAS, start, end)
        for line in entry.lines
    }
    for feature in ATLAS.features.values():
        for change in feature.history:
            if change.event in upgrade.URGENT and change.minor in RELEASES[1:]:
                assert (feature.id, id(change)) in listed, (feature.id, change.release)


def test_a_problem_that_is_over_at_the_end_is_left_out() -> None:
    over = [(f, p) for f in ATLAS.features.values() for p in f.pitfalls if p.upgrade and p.since and p.until and p.since != p.until]
    assert over
    for feature, pitfall in over:
        since, until = upgrade.torch(pitfall.since), upgrade.torch(pitfall.until)
        line = next(line for line in upgrade.lines(ATLAS, feature) if line.told is pitfall)
        before = RELEASES[RELEASES.index(since) - 1]
        after = next((release for release in RELEASES if versions.key(release) > versions.key(until)), None)
        if versions.key(upgrade.arrived(feature)) <= versions.key(before):
            assert upgrade.shown(feature, line, before, since)
        assert after is None or not upgrade.shown(feature, line, before, after)


def test_a_problem_is_none_for_those_who_never_had_the_feature() -> None:
    for entry in upgrade.entries(ATLAS, "1.6", RELEASES[-1]):
        if versions.key(upgrade.arrived(entry.feature)) > versions.key("1.6"):
            assert not any(isinstance(line.told, Pitfall) for line in entry.lines), entry.feature.id


@pytest.mark.parametrize("edition", editions.WRITTEN)
def test_static_page_lists_each_feature_once_with_what_to_do(edition: str) -> None:
    page = upgrade.since(PAGES, "upgrade/since-1.12.md", edition)
    names = re.findall(r"^### .*\{#([\w.-]+) ", page, re.M)
    assert sorted(names) == sorted(entry.feature.id for entry in upgrade.entries(ATLAS, "1.12", RELEASES[-1]))
    s3 = page.split("{#torchdata-s3 ")[1].split("</div>")[0]
    assert "[[status:removed]]" in s3 and 'data-g="must"' in s3


def test_chooser_page_holds_every_line_and_hides_what_lies_outside_the_usual_pair() -> None:
    page = upgrade.page(PAGES, "en")
    start, end = upgrade.usual(ATLAS)
    assert (start, end) == ("1.13", RELEASES[-1])
    expected = [upgrade.shown(feature, line, start, end) for feature in ATLAS.features.values() for line in upgrade.lines(ATLAS, feature)]
    attributes = re.findall(r"^\{: (data-r=.*) \}$", page, re.M)
    assert len(attributes) == len(expected)
    assert sum("hidden" not in attribute for attribute in attributes) == sum(expected)
