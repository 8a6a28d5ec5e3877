"""The one way in which this library says no."""

from __future__ import annotations

import functools
import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any


class Refusal(Exception):
    """Bad input, told in one line: where it is, what is wrong and how to mend it.

    Nothing catches a refusal to carry on without the input; the adapter and the command
    lines (`command`) print it and end with a status other than zero.

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


def command(main: Callable[..., int]) -> Callable[..., int]:
    """Make `main` the main function of a command line: a refusal ends it with one line on standard error and status 1.

    Standard streams are UTF-8, whatever the console takes: a pipe on Windows would refuse or garble Chinese.
    """

    @functools.wraps(main)
    def told(*args: Any, **kwargs: Any) -> int:
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(encoding="utf-8")
        try:
            return main(*args, **kwargs)
        except Refusal as refusal:
            print(refusal, file=sys.stderr)
        except UnicodeDecodeError as error:  # files are read by functions that refuse: this is standard input
            print(Refusal(None, None, f"not UTF-8 (byte {error.start})", "Save the text as UTF-8"), file=sys.stderr)
        return 1

    return told


def _short(file: str | Path) -> str:
    """The path from where the reader of the message is, if the file lies below it."""
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_absolute() and path.is_relative_to(Path.cwd()) else str(path)
