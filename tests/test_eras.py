"""How a session is run and judged, and where its Python and its release come from."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import sample_site
from conftest import ROOT

from hooks import runs
from hooks.errors import Refusal
from hooks.runs import Era
from tests import eras

LIBRARY = ">>> import pathlib, sys\n>>> _ = pathlib.Path('library.py').write_text({!r})\n>>> sys.path.insert(0, '')\n>>> import library\n"


def ran(session: str, **limits: object) -> dict:
    found = eras.outcome(sys.executable, session.encode(), **limits)
    found.pop("details", None)
    return found


# Outcomes


def test_a_session_that_does_what_it_shows_is_ok() -> None:
    assert ran(">>> 1 + 1\n2\n>>> print('a', 0.123456)\na 0.1...\n>>> int('x')\nTraceback (most recent call last):\n    ...\nValueError: invalid...\n") == {"outcome": "ok"}


@pytest.mark.parametrize(
    ("session", "error"),
    [
        (">>> import nowhere_at_all\n", {"line": 1, "type": "ModuleNotFoundError", "text": "No module named 'nowhere_at_all'"}),
        (">>> import json\n>>> json.nowhere\n", {"line": 2, "type": "AttributeError", "text": "module 'json' has no attribute 'nowhere'"}),
        (">>> class A:\n...     def __getattr__(self, name):\n...         raise AttributeError(name)\n>>> A().x\n", {"line": 4, "type": "AttributeError", "text": "x"}),
        (">>> class ModuleAttributeError(AttributeError): pass\n>>> raise ModuleAttributeError('x')\n", {"line": 2, "type": "ModuleAttributeError", "text": "x"}),
        (">>> dict.fromkeys([], wrong=1)\n", {"line": 1, "type": "TypeError", "text": "dict.fromkeys() takes no keyword arguments"}),
        (">>> import json\n>>> json.dump([], None, None)\n", {"line": 2, "type": "TypeError", "text": "dump() takes 2 positional arguments but 3 were given"}),
        (
            LIBRARY.format("def script(): raise RuntimeError('\\nobject has no attribute fork:\\n  File \"<doctest\", line 4')") + ">>> library.script()\n",
            {"line": 5, "type": "RuntimeError", "text": "object has no attribute fork:"},
        ),
        (
            ">>> import json\n>>> json.nowhere\nTraceback (most recent call last):\n    ...\nValueError: an error of the newest release\n",
            {"line": 2, "type": "AttributeError", "text": "module 'json' has no attribute 'nowhere'"},
        ),
    ],
)
def test_what_the_session_asks_for_and_is_not_there_is_absent(session: str, error: dict) -> None:
    assert ran(session) == {"outcome": "absent", "error": error}


@pytest.mark.parametrize(
    ("session", "error"),
    [
        (">>> 1 / 0\n", {"line": 1, "type": "ZeroDivisionError", "text": "division by zero"}),
        (">>> 1 + 'a'\n", {"line": 1, "type": "TypeError", "text": "unsupported operand type(s) for +: 'int' and 'str'"}),
        (LIBRARY.format("def f(x): return x.nowhere") + ">>> library.f(1)\n", {"line": 5, "type": "AttributeError", "text": "'int' object has no attribute 'nowhere'"}),
        (LIBRARY.format("def f(): import nowhere_at_all") + ">>> library.f()\n", {"line": 5, "type": "ModuleNotFoundError", "text": "No module named 'nowhere_at_all'"}),
        (">>> import os, signal\n>>> os.kill(os.getpid(), signal.SIGKILL)\n", {"type": "Crash", "text": "the process ended with signal SIGKILL"}),
        (
            ">>> raise OSError('/home/me/python/lib/libcuda.so, /x/y/site-packages/torch/a.py; see https://pytorch.org/docs/a.html and/or ../c10/b.cpp')\n",
            {"line": 1, "type": "OSError", "text": "libcuda.so, torch/a.py; see https://pytorch.org/docs/a.html and/or ../c10/b.cpp"},
        ),
        (
            ">>> raise RuntimeError(\"Error building extension 'counters': [1/2] c++ -isystem include -c main.cpp\")\n",
            {"line": 1, "type": "RuntimeError", "text": "Error building extension 'counters'"},
        ),
        (">>> import sys\n>>> raise OSError(sys.argv[0] + '(12): main')\n", {"line": 2, "type": "OSError", "text": "session.py: main"}),
        (">>> raise OSError(f'{object()} of ' + __import__('os').getcwd())\n", {"line": 1, "type": "OSError", "text": "<object object at 0x…> of ."}),
    ],
)
def test_any_other_failure_is_an_error_without_what_differs_from_machine_to_machine(session: str, error: dict) -> None:
    assert ran(session) == {"outcome": "error", "error": error}


def test_other_output_is_told_by_the_first_line_that_differs() -> None:
    assert ran(">>> print('a\\nb')\na\nc\n") == {"outcome": "different output", "error": {"line": 1, "text": "b"}}
    assert ran(">>> int('x')\nTraceback (most recent call last):\n    ...\nKeyError: 'x'\n")["error"]["type"] == "ValueError"


def test_what_is_printed_of_the_machine_is_no_output_of_the_session() -> None:
    assert ran(""">>> print("No CUDA runtime is found, using CUDA_HOME='/usr/local/cuda'")\n""") == {"outcome": "ok"}


def test_a_session_finds_the_programs_of_its_environment_and_keeps_its_caches_to_itself() -> None:
    session = (
        ">>> import os, shutil, sys, tempfile\n>>> os.path.dirname(shutil.which('python')) == os.path.dirname(sys.executable)\nTrue\n"
        ">>> os.environ['XDG_CACHE_HOME'] == tempfile.gettempdir()\nTrue\n"
    )
    assert ran(session) == {"outcome": "ok"}


def test_a_function_of_the_session_can_be_unpickled() -> None:
    assert ran(">>> import pickle\n>>> def f(): return 1\n>>> pickle.loads(pickle.dumps(f))()\n1\n") == {"outcome": "ok"}


WARN = 'import warnings\ndef f(): warnings.warn("f is old. (Triggered internally at a.cpp:1.)", {})\n'


@pytest.mark.parametrize(
    ("session", "categories"),
    [
        (">>> import warnings\n>>> warnings.warn('old', DeprecationWarning)\n", ["DeprecationWarning"]),
        (LIBRARY.format(WARN.format("UserWarning")) + ">>> library.f()\n>>> library.f()\n", ["UserWarning"]),
        (LIBRARY.format(WARN.format("DeprecationWarning")) + ">>> library.f()\n", ["DeprecationWarning"]),
        (LIBRARY.format(WARN.format("ResourceWarning")) + ">>> library.f()\n", []),
        (">>> import warnings\n>>> warnings.warn('CUDA initialization: Found no NVIDIA driver on your system.')\n", []),
        (LIBRARY.format(WARN.format("DeprecationWarning")) + ">>> import contextlib\n>>> with contextlib.ExitStack() as stack:\n...     _ = stack.callback(library.f)\n", ["DeprecationWarning"]),
        (
            LIBRARY.format(WARN.format("DeprecationWarning"))
            + ">>> _ = pathlib.Path('other.py').write_text('import library\\ndef g(): library.f()\\n')\n>>> import other\n>>> other.g()\n",
            [],
        ),
    ],
)
def test_a_warning_counts_if_python_shows_it_or_the_session_called_what_is_old(session: str, categories: list[str]) -> None:
    found = ran(session)
    assert [seen["category"] for seen in found.get("warnings", [])] == categories
    assert found["outcome"] == ("ok with warning" if categories else "ok")
    assert all(seen["text"] in ("f is old.", "old") for seen in found.get("warnings", []))


def test_a_session_for_other_hardware_is_not_run() -> None:
    assert ran(">>> 1 / 0\n", hardware="android") == {"outcome": "needs hardware"}


@pytest.mark.parametrize("last", ["time.sleep(600)", "None"])
def test_children_end_with_the_session_whether_in_time_or_not(tmp_path: Path, last: str) -> None:
    beats = tmp_path / "beats"
    child = f"import time\nwhile True:\n    open({str(beats)!r}, 'a').write('x')\n    time.sleep(0.05)"
    session = (
        f">>> import pathlib, subprocess, sys, time\n>>> child = subprocess.Popen([sys.executable, '-c', {child!r}])\n"
        f">>> while not pathlib.Path({str(beats)!r}).exists():\n...     time.sleep(0.05)\n>>> {last}\n"
    )
    found = ran(session, seconds=10 if last != "None" else 60)
    assert found == ({"outcome": "ok"} if last == "None" else {"outcome": "error", "error": {"type": "TimeLimit", "text": "not done after 10 s"}})
    time.sleep(1)
    before = beats.stat().st_size
    time.sleep(1)
    assert 0 < before == beats.stat().st_size


# Environments


def test_a_python_is_found_where_pyenv_keeps_it(tmp_path: Path) -> None:
    here = "%d.%d" % sys.version_info[:2]
    assert eras.python_for(here) == Path(sys.executable)
    fake = tmp_path / "versions/3.8.18/bin/python"
    sample_site.write(tmp_path, "versions/3.8.18/bin/python", "#!/bin/sh\necho 3.8 /opt/with space/python\n")
    fake.chmod(0o755)
    assert eras.python_for("3.8", {"PYENV_ROOT": str(tmp_path), "PATH": ""}) == Path("/opt/with space/python")


def test_a_python_is_found_in_the_path_but_not_by_its_name_alone(tmp_path: Path) -> None:
    for name, says in (("python3.8", "3.8 /opt/python"), ("python3.7", "3.6 /opt/python")):
        sample_site.write(tmp_path, name, f"#!/bin/sh\necho {says}\n")
        (tmp_path / name).chmod(0o755)
    environ = {"PYENV_ROOT": str(tmp_path), "PATH": str(tmp_path)}
    assert eras.python_for("3.8", environ) == Path("/opt/python")
    with pytest.raises(Refusal, match="no Python 3.7 to be found. Install one: pyenv install 3.7"):
        eras.python_for("3.7", environ)


def test_a_set_that_cannot_be_installed_is_refused_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(Refusal, match="torch 0.0.0 cannot be installed: .*torch==0.0.0"):
        with eras.environment(Era("0.0.0", "%d.%d" % sys.version_info[:2], {})):
            pass
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Refusal, match="no folder for environments: Not a directory. Give --keep a folder"):
        with eras.environment(Era("0.0.0", "3.8", {}), tmp_path / "file" / "kept"):
            pass


def test_an_environment_that_another_process_builds_is_refused_and_left_alone(tmp_path: Path) -> None:
    keep, era = tmp_path / "kept", Era("0.0.0", "%d.%d" % sys.version_info[:2], {})
    session = f"import pathlib, sys, time; sys.path.insert(0, {str(ROOT)!r})\nfrom tests import eras\nwith eras._alone(pathlib.Path({str(keep / '0.0.0')!r})):\n    print('building', flush=True)\n    time.sleep(600)"
    with subprocess.Popen([sys.executable, "-c", session], stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "building\n"
        with pytest.raises(Refusal, match=r"0.0.0.lock: another process is building this environment. Wait until it is done; if none is running, delete this file."):
            with eras.environment(era, keep):
                pass
        other.kill()
    assert [path.name for path in keep.iterdir()] == ["0.0.0.lock"]


def test_an_environment_that_is_complete_is_used_again_and_one_that_was_not_installed_is_unlocked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    era = Era("0.0.0", "%d.%d" % sys.version_info[:2], {})
    with pytest.raises(Refusal, match="cannot be installed"):
        with eras.environment(era, tmp_path):
            pass
    assert not (tmp_path / "0.0.0.lock").exists()
    sample_site.write(tmp_path, "0.0.0/installed.txt", "torch==0.0.0")
    with eras.environment(era, tmp_path) as python:
        assert python.parent.parent == tmp_path / "0.0.0"


# The whole


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two releases, whose environments are this one, and one snippet."""

    @contextlib.contextmanager
    def environment(era: Era, keep: Path | None) -> Iterator[Path]:
        yield Path(sys.executable)

    monkeypatch.setattr(eras, "environment", environment)
    monkeypatch.setattr(eras, "ROOT", tmp_path)
    sample_site.write(tmp_path, "docs/data/features/amp.yml", "")
    sample_site.write(tmp_path, "docs/data/eras.yml", '- {torch: "1.9.1", python: "3.8", packages: {}}\n- {torch: "1.10.2", python: "3.8", packages: {torchaudio: "0.10.2"}}\n')
    sample_site.write(tmp_path, "docs/snippets/amp.pycon", ">>> 1 + 1\n2\n")
    sample_site.write(tmp_path, "docs/data/snippets/amp.yml", 'form: historical\nsince: "1.6"\npackages: [torchaudio]\n')
    return tmp_path


def test_a_run_is_recorded_and_the_same_run_again_changes_nothing(project: Path) -> None:
    assert eras.main([]) == 0
    written = (project / runs.RUNS).read_bytes()
    assert [(run["torch"], run["outcome"]) for run in json.loads(written)] == [("1.9.1", "needs package"), ("1.10.2", "ok")]
    assert eras.main(["--torch", "1.10.2", "--snippet", "amp"]) == 0
    assert (project / runs.RUNS).read_bytes() == written


def test_only_what_is_missing_runs_if_no_more_is_asked_for(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert eras.main(["--torch", "1.9.1"]) == 0
    capsys.readouterr()
    assert eras.main(["--missing"]) == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [["1.10.2", "amp", "ok"]]
    assert eras.main(["--missing"]) == 0
    assert capsys.readouterr().out == ""
    sample_site.write(project, "docs/snippets/amp.pycon", ">>> 2 + 2\n4\n")
    assert eras.main(["--missing"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_what_lacks_both_hardware_and_a_package_lacks_the_hardware(project: Path) -> None:
    sample_site.write(project, "docs/data/snippets/amp.yml", 'form: historical\nsince: "1.6"\npackages: [torchaudio]\nhardware: android\n')
    assert eras.main([]) == 0
    assert [(run.torch, run.outcome) for run in runs.read(project)] == [("1.9.1", "needs hardware"), ("1.10.2", "needs hardware")]


def test_a_run_that_contradicts_its_snippet_is_recorded_and_ends_with_an_error(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample_site.write(project, "docs/snippets/amp.pycon", ">>> import nowhere_at_all\n")
    assert eras.main([]) == 1
    assert "amp.yml:2: absent on 1.10.2, line 1: ModuleNotFoundError" in capsys.readouterr().err
    assert [run.outcome for run in runs.read(project)] == ["needs package", "absent"]


def test_a_name_that_is_not_there_is_refused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert eras.main(["--torch", "1.10"]) == 1
    assert capsys.readouterr().err == "docs/data/eras.yml: no 1.10 there. Known: 1.9.1, 1.10.2.\n"
