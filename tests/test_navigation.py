"""The navigation: sections with names, releases in order."""

from __future__ import annotations

from hooks.web.navigation import navigation


def test_patterns_take_what_nothing_else_names_newest_first() -> None:
    pages = ["index.md", "releases/index.md", "releases/1.6.md", "releases/1.10.md", "releases/1.7.md", "releases/2.0.md"]
    items = ["index.md", {"releases": ["releases/index.md", "releases/*.md"]}]
    assert navigation(items, pages, str.upper) == [
        "index.md",
        {"RELEASES": ["releases/index.md", "releases/2.0.md", "releases/1.10.md", "releases/1.7.md", "releases/1.6.md"]},
    ]


def test_sections_within_sections() -> None:
    assert navigation([{"a": [{"b": ["x/*.md"]}]}], ["x/1.md"], lambda key: f"<{key}>") == [{"<a>": [{"<b>": ["x/1.md"]}]}]


def test_a_pattern_may_stand_for_sections() -> None:
    groups = {"x/*.md": [("One", ["one.md", "x/1.md"]), ("Two", ["x/2.md"])]}
    items = [{"a": ["a.md", "x/*.md", "*.md"]}]
    pages = ["a.md", "one.md", "rest.md", "x/1.md", "x/2.md"]
    assert navigation(items, pages, str.upper, groups) == [{"A": ["a.md", {"One": ["one.md", "x/1.md"]}, {"Two": ["x/2.md"]}, "rest.md"]}]
