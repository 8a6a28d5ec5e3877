"""Release numbers are strings, and `1.10` comes after `1.9`."""

from __future__ import annotations


def key(version: str) -> tuple[int, ...]:
    """What to sort versions by: `"1.10"` → `(1, 10)`; `unknown` sorts last.

    Raises:
        ValueError: Not a version.
    """
    return (1_000_000,) if version == "unknown" else tuple(map(int, version.split(".")))


def minor(version: str) -> str:
    """The minor release that a patch release belongs to: `"1.8.1"` → `"1.8"`; `unknown` stays."""
    return version if version == "unknown" else ".".join(version.split(".")[:2])
