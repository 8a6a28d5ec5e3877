"""python -m hooks.atlas check     hold the facts against every rule"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from hooks.atlas import agreement, lints, model  # agreement adds its rules to those of lints
from hooks.errors import command


@command
def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m hooks.atlas", description="The facts of the atlas.")
    parser.add_argument("command", choices=["check"])
    parser.add_argument("--root", type=Path, default=Path("."), help="the repository (default: where you are)")
    options = parser.parse_args(arguments)
    atlas = model.read(options.root)
    findings = lints.check(atlas)
    for finding in findings:
        print(finding, file=sys.stderr)
    if not findings:
        lines = sum(len(feature.history) for feature in atlas.features.values())
        print(f"{len(atlas.features)} features, {lines} lines of history and {len(atlas.releases)} releases keep {len(lints.RULES)} rules")
    return int(bool(findings))


if __name__ == "__main__":
    sys.exit(main())
