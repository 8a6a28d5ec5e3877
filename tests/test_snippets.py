"""Every session that a page can show runs here, and has run on every release, as it declares."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import fences
import pytest
import sample_site
from conftest import ROOT, Site

from hooks import runs, snippets, tree
from hooks.atlas import model, published
from hooks.editions import CANONICAL
from hooks.errors import Refusal
from hooks.runs import Era, Run, Verdict
from hooks.snippets import Snippet
from tests import eras

NEWEST = runs.eras(ROOT)[-1]


@dataclass(frozen=True)
class Session:
    """A session to run: a snippet, or a fence in the text of a page, which finds the published files where it runs."""

    place: str
    text: str
    snippet: Snippet | None = None


SESSIONS = [Session(f"{snippet.origin}:1", snippet.text, snippet) for snippet in snippets.read(ROOT).values()]
SESSIONS += [Session(f"{path}:{fence.line}", fence.text + "\n") for path, fence in fences.written()]


@pytest.fixture(scope="session")
def outcomes(request: pytest.FixtureRequest) -> Iterator[Mapping[str, Future]]:
    """What comes of the sessions that are asked for, each in its own process, as many at once as there are processors."""

    def found(session: Session) -> dict:
        snippet = session.snippet
        if snippet is None:
            return eras.outcome(sys.executable, session.text.encode(), files=downloads)
        if not set(snippet.packages) <= set(NEWEST.packages):
            return {"outcome": "needs package"}
        return eras.outcome(sys.executable, session.text.encode(), snippet.seconds, snippet.hardware)

    downloads = {Path(path).name: text for path, text in published.files(model.read(ROOT))}
    # Other tests have a parameter of that name too, so the function is asked and not the name alone.
    asked = [item.callspec.params["session"] for item in request.session.items if getattr(item, "originalname", None) == "test_session"]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield {session.place: pool.submit(found, session) for session in asked}
        pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.place)
def test_session(session: Session, outcomes: Mapping[str, Future]) -> None:
    """It does on this release what it shows, or fails as declared."""
    snippets.examples(session.text, session.place)
    found = dict(outcomes[session.place].result())
    details = found.pop("details", "")
    if session.snippet is None:
        assert found == {"outcome": "ok"}, details
    else:
        ran = Run(session.snippet.name, session.snippet.hash, NEWEST.torch, NEWEST.python, "", "", **found)
        contradictions = list(map(str, runs.contradictions(session.snippet, ran)))
        assert not contradictions, details


def test_every_snippet_has_run_on_every_release_as_it_is_now() -> None:
    lacking = list(map(str, runs.missing(snippets.read(ROOT), runs.read(ROOT), runs.eras(ROOT))))
    assert not lacking


def test_the_recorded_runs_agree_with_what_the_snippets_declare() -> None:
    known = snippets.read(ROOT)
    recorded = [run for run in runs.read(ROOT) if run.of(known[run.snippet])]
    assert recorded
    contradictions = [str(refusal) for run in recorded for refusal in runs.contradictions(known[run.snippet], run)]
    assert not contradictions


def test_the_records_are_as_the_command_would_write_them(tmp_path: Path) -> None:
    for path in (snippets.SESSIONS, runs.ERAS):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(ROOT / snippets.SESSIONS, tmp_path / snippets.SESSIONS)
    shutil.copy(ROOT / runs.ERAS, tmp_path / runs.ERAS)
    runs.write(tmp_path, reversed(runs.read(ROOT)))
    assert (tmp_path / runs.RUNS).read_bytes() == (ROOT / runs.RUNS).read_bytes()


def test_the_tests_install_what_the_newest_era_has() -> None:
    pins = dict(re.findall(r"^([\w-]+)==([\w.]+)", (ROOT / "tests/requirements.txt").read_text(), re.M))
    assert {name: pins.get(name) for name in ("torch", *NEWEST.packages)} == {"torch": NEWEST.torch, **NEWEST.packages}


def test_every_session_on_every_page_is_one_that_runs(site: Site) -> None:
    """Counted page by page, in the Markdown of each edition and in the HTML built from it."""
    run = {session.text.strip("\n") for session in SESSIONS}
    shown = 0
    for path, staged in tree.expand(ROOT).pages.items():
        if not path.endswith(".md"):
            continue
        html = site.folder / path.removeprefix(f"{CANONICAL}/").removesuffix(".md").removesuffix("index") / "index.html"
        expected = [fence.text for fence in fences.in_markdown(staged.content)]
        assert Counter(fences.in_html(html.read_text(encoding="utf-8"))) == Counter(expected), path
        assert not [text for text in expected if text not in run], f"{path} shows Python that no test runs"
        shown += len(expected)
    assert shown


@pytest.mark.parametrize(
    ("page", "count"),
    [
        ("```python\nx = 1\n```\n", 1),
        ("```py title=\"a.py\"\nx = 1\n```\n", 1),
        ("``` { .pycon .annotate title=\"a\" }\n>>> 1\n1\n```\n", 1),
        ("~~~pycon\n>>> 1\n1\n~~~\n", 1),
        ("!!! note\n\n    ```pycon\n    >>> 1\n    1\n    ```\n", 1),
        ("=== \"1.6\"\n\n    ```pycon\n    >>> 1\n    1\n    ```\n\n=== \"2.13\"\n\n    ```pycon\n    >>> 2\n    2\n    ```\n", 2),
        ("```text\n>>> 1\n1\n```\n", 1),
        ("Text.\n\n    >>> 1\n    1\n", 1),
        ("```sh\npip install torch\n```\n\n```text\nx = 1\n```\n", 0),
        ("Say `>>> 1` inline.\n", 0),
    ],
)
def test_no_form_of_python_in_a_page_is_overlooked(page: str, count: int) -> None:
    assert len(list(fences.in_markdown(page))) == count


# Reading


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A repository with the one snippet `amp`."""
    sample_site.write(tmp_path, "docs/data/features/amp.yml", "")
    sample_site.write(tmp_path, "docs/data/features/amp-more.yml", "")
    sample_site.write(tmp_path, "docs/snippets/amp.pycon", ">>> 1 + 1\n2\n")
    sample_site.write(tmp_path, "docs/data/snippets/amp.yml", 'form: historical\nsince: "1.6"\n')
    return tmp_path


def test_a_snippet_belongs_to_the_feature_it_is_named_after(small: Path) -> None:
    for name in ("amp-more", "amp-more-today"):
        sample_site.write(small, f"docs/snippets/{name}.pycon", ">>> 1 + 1\n2\n")
        sample_site.write(small, f"docs/data/snippets/{name}.yml", 'form: today\nsince: "1.10"\n')
    assert {name: snippet.feature for name, snippet in snippets.read(small).items()} == {"amp": "amp", "amp-more": "amp-more", "amp-more-today": "amp-more"}


def test_every_byte_counts_for_the_hash(small: Path) -> None:
    before = snippets.read(small)["amp"].hash
    sample_site.write(small, "docs/snippets/amp.pycon", ">>> 1 + 1\r\n2\r\n")
    assert snippets.read(small)["amp"].hash != before


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("docs/snippets/amp-b.pycon", ">>> 1\n1\n", "amp-b.pycon: there is no docs/data/snippets/amp-b.yml"),
        ("docs/data/snippets/amp-b.yml", 'form: today\nsince: "1.6"\n', "amp-b.yml: there is no docs/snippets/amp-b.pycon"),
        ("docs/data/snippets/amp.yml", 'form: today\nsince: "1.6"\nuntill: "1.7"\n', "amp.yml:3: unknown key `untill`"),
        ("docs/data/snippets/amp.yml", "form: today\nsince: 1.10\n", "amp.yml:2: `since` is read as the number 1.1"),
        ("docs/data/snippets/amp.yml", 'form: historical\nsince: "1.10"\nuntil: "1.9"\n', "amp.yml:3: it ends with 1.9"),
        ("docs/data/snippets/amp.yml", 'form: today\nsince: "1.6"\nuntil: "1.9"\n', "amp.yml:3: a form of today that ends"),
        (
            "docs/data/snippets/amp.yml",
            'form: historical\nsince: "1.6"\nuntil: "1.9"\nwarnings:\n- {category: UserWarning, text: x, since: "1.10"}\n',
            "amp.yml:5: a warning since 1.10",
        ),
        (
            "docs/data/snippets/amp.yml",
            'form: historical\nsince: "1.6"\nuntil: "1.9"\nfails:\n  "1.5": {zh-Hans: x, en: x}\n',
            "amp.yml:5: 1.5 is outside its range",
        ),
        ("docs/snippets/amp.pycon", "import torch\n", "amp.pycon: no statement"),
        ("docs/snippets/amp.pycon", "\n\nFirst:\n\n>>> 1\n1\n", "amp.pycon:3: text outside the session"),
        ("docs/snippets/amp.pycon", ">>> 1\n1\n\nThen:\n\n>>> 1\n1\n", "amp.pycon:4: text outside the session"),
        ("docs/snippets/amp.pycon", ">>>1\n", "amp.pycon: no session"),
        ("docs/snippets/amp.pycon", ">>> 1\n1\n>>> 2  # doctest: +SKIP\n3\n", "amp.pycon:3: a directive"),
        ("docs/snippets/amp.pycon", ">>> 1\n1\n>>> class A:\n...     x = 1\n...\n...     y = 2\n", "amp.pycon:5: an empty line within a block"),
    ],
)
def test_what_is_no_snippet_is_refused_with_its_line(small: Path, file: str, text: str, said: str) -> None:
    sample_site.write(small, file, text)
    with pytest.raises(Refusal) as refused:
        snippets.read(small)
    assert said in str(refused.value)


def test_a_snippet_of_no_feature_is_refused(small: Path) -> None:
    (small / "docs/data/features/amp.yml").unlink()
    with pytest.raises(Refusal, match="begins with no feature"):
        snippets.read(small)


def test_code_comes_without_prompts_and_output_and_can_be_pasted_line_by_line() -> None:
    session = ">>> def f(x):\n...     return x + 1\n>>> f(1)\n2\n>>> f(2)\n3\n\n>>> for x in range(2):\n...     f(x)\n...\n1\n2\n"
    assert snippets.code(session) == "def f(x):\n    return x + 1\n\nf(1)\nf(2)\n\nfor x in range(2):\n    f(x)\n"


# What follows from runs


def snippet(name: str = "amp", hash: str = "0" * 12, **declared: object) -> Snippet:
    return Snippet(**{"name": name, "feature": "amp", "text": "", "hash": hash, "file": eras_file(), "form": "historical", "since": "1.6", **declared})


def eras_file() -> object:
    return snippets.yamlfile.load(ROOT / runs.ERAS)


def run(outcome: str, torch: str = "2.13.0", name: str = "amp", hash: str = "0" * 12, date: str = "2026-01-01", **more: object) -> Run:
    return Run(name, hash, torch, "3.11", "Linux x86_64", date, outcome, **more)


WARNING = {"category": "FutureWarning", "text": "`amp` is deprecated. Use it."}
ERROR = {"line": 1, "type": "AttributeError", "text": "no amp"}


@pytest.mark.parametrize(
    ("declared", "ran", "said"),
    [
        ({}, run("ok"), []),
        ({}, run("ok", "1.5.1"), ["it runs on 1.5.1, where it is declared not to"]),
        ({}, run("absent", "1.5.1", error=ERROR), []),
        ({}, run("absent", error=ERROR), ["absent on 2.13.0, line 1: AttributeError: no amp"]),
        ({"until": "1.13"}, run("absent", error=ERROR), []),
        ({"until": "1.13"}, run("ok"), ["it runs on 2.13.0"]),
        ({"fails": {"1.10": {}}}, run("error", "1.10.2", error=ERROR), []),
        ({"fails": {"1.10": {}}}, run("ok", "1.10.2"), ["it runs on 1.10.2"]),
        ({}, run("ok with warning", warnings=[WARNING]), ["on 2.13.0 it warns: FutureWarning"]),
        ({"warnings": [snippets.Warned("FutureWarning", "`amp` is deprecated")]}, run("ok with warning", warnings=[WARNING]), []),
        ({"warnings": [snippets.Warned("UserWarning", "`amp` is deprecated")]}, run("ok with warning", warnings=[WARNING]), ["not seen", "it warns"]),
        ({"warnings": [snippets.Warned("FutureWarning", "`amp`", since="2.4")]}, run("ok", "1.13.1"), []),
        ({"warnings": [snippets.Warned("FutureWarning", "`amp`", since="2.4")]}, run("ok"), ["the FutureWarning is not seen on 2.13.0"]),
        ({"hardware": "cuda"}, run("needs hardware"), []),
        ({}, run("needs hardware"), ["not declared"]),
        ({}, run("needs package"), []),
    ],
)
def test_a_run_that_contradicts_what_is_declared_is_told(declared: dict, ran: Run, said: list[str]) -> None:
    found = list(map(str, runs.contradictions(snippet(**declared), ran)))
    assert len(found) == len(said)
    assert all(part in text for part, text in zip(said, found))


def test_a_run_of_an_earlier_text_counts_for_nothing() -> None:
    changed = snippet(hash="1" * 12)
    era = Era("2.13.0", "3.11", {})
    assert runs.of(changed, [run("ok")]) == {}
    assert "python -m tests.eras --snippet amp" in str(runs.missing({"amp": changed}, [run("ok")], [era])[0])
    assert runs.verdict("current", [changed], [run("ok")], era) == Verdict("unknown")


NEWEST = Era("2.13.0", "3.11", {})
OLD, NEW, MORE = snippet(), snippet("amp-today", form="today"), snippet("amp-more", form="today")


@pytest.mark.parametrize(
    ("today", "shown", "recorded", "status"),
    [
        ("current", [NEW], [run("ok", name="amp-today")], "works"),
        ("deprecated", [OLD, NEW], [run("ok with warning"), run("ok", name="amp-today")], "warns"),
        ("renamed", [OLD, NEW], [run("ok"), run("ok", name="amp-today")], "works"),
        ("renamed", [OLD, NEW], [run("absent"), run("ok", name="amp-today")], "moved"),
        ("renamed", [NEW], [run("ok", name="amp-today")], "moved"),
        ("removed", [OLD], [run("absent")], "gone"),
        ("removed", [NEW], [run("ok", name="amp-today")], "gone"),
        ("current", [OLD], [run("absent")], "gone"),
        ("current", [OLD], [run("different output")], "unknown"),
        ("external", [OLD], [run("needs package")], "moved"),
        ("external-archived", [], [], "gone"),
        ("superseded", [], [], "moved"),
        ("current", [NEW], [run("needs hardware", name="amp-today")], "needs-hardware"),
        ("current", [NEW, MORE], [run("ok", name="amp-today"), run("needs hardware", name="amp-more")], "needs-hardware"),
        ("current", [NEW, MORE], [run("ok", name="amp-today"), run("needs package", name="amp-more")], "works"),
        ("current", [NEW], [run("needs package", name="amp-today")], "unknown"),
        ("current", [OLD, NEW], [run("absent"), run("ok", name="amp-today")], "works"),
        ("current", [NEW], [run("ok", "1.13.1", name="amp-today")], "unknown"),
        ("current", [], [], "works"),
        ("deprecated", [], [], "unknown"),
        ("unknown", [NEW], [run("ok", name="amp-today")], "unknown"),
    ],
)
def test_what_a_reader_can_expect_follows_from_the_newest_run_and_the_facts(today: str, shown: list, recorded: list, status: str) -> None:
    assert runs.verdict(today, shown, recorded, NEWEST).status == status


@pytest.mark.parametrize(
    ("today", "shown", "recorded", "decided"),
    [
        ("current", [NEW, MORE], [run("ok", name="amp-today"), run("ok with warning", name="amp-more")], ["amp-more"]),
        ("current", [NEW, MORE], [run("ok", name="amp-today"), run("needs package", name="amp-more")], ["amp-today"]),
        ("current", [NEW, MORE], [run("ok", name="amp-today"), run("needs hardware", name="amp-more")], ["amp-more"]),
        ("maintenance", [OLD, NEW], [run("absent"), run("ok", name="amp-today")], ["amp", "amp-today"]),
        ("current", [OLD], [run("absent")], ["amp"]),
        ("removed", [OLD], [run("absent")], []),
        ("current", [], [], []),
    ],
)
def test_a_verdict_names_the_runs_that_decided_it(today: str, shown: list, recorded: list, decided: list[str]) -> None:
    assert [run.snippet for run in runs.verdict(today, shown, recorded, NEWEST).runs] == decided


def test_records_keep_their_date_until_they_say_something_else(tmp_path: Path) -> None:
    sample_site.write(tmp_path, "docs/snippets/amp.pycon", ">>> 1\n1\n")
    sample_site.write(tmp_path, "docs/data/eras.yml", "".join(f'- {{torch: "{torch}", python: "3.8", packages: {{}}}}\n' for torch in ("1.9.1", "1.10.2", "2.13.0")))
    now = snippets.hashes(tmp_path)["amp"]

    def write(*fresh: Run) -> list[tuple[str, str, str]]:
        runs.write(tmp_path, fresh)
        return [(one.torch, one.outcome, one.date) for one in runs.read(tmp_path)]

    first = write(run("ok", "1.10.2", hash=now), run("ok", "1.9.1", hash=now), run("needs hardware", hash=now))
    assert first == [("1.9.1", "ok", "2026-01-01"), ("1.10.2", "ok", "2026-01-01"), ("2.13.0", "needs hardware", "2026-01-01")]
    later = {"hash": now, "date": "2026-02-02"}
    assert write(run("ok", "1.10.2", **later), run("needs hardware", "1.9.1", **later)) == first
    assert write(run("absent", "1.10.2", error=ERROR, **later))[1] == ("1.10.2", "absent", "2026-02-02")
    assert write(run("ok", "1.9.1", date="2026-02-02"), run("ok", name="fft", **later))[0] == first[0]
    assert len(runs.read(tmp_path)) == 3
    sample_site.write(tmp_path, "docs/data/eras.yml", '- {torch: "1.10.2", python: "3.8", packages: {}}\n')
    assert write() == [("1.10.2", "absent", "2026-02-02")]
    sample_site.write(tmp_path, "docs/snippets/amp.pycon", ">>> 2\n2\n")
    assert write() == []
