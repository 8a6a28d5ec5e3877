"""The files of snippets to download: a script and a notebook of each, and one notebook with all those of a feature.

All are made of the same sessions that the pages show. They are the same in every edition, for code has no language;
the few words in them are English.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hooks import snippets
from hooks.runs import NOT_TRIED, Run
from hooks.snippets import Snippet

FOLDER = "downloads"
Ran = Mapping[str, Mapping[str, Run]]
"""Runs by the name of the snippet and the minor release."""


def script_of(snippet: str) -> str:
    """Path of a snippet's script below the site's root."""
    return f"{FOLDER}/snippets/{snippet}.py"


def of_snippet(snippet: str) -> str:
    """Path of a snippet's notebook below the site's root."""
    return f"{FOLDER}/snippets/{snippet}.ipynb"


def of_feature(feature: str) -> str:
    """Path of the notebook with all snippets of a feature, below the site's root."""
    return f"{FOLDER}/features/{feature}.ipynb"


def files(features: Mapping[str, Sequence[Snippet]], ran: Ran) -> Iterator[tuple[str, str, str]]:
    """Every file to download: path below the site's root, text, and the repository path that it is made of.

    Args:
        features: Snippets by feature, in the order of its page.
        ran: Runs of each snippet.
    """
    for feature, found in features.items():
        for snippet in found:
            yield script_of(snippet.name), script(snippet, ran[snippet.name]), snippet.origin
            yield of_snippet(snippet.name), notebook([snippet], ran), snippet.origin
        if found:
            yield of_feature(feature), notebook(found, ran), found[0].origin


def tested(snippet: Snippet, ran: Mapping[str, Run]) -> str:
    """The releases on which a snippet ran, in exact versions."""
    found = [f"{run.torch} (with a warning)" if run.outcome == "ok with warning" else run.torch for run in ran.values() if run.ran]
    if found:
        return f"PyTorch {', '.join(found)}"
    if all(run.outcome in NOT_TRIED for run in ran.values()):
        needs = snippet.hardware or ", ".join(snippet.packages)
        return f"nothing yet; it needs {needs}" if needs else "nothing yet"
    return "no release of PyTorch that it runs on"


def script(snippet: Snippet, ran: Mapping[str, Run]) -> str:
    """A session as a script: its code, and below each statement the output that the session shows as a comment."""
    parts = [f"# {snippet.name}", f"# Tested with: {tested(snippet, ran)}", ""]
    end = 0
    for example in snippets.examples(snippet.text):
        if example.lineno > end:
            parts.append("")
        # A statement that shows a failure would end the script: here it tells of it instead.
        code, shown = (example.source, example.want) if example.exc_msg is None else (_caught(example.source), example.exc_msg)
        parts += [code.rstrip("\n"), *(f"# {line}".rstrip() for line in shown.splitlines())]
        end = example.lineno + example.source.count("\n") + example.want.count("\n")
    return "\n".join(parts) + "\n"


def _caught(source: str) -> str:
    body = textwrap.indent(source.rstrip("\n"), "    ")
    return f"try:\n{body}\nexcept Exception as error:\n    print(f\"{{type(error).__name__}}: {{error}}\")\n"


def notebook(found: Sequence[Snippet], ran: Ran) -> str:
    """A notebook (nbformat 4.5) of one snippet or more; its first cell prints the version of torch and names those it was tested with."""
    lines = [f'print("{snippet.name} · tested with: {tested(snippet, ran[snippet.name])}")' for snippet in found]
    cells = [_cell("versions", "\n".join(["import torch", 'print("torch", torch.__version__)', *lines]))]
    for index, snippet in enumerate(found, 1):
        if len(found) > 1:
            alone = "\n\nTested in a process of its own: restart the kernel first, for what ran above may have changed settings." if index > 1 else ""
            cells.append({"cell_type": "markdown", "id": f"title-{index}", "metadata": {}, "source": f"## {snippet.name}{alone}"})
        for number, (code, raises) in enumerate(_cells(snippet), 1):
            cells.append(_cell(f"code-{index}-{number}", code, raises))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    data = {"cells": cells, "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _cells(snippet: Snippet) -> Iterator[tuple[str, bool]]:
    """The code of each cell, and whether it raises: a cell ends where the session shows output or leaves a line empty."""
    group: list[str] = []
    end = 0
    for example in snippets.examples(snippet.text):
        if group and example.lineno > end:
            yield "\n".join(group), False
            group = []
        group.append(example.source.rstrip("\n"))
        end = example.lineno + example.source.count("\n") + example.want.count("\n")
        if example.want:
            yield "\n".join(group), example.exc_msg is not None
            group = []
    if group:
        yield "\n".join(group), False


def _cell(name: str, source: str, raises: bool = False) -> dict[str, Any]:
    metadata = {"tags": ["raises-exception"]} if raises else {}
    return {"cell_type": "code", "execution_count": None, "id": name, "metadata": metadata, "outputs": [], "source": source}
