"""The snippets with their runs, read once: what they show of a feature, and whether it works today."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hooks import runs, snippets
from hooks.atlas.model import DATA, Feature
from hooks.errors import Refusal
from hooks.runs import Era, Run, Verdict
from hooks.snippets import Snippet

FORMS = ("today", "historical")
"""The forms of a snippet in the order in which readers meet them: what runs now comes first."""

IMPLIED = frozenset({("moved", "renamed"), ("gone", "removed"), ("unknown", "unknown"), *((status, "current") for status in runs.STATUSES if status != "unknown")})
"""Pairs of a status and of what the facts state of a feature, where the second tells nothing more."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """Every snippet by name, the runs of each as it is now by minor release, all records, and the environments."""

    snippets: Mapping[str, Snippet]
    ran: Mapping[str, Mapping[str, Run]]
    records: Sequence[Run]
    eras: Sequence[Era]

    def lacking(self) -> list[Refusal]:
        """For each snippet that has not run as it is now on every release, what to do about it."""
        return runs.missing(self.snippets, self.records, self.eras)

    def of(self, feature: str) -> list[Snippet]:
        """The snippets of a feature, those in the form of today first."""
        found = [snippet for snippet in self.snippets.values() if snippet.feature == feature]
        return sorted(found, key=lambda snippet: (FORMS.index(snippet.form), snippet.name))

    def verdict(self, feature: Feature) -> Verdict:
        """Whether a feature works today, and which runs decided it: the one place where pages and published data ask."""
        return runs.verdict(feature.today.status, self.of(feature.id), self.records, self.eras[-1]) if self.eras else Verdict("unknown")

    def status(self, feature: Feature) -> str:
        """Whether a feature works today, one of `hooks.runs.STATUSES`."""
        return self.verdict(feature).status

    def badges(self, feature: Feature) -> str:
        """Whether it works today and, where that tells more, what its owners have made of it, as references."""
        status, stated = self.status(feature), feature.today.status
        parts = [f"[[today:{status}]]"]
        if (status, stated) not in IMPLIED:
            parts.append(f"[[status:{stated}]]")
        return " ".join(parts)


def read(root: Path) -> Evidence:
    """Read the snippets and runs of the repository at `root`.

    Raises:
        Refusal: A snippet or record that breaks its rules.
    """
    places = (root / snippets.SESSIONS, root / snippets.DECLARED, root / runs.RUNS, root / runs.ERAS, root / DATA / "features")
    files = [file for place in places for file in (sorted(place.iterdir()) if place.is_dir() else [place] if place.exists() else [])]
    return _read(root, tuple((file, file.stat().st_mtime_ns) for file in files))


@functools.lru_cache(maxsize=2)
def _read(root: Path, _stamps: tuple) -> Evidence:
    """`_stamps` is the state of the files: every page asks for its snippets, and they are read once per state."""
    found = snippets.read(root)
    eras = runs.eras(root) if (root / runs.ERAS).exists() else []
    records = runs.read(root) if (root / runs.RUNS).exists() else []
    return Evidence(found, {name: runs.tried(snippet, records, eras) for name, snippet in found.items()}, records, eras)
