"""The one way in which this library says no."""

from __future__ import annotations

from pathlib import Path


class Refusal(Exception):
    """Bad input, told in one line: where it is, what is wrong and how to mend it.

    Nothing catches a refusal to carry on without the input; the adapter and the command
    lines print it and end with a status other than zero.

    Args:
        file: Path of the offending file, relative to the repository root where possible; None for standard input.
        line: Line in that file, counted from 1; None where the whole file is meant.
        what: What is wrong, without a final full stop.
        mend: What the writer can do about it, without a final full stop.
    """

    def __init__(self, file: str | Path | None, line: int | None, what: str, mend: str) -> None:
        self.file = None if file is None else _short(file)
        self.line = line
        self.what = what
        self.mend = mend
        place = self.file or "<stdin>"
        if line is not None:
            place += f":{line}"
        super().__init__(" ".join(f"{place}: {what}. {mend}.".split()))


def _short(file: str | Path) -> str:
    """The path from where the reader of the message is, if the file lies below it."""
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_absolute() and path.is_relative_to(Path.cwd()) else str(path)
