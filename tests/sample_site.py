"""A small repository for tests: the project's own data, a few pages of its own, one article with edits."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

from hooks import pages, translation

ROOT = Path(__file__).parent.parent
SEED = "PyTorch1.3发布。[BETA]新的分析器可用。旧的soxpostend也在。\n"

INDEX = {
    "zh-Hans": "---\ntitle: 首页\ndescription: 测试版网站\n---\n\n# 首页 {#home}\n\n软件的默认设置见[分级](tiers.md)。\n\n## 级别 {#levels}\n\n[[tier:beta]] 很好。\n",
    "en": "---\ntitle: Home\ndescription: A test site\n---\n\n# Home {#home}\n\nDefaults: see [tiers](tiers.md).\n\n## Levels {#levels}\n\nA good [[tier:beta]].\n",
}
TIERS = {
    "zh-Hans": "---\ntitle: 分级\ndescription: 分级\n---\n\n# 分级 {#tiers}\n\n## 测试版 {#beta}\n\n[[table:translation]]\n",
    "en": "---\ntitle: Tiers\ndescription: Tiers\n---\n\n# Tiers {#tiers}\n\n## Beta {#beta}\n\n[[table:translation]]\n",
}
ARTICLE = "---\ntitle: Release 1.3\ndescription: An article\n---\n\n# Release 1.3 {#pytorch-1-3}\n\nPyTorch 1.3 is out.\n\n## Profiler {#profiler}\n\n[[tier:beta]]\n\nA new profiler. The old sox backend[^sox] is there too.\n"
EDITS = {
    "title": "PyTorch 1.3 发布",
    "description": "一篇文章",
    "release": "1.3",
    "publisher": {"zh-Hans": "测试报", "en": "The Test (测试报)"},
    "date": "unknown",
    "original_name": "old.txt",
    "sha256": hashlib.sha256(SEED.encode()).hexdigest(),
    "edits": [
        {"new_heading": "分析器", "before": "[[tier:beta]] 新的", "level": 2, "id": "profiler", "reason": "The label opens it."},
        {"fix": "soxpostend", "with": "sox 后端", "note": "sox", "reason": "Garbled."},
    ],
    "notes": {"sox": {"kind": "garbled-name", "zh-Hans": "原作 soxpostend。", "en": "The source has soxpostend.", "sources": ["blog-1.6"]}},
}


def write(root: Path, path: str, text: str) -> None:
    """Write a file of the small repository."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8", newline="")


def build(root: Path) -> Path:
    """Make the small repository in the empty folder `root`; every translation is up to date."""
    shutil.copytree(ROOT / "docs/data", root / "docs/data", ignore=shutil.ignore_patterns("anchors.txt", "features"))
    write(root, "docs/snippets/hello.pycon", ">>> 1 + 1\n2\n")
    write(root, "docs/assets/logo.svg", "<svg/>")
    for name, page in (("index.md", INDEX), ("tiers.md", TIERS)):
        for edition, text in page.items():
            write(root, f"docs/{edition}/{name}", text)
    write(root, "seeds/pytorch-1.3.txt", SEED)
    write(root, "seeds/pytorch-1.3.yml", json.dumps(EDITS, ensure_ascii=False))
    write(root, "docs/en/releases/1.3.md", ARTICLE)
    accept(root)
    return root


def accept(root: Path) -> None:
    """Mark every English page as up to date."""
    sources = pages.collect(root)
    for path, page in sources.english.items():
        write(root, page.origin, translation.accepted(page.text, sources.chinese[path].text))


def change(root: Path, path: str, before: str, after: str) -> None:
    """Change a phrase that stands once in a file."""
    text = (root / path).read_text(encoding="utf-8")
    assert text.count(before) == 1, (path, before)
    write(root, path, text.replace(before, after))
