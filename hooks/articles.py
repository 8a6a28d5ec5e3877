"""From a seed to the zh-Hans page of its article, and back.

    python -m hooks.articles 1.10            the page
    python -m hooks.articles 1.10 --ledger   every change, as TSV
    python -m hooks.articles [1.10] --prove  page and ledger give back the seed (all seeds without a release)
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import opencc
import yaml

from hooks import edits, markup, repair, spacing, yamlfile
from hooks import trace as tracing
from hooks.errors import Refusal, command
from hooks.trace import Edit, Entry, Step, Trace

SEEDS = "seeds"
TIERS = "docs/data/tiers.yml"
FEATURES = "docs/data/features"
SNIPPETS = "docs/snippets"
LIMIT = 5_000_000  # bytes; an article has a few thousand

_ENCODING = Step("encoding", "byte-order mark or line end in one form")
_SCRIPT = Step("script", "Traditional to Simplified")
_HEAD = Step("head", "front matter and title of the page")
_TIDY = Step("whitespace", "blank lines in one form")


@dataclass(frozen=True)
class Article:
    """An article as it is published.

    Attributes:
        release: The release it reports on, e.g. `"1.10"`.
        page: The zh-Hans page: front matter, title and body.
        body: The article's own text, as Markdown.
        trace: The page, traced back to the seed.
        meta: Metadata from the seed's YAML file; empty for an article that nobody has edited.
        edited: Whether the seed has a YAML file.
    """

    release: str
    page: str
    body: str
    trace: Trace
    meta: Mapping[str, Any] = field(default_factory=dict)
    edited: bool = True

    @property
    def id(self) -> str:
        """The id of the page's title, the same in every edition, e.g. `pytorch-1-10`."""
        return heading_id(self.release)

    @property
    def notes(self) -> Mapping[str, Mapping[str, Any]]:
        """The footnotes by id."""
        return self.meta.get("notes", {})

    @functools.cached_property
    def ledger(self) -> list[Entry]:
        """Every change from the seed to the page."""
        return tracing.ledger(self.trace)


def releases(root: Path) -> list[str]:
    """The releases that have a seed, oldest first.

    Raises:
        Refusal: A file in `seeds/` that is not named like a seed.
    """
    found = []
    for path in sorted((root / SEEDS).glob("[!.#]*[!~#]")):  # editors and systems leave `.x.swp`, `x~`, `#x#` and `.DS_Store`
        match = re.fullmatch(r"pytorch-(\d+\.\d+)\.(txt|yml)", path.name)
        if match is None:
            raise Refusal(f"{SEEDS}/{path.name}", None, "not the name of a seed", "Name it pytorch-<release>.txt, its edits pytorch-<release>.yml")
        if match[2] == "txt":
            found.append(match[1])
        elif not path.with_suffix(".txt").exists():
            raise Refusal(f"{SEEDS}/{path.name}", None, "edits without a seed", f"Add {path.stem}.txt beside it")
    return sorted(found, key=lambda release: tuple(map(int, release.split("."))))


def read_seed(root: Path, release: str) -> str:
    """The text of a seed, character by character as in the file.

    Raises:
        Refusal: No such seed, empty, over 5 MB, not UTF-8, or with a NUL.
    """
    name = f"{SEEDS}/pytorch-{release}.txt"
    try:
        data = (root / name).read_bytes()
    except FileNotFoundError:
        raise Refusal(name, None, "no such seed", f"Known releases: {', '.join(releases(root))}") from None
    except OSError as error:
        raise Refusal(name, None, f"cannot be read ({error.strerror})", "Put the article's text file there") from None
    if len(data) > LIMIT:
        raise Refusal(name, None, f"{len(data):,} bytes are no article", f"Keep a seed below {LIMIT:,} bytes")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Refusal(name, line, f"not UTF-8 (byte {error.start})", "Save the text as UTF-8") from None
    if not text.replace("\ufeff", "").strip():
        raise Refusal(name, None, "the seed is empty", "Put the article's text into it, or delete it")
    if "\0" in text:
        raise Refusal(name, text.count("\n", 0, text.index("\0")) + 1, "a NUL character", "Take it out")
    return text


def article(root: Path, release: str) -> Article:
    """The article of a release, repaired, normalised and edited.

    Raises:
        Refusal: Bad seed or bad edits.
    """
    seed = read_seed(root, release)
    path = root / SEEDS / f"pytorch-{release}.yml"
    loaded = yamlfile.load(path, "article") if path.exists() else None
    meta = loaded.data if loaded else {}
    if loaded and meta["release"] != release:
        raise loaded.refusal(f"the release is {meta['release']}, the file's name says {release}", "Make them agree", "release")
    if loaded and meta["sha256"] != hashlib.sha256(seed.encode()).hexdigest():
        raise loaded.refusal("the seed's SHA-256 is another", "A seed never changes; put the original file back", "sha256")
    if loaded:
        _known(root, loaded)
    judgements = {item["seed"]: item["reading"] for item in meta.get("judgements", [])}
    try:
        trace = normalise(root, seed, judgements)
    except Refusal as refusal:
        if loaded is None or refusal.file is not None:
            raise
        raise loaded.refusal(refusal.what, refusal.mend, "judgements") from None
    if loaded:
        trace = edits.apply(trace, loaded)
    else:
        trace = tracing.apply(trace, markup.paragraphs(trace.text))
    trace = _tidy(trace)
    body = trace.text
    head = _head(meta, release)
    trace = tracing.apply(trace, [Edit(0, 0, head, _HEAD)])
    return Article(release, trace.text, body, trace, meta, loaded is not None)


def _known(root: Path, loaded: yamlfile.Loaded) -> None:
    """Refuse an edit or a note that names a feature or a snippet which does not exist."""
    named = [(("edits", index), edit) for index, edit in enumerate(loaded.data["edits"])]
    named += [(("notes", name), note) for name, note in loaded.data.get("notes", {}).items()]
    for keys, entry in named:
        if "feature" in entry and not (root / FEATURES / f"{entry['feature']}.yml").exists():
            raise loaded.refusal(f"unknown feature `{entry['feature']}`", f"Mend the id, or add {FEATURES}/{entry['feature']}.yml", *keys)
        if "snippet" in entry and not (root / SNIPPETS / entry["snippet"]).exists():
            raise loaded.refusal(f"no snippet {SNIPPETS}/{entry['snippet']}", "Write the file, or mend its name", *keys)


def normalise(root: Path, seed: str, judgements: Mapping[str, str] | None = None) -> Trace:
    """What is done to every seed before any edit: repair, Simplified script, markup, spacing, names."""
    trace = tracing.begin(seed)
    trace = tracing.apply(trace, [Edit(*m.span(), "\n" if "\r" in m[0] else "", _ENCODING) for m in re.finditer("\ufeff|\r\n?", seed)])
    repaired = repair.repair(trace.text, judgements)
    trace = tracing.apply(trace, [Edit(c.start, c.end, c.after, Step(c.kind, c.reason)) for c in repaired.changes])
    trace = tracing.apply(trace, script_edits(trace.text))
    trace = tracing.apply(trace, markup.shape(trace.text))
    trace = tracing.apply(trace, markup.mark(trace.text, _labels(root)))
    trace = tracing.apply(trace, spacing.name_edits(trace.text, spacing.names(root)))
    return tracing.apply(trace, spacing.gap_edits(trace.text))


def script_edits(text: str) -> list[Edit]:
    """The edits that bring a Traditional text to Simplified; none for a text that is Simplified already."""
    simplified = _converter("t2s").convert(text)
    if _different(text, simplified) <= _different(text, _converter("s2t").convert(text)):
        return []
    # Line by line, and sign by sign where the lengths agree, so that the ledger stays fine-grained.
    out: list[Edit] = []
    at = 0
    for before, after in zip(text.split("\n"), simplified.split("\n"), strict=True):
        if len(before) == len(after):
            out += (Edit(at + i, at + i + 1, b, _SCRIPT) for i, (a, b) in enumerate(zip(before, after)) if a != b)
        else:
            out += tracing.minimal(before, after, at, _SCRIPT)
        at += len(before) + 1
    return out


def _different(text: str, other: str) -> int:
    return sum(a != b for a, b in zip(text, other))


@functools.lru_cache(maxsize=None)
def _converter(config: str) -> opencc.OpenCC:
    return opencc.OpenCC(config)


def _labels(root: Path) -> dict[str, str]:
    tiers = yamlfile.load(root / TIERS, "tiers").data
    return {label.lower(): tier for tier, entry in tiers.items() for label in entry["labels"]}


def heading_id(release: str) -> str:
    """The id of the title of an article page."""
    return f"pytorch-{release.replace('.', '-')}"


def _head(meta: Mapping[str, Any], release: str) -> str:
    title = meta.get("title", f"PyTorch {release}")
    front = {"title": title} | ({"description": meta["description"]} if "description" in meta else {})
    dumped = yaml.safe_dump(front, allow_unicode=True, sort_keys=False, width=10_000)
    return f"---\n{dumped}---\n\n# {title} {{#{heading_id(release)}}}\n\n"


def _tidy(trace: Trace) -> Trace:
    text = trace.text
    gaps = [Edit(*m.span(), "\n\n", _TIDY) for m in re.finditer(r"\n{3,}", text.rstrip())]
    end = len(text.rstrip())
    return tracing.apply(trace, [*gaps, Edit(end, len(text), "\n", _TIDY)])


def prove(root: Path, release: str) -> str:
    """Rebuild the seed from the published page and the published ledger.

    Returns:
        What was proved, in one line.

    Raises:
        Refusal: The rebuilt text is not the seed.
    """
    made = article(root, release)
    entries = tracing.from_tsv(tracing.to_tsv(made.ledger))
    seed = root / SEEDS / f"pytorch-{release}.txt"
    if tracing.restore(made.page, entries).encode() != seed.read_bytes():
        raise Refusal(f"{SEEDS}/{seed.name}", None, "page and ledger do not give back the seed", "Mend hooks/trace.py: a change was lost")
    return f"{release}: {len(entries)} changes lead from the page back to {seed.stat().st_size:,} bytes, each the seed's own"


@command
def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m hooks.articles", description="The zh-Hans page of an article.")
    parser.add_argument("release", nargs="?", help='e.g. "1.10"; left out with --prove: all of them')
    parser.add_argument("--root", type=Path, default=Path("."), help="the repository (default: where you are)")
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--ledger", action="store_true", help="print the ledger as TSV")
    group.add_argument("--prove", action="store_true", help="show that page and ledger give back the seed")
    options = parser.parse_args(arguments)
    if options.release is None and not options.prove:
        parser.error("which release?")
    if options.prove:
        for release in [options.release] if options.release else releases(options.root):
            print(prove(options.root, release))
    else:
        made = article(options.root, options.release)
        sys.stdout.write(tracing.to_tsv(made.ledger) if options.ledger else made.page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
