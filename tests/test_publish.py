"""Folders that change only where they must, and a site that appears whole."""

from __future__ import annotations

from pathlib import Path

from hooks.web import publish


def test_stage_touches_only_what_differs(tmp_path: Path) -> None:
    assert publish.stage(tmp_path, {"a/b.md": "一", "c.bin": b"\0"}) == ["a/b.md", "c.bin"]
    before = (tmp_path / "c.bin").stat().st_mtime_ns
    assert publish.stage(tmp_path, {"a/d.md": "二", "c.bin": b"\0"}) == ["a/b.md", "a/d.md"]
    assert (tmp_path / "c.bin").stat().st_mtime_ns == before
    assert not (tmp_path / "a/b.md").exists()
    publish.stage(tmp_path, {"c.bin": b"\0"})
    assert not (tmp_path / "a").exists()


def test_stage_keeps_line_ends(tmp_path: Path) -> None:
    publish.stage(tmp_path, {"seed.txt": "a\r\nb\n"})
    assert (tmp_path / "seed.txt").read_bytes() == b"a\r\nb\n"


def test_replace_leaves_nothing_of_the_old_but_hidden_entries(tmp_path: Path) -> None:
    target = tmp_path / "site"
    for text in ("old", "new"):
        work = publish.sibling(target)
        (work / f"{text}.html").write_text(text)
        publish.replace(target, work)
        if text == "old":
            (target / ".git").write_text("kept")
    assert sorted(path.name for path in target.iterdir()) == [".git", "new.html"]
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_folders_of_killed_builds_are_swept(tmp_path: Path) -> None:
    left = tmp_path / ".site.4194999"  # above the highest process number
    left.mkdir()
    other = tmp_path / ".site.notes"
    other.mkdir()
    publish.sibling(tmp_path / "site")
    assert not left.exists() and other.exists()
