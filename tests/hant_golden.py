"""Every converted line of the site, which for prose is every paragraph, so that a change of the term table or of OpenCC shows as a diff.

    python tests/hant_golden.py     writes tests/data/hant.golden.tsv anew
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "data" / "hant.golden.tsv"

if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from hooks import inline, tree  # noqa: E402  (the path is set above when this runs as a script)


def rows(pages: tree.Tree) -> Iterator[str]:
    """Each line with Chinese at its first appearance: zh-Hans, tab, zh-Hant; `# path` before the first of a page.

    Pages that a writer made for zh-Hant by hand are left out, and so is the glossary, which prints the table itself.
    """
    seen: set[tuple[str, str]] = set()
    for path, staged in pages.pages.items():
        edition, _, rest = path.partition("/")
        derived = pages.pages.get(f"zh-Hant/{rest}")
        if edition != "zh-Hans" or not path.endswith(".md") or derived is None or derived.origin != staged.origin:
            continue
        if rest == "glossary.md":
            continue
        pairs = zip(staged.content.split("\n"), derived.content.split("\n"), strict=True)
        fresh = [pair for pair in dict.fromkeys(pairs) if pair not in seen and re.search(f"[{inline.HAN}]", pair[0])]
        seen.update(fresh)
        if fresh:
            yield f"# {rest}"
            yield from (f"{simplified.strip()}\t{traditional.strip()}" for simplified, traditional in fresh)


def main() -> None:
    GOLDEN.write_text("\n".join(rows(tree.expand(ROOT))) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
