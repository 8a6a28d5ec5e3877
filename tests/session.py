"""Run one doctest session in this process and write what came of it, as JSON.

    python -I tests/session.py SESSION RESULT [HARDWARE]

It runs under every Python that a release of PyTorch needs, from 3.7 on, and imports nothing but the standard library
and, to look for hardware, torch.
"""

from __future__ import annotations

import doctest
import importlib
import itertools
import json
import os
import platform
import re
import sys
import types
import warnings

HARDWARE = {
    "cuda": lambda: available("torch.cuda"),
    "mps": lambda: available("torch.backends.mps"),
    "windows": lambda: sys.platform == "win32",
    "wsl": lambda: "microsoft" in platform.release().lower() and available("torch.cuda"),
    "android": lambda: hasattr(sys, "getandroidapilevel"),
}
WRAPPERS = ("contextlib.py", "functools.py", "typing_extensions.py", "warnings.py")
LOOKUPS = ("__getattr__", "__getattribute__")
UNKNOWN_ARGUMENT = re.compile(r"unexpected keyword argument|takes .*\bargument|invalid combination of arguments|invalid keyword argument")
UNKNOWN_TO_SCRIPT = re.compile(r"\s*(?:Unknown builtin op|(?:object|module) has no attribute)")
FRAME = re.compile(r'^  File "(.*)", line \d+, in (.*)$', re.M)
MACHINE = re.compile(r"CUDA initialization: ")
"""Warnings about the machine: 1.7 gives one at the first backward where there is no driver."""
TOOLKIT = re.compile(r"No CUDA runtime is found, using CUDA_HOME=.*\n")
"""What torch.utils.cpp_extension prints up to 1.12 where there is a CUDA toolkit and no device."""

LENGTH = 240


class Checker(doctest.OutputChecker):
    """Compares the output without what it says of the machine."""

    def check_output(self, want, got, optionflags) -> bool:
        return super().check_output(want, TOOLKIT.sub("", got), optionflags)


class Runner(doctest.DocTestRunner):
    """Stops at the first statement that does not do what the session shows, and keeps what it did instead."""

    def __init__(self) -> None:
        super().__init__(Checker(), verbose=False, optionflags=doctest.ELLIPSIS | doctest.FAIL_FAST)
        self.failure = None

    def report_start(self, out, test, example) -> None:
        pass

    def report_failure(self, out, test, example, got) -> None:
        if example.exc_msg is not None and FRAME.search(got):
            self._raised(example, got, "different output")
        else:
            lines = itertools.zip_longest(example.want.splitlines(), got.splitlines(), fillvalue="")
            text = next((got for want, got in lines if want != got), "")
            self.failure = {"outcome": "different output", "error": {"line": example.lineno + 1, "text": tidy(text)}, "details": got}

    def report_unexpected_exception(self, out, test, example, exc_info) -> None:
        self._raised(example, doctest._exception_traceback(exc_info), "error")

    def _raised(self, example, traceback: str, otherwise: str) -> None:
        kind, message = raised(traceback)
        error = {"line": example.lineno + 1, "type": kind, "text": tidy(message)}
        self.failure = {"outcome": "absent" if absent(traceback) else otherwise, "error": error, "details": traceback}


def available(module: str) -> bool:
    """Whether this release knows a backend and finds its device."""
    try:
        return importlib.import_module(module).is_available()
    except ImportError:
        return False


def raised(traceback: str) -> tuple:
    """Type and message of the exception that a traceback ends with."""
    last = list(FRAME.finditer(traceback))[-1]
    kind, _, message = re.search(r"^\w(.|\n)*", traceback[last.end() :], re.M)[0].partition(":")
    return kind.strip().rpartition(".")[2], message


def absent(traceback: str) -> bool:
    """Whether the session asks for what is not there: a module, a name or an argument, and in a line of its own.

    A module of torch 1.6 and 1.7 says ModuleAttributeError. An ImportError from deep inside the library is none of that: something else is missing there. The compiler of TorchScript
    is the exception: it reads the session's lines and says in a RuntimeError of its own that torch.jit has no `fork`.
    """
    kind, message = raised(traceback)
    if kind == "RuntimeError" and UNKNOWN_TO_SCRIPT.match(message):
        return True
    frames = [frame.groups() for frame in FRAME.finditer(traceback)]
    while frames and frames[-1][1] in LOOKUPS:
        frames.pop()
    if not frames or not frames[-1][0].startswith("<doctest "):
        return False
    return kind.endswith(("ImportError", "ModuleNotFoundError", "AttributeError")) or (kind == "TypeError" and UNKNOWN_ARGUMENT.search(message) is not None)


def tidy(text: str) -> str:
    """A line to be recorded: without what differs from machine to machine."""
    text = (text.strip().splitlines() or [""])[0]
    text = re.sub(r" ?\(Triggered internally at .*", "", text)
    text = re.sub(r"^(Error building extension '\w+'):.*", r"\1", text)  # the compiler and where everything lies
    text = text.replace(os.getcwd(), ".")
    text = re.sub(re.escape(__file__) + r"\(\d+\)", os.path.basename(__file__), text)
    text = re.sub(r"(?:[A-Za-z]:)?[/\\][^\s'\"]*[/\\]site-packages[/\\]", "", text)
    text = re.sub(r"(?<![\w./:])(?:[A-Za-z]:)?[/\\](?:[^\s'\"/\\]+[/\\])+", "", text)
    text = re.sub(r"\b0x[0-9a-fA-F]+", "0x…", text)
    return text if len(text) <= LENGTH else text[: LENGTH - 1] + "…"


def concerns(category: type, filename: str) -> bool:
    """Whether a warning that is just being given is the reader's: Python shows it, or the session called what is deprecated.

    torch.jit.script names itself, not its caller, as the place of its DeprecationWarning, so that Python hides it; a release
    that calls torch.jit.script on its own behalf hides it rightly.
    """
    if not issubclass(category, (DeprecationWarning, PendingDeprecationWarning)):
        return not issubclass(category, (ImportWarning, ResourceWarning))
    if filename.startswith("<doctest "):
        return True
    files = set()
    frame = sys._getframe(2)
    while frame is not None and not frame.f_code.co_filename.startswith("<doctest "):
        files.add(frame.f_code.co_filename)
        frame = frame.f_back
    return frame is not None and len([file for file in files if not file.endswith(WRAPPERS)]) <= 1


def run(path: str) -> dict:
    """Outcome of a session: `outcome`, `warnings` and `error` as in docs/data/runs.json, and `details` for people."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    seen = []

    def show(message, category, filename, lineno, file=None, line=None) -> None:
        entry = {"category": category.__name__, "text": tidy(str(message))}
        if entry not in seen and not MACHINE.match(entry["text"]) and concerns(category, filename):
            seen.append(entry)

    # A function of the session has to be found as `__main__.f` where it is unpickled, in RPC for instance.
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    test = doctest.DocTestParser().get_doctest(text, {}, os.path.basename(path), path, 0)
    test.globs = main.__dict__
    warnings.simplefilter("always")
    warnings.showwarning = show
    runner = Runner()
    runner.run(test, out=lambda _: None, clear_globs=False)
    if runner.failure:
        return runner.failure
    return {"outcome": "ok with warning", "warnings": seen} if seen else {"outcome": "ok"}


def main(session: str, result: str, hardware: str = "") -> None:
    outcome = run(session) if not hardware or HARDWARE[hardware]() else {"outcome": "needs hardware"}
    with open(result, "w", encoding="utf-8") as file:
        json.dump(outcome, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
    sys.stdout.flush()
    os._exit(0)  # threads of a process group that was never destroyed would hold the process
