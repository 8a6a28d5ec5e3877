"""What a newcomer and the CI rely on: the README's commands, `.ci/run`, the workflows, the pins and the house's own rules."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
SERVE = "pip install -r requirements.txt && mkdocs serve"
TEST = "pip install -r requirements.txt -r tests/requirements.txt && pytest"
GUIDES = ["README.md", "docs/en/contributing/index.md", "docs/zh-Hans/contributing/index.md", "docs/en/repair.md"]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
REQUIREMENTS = ["requirements.txt", "tests/requirements.txt"]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def shell_fences(markdown: str) -> list[str]:
    """The content of every fence of shell commands."""
    return [found.strip() for found in re.findall(r"^```(?:sh|bash|console)\n(.*?)^```$", markdown, re.S | re.M)]


def commands(markdown: str) -> Iterator[list[str]]:
    """Every single command of those fences, as words, without the variables set before it."""
    for fence in shell_fences(markdown):
        for line in re.split(r"\n|&&", fence):
            words = shlex.split(line)
            while words and re.match(r"[A-Z_]+=", words[0]):
                words.pop(0)
            yield words


# The README


def test_the_readme_opens_with_the_two_commands_each_in_its_own_fence():
    assert shell_fences(read("README.md"))[:2] == [SERVE, TEST]


def test_the_contributing_pages_give_the_same_two_commands():
    for page in ("docs/en/contributing/index.md", "docs/zh-Hans/contributing/index.md"):
        assert shell_fences(read(page))[:2] == [SERVE, TEST]


@pytest.mark.parametrize("guide", GUIDES)
def test_every_command_in_a_guide_names_what_exists(guide):
    unknown = []
    for words in commands(read(guide)):
        match words:
            case ["python", "-m", module, *_]:
                known = importlib.util.find_spec(module) is not None
            case ["mkdocs", command, *_]:
                known = command in ("serve", "build", "gh-deploy")
            case [program, *_]:
                known = program in ("pip", "pytest", "apt-get") or os.access(ROOT / program, os.X_OK)
        files = [word for word in words[1:] if re.fullmatch(r"(docs|seeds|tests)/\S+|\S+\.txt", word)]
        if not known or not all((ROOT / file).exists() for file in files):
            unknown.append(shlex.join(words))
    assert not unknown


def test_every_relative_link_of_the_readme_leads_somewhere():
    links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", read("README.md"))
    assert "LICENSE" in links
    assert not [link for link in links if not (ROOT / link).exists()]


# .ci/run, with stand-ins for pip, pytest, mkdocs and the system

PROGRAMS = {
    "python3": 'if [ "$1" = -m ]; then mkdir -p "$3/bin" && touch "$3/bin/activate"; fi',  # python3 -m venv FOLDER
    "python2": "exit 1",  # the answer of an old Python to the question for its version
    "pip": 'echo "pip $*" >>"$LOG"',
    "pytest": 'echo "pytest $*" >>"$LOG"; echo "===== $SUMMARY in 1.23s ====="; exit "${STATUS:-0}"',
    "mkdocs": 'echo "mkdocs $*" >>"$LOG"',
    "chromium": "true",
    "fc-list": "echo a font",
    "apt-get": 'echo "apt-get $*" >>"$LOG"; exit 1',
}


@pytest.fixture
def ci(tmp_path):
    """Run a copy of `.ci/run` from another folder; returns the finished process and the lines that the stand-ins logged."""
    repository, programs, log = tmp_path / "a repository", tmp_path / "bin", tmp_path / "log"
    (repository / ".ci").mkdir(parents=True)
    shutil.copy(ROOT / ".ci/run", repository / ".ci/run")
    shutil.copy(ROOT / "README.md", repository)
    programs.mkdir()
    for name, script in PROGRAMS.items():
        (programs / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (programs / name).chmod(0o755)

    def run(**environ: str) -> tuple[subprocess.CompletedProcess[str], list[str]]:
        path = f"{programs}:{os.environ['PATH']}"
        inherited = {key: value for key, value in os.environ.items() if key not in ("CHROMIUM", "SITE_DIR", "PYTHON")}
        environ = {**inherited, "PATH": path, "LOG": str(log), "SUMMARY": "3 passed", "TMPDIR": str(tmp_path), **environ}
        done = subprocess.run([repository / ".ci/run"], cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=60)
        return done, log.read_text(encoding="utf-8").splitlines() if log.exists() else []

    run.repository, run.programs = repository, programs
    return run


def test_ci_runs_the_command_of_the_readme_and_a_strict_build(ci):
    done, log = ci()
    assert done.returncode == 0, done.stderr
    assert log[:2] == ["pip install -r requirements.txt -r tests/requirements.txt", "pytest "]
    assert log[2].startswith("mkdocs build --strict")
    assert done.stdout.splitlines()[-1] == "===== 3 passed in 1.23s ====="


def test_ci_keeps_the_site_only_where_it_is_asked_to(ci, tmp_path):
    _, log = ci(SITE_DIR="kept")
    assert log[-1].endswith(f"--site-dir {tmp_path / 'kept'}")
    before = set(tmp_path.iterdir())
    ci()
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize("kind", ["skipped", "xfailed", "xpassed", "deselected"])
def test_ci_fails_when_a_test_did_not_run_and_pass(ci, kind):
    done, log = ci(SUMMARY=f"3 passed, 1 {kind}")
    assert done.returncode != 0
    assert kind in done.stderr
    assert not [line for line in log if line.startswith("mkdocs")]


@pytest.mark.parametrize("summary", ["no tests ran", "2 warnings"])
def test_ci_fails_when_nothing_passed(ci, summary):
    assert ci(SUMMARY=summary)[0].returncode != 0


def test_ci_fails_when_the_tests_fail(ci):
    assert ci(SUMMARY="1 failed, 2 passed", STATUS="1")[0].returncode != 0


def test_ci_fails_when_the_readme_has_lost_its_test_command(ci):
    readme = ci.repository / "README.md"
    readme.write_text(readme.read_text(encoding="utf-8").replace(TEST, "pytest"), encoding="utf-8")
    done, log = ci()
    assert done.returncode != 0
    assert "README.md has 0 test commands" in done.stderr
    assert log == []


def test_ci_refuses_a_browser_that_does_not_exist(ci):
    done, _ = ci(CHROMIUM="no-such-browser")
    assert done.returncode != 0
    assert "no-such-browser" in done.stderr


def test_ci_asks_for_a_compiler_where_there_is_none(ci, tmp_path):
    (tmp_path / "system").mkdir()
    for folder in os.environ["PATH"].split(os.pathsep):
        for program in Path(folder).glob("*"):
            if program.name not in ("g++", "sudo") and not (tmp_path / "system" / program.name).is_symlink():
                (tmp_path / "system" / program.name).symlink_to(program)
    done, log = ci(PATH=f"{ci.programs}:{tmp_path / 'system'}")
    assert done.returncode != 0
    assert "missing: g++" in done.stderr or log == ["apt-get update -qq"]


def test_ci_refuses_a_python_that_is_too_old(ci):
    done, log = ci(PYTHON="python2")
    assert done.returncode != 0
    assert "python2 is older than Python 3.11.5" in done.stderr
    assert log == []


# Workflows


@pytest.fixture(params=WORKFLOWS, ids=lambda path: path.name)
def workflow(request):
    return yaml.safe_load(request.param.read_text(encoding="utf-8"))


def steps(workflow: dict) -> list[dict]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_the_workflows_are_there():
    assert [path.name for path in WORKFLOWS] == ["deploy.yml", "runs.yml", "test.yml"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_to_a_commit_and_name_their_version(path):
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if "uses:" in line]
    assert lines
    assert not [line for line in lines if not re.search(r"uses: [\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$", line)]


def test_a_workflow_may_only_read_unless_a_job_says_otherwise(workflow):
    assert workflow["permissions"] == {"contents": "read"}


def test_only_the_jobs_that_deploy_or_propose_may_write():
    writers = {
        (path.name, job): {name for name, right in work.get("permissions", {}).items() if right == "write"}
        for path in WORKFLOWS
        for job, work in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].items()
    }
    assert {place: rights for place, rights in writers.items() if rights} == {
        ("deploy.yml", "deploy"): {"pages", "id-token"},
        ("runs.yml", "propose"): {"contents", "pull-requests"},
    }


def test_no_job_leaves_a_token_in_the_checkout_or_runs_without_end(workflow):
    checkouts = [step for step in steps(workflow) if step.get("uses", "").startswith("actions/checkout@")]
    assert checkouts
    assert all(step["with"]["persist-credentials"] is False for step in checkouts)
    assert all(job["timeout-minutes"] <= 60 for job in workflow["jobs"].values())
    assert workflow["concurrency"]


def test_no_shell_command_holds_an_expression(workflow):
    assert not [step["run"] for step in steps(workflow) if "${{" in step.get("run", "")]


def test_pull_requests_and_main_run_the_whole_check_and_keep_the_site():
    test = yaml.safe_load(read(".github/workflows/test.yml"))
    assert set(test[True]) == {"pull_request", "push"}  # YAML 1.1 reads the key `on` as true
    assert test[True]["push"] == {"branches": ["main"]}
    run, upload = steps(test)[-2:]
    assert run["run"] == ".ci/run"
    assert upload["uses"].startswith("actions/upload-artifact@")
    assert upload["with"]["path"] == run["env"]["SITE_DIR"]


def test_main_is_built_in_strict_mode_under_its_own_address_and_deployed():
    deploy = yaml.safe_load(read(".github/workflows/deploy.yml"))
    assert deploy[True]["push"] == {"branches": ["main"]}
    build = next(step for step in steps(deploy) if step.get("run", "").startswith("mkdocs"))
    assert build["run"] == "mkdocs build --strict"
    assert "steps.pages.outputs.base_url" in build["env"]["SITE_URL"]
    assert deploy["jobs"]["deploy"]["needs"] == "build"
    assert steps(deploy)[-1]["uses"].startswith("actions/deploy-pages@")


def test_snippets_run_on_the_old_releases_every_week_and_on_change():
    runs = yaml.safe_load(read(".github/workflows/runs.yml"))
    assert runs[True]["schedule"] and "docs/snippets/**" in runs[True]["push"]["paths"]
    commands = [step.get("run", "") for step in runs["jobs"]["run"]["steps"]]
    # A contradiction ends the job before anything is proposed.
    assert any(line.startswith("python -m tests.eras") for line in commands)
    assert any(line.startswith("python -m hooks.atlas check") for line in commands)
    assert runs["jobs"]["propose"]["needs"] == "run"


# Pins


def pins(name: str) -> list[str]:
    lines = (line.partition("#")[0].strip() for line in read(name).splitlines())
    return [line for line in lines if line]


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_requirements_are_exact(name):
    assert pins(name)
    assert not [pin for pin in pins(name) if not re.fullmatch(r"[A-Za-z0-9._-]+(\[\w+\])?==\d[\w.]*", pin)]


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_the_tests_run_on_what_is_pinned(name):
    """Pages and proofs were checked with these versions; `2.13.0+cpu` is a build of 2.13.0."""
    wanted = dict(pin.split("==") for pin in pins(name))
    assert {package: importlib.metadata.version(package).partition("+")[0] for package in wanted} == wanted


def test_nothing_installs_a_second_module_of_the_name_opencc():
    assert "opencc-python-reimplemented" not in {dist.metadata["Name"].lower() for dist in importlib.metadata.distributions()}


# Own pages and theme

PUBLISHED = sorted(
    path
    for pattern in ("README.md", "LICENSE", ".ci/*", ".github/**/*.yml", "docs/**/*", "hooks/theme/**/*", "mkdocs.yml", "*requirements.txt")
    for path in ROOT.glob(pattern)
    if path.is_file() and path.suffix not in (".png", ".ico", ".woff2")
)
MACHINE = re.compile(r"(?<![\w.~-])/(?:tmp|root|home|work|Users)/")
FOREIGN = re.compile(
    r"""!\[[^\]]*\]\(\s*<?(?:https?:)?//"""  # ![…](https://…)
    r"""|<(?:script|img|iframe|audio|video|source|embed)\b[^>]*\bsrc\s*=\s*["']?(?:https?:)?//"""
    r"""|<link\b[^>]*\brel=["']?(?:stylesheet|preload|preconnect|icon)[^>]*(?:https?:)?//"""
    r"""|(?:@import|url\()\s*["']?(?:https?:)?//"""
    r"""|\b(?:fetch|importScripts|WebSocket)\(\s*["'`](?:https?:|wss?:)?//"""
)


@pytest.mark.parametrize("line", ['![a](https://x.org/a.png)', '<script async src="//x.org/a.js">', '@import url("https://x.org/a.css")', 'fetch("https://x.org")'])
def test_a_request_to_a_third_party_would_be_seen(line):
    assert FOREIGN.search(line)


def test_no_published_file_names_a_folder_of_some_machine_or_asks_another_host():
    assert len(PUBLISHED) > 50
    found = []
    for path in PUBLISHED:
        text = path.read_text(encoding="utf-8")
        found += [f"{path.relative_to(ROOT)}: {match[0]}" for rule in (MACHINE, FOREIGN) for match in rule.finditer(text)]
    assert not found


def test_the_licence_leaves_the_articles_out():
    licence = read("LICENSE")
    assert licence.startswith("MIT License")
    assert re.search(r"does not cover the articles in\s+seeds/", licence)
