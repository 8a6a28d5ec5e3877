"""Run the snippets on real releases of PyTorch, each in an environment of its own, and record what came of it.

    python -m tests.eras                                    every snippet on every release of docs/data/eras.yml
    python -m tests.eras --snippet amp --torch 1.10.2       some of them
    python -m tests.eras --missing                          what has no record yet, or has changed since

An environment is made in a temporary folder and removed after use: 1.5 to 3.4 GB, one at a time. With `--keep FOLDER`
they stay there and are used again.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from hooks import runs, snippets
from hooks.errors import Refusal, command
from hooks.runs import Era, Run
from hooks.snippets import Snippet

ROOT = Path(__file__).resolve().parent.parent
SESSION = ROOT / "tests" / "session.py"
BIN = "Scripts" if os.name == "nt" else "bin"
INSTALLED = "installed.txt"
"""The file in an environment that names its set, written last."""


def python_for(release: str, environ: Mapping[str, str] = os.environ) -> Path:
    """A Python of a minor release: this one, or from pyenv, the `py` launcher, uv, or PATH.

    Raises:
        Refusal: There is none.
    """
    for start in _candidates(release, environ):
        asked = [*start, "-c", "import sys; print('%d.%d' % sys.version_info[:2], sys.executable)"]
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            found = subprocess.run(asked, capture_output=True, text=True, check=True, timeout=60).stdout.split(maxsplit=1)
            if found[0] == release:
                return Path(found[1].strip())
    raise Refusal(runs.ERAS, None, f"no Python {release} to be found", f"Install one: pyenv install {release}, or uv python install {release}")


def _candidates(release: str, environ: Mapping[str, str]) -> Iterator[list[str]]:
    """Commands that may start that Python."""
    yield [sys.executable]
    pyenv = Path(environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    for folder in sorted(pyenv.glob(f"versions/{release}.*"), key=lambda folder: folder.stat().st_mtime, reverse=True):
        yield [str(folder / "bin" / "python")]
    path = environ.get("PATH")
    if launcher := shutil.which("py", path=path):
        yield [launcher, f"-{release}"]
    if uv := shutil.which("uv", path=path):
        yield [uv, "run", "--no-project", "--python", release, "--no-python-downloads", "python"]
    if program := shutil.which(f"python{release}", path=path):
        yield [program]


@contextlib.contextmanager
def environment(era: Era, keep: Path | None = None) -> Iterator[Path]:
    """The Python of an environment with a release and what belongs to it.

    Args:
        era: What to install.
        keep: A folder where environments stay; without it they are removed after use.

    Raises:
        Refusal: No Python, or pip cannot install the set, or another process is building the environment.
    """
    wanted = [f"torch=={era.torch}", *(f"{name}=={version}" for name, version in era.packages.items())]
    with contextlib.ExitStack() as stack:
        folder = keep / era.torch if keep else Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=f"torch-{era.torch}-")))
        program = folder.resolve() / BIN / "python"
        if not _holds(folder, wanted):
            with _alone(folder):
                if not _holds(folder, wanted):
                    _call(era, [str(python_for(era.python)), "-m", "venv", "--clear", str(folder)])
                    _call(era, [str(program), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-cache-dir", "--prefer-binary", *wanted])
                    (folder / INSTALLED).write_text("\n".join(wanted))
        yield program


def _holds(folder: Path, wanted: Sequence[str]) -> bool:
    """Whether an environment is complete and has this set."""
    done = folder / INSTALLED
    return done.exists() and done.read_text() == "\n".join(wanted)


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other processes from building the same environment meanwhile: each would spoil what the other has installed.

    Raises:
        Refusal: Another process builds it, or was killed while it did; or the folder cannot be made.
    """
    lock = folder.with_name(f"{folder.name}.lock")
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refusal(lock.parent, None, f"no folder for environments: {error.strerror}", "Give --keep a folder that can be written") from None
    try:
        lock.touch(exist_ok=False)
    except FileExistsError:
        raise Refusal(lock, None, "another process is building this environment", "Wait until it is done; if none is running, delete this file") from None
    try:
        yield
    finally:
        lock.unlink()


def _call(era: Era, command: Sequence[str]) -> None:
    called = subprocess.run(command, capture_output=True, text=True)
    if called.returncode:
        said = called.stderr.splitlines() or called.stdout.splitlines() or [f"status {called.returncode}"]
        reason = next((line for line in said if line.startswith("ERROR")), said[-1])
        raise Refusal(runs.ERAS, None, f"torch {era.torch} cannot be installed: {reason}", "Mend its set, or leave it out with --torch")


def outcome(
    python: Path | str, text: bytes, seconds: int = snippets.SECONDS, hardware: str | None = None, files: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Run a session in a process of its own and in a folder of its own, and end whatever it has started.

    Args:
        python: The Python to run it.
        text: The session.
        seconds: Its time limit, the start of Python included.
        hardware: What it needs; where that is not there it is not run.
        files: Name → text of what lies in the folder, otherwise empty.

    Returns:
        What `tests/session.py` writes; `error` of the type `TimeLimit` or `Crash` where it writes nothing.
    """
    with tempfile.TemporaryDirectory(prefix="snippet-", ignore_cleanup_errors=True) as folder:
        work = Path(folder, "work")
        work.mkdir()
        for name, content in (files or {}).items():
            (work / name).write_text(content, encoding="utf-8")
        session, result = Path(folder, "session.pycon"), Path(folder, "result.json")
        session.write_bytes(text)
        path = os.pathsep.join([str(Path(python).parent), os.environ.get("PATH", os.defpath)])  # ninja is a program beside it
        process = subprocess.Popen(
            [str(python), "-I", str(SESSION), str(session), str(result), *([hardware] if hardware else [])],
            cwd=work,
            env={**os.environ, "PATH": path, "TMPDIR": folder, "XDG_CACHE_HOME": folder, "OMP_NUM_THREADS": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            status = process.wait(seconds)
            error = {"type": "Crash", "text": f"the process ended with {_ending(status)}"}
        except subprocess.TimeoutExpired:
            error = {"type": "TimeLimit", "text": f"not done after {seconds} s"}
        finally:
            _end(process)
        return json.loads(result.read_text(encoding="utf-8")) if result.exists() else {"outcome": "error", "error": error}


def record(snippet: Snippet, era: Era, python: Path | str) -> tuple[Run, str]:
    """Run a snippet in an environment: its record, and what it printed or raised if that is not what it shows."""
    complete = set(snippet.packages) <= set(era.packages)
    # Without its packages it cannot run, and an empty session still tells whether the hardware is there.
    found = outcome(python, snippet.text.encode() if complete else b"", snippet.seconds, snippet.hardware)
    if not complete and found["outcome"] != "needs hardware":
        found = {"outcome": "needs package"}
    details = found.pop("details", "")
    system = f"{platform.system()} {platform.machine()}"
    return Run(snippet.name, snippet.hash, era.torch, era.python, system, datetime.date.today().isoformat(), **found), details


def _end(process: subprocess.Popen) -> None:
    """End a process and the children that are left of it, also after it has ended itself."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
    process.wait()


def _ending(status: int) -> str:
    return f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"


def _chosen(place: Path, asked: Sequence[str] | None, known: Sequence[str]) -> Sequence[str]:
    unknown = sorted(set(asked or ()) - set(known))
    if unknown:
        raise Refusal(place, None, f"no {', '.join(unknown)} there", f"Known: {', '.join(known)}")
    return [name for name in known if asked is None or name in asked]


def run(root: Path, torches: Sequence[str] | None = None, names: Sequence[str] | None = None, missing: bool = False, keep: Path | None = None) -> list[Refusal]:
    """Run and record snippets, and say where they contradict what they declare.

    Args:
        root: The repository.
        torches: On which releases; all if left out.
        names: Which snippets; all if left out.
        missing: Only those that have not run there as they are now.
        keep: See `environment`.
    """
    eras = {era.torch: era for era in runs.eras(root)}
    known = snippets.read(root)
    chosen = [known[name] for name in _chosen(snippets.SESSIONS, names, list(known))]
    recorded = runs.read(root) if missing and (root / runs.RUNS).exists() else []
    contradictions: list[Refusal] = []
    for torch in _chosen(runs.ERAS, torches, list(eras)):
        era, fresh = eras[torch], []
        todo = [snippet for snippet in chosen if era.release not in runs.of(snippet, recorded)]
        if not todo:
            continue
        with environment(era, keep) as python, ThreadPoolExecutor(os.cpu_count()) as pool:
            for snippet, (ran, details) in zip(todo, pool.map(lambda snippet: record(snippet, era, python), todo)):
                wrong = list(runs.contradictions(snippet, ran))
                print(f"{torch:8}{snippet.name:50}{ran.outcome}", flush=True)
                if wrong and details:
                    print(textwrap.indent(details.rstrip(), "        "), flush=True)
                contradictions += wrong
                fresh.append(ran)
        runs.write(root, fresh)
    return contradictions


@command
def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.eras", description="Run the snippets on real releases of PyTorch.")
    parser.add_argument("--torch", nargs="+", metavar="RELEASE", help="releases of docs/data/eras.yml (default: all)")
    parser.add_argument("--snippet", nargs="+", metavar="NAME", help="names of docs/snippets (default: all)")
    parser.add_argument("--missing", action="store_true", help="only what has no record yet, or has changed since")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where environments stay for the next time (default: removed after use)")
    options = parser.parse_args(arguments)
    wrong = run(ROOT, options.torch, options.snippet, options.missing, options.keep)
    for refusal in wrong:
        print(refusal, file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
