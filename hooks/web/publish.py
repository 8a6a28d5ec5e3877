"""Files on their way in and out: the folder MkDocs reads, and the site that appears whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path


def stage(folder: Path, files: Mapping[str, str | bytes]) -> list[str]:
    """Make `folder` hold exactly `files`, touching only what differs.

    Args:
        folder: Existing folder that nothing else writes into.
        files: Relative POSIX path → content; text is written as UTF-8 with the line ends it has.

    Returns:
        The paths written or removed, sorted.
    """
    touched = []
    for path in sorted(folder.rglob("*"), reverse=True):
        name = path.relative_to(folder).as_posix()
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif name not in files:
            path.unlink()
            touched.append(name)
    for name, content in files.items():
        data = content.encode() if isinstance(content, str) else content
        path = folder / name
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            touched.append(name)
    return sorted(touched)


def sibling(target: Path) -> Path:
    """An empty folder beside `target`, on the same file system, so that `replace` is a rename.

    Folders that a killed build left behind are removed: their names end in the number of a process that is gone.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    for old in target.parent.glob(f".{target.name}.*"):
        number = old.name.rpartition(".")[2]
        if number.isdecimal() and not _runs(int(number)):
            shutil.rmtree(old, ignore_errors=True)
    folder = target.parent / f".{target.name}.{os.getpid()}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def replace(target: Path, folder: Path) -> None:
    """Put `folder` in the place of `target`.

    Hidden entries of the old target move along, as MkDocs leaves them alone too: a checked-out branch of published
    pages keeps its `.git`.
    """
    if not target.exists():
        folder.rename(target)
        return
    old = folder.with_name(f"{folder.name}.old.{os.getpid()}")
    target.rename(old)
    folder.rename(target)
    for entry in old.glob(".*"):
        if not (target / entry.name).exists():
            entry.rename(target / entry.name)
    shutil.rmtree(old)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
