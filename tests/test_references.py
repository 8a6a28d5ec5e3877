"""`[[kind:id]]` in pages."""

from __future__ import annotations

from pathlib import Path

import pytest

import sample_site
from hooks import references, tree
from hooks.errors import Refusal
from hooks.references import Kind, Place
from sample_site import ROOT

KINDS = {"tier": references.tiers(ROOT)}


@pytest.mark.parametrize(
    ("edition", "path", "badge"),
    [
        ("en", "index.md", "[Beta](tiers.md#beta){.tier .tier-beta}"),
        ("zh-Hans", "releases/1.6.md", "[测试版](../tiers.md#beta){.tier .tier-beta}"),
        ("zh-Hant", "a/b/c.md", "[測試版](../../tiers.md#beta){.tier .tier-beta}"),
        ("en", "tiers.md", "[Beta](tiers.md#beta){.tier .tier-beta}"),
    ],
)
def test_a_tier_is_a_badge_in_the_edition_s_words(edition: str, path: str, badge: str) -> None:
    assert references.resolve("a [[tier:beta]] b", Place(path, edition), KINDS) == f"a {badge} b"


@pytest.mark.parametrize("text", ["`[[tier:beta]]`", "```\n[[tier:beta]]\n```", "<!-- [[tier:beta]] -->", "---\ntitle: '`[[tier:beta]]`'\n---\n"])
def test_code_is_left_alone(text: str) -> None:
    assert references.resolve(text, Place("x.md", "en"), KINDS) == text


def test_a_reference_without_kind_can_join_later() -> None:
    feature = Kind(frozenset({"amp"}), lambda name, place: f"<{name} in {place.edition}>", "docs/data/features")
    assert references.resolve("[[amp]] [[tier:stable]]", Place("x.md", "en"), {**KINDS, "": feature}).startswith("<amp in en> [Stable]")


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("[[tier:gamma]]", "`[[tier:gamma]]` names an unknown id. Known in docs/data/tiers.yml: api-stable, api-unstable, beta, experimental, prototype, stable."),
        ("[[level:beta]]", "`[[level:beta]]` is no known kind of reference. Known kinds: [[…]], [[snippet:…]], [[status:…]], [[table:…]], [[tier:…]], [[today:…]]; write brackets that are meant as text as `code`."),
        ("[[amp]]", "`[[amp]]` names an unknown id. Known in docs/data/features: none."),
        ("[[Tier: Beta]]", "`[[Tier: Beta]]` is no known kind of reference."),
        ("[[snippet:gone]]", "`[[snippet:gone]]` names an unknown id. Known in docs/snippets: hello."),
        ("see [[snippet:hello]]", "`[[snippet:hello]]` stands within a line. Put it on a line of its own, between empty lines."),
    ],
)
def test_a_reference_that_leads_nowhere_stops_the_build(tmp_path: Path, reference: str, message: str) -> None:
    site = sample_site.build(tmp_path)
    for edition in ("zh-Hans", "en"):
        path = f"docs/{edition}/index.md"
        sample_site.write(site, path, (site / path).read_text() + f"\n{reference}\n")
    with pytest.raises(Refusal) as caught:
        tree.expand(site)
    assert str(caught.value).startswith(f"docs/zh-Hans/index.md:14: {message}")
