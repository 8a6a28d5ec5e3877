"""Runs: what came of each snippet on each release, as docs/data/runs.json records it, and what follows from that."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hooks import versions, yamlfile
from hooks.errors import Refusal
from hooks.snippets import Snippet, hashes

RUNS = Path("docs/data/runs.json")
ERAS = Path("docs/data/eras.yml")
COMMAND = "python -m tests.eras"

RAN = ("ok", "ok with warning")
"""The outcomes of a session that did what it shows."""

PENDING = "not run"
"""What stands for the run of a session that has not run on a release as it is now; it is never recorded."""

NOT_TRIED = ("needs hardware", "needs package", PENDING)
"""The outcomes that say nothing about the session."""

STATUSES = ("works", "warns", "moved", "gone", "needs-hardware", "unknown")
"""What a reader with old code can expect of a feature today, from the best."""

_MOVED = frozenset({"renamed", "superseded", "external"})
_GONE = frozenset({"removed", "external-archived"})


@dataclass(frozen=True)
class Era:
    """An environment: a release of PyTorch, the Python it runs under, and what else is installed, all in exact versions."""

    torch: str
    python: str
    packages: Mapping[str, str]

    @property
    def release(self) -> str:
        """The minor release."""
        return versions.minor(self.torch)


@dataclass(frozen=True)
class Run:
    """One record; the keys are those of `docs/data/schema/runs.schema.json`."""

    snippet: str
    hash: str
    torch: str
    python: str
    platform: str
    date: str
    outcome: str
    warnings: Sequence[Mapping[str, str]] = ()
    error: Mapping[str, Any] | None = None

    @property
    def release(self) -> str:
        """The minor release."""
        return versions.minor(self.torch)

    @property
    def ran(self) -> bool:
        """Whether the session did what it shows."""
        return self.outcome in RAN

    def of(self, snippet: Snippet) -> bool:
        """Whether it is a run of this very session; a stale one is a run of what it was before."""
        return self.snippet == snippet.name and self.hash == snippet.hash


@dataclass(frozen=True)
class Verdict:
    """What a reader with old code can expect of a feature today: one of `STATUSES`, and the runs that decided it, if any did."""

    status: str
    runs: Sequence[Run] = ()


def eras(root: Path) -> list[Era]:
    """The environments, oldest first.

    Raises:
        Refusal: A breach of the schema, or a release out of order.
    """
    loaded = yamlfile.load(root / ERAS, "eras")
    found = [Era(**entry) for entry in loaded.data]
    for index, (older, newer) in enumerate(zip(found, found[1:]), 1):
        if versions.key(newer.release) <= versions.key(older.release):
            raise loaded.refusal(f"{newer.torch} stands after {older.torch}", "Keep one for each minor release, oldest first", index)
    return found


def read(root: Path) -> list[Run]:
    """All records, sorted by snippet and release."""
    return [Run(**entry) for entry in yamlfile.load(root / RUNS, "runs").data]


def of(snippet: Snippet, runs: Iterable[Run]) -> dict[str, Run]:
    """The runs of this very session by minor release, oldest first; stale records are not among them."""
    mine = sorted((run for run in runs if run.of(snippet)), key=lambda run: versions.key(run.torch))
    return {run.release: run for run in mine}


def tried(snippet: Snippet, runs: Iterable[Run], eras: Iterable[Era]) -> dict[str, Run]:
    """The runs of this very session for every environment, by minor release; `PENDING` where there is none."""
    there = of(snippet, runs)
    return {era.release: there.get(era.release) or Run(snippet.name, snippet.hash, era.torch, era.python, "", "", PENDING) for era in eras}


def missing(snippets: Mapping[str, Snippet], runs: Sequence[Run], eras: Iterable[Era]) -> list[Refusal]:
    """For each snippet that lacks a run on one of the releases, what to do about it."""
    out = []
    for snippet in snippets.values():
        there = of(snippet, runs)
        if lacking := [era.torch for era in eras if era.release not in there]:
            out.append(Refusal(snippet.origin, None, f"no run of this text on {', '.join(lacking)}", f"Run it: {COMMAND} --snippet {snippet.name}"))
    return out


def contradictions(snippet: Snippet, run: Run) -> Iterator[Refusal]:
    """Where a run and what the snippet declares do not agree; nothing to say of one that was not tried."""
    where = f"on {run.torch}"
    declared = snippet.runs_on(run.release)
    if run.outcome in NOT_TRIED:
        if run.outcome == "needs hardware" and not snippet.hardware:
            yield snippet.file.refusal(f"{where} it asks for hardware that is not declared", "Declare `hardware`, or run it again")
        return
    if run.ran and not declared:
        yield snippet.file.refusal(f"it runs {where}, where it is declared not to", "Widen `since` or `until`, or take the release out of `fails`", "since")
    if not run.ran and declared:
        error = run.error or {}
        said = f", line {error['line']}" if "line" in error else ""
        said += f": {error['type']}" if "type" in error else ""
        said += f": {error['text']}" if error.get("text") else ""
        yield snippet.file.refusal(f"{run.outcome} {where}{said}", "Mend the session, narrow `since` or `until`, or give the reason in `fails`", "since")
    if not run.ran:
        return
    for index, warned in enumerate(snippet.warnings):
        if warned.on(run.release) and not any(warned.matches(seen) for seen in run.warnings):
            yield snippet.file.refusal(f"the {warned.category} is not seen {where}", "Mend its text or its range", "warnings", index)
    for seen in run.warnings:
        if not any(warned.on(run.release) and warned.matches(seen) for warned in snippet.warnings):
            yield snippet.file.refusal(f"{where} it warns: {seen['category']}: {seen['text']}", "Declare it under `warnings`", "warnings")


def verdict(today: str, snippets: Sequence[Snippet], runs: Sequence[Run], newest: Era) -> Verdict:
    """What a reader with old code can expect of a feature today.

    Args:
        today: The status that the facts state, one of `hooks.atlas.model.STATUSES`.
        snippets: The snippets of the feature; the historical form, where there is one, is what old code looks like.
        runs: All records.
        newest: The newest environment.
    """
    if today == "unknown":
        return Verdict("unknown")  # what the feature would be is not settled, so nothing that runs settles whether it works
    latest = {snippet.name: of(snippet, runs).get(newest.release) for snippet in snippets}
    if not snippets and today in ("current", "maintenance"):
        return Verdict("works")  # nothing to run, and the sources of the facts say so
    if any(run is None for run in latest.values()):
        return Verdict("unknown")
    old = [latest[snippet.name] for snippet in snippets if snippet.form == "historical"]
    new = [latest[snippet.name] for snippet in snippets if snippet.form == "today"]
    # The old form tells what becomes of old code. Of a feature that stands as it was, today's form tells it first: torch.fft
    # is the same as ever, though the function of that name which went before it is gone.
    forms = [[run for run in form if run.outcome != "needs package"] for form in ([new, old] if today == "current" else [old or new])]
    for asked in filter(None, forms):
        if all(run.ran for run in asked) and (old or today not in _MOVED | _GONE):
            warned = _with(asked, "ok with warning")
            return Verdict("warns", warned) if warned else Verdict("works", asked)
    asked = next(filter(None, forms), [])
    if today in _GONE:
        return Verdict("gone")
    if today in _MOVED:
        return Verdict("moved")
    if old and (ran := _with(new, *RAN)):
        return Verdict("moved", [*(run for run in old if run.outcome not in (*RAN, *NOT_TRIED)), *ran])
    for status, outcome in (("needs-hardware", "needs hardware"), ("gone", "absent")):
        if decided := _with(asked, outcome):
            return Verdict(status, decided)
    return Verdict("unknown")


def _with(runs: Iterable[Run], *outcomes: str) -> list[Run]:
    return [run for run in runs if run.outcome in outcomes]


def write(root: Path, fresh: Iterable[Run]) -> None:
    """Put fresh records into docs/data/runs.json; what says the same as before keeps its date.

    Records of sessions that are not, or no longer, like this, and of releases that are not listed, go: writers who
    run different snippets at the same time lose nothing by it.

    Args:
        root: The repository.
        fresh: What has just run. A record that was not tried takes no place of one that was, of the same text.
    """
    now, torches = hashes(root), {era.torch for era in eras(root)}
    recorded = read(root) if (root / RUNS).exists() else []
    kept = {(run.snippet, run.torch): run for run in recorded if now.get(run.snippet) == run.hash and run.torch in torches}
    for run in fresh:
        old = kept.get((run.snippet, run.torch))
        told = old is not None and (_dateless(old) == _dateless(run) or (run.outcome in NOT_TRIED and old.outcome not in NOT_TRIED))
        if now.get(run.snippet) == run.hash and not told:
            kept[run.snippet, run.torch] = run
    records = sorted(kept.values(), key=lambda run: (run.snippet, versions.key(run.torch)))
    lines = ",\n".join(json.dumps(_record(run), ensure_ascii=False) for run in records)
    part = (root / RUNS).with_suffix(".part")
    part.write_text(f"[\n{lines}\n]\n", encoding="utf-8", newline="\n")
    part.replace(root / RUNS)


def _record(run: Run) -> dict[str, Any]:
    return {key: list(value) if key == "warnings" else value for key, value in vars(run).items() if value}


def _dateless(run: Run) -> dict[str, Any]:
    return {**_record(run), "date": ""}
