"""The matrix: every feature in every release, in one table.

A cell is a `td` whose first class tells how the feature stands there (`STATES`), with `t` where a tier is stated in
this very release, `h` where that tier speaks of a part only, and the mark of what happened (`MARKS`). What classes
show to the eye, the words in the cell say. The table is complete without a script; assets/matrix.js adds the filters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from hooks.atlas import area_pages, feature_pages, release_pages, text, tierline
from hooks.atlas.feature_pages import Pages
from hooks.atlas.model import Feature
from hooks.atlas.timeline import Cell
from hooks.editions import ENGLISH, way
from hooks.runs import STATUSES

PATH = "matrix.md"

STATES = {
    "stable": "s",
    "beta": "b",
    "prototype": "p",
    "experimental": "e",
    "api-stable": "a",
    "api-unstable": "u",
    "present": "k",
    "kept": "k",
    "early": "y",
    "announced": "y",
    "ended": "g",
    "silent": "n",
    "none": "n",
}
"""Tiers and the other ways in which a feature can stand (`tierline.WORDS`) → class of the cell."""

MARKS = {
    "x": ("removed", "archived"),
    "d": ("deprecated", "default-removed", "maintenance"),
    "m": ("moved", "renamed"),
    "c": ("default-changed",),
    "i": ("introduced", "extended"),
    "o": ("announced", "private", "present-before", "still-present", "docs-changed", "observed"),
}
"""Classes of marks for events, the weightiest first: a cell shows one."""


def page(pages: Pages, edition: str) -> str:
    """Markdown of the matrix in a written edition."""
    say, count = pages.say, len(pages.atlas.features)
    first, last = next(iter(pages.atlas.releases)), next(reversed(pages.atlas.releases))
    title, description = (say(f"matrix.{key}", edition, count=count, first=first, last=last) for key in ("title", "description"))
    parts = [
        text.front_matter(title, description, hide="[navigation, toc]", assets="[filters, matrix]"),
        f"# {title} {{#matrix}}",
        say("matrix.intro", edition, upgrade=text.link(PATH, "upgrade/index.md")),
        "\n".join(legend(pages, edition)),
        "\n".join(filters(pages, edition)),
        "\n".join(table(pages, edition)),
    ]
    return "\n\n".join(parts) + "\n"


def legend(pages: Pages, edition: str) -> Iterator[str]:
    """What the cells mean, with a sample of each."""
    say = pages.say

    def item(classes: str, words: str) -> str:
        return f'<li><i class="{classes}"></i> {words}</li>'

    yield f'<details class="mx-key"><summary>{say("matrix.legend", edition)}</summary><ul>'
    for tier in tiers(pages):
        target = way(f"{edition}/{PATH}", f"{edition}/tiers.md")
        word = text.reading(pages.atlas.tiers[tier]["word"], edition)
        yield f'<li><i class="{STATES[tier]} t"></i> <i class="{STATES[tier]}"></i> <a href="{target}#{tier}">{word}</a></li>'
    yield "</ul><ul>"
    yield item("b t", say("matrix.key.stated", edition))
    yield item("b", say("matrix.key.carried", edition))
    yield item("b t h", say("matrix.key.part", edition))
    yield item("k", say("matrix.key.present", edition))
    yield item("y", say("matrix.key.early", edition))
    yield item("g", say("matrix.key.ended", edition))
    yield item("n", say("tierline.none", edition))
    yield "</ul><ul>"
    for mark, events in MARKS.items():
        yield item(f"k {mark}", say("list.comma", edition).join(say(f"event.{event}", edition) for event in events))
    yield "</ul></details>"


def tiers(pages: Pages) -> list[str]:
    """The tiers that any feature was given, in their own order."""
    given = {change.tier for feature in pages.atlas.features.values() for change in feature.history}
    return [tier for tier in release_pages.TIER_ORDER if tier in given and tier]


def filters(pages: Pages, edition: str) -> Iterator[str]:
    """The form above the table; it is hidden until the script shows it."""
    atlas, say = pages.atlas, pages.say
    used = {pages.evidence.status(feature) for feature in atlas.features.values()}
    choices = {
        "area": {area: text.reading(words["name"], edition) for area, words in atlas.areas.items()},
        "tier": {tier: text.reading(atlas.tiers[tier]["word"], edition) for tier in tiers(pages)},
        "release": {release: release for release in reversed(atlas.releases)},
        "status": {status: say(f"today.{status}", edition) for status in STATUSES if status in used},
    }
    yield f'<form class="mx-form atlas-filters" aria-label="{say("matrix.filters", edition)}" hidden>'
    yield f'<label>{say("matrix.text", edition)} <input type="search" name="find" autocomplete="off" spellcheck="false"></label>'
    for name, values in choices.items():
        yield f'<label>{say(f"matrix.{name}", edition)} <select name="{name}"><option value="">{say("matrix.any", edition)}</option>'
        for value, word in values.items():
            state = f' data-c="{STATES[value]}"' if name == "tier" else ""
            yield f'<option value="{value}"{state}>{word}</option>'
        yield "</select></label>"
    yield f'<button type="reset">{say("matrix.reset", edition)}</button>'
    yield f'<p class="mx-hint">{say("matrix.hint", edition)}</p>'
    yield f'<p class="mx-count" role="status" aria-live="polite" aria-atomic="true">{say("matrix.count", edition, shown=f"<b>{len(atlas.features)}</b>", count=len(atlas.features))}</p>'
    yield "</form>"


def table(pages: Pages, edition: str) -> Iterator[str]:
    """The table itself: a body for each area, a row for each feature, a column for each release."""
    atlas, say = pages.atlas, pages.say
    releases = list(atlas.releases)
    caption = say("matrix.caption", edition, first=releases[0], last=releases[-1])
    yield f'<div class="mx" role="region" aria-label="{say("matrix.title", edition)}" tabindex="0" data-search-exclude><table class="mx-table" style="--columns:{len(releases)}">'
    yield f'<caption class="atlas-spoken">{caption}</caption>'
    yield f'<thead><tr><th scope="col">{say("release.feature", edition)}</th>'
    yield "".join(f'<th scope="col">{_release(pages, release, edition)}</th>' for release in releases)
    yield f'<th scope="col">{say("matrix.today", edition)}</th></tr></thead>'
    for area, words in atlas.areas.items():
        target = way(f"{edition}/{PATH}", f"{edition}/{area_pages.path(area)}")
        yield f'<tbody id="{area}"><tr class="mx-area"><th scope="rowgroup" colspan="{len(releases) + 2}"><a href="{target}">{text.reading(words["name"], edition)}</a></th></tr>'
        for feature in feature_pages.ordered(atlas, area):
            yield row(pages, feature, edition)
        yield "</tbody>"
    yield "</table></div>"


def _release(pages: Pages, release: str, edition: str) -> str:
    if not release_pages.has_page(pages.atlas, release, pages.released):
        return release
    return f'<a href="{way(f"{edition}/{PATH}", f"{edition}/{release_pages.path(release)}")}">{release}</a>'


def row(pages: Pages, feature: Feature, edition: str) -> str:
    """A feature's row: its name, its cells, and what has become of it."""
    target = way(f"{edition}/{PATH}", f"{edition}/{feature_pages.path(feature.id)}")
    name = f'<a href="{target}">{escape(text.reading(feature.name, edition), quote=False)}</a>'
    row = "".join(_td(pages, feature, stretch.state, cell, edition) for stretch in tierline.stretches(pages.atlas, feature) for cell in stretch.cells)
    status = pages.evidence.status(feature)
    return (
        f'<tr data-s="{status}" data-q="{escape(" ".join(sought(feature, edition)))}"><th scope="row">{name}</th>{row}'
        f"<td>{pages.say(f'today.{status}', edition)}</td></tr>"
    )


def sought(feature: Feature, edition: str) -> list[str]:
    """What else the free text finds a feature by: its id, its English name, and the names in code."""
    names = [feature.id] + ([feature.name[ENGLISH]] if edition != ENGLISH else [])
    code = [*feature.today.api, *(name for change in feature.history for name in change.api)]
    return names + list(dict.fromkeys(code))


def _td(pages: Pages, feature: Feature, state: str, cell: Cell, edition: str) -> str:
    classes, also = looks(feature, state, cell)
    attribute = f' data-w="{also}"' if also else ""
    words = pages.say("list.comma", edition).join(said(pages, state, cell, edition))
    return f'<td class="{classes}"{attribute}><i>{words}</i></td>'


def looks(feature: Feature, state: str, cell: Cell) -> tuple[str, str]:
    """The classes of a cell, and the class of the whole's tier where the cell shows that of a part."""
    own, also, flags = STATES[state], "", ""
    stated = [change for change in cell.changes if change.tier]
    if stated:
        flags += " t"
        if stated[-1] not in tierline.whole(feature):
            flags += " h"
            own, also = STATES[stated[-1].tier], own
    events = {change.event for change in cell.changes}
    mark = next((mark for mark, kinds in MARKS.items() if events.intersection(kinds)), None)
    if mark and not (stated and mark in "io"):
        flags += f" {mark}"
    return own + flags, also


def said(pages: Pages, state: str, cell: Cell, edition: str) -> Sequence[str]:
    """The words of a cell: what its release states and tells, and what carries on."""
    atlas, say = pages.atlas, pages.say
    out: list[str] = []
    for change in cell.changes:
        scope = say("release.scope", edition, scope=_plain(text.reading(change.scope, edition))) if change.scope else ""
        if change.tier:
            out.append(say("matrix.stated", edition, tier=text.reading(atlas.tiers[change.tier]["word"], edition)) + scope)
        if change.event and not (change.tier and change.event == "introduced"):
            out.append(say(f"event.{change.event}", edition) + scope)
    if state in tierline.WORDS:
        return out or [say(f"tierline.{state}", edition)]
    if not any(change.tier == state for change in cell.changes):
        out.append(say("matrix.carried", edition, tier=text.reading(atlas.tiers[state]["word"], edition)))
    return out


def _plain(words: str) -> str:
    """Markdown of a few words as HTML, without the marks of code."""
    return escape(words.replace("`", ""), quote=False)
