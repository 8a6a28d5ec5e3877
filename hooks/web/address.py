"""Where the site and its sources live, so that a fork publishes under its own address without a setting."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

LOCAL = "http://127.0.0.1:8000/"
_GITHUB = re.compile(r"(?:https://(?:[^@/]+@)?|ssh://git@|git@)github\.com[/:](?P<name>[\w.-]+/[\w.-]+?)(?:\.git)?/?")


def addresses(environ: Mapping[str, str], remote: str | None) -> tuple[str, str | None]:
    """The address of the site and of its repository.

    `SITE_URL` and `REPO_URL` win; else GitHub tells both, from `GITHUB_REPOSITORY` or the remote that `mkdocs gh-deploy`
    pushes to; else the site is a local one without edit links.

    Args:
        environ: Environment variables.
        remote: URL of the Git remote, if there is one.

    Returns:
        Site address with a final slash, and repository address without one, or None.
    """
    name = environ.get("GITHUB_REPOSITORY")
    if not name and remote and (match := _GITHUB.fullmatch(remote.strip())):
        name = match["name"]
    site = environ.get("SITE_URL") or (pages(name) if name else LOCAL)
    repository = environ.get("REPO_URL") or (f"https://github.com/{name}" if name else None)
    return site.rstrip("/") + "/", repository and repository.rstrip("/")


def pages(name: str) -> str:
    """The GitHub Pages address of a repository `owner/name`; `owner/owner.github.io` is published at the root."""
    owner, _, repository = name.partition("/")
    host = f"{owner.lower()}.github.io"
    return f"https://{host}/" if repository.lower() == host else f"https://{host}/{repository}/"


def remote(root: Path, name: str = "origin") -> str | None:
    """URL of a Git remote of the checkout at `root`; None without Git, checkout or remote."""
    try:
        found = subprocess.run(["git", "-C", root, "config", f"remote.{name}.url"], capture_output=True, text=True)
    except OSError:
        return None
    return found.stdout.strip() or None
