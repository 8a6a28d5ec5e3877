"""Each rule accepts what is right and finds what is wrong, in the right place, with a mend."""

from __future__ import annotations

import copy
import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from hooks.atlas import lints, model
from hooks.errors import Refusal

ROOT = Path(__file__).parent.parent
TEXT = {"zh-Hans": "一句话。", "en": "A sentence."}
SOURCE = [{"url": "https://github.com/pytorch/pytorch/pull/1"}]
SEED = "PyTorch1.6发布。[BETA]内存分析器可用。另有amp。"
EDITS = {
    "title": "甲", "description": "乙。", "release": "1.6", "publisher": "unknown", "date": "unknown", "original_name": "x",
    "edits": [{"heading": "[[tier:beta]] 内存分析器", "level": 2, "id": "memory-profiler", "feature": "memory-profiler", "title": "内存分析器"}],
}  # fmt: skip


def feature(**more) -> dict:
    return {
        "name": {"zh-Hans": "内存分析器", "en": "Memory profiler"},
        "summary": TEXT,
        "area": "profiling",
        "mentions": [{"release": "1.6", "phrase": "存分析器", "tier": "beta"}],
        "history": [
            {"release": "1.6", "event": "introduced", "tier": "beta", "what": TEXT, "sources": SOURCE, "confidence": "high"},
            {"release": "1.7", "tier": "stable", "what": TEXT, "sources": SOURCE, "confidence": "high"},
        ],
        "today": {"status": "current", "note": TEXT, "sources": SOURCE},
        "snippet": {"cpu": "yes", "why": TEXT},
    } | more


@pytest.fixture
def root(tmp_path):
    """A small atlas that keeps every rule: one area, two features, one article with one label."""
    for folder in ("docs/data/features", "docs/data/schema", "docs/snippets", "seeds"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("tiers.yml", "names.yml"):
        shutil.copy(ROOT / "docs/data" / name, tmp_path / "docs/data")
    (tmp_path / "seeds/pytorch-1.6.txt").write_text(SEED, "utf-8")
    write(tmp_path / "seeds/pytorch-1.6.yml", EDITS | {"sha256": hashlib.sha256(SEED.encode()).hexdigest()})
    write(tmp_path / "docs/data/areas.yml", {"profiling": {"name": TEXT, "summary": TEXT}})
    releases = [{"release": r, "date": f"2020-0{i}-01", "commits": "unpublished", "contributors": 1, "sources": SOURCE} for i, r in enumerate(["1.5", "1.6", "1.7"], 1)]
    write(tmp_path / "docs/data/releases.yml", releases)
    write_feature(tmp_path, "memory-profiler", feature(related=["amp"]))
    write_feature(tmp_path, "amp", feature(name={"zh-Hans": "自动混合精度", "en": "AMP"}, mentions=[{"release": "1.6", "phrase": "另有amp"}], related=["memory-profiler"]))
    return tmp_path


def write(path: Path, data: object) -> None:
    path.write_text(yaml.safe_dump(data, allow_unicode=True, sort_keys=False), "utf-8")


def write_feature(root: Path, name: str, data: dict) -> None:
    write(root / f"docs/data/features/{name}.yml", data)


def change(root: Path, name: str, edit) -> None:
    path = root / f"docs/data/features/{name}.yml"
    data = yaml.safe_load(path.read_text("utf-8"))
    edit(data)
    write_feature(root, name, data)


def found(root: Path) -> list[lints.Finding]:
    return lints.check(model.read(root))


def test_the_small_atlas_keeps_every_rule(root):
    assert found(root) == []


def history(**more):
    line = {"release": "1.7", "event": "extended", "what": TEXT, "sources": SOURCE, "confidence": "high"} | more
    return lambda data: data["history"].append(line)


def pitfall(**more):
    problem = {"symptom": "Error", "cause": TEXT, "remedy": TEXT, "upgrade": False, "frequency": "low", "reproduced": "na", "sources": SOURCE} | more
    return lambda data: data.update(pitfalls=[problem])


@pytest.mark.parametrize(
    ("rule", "edit", "what"),
    [
        ("release-known", history(release="1.8"), "unknown release 1.8"),
        ("release-known", history(release="1.60.1"), "unknown release 1.60.1"),
        ("history-ordered", history(release="1.5"), "1.5 stands after 1.7"),
        ("pitfall-ordered", pitfall(since="1.10", until="1.9"), "since 1.10 until 1.9"),
        ("pitfall-ordered", pitfall(since="torchvision 0.8", until="0.9"), "since torchvision 0.8 until 0.9"),
        ("tier-rises", history(tier="prototype"), "falls back to prototype"),
        ("phrase-once", lambda d: d["mentions"][0].update(phrase="没有"), "occurs 0 times"),
        ("phrase-once", lambda d: d["mentions"][0].update(phrase="。"), "occurs 3 times"),
        ("tier-as-stated", lambda d: d["mentions"][0].update(tier="stable"), "the article says beta"),
        ("label-claimed", lambda d: d["mentions"][0].pop("tier"), "no feature claims the beta label"),
        ("heading-claimed", lambda d: d["mentions"][0].update(phrase="PyTorch1.6发布", tier="beta"), "no mention of `memory-profiler`"),
        ("related-known", lambda d: d.update(related=["amp", "nvfuser"]), "`nvfuser` is no other feature"),
        ("related-known", lambda d: d.update(related=[]), "`memory-profiler` does not name `amp` in turn"),
        ("way-out", lambda d: d["today"].update(status="removed"), "no word on what to use"),
        ("replacement-ends", lambda d: d["today"].update(replacement="nvfuser"), "is no feature"),
        ("replacement-ends", lambda d: d["today"].update(replacement="memory-profiler"), "in a circle"),
        ("url-sound", lambda d: d.update(links=[{"title": "x", "url": "https://user@host/x", "kind": "docs"}]), "no sound address"),
        ("name-translated", lambda d: d.update(name={"zh-Hans": "Profiler X", "en": "Profiler X"}), "in both languages"),
        ("area-used", lambda d: d.update(area="vision"), "unknown area `vision`"),
    ],
)
def test_a_rule_finds_what_breaks_it(root, rule, edit, what):
    change(root, "memory-profiler", edit)
    hits = [finding for finding in found(root) if finding.rule == rule]
    assert any(what in str(finding) for finding in hits), found(root)
    for finding in hits:
        assert finding.refusal.mend and f"[{rule}]" in str(finding)
        assert finding.refusal.line or finding.refusal.file.endswith(".txt")


@pytest.mark.parametrize(
    "edit",
    [
        lambda d: d["history"].insert(0, d["history"][0] | {"release": "1.4", "event": "private"}),
        history(release="unknown", event="removed"),
        history(release="1.7.1"),
        history(tier="prototype", note=TEXT),
        history(tier="prototype", scope={"zh-Hans": "仅 CPU", "en": "on the CPU"}),
        lambda d: d["today"].update(status="removed", use=TEXT),
        lambda d: d["today"].update(status="superseded", replacement="amp"),
        lambda d: d.update(name={"zh-Hans": "TorchArrow", "en": "TorchArrow"}),
    ],
)
def test_what_is_allowed_is_not_found(root, edit):
    change(root, "memory-profiler", edit)
    assert found(root) == []


def test_an_area_without_a_feature_is_found(root):
    write(root / "docs/data/areas.yml", {"profiling": {"name": TEXT, "summary": TEXT}, "vision": {"name": TEXT, "summary": TEXT}})
    assert [str(finding).split("[")[-1] for finding in found(root)] == ["area-used]"]


def test_an_exception_silences_one_finding_and_a_needless_one_is_found(root):
    change(root, "memory-profiler", history(tier="prototype"))
    write(root / "docs/data/exceptions.yml", {"tier-rises": {"memory-profiler": "因为。"}})
    assert found(root) == []
    write(root / "docs/data/exceptions.yml", {"tier-rises": {"memory-profiler": "因为。"}, "way-out": {"amp": "因为。"}})
    assert [finding.rule for finding in found(root)] == ["needless-exception"]


def test_every_rule_has_a_case_that_breaks_it():
    own = {name for name, function in lints.RULES.items() if function.__module__ == lints.__name__}
    assert {case[0] for mark in test_a_rule_finds_what_breaks_it.pytestmark for case in mark.args[1]} == own


@pytest.mark.parametrize(
    ("edit", "what"),
    [
        (lambda d: d.update(sumary=TEXT), "unknown key `sumary`"),
        (lambda d: d["history"][0].update(release=1.10), "read as the number 1.1"),
        (lambda d: d["history"][0].update(tier="gamma"), "`history.0.tier`"),
        (lambda d: d.update(summary={"zh-Hans": "一"}), "'en' is a required property"),
        (lambda d: d["history"][0].update(sources=[]), "`history.0.sources`"),
        (lambda d: d["today"].update(status="fine"), "`today.status`"),
    ],
)
def test_a_breach_of_the_schema_is_one_line_with_file_and_line(root, edit, what):
    change(root, "memory-profiler", edit)
    with pytest.raises(Refusal) as caught:
        model.read(root)
    assert what in caught.value.what and caught.value.line and caught.value.file.endswith("memory-profiler.yml")


def test_a_release_that_stands_twice_is_refused(root):
    path = root / "docs/data/releases.yml"
    data = yaml.safe_load(path.read_text("utf-8"))
    write(path, [*data, copy.deepcopy(data[-1])])
    with pytest.raises(Refusal, match="1.7 stands after 1.7"):
        model.read(root)


def test_the_facts_of_the_atlas_keep_every_rule():
    done = subprocess.run([sys.executable, "-m", "hooks.atlas", "check"], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("71 features, ")


def test_the_command_prints_each_finding_on_one_line_and_fails(root):
    change(root, "memory-profiler", history(tier="prototype"))
    done = subprocess.run([sys.executable, "-m", "hooks.atlas", "check", "--root", str(root)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert "memory-profiler.yml:" in done.stderr and done.stderr.rstrip().endswith("[tier-rises]")
