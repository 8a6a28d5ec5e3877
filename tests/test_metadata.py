"""A page describes itself in its own language, as the right kind of thing."""

from __future__ import annotations

import json

import pytest

from hooks.web import metadata


@pytest.mark.parametrize(
    ("path", "kind", "name"),
    [
        ("features/amp.md", "DefinedTerm", "name"),
        ("features/index.md", "WebPage", "name"),
        ("releases/1.10.md", "TechArticle", "headline"),
        ("glossary.md", "DefinedTermSet", "name"),
        ("tiers.md", "WebPage", "name"),
    ],
)
def test_the_kind_follows_from_the_path(path, kind, name):
    front = {"title": "标题", "description": "一句话</script>"}
    text = metadata.linked(path, front, "zh-Hans", "https://a.org/x/", "https://a.org/", "图谱")
    assert "</script" not in text
    data = json.loads(text)
    assert (data["@type"], data[name], data["inLanguage"]) == (kind, "标题", "zh-Hans")
    assert data["description"] == front["description"] and data["url"] == "https://a.org/x/"


def test_the_home_page_is_the_site():
    data = json.loads(metadata.linked("index.md", {"title": "Home"}, "en", "https://a.org/en/", "https://a.org/en/", "Atlas"))
    assert data["@type"] == "WebSite" and data["name"] == "Atlas"
