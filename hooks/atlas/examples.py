"""Snippets as pages show them: the session, below it one line on where it ran, and the files to download.

The line opens to a row for each release. What it says it says in words; the sign before them only helps the eye.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence

from hooks import notebooks
from hooks.atlas import text
from hooks.atlas.evidence import FORMS, Evidence
from hooks.editions import Words
from hooks.runs import NOT_TRIED, PENDING, Run
from hooks.snippets import Snippet

OUTCOMES = ("ok", "ok with warning", "different output", "error", "absent", "needs hardware", "needs package", PENDING)
"""What can come of a run, in the order in which the line tells it."""

SIGNS = {
    "ok": "✓",
    "ok with warning": "⚠",
    "different output": "≠",
    "error": "✗",
    "absent": "–",
    "needs hardware": "○",
    "needs package": "○",
    PENDING: "○",
}


def section(evidence: Evidence, releases: Sequence[str], feature: str, path: str, edition: str, say: Words) -> str:
    """The examples of a feature for the page at `path`; in tabs where there is a form of today and one of its time."""
    found = evidence.of(feature)
    forms = [form for form in FORMS if any(snippet.form == form for snippet in found)]
    shown = {form: "\n\n".join(block(evidence, releases, snippet, path, edition, say) for snippet in found if snippet.form == form) for form in forms}
    if len(forms) > 1:
        body = "\n\n".join(f'=== "{say(f"example.{form}", edition)}"\n\n{textwrap.indent(part, "    ")}' for form, part in shown.items())
    else:
        body = "".join(shown.values())
    if len(found) > 1:
        body += f"\n\n{say('example.notebook', edition, file=_file(notebooks.of_feature(feature), path))}\n{{.snippet-all}}"
    return body


def block(evidence: Evidence, releases: Sequence[str], snippet: Snippet, path: str, edition: str, say: Words) -> str:
    """A snippet with its runs, as Markdown for the page at `path`.

    Args:
        evidence: The runs.
        releases: All releases, oldest first; a range never stands for one that was not tried.
        snippet: The snippet.
        path: The page's path within its edition.
        edition: Edition of the page.
        say: Interface strings.
    """
    ran = evidence.ran[snippet.name]
    parts = [f"**{text.reading(snippet.title, edition)}**"] if snippet.title else []
    offered = say("example.download", edition, files=files(snippet.name, path)) + ("" if snippet.prompt else f"<br>{say('example.file', edition)}")
    parts += [fence(snippet.name), f"{offered}\n{{.snippet-files}}"]
    if unrun(ran):
        parts.append(f"{line(ran, releases, snippet, edition, say)}\n{{.snippet-unrun}}")
    else:
        table = textwrap.indent(rows(snippet, ran, edition, say), "    ")
        parts.append(f'??? ran "{line(ran, releases, snippet, edition, say)}"\n\n{table}')
    return "\n\n".join(parts)


def fence(name: str) -> str:
    """A session as it stands in its file, the same in every edition."""
    return f'```pycon\n--8<-- "{name}.pycon"\n```'


def files(snippet: str, path: str) -> str:
    """Links from the page at `path` to the script and the notebook of a snippet."""
    return " · ".join(_file(staged, path) for staged in (notebooks.script_of(snippet), notebooks.of_snippet(snippet)))


def _file(staged: str, path: str) -> str:
    """A link from the page at `path` within its edition to a file at the site's root, named by its ending."""
    return f"[`{staged[staged.rindex('.') :]}`]({'../' * (path.count('/') + 1)}{staged})"


def unrun(ran: Mapping[str, Run]) -> bool:
    """Whether the session was tried nowhere, for want of hardware, of a package or of time since it was changed."""
    return all(run.outcome in NOT_TRIED for run in ran.values())


def line(ran: Mapping[str, Run], releases: Sequence[str], snippet: Snippet, edition: str, say: Words) -> str:
    """Where a snippet ran, in one line: what came of it on which releases, when, and under which Python."""
    if unrun(ran):
        return f"{SIGNS['needs hardware']} {say('example.unrun', edition, reason=lacking(snippet, edition, say))}"
    comma = say("list.comma", edition)
    parts = []
    for outcome in OUTCOMES:
        if found := [release for release, run in ran.items() if run.outcome == outcome]:
            parts.append(say("run.line", edition, outcome=word(outcome, edition, say), releases=comma.join(ranges(found, releases))))
    dates = sorted({run.date for run in ran.values() if run.date})
    pythons = dict.fromkeys(run.python for run in ran.values())
    parts.append(dates[0] if len(dates) == 1 else f"{dates[0]} – {dates[-1]}")
    parts.append(f"Python {comma.join(pythons)}")
    return " · ".join(parts)


def lacking(snippet: Snippet, edition: str, say: Words) -> str:
    """Why a snippet was tried nowhere: what it needs that may not be at hand; else that it is new or has been changed."""
    if snippet.hardware:
        return say(f"hardware.{snippet.hardware}", edition)
    if snippet.packages:
        return say("example.packages", edition, packages=say("list.comma", edition).join(snippet.packages))
    return say("example.pending", edition)


def word(outcome: str, edition: str, say: Words) -> str:
    """An outcome in a word, with its sign."""
    key = outcome.replace(" ", "-")
    return f"{SIGNS[outcome]} {say(f'run.{key}', edition)}"


def ranges(found: Sequence[str], releases: Sequence[str]) -> list[str]:
    """Releases in short, `1.6–1.13`; one that lies between and is not among them breaks the range."""
    out: list[list[str]] = []
    for release in found:
        before = releases.index(release) - 1 if release in releases else -1
        if out and before >= 0 and out[-1][-1] == releases[before]:
            out[-1].append(release)
        else:
            out.append([release])
    return [stretch[0] if len(stretch) == 1 else f"{stretch[0]}–{stretch[-1]}" for stretch in out]


def rows(snippet: Snippet, ran: Mapping[str, Run], edition: str, say: Words) -> str:
    """The table of runs, a row for each release."""
    header = ["PyTorch", "Python", say("run.date", edition), say("run.outcome", edition)]
    table = [[run.torch, run.python, run.date, "<br>".join(_told(snippet, run, edition, say))] for run in ran.values()]
    return text.table(header, table)


def _told(snippet: Snippet, run: Run, edition: str, say: Words) -> Iterator[str]:
    """The outcome of a run, what it said, and why it does not run where that is known."""
    yield word(run.outcome, edition, say)
    for warning in run.warnings:
        yield code(f"{warning['category']}: {warning['text']}")
    if run.error:
        yield code(": ".join(run.error[key] for key in ("type", "text") if run.error.get(key)))
    if run.outcome == "needs package":
        yield " ".join(code(package) for package in snippet.packages)
    if reason := (snippet.fails or {}).get(run.release):
        yield text.reading(reason, edition)


def code(words: str) -> str:
    """Words of a program as a code span, whatever signs are in them; empty for none."""
    if not words:
        return ""
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", words)), default=0))
    space = " " if ticks != "`" else ""
    return f"{ticks}{space}{words}{space}{ticks}"
