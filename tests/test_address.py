"""A fork publishes under its own address without a setting."""

from __future__ import annotations

import pytest

from hooks.web import address


@pytest.mark.parametrize(
    "remote",
    [
        "https://github.com/Owner/repo.git",
        "https://github.com/Owner/repo",
        "https://token@github.com/Owner/repo.git",
        "git@github.com:Owner/repo.git",
        "ssh://git@github.com/Owner/repo.git",
    ],
)
def test_github_remote_tells_both(remote: str) -> None:
    assert address.addresses({}, remote) == ("https://owner.github.io/repo/", "https://github.com/Owner/repo")


def test_environment_wins() -> None:
    environ = {"SITE_URL": "https://atlas.example/x", "REPO_URL": "https://git.example/y/"}
    assert address.addresses(environ, "git@github.com:a/b.git") == ("https://atlas.example/x/", "https://git.example/y")
    assert address.addresses({"GITHUB_REPOSITORY": "fork/b"}, "git@github.com:a/b.git")[0] == "https://fork.github.io/b/"


@pytest.mark.parametrize("remote", [None, "/srv/git/atlas.git", "https://gitlab.com/a/b.git", "https://evil.example/github.com/a/b"])
def test_elsewhere_the_site_is_local(remote: str | None) -> None:
    assert address.addresses({}, remote) == (address.LOCAL, None)


def test_site_of_a_user_stands_at_the_root() -> None:
    assert address.pages("Owner/owner.github.io") == "https://owner.github.io/"
