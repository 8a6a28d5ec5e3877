"""Snippets: doctest sessions in docs/snippets, and beside each, in docs/data/snippets, what it declares."""

from __future__ import annotations

import codeop
import contextlib
import doctest
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hooks import versions, yamlfile
from hooks.errors import Refusal
from hooks.yamlfile import Loaded

SESSIONS = Path("docs/snippets")
DECLARED = Path("docs/data/snippets")
FEATURES = Path("docs/data/features")

SECONDS = 120
"""The time limit of a snippet that declares none."""


@dataclass(frozen=True)
class Warned:
    """A warning that a snippet is declared to give: `text` is how its first line begins."""

    category: str
    text: str
    since: str | None = None
    until: str | None = None

    def on(self, release: str) -> bool:
        """Whether it is declared for a minor release."""
        return _within(release, self.since, self.until)

    def matches(self, seen: Mapping[str, str]) -> bool:
        """Whether it is this warning that a run records."""
        return seen["category"] == self.category and seen["text"].startswith(self.text)


@dataclass(frozen=True)
class Snippet:
    """A session and what it declares; the keys are those of `docs/data/schema/snippet.schema.json`.

    Attributes:
        name: The stem of both files, `<feature id>[-<name>]`.
        feature: The feature it shows.
        text: The session, prompts and output included.
        hash: What its runs are filed under: it changes with every byte of the file.
        file: The declaration, for messages with a line.
    """

    name: str
    feature: str
    text: str
    hash: str
    file: Loaded
    form: str
    since: str
    until: str | None = None
    packages: Sequence[str] = ()
    hardware: str | None = None
    processes: int = 1
    prompt: bool = True
    seconds: int = SECONDS
    warnings: Sequence[Warned] = ()
    fails: Mapping[str, Mapping[str, str]] | None = None
    title: Mapping[str, str] | None = None

    @property
    def origin(self) -> str:
        """The repository path of the session."""
        return f"{SESSIONS.as_posix()}/{self.name}.pycon"

    def runs_on(self, release: str) -> bool:
        """Whether it is declared to run on a minor release."""
        return _within(release, self.since, self.until) and release not in (self.fails or {})


def read(root: Path) -> dict[str, Snippet]:
    """All snippets of the repository at `root`, by name.

    Raises:
        Refusal: A session without declaration or the other way round, a breach of the schema, an unknown feature,
            a range that is none, or anything but a session in the session.
    """
    sessions = {path.stem for path in yamlfile.visible(root / SESSIONS, "*.pycon")}
    declared = {path.stem for path in yamlfile.visible(root / DECLARED, "*.yml")}
    features = {path.stem for path in yamlfile.visible(root / FEATURES, "*.yml")}
    for name in sorted(sessions ^ declared):
        here, there = (SESSIONS / f"{name}.pycon", DECLARED / f"{name}.yml")
        if name in declared:
            here, there = there, here
        raise Refusal(root / here, None, f"there is no {there.as_posix()}", "Add it, or take this file out")
    return {name: _snippet(root, name, features) for name in sorted(sessions)}


def examples(text: str, file: str | Path | None = None) -> list[doctest.Example]:
    """The statements of a session with their output.

    Raises:
        Refusal: There is none, or something else stands between them.
    """
    try:
        pieces = doctest.DocTestParser().parse(text)
    except ValueError as error:
        raise Refusal(file, None, f"no session: {error}", "Write `>>> ` and `... ` with a space before the code") from None
    found = [piece for piece in pieces if isinstance(piece, doctest.Example)]
    if not found:
        raise Refusal(file, None, "no statement with `>>> `", "Write the code as a session, with its output")
    line = 1
    for piece in pieces:
        if isinstance(piece, doctest.Example):
            line = piece.lineno + 1 + piece.source.count("\n") + piece.want.count("\n")
            if piece.options or "# doctest:" in piece.source:
                raise Refusal(file, piece.lineno + 1, "a directive `# doctest:`", "Write output that needs none; `...` in it matches anything")
            if ended := _ended(piece.source):
                raise Refusal(file, piece.lineno + ended, "an empty line within a block, which ends it at the prompt", "Take the line out")
        elif piece.strip():
            line += len(piece) - len(piece.lstrip("\n"))
            raise Refusal(file, line, "text outside the session", "Leave only `>>>` lines and their output; words belong into the pages")
    return found


def _ended(source: str) -> int | None:
    """The number of the line, an empty one, at which the prompt takes a statement for whole though more of it follows."""
    lines = source.splitlines()
    with contextlib.suppress(SyntaxError):  # which running it will tell
        for number, line in enumerate(lines[:-1], 1):
            if not line and codeop.compile_command("\n".join(lines[:number])):
                return number
    return None


def code(text: str) -> str:
    """The code of a session, without prompts and output, ready to be pasted.

    An empty line stands where one stood between statements, and after each indented block, where the prompt waits for one.
    """
    out: list[str] = []
    end = 0
    for example in examples(text):
        block = out and out[-1].rstrip("\n").rpartition("\n")[2].startswith((" ", "\t"))
        if out and (block or example.lineno > end):
            out.append("\n")
        out.append(example.source)
        end = example.lineno + example.source.count("\n") + example.want.count("\n")
    return "".join(out)


def hashes(root: Path) -> dict[str, str]:
    """What the runs of each session are filed under, by name; whatever else may be wrong with it."""
    return {path.stem: digest(path.read_bytes()) for path in yamlfile.visible(root / SESSIONS, "*.pycon")}


def digest(data: bytes) -> str:
    """What the runs of a session are filed under: twelve digits of the SHA-256 of its bytes."""
    return hashlib.sha256(data).hexdigest()[:12]


def _snippet(root: Path, name: str, features: Iterable[str]) -> Snippet:
    path = root / SESSIONS / f"{name}.pycon"
    text = yamlfile.read_text(path)
    examples(text, path)
    loaded = yamlfile.load(root / DECLARED / f"{name}.yml", "snippet")
    data: dict[str, Any] = dict(loaded.data)
    data["warnings"] = [Warned(**entry) for entry in data.pop("warnings", ())]
    feature = max((known for known in features if name == known or name.startswith(f"{known}-")), key=len, default=None)
    if feature is None:
        raise Refusal(path, None, f"`{name}` begins with no feature", f"Name it after a file of {FEATURES.as_posix()}")
    snippet = Snippet(name=name, feature=feature, text=text, hash=digest(path.read_bytes()), file=loaded, **data)
    _ranges(snippet)
    return snippet


def _ranges(snippet: Snippet) -> None:
    """Refuse what a schema cannot see in the ranges."""
    if snippet.until and versions.key(snippet.until) < versions.key(snippet.since):
        raise snippet.file.refusal(f"it ends with {snippet.until}, before it begins", "Turn the two around", "until")
    if snippet.until and snippet.form == "today":
        raise snippet.file.refusal("a form of today that ends", "Call it historical, or take `until` out", "until")
    for index, warned in enumerate(snippet.warnings):
        for key in ("since", "until"):
            release = getattr(warned, key)
            if release and not _within(release, snippet.since, snippet.until):
                raise snippet.file.refusal(f"a warning {key} {release}, where it does not run", "Keep within its range", "warnings", index, key)
    for release in snippet.fails or {}:
        if not _within(release, snippet.since, snippet.until):
            raise snippet.file.refusal(f"{release} is outside its range anyway", "Take it out", "fails", release)


def _within(release: str, since: str | None, until: str | None) -> bool:
    key = versions.key(release)
    return (since is None or versions.key(since) <= key) and (until is None or key <= versions.key(until))
