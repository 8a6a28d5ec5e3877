"""Small pieces of Markdown that every page made from data uses."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping

from hooks import editions
from hooks.atlas.model import Source, Text
from hooks.editions import CANONICAL, DERIVED, Words


def reading(text: Text, edition: str) -> str:
    """A text in an edition; where the Traditional reading is given by hand, it travels along as an override."""
    if edition == DERIVED:
        return editions.reading(text, edition)
    if edition == CANONICAL and DERIVED in text:
        return f"-{{{CANONICAL}:{text[CANONICAL]};{DERIVED}:{text[DERIVED]}}}-"
    return text[edition]


def escaped(name: str) -> str:
    """A name as Markdown that shows it as it is; `__torch_function__` is not bold."""
    return re.sub(r"[\\*\[\]<]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])", lambda match: f"\\{match[0]}", name)


def front_matter(title: str, description: str, **more: str) -> str:
    """The front matter of a page; title and description are quoted, whatever they hold, the rest is YAML as it stands."""
    values = {"title": _quoted(title), "description": _quoted(description)} | more
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in values.items()) + "---\n"


def _quoted(value: str) -> str:
    return "'" + re.sub(r"[`*]", "", value).replace("'", "''") + "'"


def link(path: str, target: str) -> str:
    """The relative link from the page at `path` to `target`, both within an edition; `target` may end in `#id`."""
    page, hash_, fragment = target.partition("#")
    return posixpath.relpath(page, posixpath.dirname(path) or ".") + hash_ + fragment


def cell(text: str) -> str:
    """A text on one line that cannot break a table."""
    return " ".join(text.split()).replace("|", "\\|")


def table(header: Iterable[str], rows: Iterable[Iterable[str]], align: str = "") -> str:
    """A Markdown table; `align` holds one of `l`, `r`, `c` for each column."""
    columns = [cell(entry) for entry in header]
    marks = {"l": ":---", "r": "---:", "c": ":---:"}
    rule = [marks.get(mark, "---") for mark in align.ljust(len(columns))]
    lines = [columns, rule, *([cell(entry) for entry in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def source(entry: Source, path: str, edition: str, say: Words) -> str:
    """A source as a short citation, linked where it can be opened.

    Args:
        entry: See `docs/data/schema/common.schema.json`.
        path: The page it stands on, within its edition.
        edition: Written edition.
        say: Interface strings.
    """
    if "note" in entry and "path" not in entry and "wheel" in entry:
        return say("source.wheel", edition, wheel=entry["wheel"], place=entry["note"])
    shown = _cited(entry, path, edition, say)
    return say("source.noted", edition, source=shown, note=entry["note"]) if "note" in entry else shown


def _cited(entry: Source, path: str, edition: str, say: Words) -> str:
    if "article" in entry:
        target = link(path, f"releases/{entry['article']}.md")
        return f"[{say('source.article', edition, release=entry['article'])}]({target})"
    if "url" in entry:
        return f"[{_short(entry['url'])}](<{entry['url']}>)"
    if "repository" in entry:
        lines = f"#L{entry['lines'].replace('-', '-L')}" if "lines" in entry else ""
        url = f"https://github.com/{entry['repository']}/blob/HEAD/{entry['path']}{lines}"
        return f"[{entry['repository'].split('/')[1]}: {posixpath.basename(entry['path'])}](<{url}>)"
    if "wheel" in entry:
        lines = f":{entry['lines']}" if "lines" in entry else ""
        return say("source.wheel", edition, wheel=entry["wheel"], place=f"`{entry['path']}{lines}`")
    if "run" in entry:
        return say("source.run", edition, run=entry["run"])
    return say("source.observed", edition, what=entry["observed"])


def _short(url: str) -> str:
    """What a reader needs to see of an address: pull requests and issues by number, pages by host and last part."""
    if match := re.fullmatch(r"https://github\.com/([\w.-]+)/([\w.-]+)/(?:pull|issues)/(\d+).*", url):
        return f"{match[2]}#{match[3]}"
    host, _, rest = url.removeprefix("https://").partition("/")
    last = rest.split("#")[0].rstrip("/").rsplit("/", 1)[-1]
    return f"{host}: {last}" if last else host


def sources(entries: Iterable[Source], path: str, edition: str, say: Words) -> str:
    """Sources in a row."""
    return say("list.comma", edition).join(source(entry, path, edition, say) for entry in entries)


def grouped(entries: Iterable[tuple[str, object]]) -> Mapping[str, list]:
    """Values by key, in the order in which keys first come."""
    out: dict[str, list] = {}
    for key, value in entries:
        out.setdefault(key, []).append(value)
    return out
