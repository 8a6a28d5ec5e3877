"""Undo the damage that `hooks.damage` describes, and prove that it was undone.

Glosses go, torn characters and lost punctuation come back, a `?` that stood for a character unknown to GBK is dropped.
A text that does not prove its damage comes back untouched.

    python -m hooks.repair FILE           print the repaired text
    python -m hooks.repair --prove FILE   damage the repaired text again and compare

`-` reads standard input. Where `FILE` is a seed, the judgements of the YAML file beside it apply.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hooks import yamlfile
from hooks.damage.codepage import ATOMS, damage
from hooks.damage.glosses import find_glosses, without_glosses
from hooks.damage.knots import Group, Line, Text, read_line, rivals, unexplained
from hooks.damage.stretch import Setting
from hooks.errors import Refusal, command

_CLOSE = 4.5
"""Nats between the best reading and the next from which on the choice is no judgement."""

_LARGEST = 5_000_000
"""Bytes."""


@dataclass(frozen=True)
class Change:
    """One replacement of `before`, at `start:end` of the damaged text, by `after`.

    `kind` is `gloss`, `torn`, `punctuation`, `stray` or `judgement`; `reason` is a few English words.
    """

    start: int
    end: int
    before: str
    after: str
    kind: str
    reason: str


@dataclass(frozen=True)
class Judgement:
    """A place where the bytes fit several readings.

    Attributes:
        start: Offset of `damaged` in the damaged text.
        damaged: The damaged phrase, with its neighbours in the line.
        reading: The reading taken.
        others: The other likely readings of the phrase, the likeliest first.
        ruled: Whether the caller decided.
    """

    start: int
    damaged: str
    reading: str
    others: tuple[str, ...]
    ruled: bool


@dataclass(frozen=True)
class Repaired:
    """A repaired text and all that is needed to explain it and to damage it again.

    Attributes:
        text: The repaired text, its script unchanged.
        changes: What was replaced, sorted and without overlap.
        table: Character → reading, for `hooks.damage.damage`.
        lost: Offsets in `text` before which a character that GBK lacks is lost.
        judgements: The places that the bytes do not decide.
        unexplained: Offsets in the damaged text of every `?` within Chinese that had to stay.
    """

    text: str
    changes: tuple[Change, ...] = ()
    table: Mapping[str, str] = field(default_factory=dict)
    lost: tuple[int, ...] = ()
    judgements: tuple[Judgement, ...] = ()
    unexplained: tuple[int, ...] = ()


@dataclass(frozen=True)
class Proof:
    """The outcome of damaging a repaired text again.

    Attributes:
        repaired: The repaired text.
        difference: First offset at which the newly damaged text differs from the one that was there, or None.
        torn: First offset of a torn character that no bytes complete and that therefore stayed torn, or None.
    """

    repaired: Repaired
    difference: int | None
    torn: int | None


def _change(text: Text, line: Line, group: Group, judged: bool) -> Change | None:
    """The smallest replacement that turns a group into its clean characters."""
    units = line.units[group.first : group.last + 1]
    start, end = units[0].start, units[-1].end
    before, after = text.damaged[start:end], group.clean
    if before == after:
        return None
    if line.is_stray(group):
        kind, reason = "stray", "stood for a character that GBK lacks"
    elif units[0].kind == "gloss":
        kind, reason = "gloss", f"reading written after {text.damaged[start - 1]}"
    elif any(mark in before for mark in ATOMS):
        kind, reason = "punctuation", "bytes of punctuation found across two characters"
    else:
        kind, reason = "torn", "bytes of a glossed character found across two others"
    if judged:
        kind, reason = "judgement", f"{reason}; the bytes fit other readings too"
    while before and after and before[-1] == after[-1]:
        before, after, end = before[:-1], after[:-1], end - 1
    while before and after and before[0] == after[0]:
        before, after, start = before[1:], after[1:], start + 1
    return Change(start, end, before, after, kind, reason)


def _judgement(text: Text, line: Line, group: Group) -> Judgement | None:
    """What there was to decide about a group, if anything."""
    start, end = line.units[group.first].start, line.units[group.last].end
    if start in text.ruled:
        return Judgement(start, *text.ruled[start], (), ruled=True)
    if not line.has_gap(group):
        return None
    found = rivals(text, line, group)
    others = [clean for clean, cost in found if clean != group.clean and cost - found[0][1] < _CLOSE]
    if not others:
        return None
    place = line.groups.index(group)
    before = next((it for it in reversed(line.groups[:place]) if it.clean), None)
    after = next((it for it in line.groups[place + 1 :] if it.clean), None)
    head, tail = before.clean if before else "", after.clean if after else ""
    if before:
        start = line.units[before.first].start
    if after:
        end = line.units[after.last].end
    return Judgement(
        start, text.damaged[start:end], head + group.clean + tail, tuple(head + it + tail for it in others), ruled=False
    )


def _line_of(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _ruled(text: str, table: Mapping[str, str], judgements: Mapping[str, str]) -> dict[int, tuple[str, str]]:
    """Offset → phrase and reading, for every phrase that the caller decided."""
    ruled = {}
    for phrase, reading in judgements.items():
        places = [match.start() for match in re.finditer(re.escape(phrase), text)] if phrase else []
        if not places:
            what = f"judgement on `{phrase}`, which does not occur"
            raise Refusal(None, None, what, "Copy the damaged phrase exactly")
        if damage(reading, table) != phrase:
            raise Refusal(
                None,
                _line_of(text, places[0]),
                f"`{reading}` cannot have become `{phrase}`: damaged, it is `{damage(reading, table)}`",
                "Give a reading with fitting bytes",
            )
        ruled |= dict.fromkeys(places, (phrase, reading))
    return ruled


def repair(text: str, judgements: Mapping[str, str] | None = None) -> Repaired:
    """Undo the damage of a text.

    Args:
        text: Any text; one without signs of the damage comes back as it is.
        judgements: Damaged phrase → its reading, where the caller decides what the bytes leave open.

    Returns:
        The repaired text with its changes.

    Raises:
        Refusal: A judgement names a phrase that does not occur, or a reading that cannot have become that phrase.
    """
    glosses = find_glosses(text)
    ruled = _ruled(text, glosses.table, judgements or {})
    if not glosses.found:
        return Repaired(text)
    whole = Text(text, glosses, Setting.of(without_glosses(text, glosses), glosses.table), ruled)
    table = dict(glosses.table)
    changes: list[Change] = []
    judged: list[Judgement] = []
    lost: list[int] = []
    left: list[int] = []
    clean = ""
    for match in re.finditer(r"[^\n]+|\n", text):
        line = read_line(whole, *match.span())
        for group in line.groups:
            judgement = _judgement(whole, line, group)
            judged += [judgement] if judgement else []
            change = _change(whole, line, group, judgement is not None)
            changes += [change] if change else []
        lost += [len(clean) + place for place in line.lost]
        left += unexplained(whole, line)
        table |= line.listed
        clean += line.clean
    return Repaired(clean, tuple(changes), table, tuple(lost), tuple(judged), tuple(left))


def prove(text: str, judgements: Mapping[str, str] | None = None) -> Proof:
    """Repair a text, damage it again and compare; see `repair` for the arguments and refusals.

    A text without damage was never put through the three steps, so there is nothing to repeat: it is proved as it is.
    """
    repaired = repair(text, judgements)
    if not repaired.changes and not repaired.unexplained:
        return Proof(repaired, None, None)
    again = damage(repaired.text, repaired.table, repaired.lost)
    torn = {gloss.start - 1 for gloss in find_glosses(text).found if gloss.torn} & set(repaired.unexplained)
    difference = None
    if again != text:
        pairs = enumerate(zip(again, text))
        difference = next((i for i, (new, old) in pairs if new != old), min(len(again), len(text)))
    return Proof(repaired, difference, min(torn, default=None))


def _load(file: str) -> str:
    """Read a text exactly as it is, line ends and all."""
    if file == "-":
        data = sys.stdin.buffer.read()
    else:
        try:
            data = Path(file).read_bytes()
        except OSError as error:
            raise Refusal(file, None, f"cannot be read ({error.strerror})", "Name a text file") from error
    name = None if file == "-" else file
    if not data.strip():
        raise Refusal(name, None, "is empty", "Give it the text of an article")
    if len(data) > _LARGEST:
        raise Refusal(name, None, f"holds {len(data)} bytes", f"Keep it under {_LARGEST}")
    if 0 in data:
        line = data.count(b"\n", 0, data.index(0)) + 1
        raise Refusal(name, line, "holds a NUL byte", "Remove it, or name a text file")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Refusal(name, line, "is not UTF-8", "Save it as UTF-8") from error


def _judgements_beside(file: str) -> dict[str, str]:
    """The judgements of the YAML file beside a seed; none where there is no such file."""
    beside = Path(file).with_suffix(".yml")
    if file == "-" or not beside.is_file():
        return {}
    loaded = yamlfile.load(beside)
    try:
        return {str(entry["seed"]): str(entry["reading"]) for entry in (loaded.data or {}).get("judgements", ())}
    except (AttributeError, KeyError, TypeError):
        raise loaded.refusal("judgements without `seed` and `reading`", "Give each both", "judgements") from None


def _report(proof: Proof, text: str) -> str:
    """What was proved, in one line."""
    repaired = proof.repaired
    if not repaired.changes:
        return f"proved: no damage; all {len(text.encode())} bytes stay as they are"
    kinds = Counter(change.kind for change in repaired.changes)
    counts = ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))
    return (
        f"proved: the repaired text, damaged again, gives all {len(text.encode())} bytes; "
        f"{len(repaired.table)} glossed characters; changes: {counts}"
    )


@command
def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m hooks.repair", description="Print a text without its damage.")
    parser.add_argument("file", help="a text; `-` is standard input")
    parser.add_argument("--prove", action="store_true", help="damage the repaired text again and compare byte for byte")
    options = parser.parse_args(arguments)
    name = None if options.file == "-" else options.file
    text, judgements = _load(options.file), _judgements_beside(options.file)
    try:
        proof = prove(text, judgements)
    except Refusal as refusal:
        raise Refusal(name, refusal.line, refusal.what, refusal.mend) from None
    if options.prove and proof.torn is not None:
        line = _line_of(text, proof.torn)
        raise Refusal(name, line, "no bytes complete the torn character here", "Compare the source")
    if options.prove and proof.difference is not None:
        line = _line_of(text, proof.difference)
        raise Refusal(name, line, "damaging the repaired text gives something else here", "Compare the source")
    for place in proof.repaired.unexplained:
        print(f"{options.file}:{_line_of(text, place)}: a ? stays that nothing explains.", file=sys.stderr)
    sys.stdout.buffer.write((_report(proof, text) + "\n" if options.prove else proof.repaired.text).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
