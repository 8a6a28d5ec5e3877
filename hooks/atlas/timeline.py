"""How a feature stands in each release: what was stated there, and what carries on from before."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from hooks import versions
from hooks.atlas.model import Atlas, Change, Feature

ENDED = frozenset({"removed", "archived"})
"""Events after which nothing of the feature carries on."""

UNNAMED = frozenset({"private", "present-before", "announced"})
"""Events before the feature is there for users; nothing carries on from them."""


@dataclass(frozen=True)
class Cell:
    """A feature in one release.

    Attributes:
        release: The release.
        changes: What the history says of exactly this release.
        tier: The tier stated here or carried forward; None where none was ever stated.
        stated: Whether the tier was stated in this very release.
        present: Whether users have the feature in this release, as far as the history tells.
        ended: Whether an earlier or this release removed it.
    """

    release: str
    changes: Sequence[Change]
    tier: str | None
    stated: bool
    present: bool
    ended: bool


@functools.lru_cache(maxsize=512)
def cells(atlas: Atlas, feature: Feature) -> list[Cell]:
    """The feature's row of the matrix, one cell for each release of the atlas.

    A tier that speaks of a part only (it has a scope) is stated in its release, but only a tier of the whole carries
    forward, unless no tier of the whole was ever stated. No tier is carried beyond the last release that used its
    word: since 2.8 the documentation knows no Beta, so nothing can still be Beta there. Where an end cannot be dated,
    nothing carries beyond the last release that the history knows.
    """
    whole = [change for change in feature.history if change.tier and not change.scope]
    carrying = whole or [change for change in feature.history if change.tier]
    undated = any(change.release == "unknown" and change.event in ENDED for change in feature.history)
    known = max(versions.key(change.minor) for change in feature.history if change.release != "unknown")
    out: list[Cell] = []
    for release in atlas.releases:
        key = versions.key(release)
        here = [change for change in feature.history if change.minor == release]
        until = [change for change in feature.history if versions.key(change.minor) <= key]
        ended = _ended(until)
        silent = ended or (undated and key > known)
        stated = next((change.tier for change in reversed(here) if change.tier), None)
        carried = None if silent else next((change.tier for change in reversed(until) if change in carrying), None)
        if carried and key > versions.key(atlas.tiers[carried].get("until", release)):
            carried = None
        present = not silent and any(change.event not in UNNAMED or change.tier for change in until)
        out.append(Cell(release, here, stated or carried, stated is not None, present, ended))
    return out


def _ended(until: Sequence[Change]) -> bool:
    """Whether the last decisive event took the feature away; a removal of a part says so in its scope."""
    for change in reversed(until):
        if change.scope is None and change.event in ENDED:
            return True
        if change.tier or change.event in ("introduced", "moved", "renamed", "still-present", "extended"):
            return False
    return False


def introduced(feature: Feature) -> str | None:
    """The release in which the feature first was there for users, or None if unknown."""
    for change in feature.history:
        if change.event == "introduced" or (change.tier and change.event not in UNNAMED):
            return None if change.release == "unknown" else change.minor
    return None


def standing(atlas: Atlas, release: str, tier: str) -> list[Feature]:
    """The features for which exactly this release stated this tier, in the order of areas and ids."""
    order = list(atlas.areas)
    found = [f for f in atlas.features.values() if any(c.minor == release and c.tier == tier for c in f.history)]
    return sorted(found, key=lambda feature: (order.index(feature.area), feature.id))
