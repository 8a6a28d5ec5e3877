"""What the tests of the built site share: one strict build, one local server under /repo/, one Chromium."""

from __future__ import annotations

import contextlib
import functools
import http.server
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
PREFIX = "/repo/"
MKDOCS = [sys.executable, "-m", "mkdocs"]
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def copy_repository(target: Path) -> Path:
    """A copy of the sources, without what Git ignores by name."""
    return Path(shutil.copytree(ROOT, target, ignore=shutil.ignore_patterns(".git", ".venv", "__pycache__", ".pytest_cache", ".hypothesis", "site", ".site.*")))


def mkdocs(root: Path, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run MkDocs in `root`; the environment's own addresses do not leak in."""
    inherited = {key: value for key, value in os.environ.items() if key not in ("SITE_URL", "REPO_URL", "GITHUB_REPOSITORY")}
    return subprocess.run(
        [*MKDOCS, *arguments],
        cwd=root,
        env={**inherited, "NO_MKDOCS_2_WARNING": "1", "PYTHONDONTWRITEBYTECODE": "1", **environ},
        capture_output=True,
        text=True,
        timeout=900,
    )


@dataclass(frozen=True)
class Site:
    """A built site: its folder, its address on this machine, and what the build said."""

    folder: Path
    url: str
    root: Path
    log: str


class _Handler(http.server.SimpleHTTPRequestHandler):
    """Serves a folder below PREFIX and answers a missing page with 404.html, as GitHub Pages does."""

    def translate_path(self, path: str) -> str:
        return super().translate_path("/" + path.removeprefix(PREFIX)) if path.startswith(PREFIX) else "/nowhere"

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        page = Path(self.directory, "404.html")
        if code != 404 or not page.exists():
            return super().send_error(code, message, explain)
        body = page.read_bytes()
        self.send_response(404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve `folder` under PREFIX; the address appears before the folder needs to exist."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Handler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}{PREFIX}"
        server.shutdown()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One strict build of a fresh copy of the repository."""
    root = copy_repository(tmp_path_factory.mktemp("build") / "repository")
    with serving(root / "site") as url:
        built = mkdocs(root, "build", "--strict", SITE_URL=url, REPO_URL="https://github.com/owner/repo", SOURCE_DATE_EPOCH="1700000000")
        assert built.returncode == 0, built.stdout + built.stderr
        yield Site(root / "site", url, root, built.stdout + built.stderr)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
