"""Rules that hold the facts against the runs: what ran, where it was absent and where it warned is evidence."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from hooks import versions
from hooks.atlas import evidence, timeline, upgrade
from hooks.atlas.evidence import Evidence
from hooks.atlas.lints import rule
from hooks.atlas.model import Atlas, Feature
from hooks.errors import Refusal
from hooks.runs import NOT_TRIED, PENDING, Run

UNTRIED = frozenset({"announced", "observed", "private"})
"""Events that put nothing into a release that a session could run, unless it asks for a private name."""

WARNING = frozenset({"deprecated", "renamed", "moved", "default-changed", "default-removed"})
"""Events after which a release may warn."""


@rule
def introduced_as_run(atlas: Atlas) -> Iterator[tuple[str, Refusal]]:
    """The first release that runs a snippet of a feature is no older than its history, and no younger than its introduction."""
    known = evidence.read(atlas.root)
    for feature in atlas.features.values():
        tried = _tried(known, feature)
        first = next((release for release, ran in tried.items() if ran), None)
        begun = [(versions.key(change.minor), i) for i, change in enumerate(feature.history) if change.release != "unknown" and change.event not in UNTRIED]
        if first is None or not begun:
            continue
        oldest, line = min(begun)
        if versions.key(first) < oldest:
            began = feature.history[line].minor
            what = f"`{tried[first][0]}` runs on {first}, and the history has it for users from {began} on"
            yield feature.id, feature.file.refusal(what, "Tell of the release that had it first, or show what only the feature does", "history", line)
        introduced = timeline.introduced(feature)
        expected = next((release for release in tried if introduced and versions.key(release) >= versions.key(introduced)), None)
        if introduced and expected and versions.key(first) > versions.key(expected):
            line = next(i for i, change in enumerate(feature.history) if change.minor == introduced)
            what = f"introduced in {introduced}, and no snippet runs on {expected}: the first that does is {first}"
            yield feature.id, feature.file.refusal(what, "Mend the release, or add a snippet in the form of its time", "history", line)


@rule
def deprecated_as_run(atlas: Atlas) -> Iterator[tuple[str, Refusal]]:
    """Where a snippet begins to warn of a deprecation, the history tells of it: by that release, and after the last that kept silent."""
    known = evidence.read(atlas.root)
    for feature in atlas.features.values():
        told = [change.minor for change in feature.history if change.event in WARNING and change.release != "unknown"]
        for snippet in known.of(feature.id):
            ran = {release: run for release, run in known.ran[snippet.name].items() if run.ran}
            warned = next((release for release, run in ran.items() if _deprecates(run)), None)
            if warned is None:
                continue
            silent = [release for release in ran if versions.key(release) < versions.key(warned)]
            until = [release for release in told if versions.key(release) <= versions.key(warned)]
            if not until:
                what = f"`{snippet.name}` warns of a deprecation on {warned}, and the history tells of none by then"
                yield snippet.name, feature.file.refusal(what, "Add the deprecation with its source", "history")
            elif silent and versions.key(until[-1]) <= versions.key(silent[-1]):
                what = f"`{snippet.name}` warns of a deprecation on {warned} and not yet on {silent[-1]}, and the history tells of it in {until[-1]}"
                yield snippet.name, feature.file.refusal(what, "Tell of the release that begins to warn, with its source", "history")


@rule
def removed_as_run(atlas: Atlas) -> Iterator[tuple[str, Refusal]]:
    """What a release has removed does not run on it in its old form."""
    known = evidence.read(atlas.root)
    for feature in atlas.features.values():
        ended = {cell.release for cell in timeline.cells(atlas, feature) if cell.ended}
        for snippet in known.of(feature.id):
            found = [release for release, run in known.ran[snippet.name].items() if run.ran and release in ended]
            if found and snippet.form == "historical":
                what = f"`{snippet.name}` runs on {found[0]}, where the history says that the feature is gone"
                yield snippet.name, feature.file.refusal(what, "Mend the history, or say in `scope` which part is gone", "history")


@rule
def stopped_as_run(atlas: Atlas) -> Iterator[tuple[str, Refusal]]:
    """Where a snippet no longer runs, the facts tell of it in that stretch of releases, so that those who upgrade are told."""
    known = evidence.read(atlas.root)
    for feature in atlas.features.values():
        told = [versions.key(line.release) for line in upgrade.lines(atlas, feature) if line.group in ("must", "soon")]
        for snippet in known.of(feature.id):
            tried = [run for run in known.ran[snippet.name].values() if run.outcome not in NOT_TRIED]
            for before, after in itertools.pairwise(tried):
                begin, end = versions.key(before.release), versions.key(after.release)
                if before.ran and not after.ran and not any(begin < release <= end for release in told):
                    what = f"`{snippet.name}` runs on {before.release} and no longer on {after.release}, and nothing between asks for a change"
                    yield snippet.name, feature.file.refusal(what, "Tell of it in the history or, with the way out, as a problem", "history")


def _tried(known: Evidence, feature: Feature) -> Mapping[str, Sequence[str]]:
    """The releases on which the snippets of a feature were tried, oldest first, each with those that ran on it.

    One that is still to run might be the very one that runs there, so its releases tell nothing yet.
    """
    out: dict[str, list[str]] = {}
    for era in known.eras:
        found = {snippet.name: known.ran[snippet.name][era.release] for snippet in known.of(feature.id)}
        outcomes = {run.outcome for run in found.values()}
        if PENDING not in outcomes and not outcomes <= set(NOT_TRIED):
            out[era.release] = [name for name, run in found.items() if run.ran]
    return out


def _deprecates(run: Run) -> bool:
    """Whether a run warned of a deprecation, by the kind of the warning or by its words."""
    return any(warning["category"] in ("DeprecationWarning", "FutureWarning") or "deprecat" in warning["text"].lower() for warning in run.warnings)
