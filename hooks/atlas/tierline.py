"""The row of a feature through all releases as a small picture: stretches of releases in which it stood alike.

Each stretch is an item of a list: the releases, the tier in words with its badge, and one tick per release. The ticks
are for the eye; what they say stands in the text as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hooks import versions
from hooks.atlas import timeline
from hooks.atlas.model import Atlas, Change, Feature
from hooks.atlas.text import reading
from hooks.atlas.timeline import Cell
from hooks.editions import Words, way

WORDS = ("ended", "present", "kept", "early", "announced", "silent", "none")
"""How a feature can stand without a tier: gone; there; there, when the words of its tier are no longer in use; there in
part or in private; told of; of late not heard of; not mentioned."""


@dataclass(frozen=True)
class Stretch:
    """Releases one after another in which a feature stood alike.

    Attributes:
        state: A tier, or one of `WORDS`.
        cells: The cells of the releases, oldest first.
    """

    state: str
    cells: Sequence[Cell]

    def stated(self, feature: Feature) -> list[str]:
        """The releases of the stretch that state its tier themselves."""
        return [cell.release for cell in self.cells if any(c.tier == self.state and c in whole(feature) for c in cell.changes)]


def whole(feature: Feature) -> list[Change]:
    """The lines of history whose tier holds for the feature as a whole; where only parts have one, those of the parts."""
    return [c for c in feature.history if c.tier and not c.scope] or [c for c in feature.history if c.tier]


def last_tier(feature: Feature) -> str | None:
    """The tier that was stated last for the feature as a whole."""
    return next((change.tier for change in reversed(whole(feature))), None)


def stretches(atlas: Atlas, feature: Feature) -> list[Stretch]:
    """The feature's row in stretches, from the first release of the atlas to the last."""
    out: list[Stretch] = []
    for cell in timeline.cells(atlas, feature):
        state = _state(atlas, feature, cell)
        if out and out[-1].state == state:
            out[-1] = Stretch(state, [*out[-1].cells, cell])
        else:
            out.append(Stretch(state, [cell]))
    return out


def _state(atlas: Atlas, feature: Feature, cell: Cell) -> str:
    release, first = versions.key(cell.release), timeline.introduced(feature)
    until = [change for change in feature.history if versions.key(change.minor) <= release]
    # A tier of a part only, such as that of CUDA RPC, does not change how the whole stands.
    stated = [change for change in until if change in whole(feature)]
    if cell.ended:
        return "ended"
    if stated and cell.tier and (stated[-1] in cell.changes or release <= versions.key(atlas.tiers[stated[-1].tier].get("until", cell.release))):
        return stated[-1].tier
    if cell.present and not (first and release < versions.key(first)):
        return "kept" if stated else "present"
    if not until:
        return "none"
    if cell.present or not stated:
        return "announced" if all(change.event == "announced" for change in until) else "early"
    return "silent"


def span(releases: Sequence[str], last: str, edition: str, say: Words) -> str:
    """A stretch of releases in short: `1.5`, `1.6–1.9`, or `since 1.10` where it lasts until the newest."""
    if releases[-1] == last:
        return say("tierline.since", edition, release=releases[0])
    return releases[0] if len(releases) == 1 else f"{releases[0]}–{releases[-1]}"


def line(atlas: Atlas, feature: Feature, path: str, edition: str, say: Words) -> str:
    """The picture as HTML, for the page at `path`; empty for what no release has, such as the wishes of readers."""
    releases = list(atlas.releases)
    found = stretches(atlas, feature)
    if all(change.event in ("observed", "announced") and not change.tier for change in feature.history):
        return ""
    items = [_item(atlas, stretch, feature, path, edition, say) for stretch in found]
    label = say("tierline.label", edition, first=releases[0], last=releases[-1])
    return f'<div class="tierline" role="group" tabindex="0" aria-label="{label}"><ol>\n' + "\n".join(items) + "\n</ol></div>"


def _item(atlas: Atlas, stretch: Stretch, feature: Feature, path: str, edition: str, say: Words) -> str:
    releases = [cell.release for cell in stretch.cells]
    stated = stretch.stated(feature)
    spoken = ""
    if stretch.state in WORDS:
        word = f'<span class="tierline__word">{say(f"tierline.{stretch.state}", edition)}</span>'
    else:
        target = way(f"{edition}/{path}", f"{edition}/tiers.md")
        word = f'<a class="tier tier-{stretch.state}" href="{target}#{stretch.state}">{reading(atlas.tiers[stretch.state]["word"], edition)}</a>'
        key = "tierline.carried" if len(stated) < len(releases) else "tierline.stated"
        spoken = f'<span class="atlas-spoken">{say(key, edition, releases=say("list.comma", edition).join(stated))}</span>'
    ticks = "".join(f'<i class="{"stated" if release in stated else "told" if cell.changes else "carried"}"></i>' for release, cell in zip(releases, stretch.cells))
    return (
        f'<li class="tierline__{stretch.state}" style="--releases:{len(releases)}">'
        f'<span class="tierline__span">{span(releases, next(reversed(atlas.releases)), edition, say)}</span> {word}{spoken}'
        f'<span class="tierline__ticks" aria-hidden="true">{ticks}</span></li>'
    )
