"""The edits of an article: what an editor did to the repaired text, each a short entry in the seed's YAML file.

An edit names its place by a phrase that must occur exactly once in the text as the edits before it
left it, so an edit can neither miss silently nor strike twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hooks import trace as tracing
from hooks.errors import Refusal
from hooks.trace import Step, Trace
from hooks.yamlfile import Loaded

MARKER = re.compile(r"\[\[tier:([a-z-]+)\]\]")
DEFAULT_REASONS = {
    "heading": "heading of the article, set as one",
    "paragraph": "a new thought begins",
    "item": "entry of a list",
    "note": "footnote of the atlas",
}


@dataclass(frozen=True)
class Place:
    """Where an edit acts: `text[start:end]`, and how to refuse it."""

    text: str
    start: int
    end: int

    @property
    def phrase(self) -> str:
        return self.text[self.start : self.end]

    def outer(self) -> tuple[int, int]:
        """The place with the white space around it."""
        start = len(self.text[: self.start].rstrip())
        end = len(self.text) - len(self.text[self.end :].lstrip())
        return start, end


def apply(trace: Trace, loaded: Loaded) -> Trace:
    """Carry out the `edits` of a seed's YAML file, in order.

    Args:
        trace: The repaired and normalised text.
        loaded: The YAML file, already held against its schema.

    Raises:
        Refusal: A phrase that occurs never or more than once, an id used twice, a note that is not
            written or not placed; with the line of the edit.
    """
    data = loaded.data
    ids: set[str] = set()
    placed: set[str] = set()
    for index, edit in enumerate(data.get("edits", [])):
        action = next(name for name in ACTIONS if name in edit)
        for name in (edit.get("id"),):
            if name in ids:
                raise loaded.refusal(f"the id `{name}` stands twice", "Give each heading its own id", "edits", index)
            ids |= {name} - {None}
        note = edit.get("note")
        if note is not None:
            if note not in data.get("notes", {}):
                raise loaded.refusal(f"no note `{note}`", "Write it under `notes`, or mend the name", "edits", index)
            placed.add(note)
        trace = _carry_out(trace, action, edit, lambda what, mend: loaded.refusal(what, mend, "edits", index))
    for note in data.get("notes", {}):
        if note not in placed:
            raise loaded.refusal(f"the note `{note}` is placed nowhere", "Add an edit `note:` with `after:`", "notes", note)
    return trace


def _carry_out(trace: Trace, action: str, edit: Mapping[str, Any], refuse: Callable[[str, str], Refusal]) -> Trace:
    text = trace.text
    phrase = edit[action] if action not in ("new_heading", "note", "snippet") else edit.get("before") or edit["after"]
    if isinstance(phrase, Mapping):
        start = _find(text, phrase["from"], refuse).start
        end = len(text) if phrase["to"] == "end" else _find(text, phrase["to"], refuse).end
        if end <= start:
            raise refuse("`to` stands before `from`", "Name the first phrase of the passage, then the last")
        place = Place(text, start, end)
    else:
        place = _find(text, phrase, refuse)
    step = Step(_KINDS.get(action, action), edit.get("reason", DEFAULT_REASONS.get(action, "")))
    changes = ACTIONS[action](place, edit, refuse)
    return tracing.apply(
        trace, [piece for (start, end), after in changes for piece in tracing.minimal(text[start:end], after, start, step)]
    )


def _find(text: str, phrase: str, refuse: Callable[[str, str], Refusal]) -> Place:
    count = text.count(phrase)
    if count == 0:
        raise refuse(f"`{phrase}` occurs nowhere in the text", "Copy the phrase from the page as it stands before this edit")
    if count > 1:
        raise refuse(f"`{phrase}` occurs {count} times", "Add words before or after it until it is the only one")
    start = text.index(phrase)
    return Place(text, start, start + len(phrase))


Changes = list[tuple[tuple[int, int], str]]


def _heading(place: Place, edit: Mapping[str, Any], refuse: Callable[[str, str], Refusal]) -> Changes:
    markers = MARKER.findall(place.phrase)
    if len(markers) > 1:
        raise refuse("the heading holds two tier labels", "Let the phrase hold one")
    plain = " ".join(MARKER.sub(" ", place.phrase).removeprefix("- ").split()).rstrip("：: ")
    title = edit.get("title", plain)
    start, end = place.outer()
    before, after = _headed(place, edit, markers)
    if title not in place.phrase:
        return [((start, end), before + title + after)]
    # The words of the heading stay the article's own: what changes is around them.
    first = place.start + place.phrase.index(title)
    return [((start, first), before), ((first + len(title), end), after)]


def _new_heading(place: Place, edit: Mapping[str, Any], refuse: Callable[[str, str], Refusal]) -> Changes:
    marker = MARKER.match(place.phrase)
    start, _ = place.outer()
    if place.text[start : place.start].endswith("- "):
        raise refuse("the phrase stands inside a list item", "Let the phrase begin where a paragraph can")
    end = place.start + len(re.match(r"(?:\[\[tier:[a-z-]+\]\]\s*)?", place.phrase)[0])
    return [((start, end), edit["new_heading"].join(_headed(place, edit, [marker[1]] if marker else [])))]


def _headed(place: Place, edit: Mapping[str, Any], markers: list[str]) -> tuple[str, str]:
    """What stands before and after the words of a heading."""
    badge = f"[[tier:{markers[0]}]]\n\n" if markers else ""
    lead = "\n\n" if place.outer()[0] else ""
    return f"{lead}{'#' * edit['level']} ", f" {{#{edit['id']}}}\n\n{badge}"


def _paragraph(place: Place, edit: Mapping[str, Any], refuse: Callable[[str, str], Refusal]) -> Changes:
    return [((place.outer()[0], place.start), "\n\n")]


def _item(place: Place, edit: Mapping[str, Any], refuse: Callable[[str, str], Refusal]) -> Changes:
    start = place.outer()[0]
    block = place.text[:start].rsplit("\n\n", 1)[-1]
    in_list = re.search(r"(?:^|\n) *- ", block)
    return [((start, place.start), ("\n" if in_list else "\n\n") + "    " * (edit.get("depth", 1) - 1) + "- ")]


def _drop(place: Place, edit: Mapping[str, Any], refuse: Callable[[str, str], Refusal]) -> Changes:
    start, end = place.outer()
    inside = place.start > 0 and place.end < len(place.text) and (start, end) == (place.start, place.end)
    if inside:
        return [((place.start, place.end), "")]
    return [((start, end), "\n\n" if start > 0 and end < len(place.text) else "")]


def _replace(place: Place, edit: Mapping[str, Any], refuse: Callable[[str, str], Refusal]) -> Changes:
    reference = f"[^{edit['note']}]" if "note" in edit else ""
    return [((place.start, place.end), edit["with"] + reference)]


def _note(place: Place, edit: Mapping[str, Any], refuse: Callable[[str, str], Refusal]) -> Changes:
    return [((place.end, place.end), f"[^{edit['note']}]")]


def _snippet(place: Place, edit: Mapping[str, Any], refuse: Callable[[str, str], Refusal]) -> Changes:
    end = place.outer()[1]
    return [((place.end, end), f"\n\n[[snippet:{edit['snippet'].removesuffix('.pycon')}]]\n\n")]


ACTIONS: dict[str, Callable[[Place, Mapping[str, Any], Callable[[str, str], Refusal]], Changes]] = {
    "heading": _heading,
    "new_heading": _new_heading,
    "paragraph": _paragraph,
    "item": _item,
    "drop": _drop,
    "split": _replace,
    "fix": _replace,
    "punctuate": _replace,
    "snippet": _snippet,
    "note": _note,  # last: a `fix` may carry a `note` too
}
_KINDS = {"new_heading": "heading"}
