"""The facts of the atlas as they stand in docs/data, read once and held against their schemas."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hooks import versions, yamlfile
from hooks.yamlfile import Loaded

DATA = Path("docs/data")

STATUSES = ("current", "renamed", "maintenance", "deprecated", "superseded", "removed", "external", "external-archived", "unknown")
"""What can have become of a feature, from the best for those who use it."""

UNTOLD = frozenset({"private", "present-before", "still-present"})
"""Events that nobody announced: a feature is there, and users may not know."""

Text = Mapping[str, str]
"""A text for readers by edition: `zh-Hans` and `en`, and `zh-Hant` where the derived one is not good enough."""

Source = Mapping[str, str]
"""Where a fact was seen; see `docs/data/schema/common.schema.json`."""


@dataclass(frozen=True)
class Mention:
    """Where an article speaks of a feature, and the tier that it states there."""

    release: str
    phrase: str
    tier: str | None = None
    note: Text | None = None


@dataclass(frozen=True)
class Change:
    """A line of a feature's history: what a release said or did."""

    release: str
    what: Text
    sources: Sequence[Source]
    confidence: str
    event: str | None = None
    tier: str | None = None
    scope: Text | None = None
    api: Sequence[str] = ()
    note: Text | None = None

    @property
    def minor(self) -> str:
        """The minor release it belongs to: 1.8 for a line of 1.8.1."""
        return versions.minor(self.release)


@dataclass(frozen=True)
class Today:
    """What has become of a feature."""

    status: str
    note: Text
    sources: Sequence[Source]
    api: Sequence[str] = ()
    use: Text | None = None
    replacement: str | None = None


@dataclass(frozen=True)
class Pitfall:
    """A problem that users meet: `symptom` is a message as printed, or a text in the written editions."""

    symptom: str | Text
    cause: Text
    remedy: Text
    upgrade: bool
    frequency: str
    reproduced: str
    sources: Sequence[Source]
    since: str | None = None
    until: str | None = None
    reproduced_note: Text | None = None


@dataclass(frozen=True, eq=False)  # compared by identity, so that what is derived from it can be kept
class Feature:
    """A feature with everything that is known of it."""

    id: str
    name: Text
    summary: Text
    area: str
    mentions: Sequence[Mention]
    history: Sequence[Change]
    today: Today
    pitfalls: Sequence[Pitfall]
    related: Sequence[str]
    links: Sequence[Mapping[str, Any]]
    snippet: Mapping[str, Any]
    file: Loaded

    @property
    def origin(self) -> str:
        """The repository path of the feature's file."""
        return f"{DATA}/features/{self.id}.yml"

    @property
    def announced(self) -> str:
        """The minor release that first told of it; being there before, unmentioned or under a private name, does not count."""
        told = [change.minor for change in self.history if change.event not in UNTOLD]
        return (told or [change.minor for change in self.history])[0]


@dataclass(frozen=True)
class Release:
    """A release of PyTorch. `commits` and `contributors` are a number, `3400+`, `unpublished` or `unknown`."""

    release: str
    date: str
    commits: int | str
    contributors: int | str
    sources: Sequence[Source]
    links: Sequence[Mapping[str, str]] = ()
    counted_since: str | None = None
    note: Text | None = None
    confidence: str = "high"
    elsewhere: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, eq=False)
class Atlas:
    """All facts: features by id, releases by number (oldest first), areas and tiers in their own order."""

    root: Path
    features: Mapping[str, Feature]
    releases: Mapping[str, Release]
    areas: Mapping[str, Mapping[str, Text]]
    tiers: Mapping[str, Mapping[str, Any]]
    files: Mapping[str, Loaded]


def read(root: Path) -> Atlas:
    """Read the facts of the repository at `root`.

    Raises:
        Refusal: A file breaks its schema, or a release stands twice or out of order.
    """
    return _read(root, tuple((path, path.stat().st_mtime_ns) for path in yamlfile.visible(root / DATA, "**/*.yml")))


@functools.lru_cache(maxsize=2)
def _read(root: Path, _stamps: tuple) -> Atlas:
    """`_stamps` is the state of the files: parsing 71 of them takes a second, so it is done once per state."""
    files = {name: yamlfile.load(root / DATA / f"{name}.yml", name) for name in ("releases", "areas", "tiers")}
    features = {path.stem: _feature(path) for path in yamlfile.visible(root / DATA / "features", "*.yml")}
    releases: dict[str, Release] = {}
    for index, entry in enumerate(files["releases"].data):
        last = next(reversed(releases), None)
        if last is not None and versions.key(entry["release"]) <= versions.key(last):
            raise files["releases"].refusal(f"{entry['release']} stands after {last}", "Keep the releases in order, each once", index)
        releases[entry["release"]] = Release(**entry)
    return Atlas(root, features, releases, files["areas"].data, files["tiers"].data, files)


def _feature(path: Path) -> Feature:
    loaded = yamlfile.load(path, "feature")
    data = dict(loaded.data)
    return Feature(
        id=path.stem,
        mentions=[Mention(**entry) for entry in data.pop("mentions")],
        history=[Change(**entry) for entry in data.pop("history")],
        today=Today(**data.pop("today")),
        pitfalls=[Pitfall(**entry) for entry in data.pop("pitfalls", ())],
        related=data.pop("related", ()),
        links=data.pop("links", ()),
        file=loaded,
        **data,
    )
