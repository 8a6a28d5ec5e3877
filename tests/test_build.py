"""Builds as a user runs them: complete or not at all, the same twice, and one clear line for what is wrong."""

from __future__ import annotations

import functools
import os
import re
import shutil
import signal
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import sample_site
from conftest import MKDOCS, ROOT, Site, mkdocs


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def project(root: Path) -> Path:
    """A small repository that builds without a warning: the real library and configuration around a few pages."""
    root.mkdir()
    sample_site.build(root)
    shutil.copytree(ROOT / "hooks", root / "hooks", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "docs/assets", root / "docs/assets", dirs_exist_ok=True)
    for name in ("mkdocs.yml", "requirements.txt"):
        shutil.copy(ROOT / name, root)
    for path in re.findall(r"- ([\w/.-]+\.md)\b", (root / "mkdocs.yml").read_text(encoding="utf-8")):
        for edition in ("zh-Hans", "en"):
            if not (root / "docs" / edition / path).exists():
                title = f"{path.removesuffix('.md')} {edition}"
                text = f"---\ntitle: {title}\ndescription: {title}\n---\n\n# {title} {{#{path.replace('/', '-').removesuffix('.md')}}}\n\nText.\n"
                sample_site.write(root, f"docs/{edition}/{path}", text)
    sample_site.accept(root)
    return root


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small project, with a site from an earlier build."""
    root = project(tmp_path_factory.mktemp("small") / "project")
    done = mkdocs(root, "build", "--strict")
    assert done.returncode == 0, done.stdout + done.stderr
    return root


@pytest.fixture
def broken(built: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy of the project to break; whatever happens to it, the site of the earlier build must stay as it was."""
    root = Path(shutil.copytree(built, tmp_path / "project"))
    before = contents(root / "site")
    yield root
    assert contents(root / "site") == before
    assert not list(root.glob(".site.*"))


def refused(run: subprocess.CompletedProcess[str]) -> str:
    """The one line with which a build refused."""
    assert run.returncode != 0
    assert "Traceback" not in run.stdout + run.stderr
    said = [line for line in run.stderr.splitlines() if line.strip() and not line.startswith("INFO")]
    assert len(said) == 1, run.stderr
    return said[0]


def test_strict_build_of_the_repository_says_nothing_but_progress(site: Site) -> None:
    assert "Documentation built" in site.log
    assert "WARNING" not in site.log and "ERROR" not in site.log


def test_two_builds_are_the_same_byte_for_byte(site: Site) -> None:
    again = mkdocs(site.root, "build", "--strict", "-d", "other", SITE_URL=site.url, REPO_URL="https://github.com/owner/repo", SOURCE_DATE_EPOCH="1700000000")
    assert again.returncode == 0, again.stderr
    first, second = contents(site.folder), contents(site.root / "other")
    assert first.keys() == second.keys()
    assert [name for name in first if first[name] != second[name]] == []


def test_hidden_entries_of_the_old_site_stay(built: Path) -> None:
    (built / "site/.git").write_text("gitdir: elsewhere\n")
    (built / "site/stale.html").write_text("old")
    assert mkdocs(built, "build").returncode == 0
    assert (built / "site/.git").exists() and not (built / "site/stale.html").exists()
    (built / "site/.git").unlink()


@pytest.mark.parametrize("module, package", [("opencc", "OpenCC"), ("jieba", "jieba")])
def test_missing_package(broken: Path, tmp_path: Path, module: str, package: str) -> None:
    sample_site.write(tmp_path, f"blocked/{module}.py", "raise ModuleNotFoundError('blocked')\n")
    line = refused(mkdocs(broken, "build", PYTHONPATH=str(tmp_path / "blocked")))
    assert re.match(r"requirements\.txt:\d+: ", line)
    assert f"{package} is not installed" in line and "pip install -r requirements.txt" in line


def test_another_version_of_opencc_converts_nothing(broken: Path, tmp_path: Path) -> None:
    stub = "__version__ = '1.1.9'\n\n\nclass OpenCC:\n    def __init__(self, config):\n        pass\n"
    sample_site.write(tmp_path, "other/opencc.py", stub)
    line = refused(mkdocs(broken, "build", PYTHONPATH=str(tmp_path / "other")))
    assert "OpenCC 1.1.9 is installed" in line and "1.4.2" in line


def test_seed_that_is_no_text(broken: Path) -> None:
    (broken / "seeds/pytorch-1.3.txt").write_bytes(b"PyTorch \xff\xfe 1.3")
    assert "seeds/pytorch-1.3.txt" in refused(mkdocs(broken, "build"))


def test_page_without_english(broken: Path) -> None:
    sample_site.write(broken, "docs/zh-Hans/extra.md", "---\ntitle: 多\n---\n\n# 多 {#extra}\n")
    assert "docs/en/extra.md" in refused(mkdocs(broken, "build"))


def test_edition_by_accident(broken: Path) -> None:
    sample_site.write(broken, "docs/fr/index.md", "# Accueil\n")
    assert "docs/fr" in refused(mkdocs(broken, "build"))


def test_dead_link_ends_a_strict_build(broken: Path) -> None:
    for edition in ("zh-Hans", "en"):
        sample_site.change(broken, f"docs/{edition}/index.md", "(tiers.md)", "(tiers.md#nowhere)")
    run = mkdocs(broken, "build", "--strict")
    assert run.returncode != 0
    assert "#nowhere" in run.stderr and "strict mode" in run.stdout + run.stderr


def test_crash_in_the_last_edition(broken: Path) -> None:
    """The first editions are written by then; none of them may appear."""
    sample_site.write(broken, "hooks/theme/partials/languages/en.html", "{% macro t(key) %}{{ nothing.at.all }}{% endmacro %}")
    assert mkdocs(broken, "build").returncode != 0


def test_features_that_break_the_site_are_refused(broken: Path) -> None:
    assert "--dirty" in refused(mkdocs(broken, "build", "--dirty"))
    sample_site.change(broken, "mkdocs.yml", "    - navigation.top\n", "    - navigation.top\n    - navigation.instant\n")
    assert "navigation.instant" in refused(mkdocs(broken, "build"))


def test_gh_deploy_publishes_all_editions(built: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(built, tmp_path / "project"))
    remote = tmp_path / "remote.git"

    def git(*arguments: str, at: Path = root) -> str:
        identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
        return subprocess.run(["git", *identity, *arguments], cwd=at, check=True, capture_output=True, text=True).stdout

    git("init", "--bare", str(remote), at=tmp_path)
    git("init")
    git("add", "mkdocs.yml")
    git("commit", "-m", "Begin")
    git("remote", "add", "origin", str(remote))
    identity = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in (("NAME", "A"), ("EMAIL", "a@example.org"))}
    run = mkdocs(root, "gh-deploy", "--strict", **identity)
    assert run.returncode == 0, run.stderr
    published = git("ls-tree", "-r", "--name-only", "gh-pages", at=remote).split()
    assert {"index.html", "zh-Hant/index.html", "en/index.html", "404.html", "sitemap.xml"} <= set(published)


class Served:
    """`mkdocs serve` on a project, and the log it writes."""

    def __init__(self, root: Path, port: int, log: Path) -> None:
        self.log = log
        self.url = f"http://127.0.0.1:{port}/"
        environ = {key: value for key, value in os.environ.items() if key not in ("SITE_URL", "GITHUB_REPOSITORY")}
        command = [*MKDOCS, "serve", "-a", f"127.0.0.1:{port}"]
        with log.open("w") as out:
            # A shell starts what runs in the background deaf to Ctrl-C, and whatever that starts in turn.
            listen = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
            env = {**environ, "NO_MKDOCS_2_WARNING": "1"}
            self.process = subprocess.Popen(command, cwd=root, env=env, stdout=out, stderr=subprocess.STDOUT, preexec_fn=listen)

    def wait(self, phrase: str, count: int = 1, seconds: float = 60) -> None:
        """Until the log holds a phrase so many times."""
        end = time.monotonic() + seconds
        while self.log.read_text(encoding="utf-8").count(phrase) < count:
            assert time.monotonic() < end and self.process.poll() is None, self.log.read_text(encoding="utf-8")
            time.sleep(0.1)

    def read(self, path: str) -> str:
        with urllib.request.urlopen(self.url + path, timeout=30) as response:
            return response.read().decode()

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(10)


def test_serve_shows_each_saved_file_once(built: Path, tmp_path: Path, free_port: int) -> None:
    root = Path(shutil.copytree(built, tmp_path / "project"))
    served = Served(root, free_port, tmp_path / "log")
    try:
        served.wait("Serving on")
        saves = [
            ("docs/zh-Hans/index.md", "很好", "非常好", "zh-Hant/", "非常好"),
            ("docs/data/ui.yml", "PyTorch Feature Atlas}", "Another Name}", "en/", "Another Name"),
            ("docs/data/terms.yml", "默认", None, "zh-Hant/", None),
            ("seeds/pytorch-1.3.txt", None, None, "seeds/pytorch-1.3.txt", None),
            ("seeds/pytorch-1.3.yml", "Garbled.", "Torn.", "seeds/pytorch-1.3.ledger.tsv", "Torn."),
            ("docs/snippets/hello.pycon", "1 + 1", "1 +  1", "", None),
            ("hooks/theme/partials/copyright.html", "Material for MkDocs", "Material, for MkDocs", "", "Material, for MkDocs"),
        ]
        for number, (path, before, after, page, expected) in enumerate(saves, 1):
            if before and after:
                sample_site.change(root, path, before, after)
            else:
                os.utime(root / path)
            served.wait("Reloading browsers", number)
            if expected:
                assert expected in served.read(page), path
        time.sleep(2)
        log = served.log.read_text(encoding="utf-8")
        assert log.count("Detected file changes") == log.count("Reloading browsers") == len(saves)
        sample_site.write(root, "docs/zh-Hans/only.md", "# 只 {#only}\n")
        served.wait("docs/en/only.md")
        assert "Traceback" not in served.log.read_text(encoding="utf-8")
        (root / "docs/zh-Hans/only.md").unlink()
        served.wait("Reloading browsers", len(saves) + 1)
    finally:
        served.stop()
