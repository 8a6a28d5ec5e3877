"""Snippets on the site: where they ran, what can be copied and downloaded, and what the runs say of the facts."""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
import test_atlas_lints as small
from conftest import ROOT, Site
from playwright.sync_api import Browser, Page, expect

from hooks import editions, notebooks, runs, snippets, tree
from hooks.atlas import agreement, evidence, examples, feature_pages, lints, model, snippet_pages
from hooks.runs import Run
from hooks.snippets import Snippet

SAY = editions.words(ROOT)
ATLAS = model.read(ROOT)
PAGES = feature_pages.prepare(ATLAS, SAY)
KNOWN = PAGES.evidence
RELEASES = list(ATLAS.releases)
NEWEST = KNOWN.eras[-1]
ADDRESSES = {"zh-Hans": "", "zh-Hant": "zh-Hant/", "en": "en/"}

root = small.root  # the fixture: a small atlas of two features, `amp` and `memory-profiler`


def snippet(name: str = "amp", **declared: object) -> Snippet:
    return Snippet(**{"name": name, "feature": "amp", "text": ">>> 1\n1\n", "hash": "0" * 12, "file": ATLAS.files["tiers"], "form": "today", "since": "1.6", **declared})


def ran(*found: tuple[str, str], **more: object) -> dict[str, Run]:
    out = {}
    for torch, outcome in found:
        out[torch.rpartition(".")[0]] = Run("amp", "0" * 12, torch, "3.11" if torch > "2" else "3.8", "Linux x86_64", "2026-01-01", outcome, **more)
    return out


# The line and its rows


@pytest.mark.parametrize(
    ("found", "shown"),
    [
        (["1.5"], ["1.5"]),
        (["1.9", "1.10", "1.11"], ["1.9–1.11"]),
        (["1.6", "1.7", "1.9"], ["1.6–1.7", "1.9"]),
        (["1.12", "1.13", "2.13"], ["1.12–1.13", "2.13"]),
    ],
)
def test_a_range_stands_for_no_release_that_was_not_tried(found: list[str], shown: list[str]) -> None:
    assert examples.ranges(found, RELEASES) == shown


def test_the_line_tells_each_outcome_in_words_with_date_and_python() -> None:
    found = ran(("1.5.1", "absent"), ("1.6.0", "ok"), ("1.7.1", "ok"), ("2.13.0", "ok with warning"))
    assert examples.line(found, RELEASES, snippet(), "en", SAY) == "✓ runs: 1.6–1.7 · ⚠ runs with a warning: 2.13 · – not there: 1.5 · 2026-01-01 · Python 3.8, 3.11"
    assert examples.line(found, RELEASES, snippet(), "zh-Hans", SAY) == "✓ 可运行：1.6–1.7 · ⚠ 可运行但有警告：2.13 · – 没有此接口：1.5 · 2026-01-01 · Python 3.8、3.11"


def test_a_row_holds_the_warning_as_it_was_printed_and_the_reason_of_a_failure() -> None:
    warned = ran(("2.13.0", "ok with warning"), warnings=[{"category": "FutureWarning", "text": "`a|b` is deprecated"}])
    assert "⚠ runs with a warning<br>`` FutureWarning: `a" in examples.rows(snippet(), warned, "en", SAY)
    failed = ran(("1.8.1", "error"), error={"line": 1, "type": "RuntimeError", "text": "no *such* thing"})
    rows = examples.rows(snippet(fails={"1.8": {"zh-Hans": "编译器有错", "en": "a bug of its compiler"}}), failed, "en", SAY)
    assert "✗ fails<br>`RuntimeError: no *such* thing`<br>a bug of its compiler" in rows


def test_what_needs_hardware_is_marked_as_not_run_and_never_as_running() -> None:
    found = ran(("1.13.1", "needs hardware"), ("2.13.0", "needs hardware"))
    known = evidence.Evidence({"amp": snippet(hardware="cuda")}, {"amp": found}, list(found.values()), KNOWN.eras)
    block = examples.block(known, RELEASES, known.snippets["amp"], "features/amp.md", "en", SAY)
    assert "○ Not run here: needs an NVIDIA GPU" in block
    assert "✓" not in block and "???" not in block
    assert "# Tested with: nothing yet; it needs cuda" in notebooks.script(known.snippets["amp"], found)


def test_the_two_forms_stand_in_tabs_and_a_single_form_does_not() -> None:
    found = ran(("1.6.0", "ok"))
    two = {"amp": snippet(), "amp-historical": snippet("amp-historical", form="historical")}
    known = evidence.Evidence(two, dict.fromkeys(two, found), [], KNOWN.eras)
    section = examples.section(known, RELEASES, "amp", "features/amp.md", "en", SAY)
    assert re.findall(r'^=== "(.*)"', section, re.M) == ["As written today", "As written then"]
    assert "../../downloads/features/amp.ipynb" in section
    one = evidence.Evidence({"amp": two["amp"]}, {"amp": found}, [], KNOWN.eras)
    assert "===" not in examples.section(one, RELEASES, "amp", "features/amp.md", "en", SAY)


@pytest.mark.parametrize("edition", editions.WRITTEN)
def test_every_snippet_stands_on_the_page_of_its_feature_and_in_the_index(edition: str) -> None:
    index = snippet_pages.page(PAGES, edition)
    for found in KNOWN.snippets.values():
        page = feature_pages.page(PAGES, ATLAS.features[found.feature], edition)
        line = examples.line(KNOWN.ran[found.name], RELEASES, found, edition, SAY)
        assert page.count(f'--8<-- "{found.name}.pycon"') == 1
        assert line in page and line in index
        assert page.index("{#examples}") < page.index("{#history}")
        assert f'data-feature="{found.feature}"' in index


# Stale records, and whether it works today


def put(root: Path, name: str, session: str, declared: str, outcomes: dict[str, str | dict], stale: bool = False) -> None:
    """A snippet in the small atlas, with a run for each of its releases."""
    for folder in ("docs/snippets", "docs/data/snippets"):
        (root / folder).mkdir(exist_ok=True, parents=True)
    (root / f"docs/snippets/{name}.pycon").write_text(session)
    (root / f"docs/data/snippets/{name}.yml").write_text(declared)
    small.write(root / "docs/data/eras.yml", [{"torch": torch, "python": "3.8", "packages": {"numpy": "1.23.5"}} for torch in outcomes])
    file = root / "docs/data/runs.json"
    records = json.loads(file.read_text()) if file.exists() else []
    for torch, outcome in outcomes.items():
        more = outcome if isinstance(outcome, dict) else {"outcome": outcome}
        more |= {"error": {"line": 1, "type": "AttributeError", "text": "no"}} if outcome in ("absent", "error") else {}
        found = "0" * 12 if stale else snippets.digest(session.encode())
        records.append({"snippet": name, "hash": found, "torch": torch, "python": "3.8", "platform": "Linux x86_64", "date": "2026-01-01", **more})
    file.write_text(json.dumps(records))


HISTORICAL = 'form: historical\nsince: "1.6"\n'
WARNED = {"outcome": "ok with warning", "warnings": [{"category": "FutureWarning", "text": "`amp` is deprecated"}]}


def test_a_snippet_that_changed_after_its_runs_is_shown_as_not_run_and_reported_with_the_command_that_mends_it(root: Path) -> None:
    put(root, "amp", ">>> 1\n1\n", HISTORICAL, {"1.6.0": "ok", "1.7.1": "ok"}, stale=True)
    known, atlas, say = evidence.read(root), model.read(root), editions.words(ROOT)
    assert list(map(str, known.lacking())) == ["docs/snippets/amp.pycon: no run of this text on 1.6.0, 1.7.1. Run it: python -m tests.eras --snippet amp."]
    assert known.badges(atlas.features["amp"]) == "[[today:unknown]] [[status:current]]"
    shown = examples.block(known, list(atlas.releases), known.snippets["amp"], "features/amp.md", "en", say)
    assert shown.endswith("○ Not run here: new or just changed, no run on record\n{.snippet-unrun}")
    assert notebooks.tested(known.snippets["amp"], known.ran["amp"]) == "nothing yet"
    assert not list(lints.check(atlas))

    put(root, "amp", ">>> 1\n1\n", HISTORICAL, {"1.6.0": "ok"})
    put(root, "amp", ">>> 1\n1\n", HISTORICAL, {"1.6.0": "ok", "1.7.1": "ok"}, stale=True)
    line = examples.line(evidence.read(root).ran["amp"], list(atlas.releases), known.snippets["amp"], "en", say)
    assert line == "✓ runs: 1.6 · ○ not run yet: 1.7 · 2026-01-01 · Python 3.8"


def test_the_badge_of_a_feature_follows_from_the_newest_run(root: Path) -> None:
    put(root, "amp", ">>> 1\n1\n", HISTORICAL, {"1.6.0": "ok", "1.7.1": WARNED})
    atlas = model.read(root)
    assert evidence.read(root).badges(atlas.features["amp"]) == "[[today:warns]]"
    small.change(root, "memory-profiler", lambda data: data["today"].update(status="deprecated"))
    assert evidence.read(root).badges(model.read(root).features["memory-profiler"]) == "[[today:unknown]] [[status:deprecated]]"


def test_page_index_and_area_show_the_same_status() -> None:
    index = feature_pages.index(PAGES, "en")
    for feature in ATLAS.features.values():
        badges = KNOWN.badges(feature)
        assert badges in feature_pages.page(PAGES, feature, "en").partition("</div>")[0]
        assert f"- [[{feature.id}]] {badges}\n" in index
    assert {f"today.{name}" for name in runs.STATUSES} <= set(SAY.texts)


# What the runs say of the facts


def agree(root: Path) -> list[str]:
    return [f"{finding.rule} {finding.subject}" for finding in lints.check(model.read(root)) if lints.RULES[finding.rule].__module__ == agreement.__name__]


@pytest.mark.parametrize(
    ("outcomes", "edit", "found"),
    [
        ({"1.5.1": "absent", "1.6.0": "ok", "1.7.1": "ok"}, None, []),
        ({"1.5.1": "ok", "1.6.0": "ok", "1.7.1": "ok"}, None, ["introduced-as-run amp"]),
        ({"1.5.1": "ok", "1.6.0": "ok", "1.7.1": "ok"}, lambda data: data["history"].insert(0, data["history"][0] | {"release": "1.4", "event": "present-before"}), []),
        ({"1.5.1": "ok", "1.6.0": "ok", "1.7.1": "ok"}, lambda data: data["history"].insert(0, data["history"][0] | {"release": "1.4", "event": "private"}), ["introduced-as-run amp"]),
        ({"1.5.1": "absent", "1.6.0": "absent", "1.7.1": "ok"}, None, ["introduced-as-run amp"]),
        ({"1.5.1": "needs package", "1.6.0": "needs package", "1.7.1": "ok"}, None, []),
        ({"1.6.0": "needs hardware", "1.7.1": "needs hardware"}, None, []),
        ({"1.6.0": "ok", "1.7.1": WARNED}, None, ["deprecated-as-run amp"]),
        ({"1.6.0": "ok", "1.7.1": WARNED}, small.history(release="1.7", event="deprecated"), []),
        ({"1.6.0": WARNED, "1.7.1": WARNED}, small.history(release="1.7", event="deprecated"), ["deprecated-as-run amp"]),
        ({"1.6.0": "ok", "1.7.1": WARNED}, lambda data: data["history"].insert(1, data["history"][0] | {"event": "deprecated"}), ["deprecated-as-run amp"]),
        ({"1.6.0": "ok", "1.7.1": "ok"}, small.history(release="1.7", event="removed"), ["removed-as-run amp"]),
        ({"1.6.0": "ok", "1.7.1": "absent"}, small.history(release="1.7", event="removed"), []),
        ({"1.6.0": "ok", "1.7.1": "absent"}, None, ["stopped-as-run amp"]),
        ({"1.6.0": "ok", "1.7.1": "needs package"}, None, []),
        ({"1.6.0": "ok", "1.7.1": "ok"}, small.history(release="1.7", event="removed", scope=small.TEXT), []),
    ],
)
def test_a_contradiction_between_runs_and_facts_is_found(root: Path, outcomes: dict, edit, found: list[str]) -> None:
    put(root, "amp", ">>> 1\n1\n", HISTORICAL, outcomes)
    if edit:
        small.change(root, "amp", edit)
    assert agree(root) == found


def test_a_contradiction_can_be_allowed_with_a_reason(root: Path) -> None:
    put(root, "amp", ">>> 1\n1\n", HISTORICAL, {"1.6.0": "ok", "1.7.1": WARNED})
    small.write(root / "docs/data/exceptions.yml", {"deprecated-as-run": {"amp": "Another part of the library warns."}})
    assert lints.check(model.read(root)) == []


# Files to download


@pytest.fixture(scope="module")
def downloads() -> dict[str, str]:
    return {path: file.content for path, file in tree.expand(ROOT).pages.items() if path.startswith(f"{notebooks.FOLDER}/")}


def executable() -> list[Snippet]:
    """Snippets of one process that run on the newest release, at the prompt too, without more than torch."""
    found = [one for one in KNOWN.snippets.values() if KNOWN.ran[one.name][NEWEST.release].ran and one.processes == 1 and one.prompt and not one.packages]
    return found[:: max(1, len(found) // 6)]


def test_there_is_a_script_and_a_notebook_of_each_snippet_and_a_notebook_of_each_feature(downloads: dict[str, str]) -> None:
    expected = {path for name in KNOWN.snippets for path in (notebooks.script_of(name), notebooks.of_snippet(name))}
    expected |= {notebooks.of_feature(one.feature) for one in KNOWN.snippets.values()}
    assert set(downloads) == expected


def test_every_notebook_is_valid_holds_the_code_of_its_snippets_and_begins_with_the_versions(downloads: dict[str, str]) -> None:
    for path, text in downloads.items():
        if not path.endswith(".ipynb"):
            continue
        book = nbformat.reads(text, as_version=4)
        nbformat.validate(book)
        name = Path(path).stem
        shown = KNOWN.of(name) if path.startswith(f"{notebooks.FOLDER}/features/") else [KNOWN.snippets[name]]
        first, *cells = [cell.source for cell in book.cells if cell.cell_type == "code"]
        assert "torch.__version__" in first
        for one in shown:
            assert all(run.torch in first for run in KNOWN.ran[one.name].values() if run.ran)
        code = [line for one in shown for line in snippets.code(one.text).splitlines() if line.strip()]
        assert [line for cell in cells for line in cell.splitlines() if line.strip()] == code
        assert "http" not in first


def test_a_notebook_of_several_snippets_asks_for_a_fresh_kernel_before_each_but_the_first(downloads: dict[str, str]) -> None:
    # torch.backends refuses the old switches of TF32 once the new ones are set, so that these sessions do not run one after another.
    book = nbformat.reads(downloads[notebooks.of_feature("a100-tf32")], as_version=4)
    titles = [cell.source for cell in book.cells if cell.cell_type == "markdown"]
    assert [title.partition("\n")[0] for title in titles] == [f"## {one.name}" for one in KNOWN.of("a100-tf32")]
    assert ["restart the kernel" in title for title in titles] == [False, True, True]


def test_every_script_names_the_tested_releases(downloads: dict[str, str]) -> None:
    for name in KNOWN.snippets:
        head = downloads[notebooks.script_of(name)].split("\n\n")[0]
        assert all(run.torch in head for run in KNOWN.ran[name].values() if run.ran)
        compile(downloads[notebooks.script_of(name)], name, "exec")


@pytest.mark.parametrize("one", executable(), ids=lambda one: one.name)
def test_script_and_notebook_run(one: Snippet, downloads: dict[str, str], tmp_path: Path) -> None:
    book = nbformat.reads(downloads[notebooks.of_snippet(one.name)], as_version=4)
    cells = [[cell.source, "raises-exception" in cell.metadata.get("tags", [])] for cell in book.cells]
    (tmp_path / "script.py").write_text(downloads[notebooks.script_of(one.name)])
    (tmp_path / "cells.py").write_text(
        f"import json\nfor source, raises in json.loads({json.dumps(json.dumps(cells))}):\n"
        "    try:\n        exec(compile(source, 'cell', 'exec'), globals())\n    except Exception:\n        if not raises:\n            raise\n"
        "    else:\n        assert not raises, source\n"
    )
    for name in ("script.py", "cells.py"):
        done = subprocess.run([sys.executable, "-W", "ignore", name], cwd=tmp_path, capture_output=True, text=True, timeout=180)
        assert done.returncode == 0, done.stderr
    assert NEWEST.torch in done.stdout


def test_a_statement_that_fails_does_not_end_the_script() -> None:
    text = ">>> 1 / 0\nTraceback (most recent call last):\n    ...\nZeroDivisionError: division by zero\n\n>>> done = True\n"
    space: dict[str, object] = {}
    exec(notebooks.script(snippet(text=text), {}), space)
    assert space["done"] is True


# In the browser


@pytest.fixture
def page(browser: Browser, site: Site) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, permissions=["clipboard-read", "clipboard-write"])
    yield context.new_page()
    context.close()


def entries(page: Page) -> list[str]:
    """The feature of each entry that can be seen."""
    return page.locator(".sn-list [data-outcome]:visible").evaluate_all("all => all.map(entry => entry.closest('[data-feature]').dataset.feature)")


def does(one: Snippet, copied: str, folder: Path) -> bool:
    """Whether code pasted at the prompt of Python does what its session shows."""
    pasted = subprocess.run([sys.executable, "-W", "ignore", "-i", "-q"], cwd=folder, input=f"{copied}\n\n", capture_output=True, text=True, timeout=180)
    wanted = [example for example in snippets.examples(one.text) if example.exc_msg is None]
    printed = doctest.OutputChecker().check_output("".join(example.want for example in wanted), pasted.stdout, doctest.ELLIPSIS)
    return printed and pasted.stderr.count("Traceback") == len(snippets.examples(one.text)) - len(wanted)


def test_what_torchscript_has_to_read_from_a_file_is_declared_and_told(tmp_path: Path) -> None:
    known = [one for one in KNOWN.snippets.values() if "torch.jit.script" in one.text and KNOWN.ran[one.name][NEWEST.release].ran]
    assert {one.prompt for one in known} == {True, False}
    for one in known:
        assert does(one, snippets.code(one.text), tmp_path) == one.prompt, one.name
        told = examples.block(KNOWN, RELEASES, one, "features/x.md", "en", SAY)
        assert ("not at the Python prompt" in told) == (not one.prompt)


def test_what_the_button_copies_is_the_code_and_runs_in_python(site: Site, page: Page, tmp_path: Path) -> None:
    asked = executable()
    assert len(asked) >= 3
    for one in asked:
        page.goto(f"{site.url}en/features/{one.feature}/")
        code = page.locator(f"xpath=//a[contains(@href, '/snippets/{one.name}.py')]/../preceding-sibling::div[contains(@class, 'highlight')][1]")
        if not code.is_visible():
            page.get_by_text(SAY(f"example.{one.form}", "en"), exact=True).click()
        code.hover()
        code.locator("[data-clipboard-target]").click()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.split("\n") == snippets.code(one.text).rstrip("\n").split("\n")
        assert does(one, copied, tmp_path)


def test_the_line_of_runs_opens_to_a_row_for_each_release(site: Site, page: Page) -> None:
    name = "torchscript-fork-join"
    for prefix in ADDRESSES.values():
        page.goto(f"{site.url}{prefix}features/{name}/#examples")
        details = page.locator("details.ran").first
        rows = details.locator("tbody tr")
        expect(rows.first).to_be_hidden()
        details.locator("summary").focus()
        page.keyboard.press("Enter")
        expect(rows.first).to_be_visible()
        assert rows.locator("td:first-child").all_text_contents() == [era.torch for era in KNOWN.eras]
        assert page.get_by_text("DeprecationWarning: ").first.is_visible()


def test_a_phone_shows_the_date_of_each_run(site: Site, browser: Browser) -> None:
    with browser.new_context(viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        for prefix in ADDRESSES.values():
            page.goto(f"{site.url}{prefix}features/torchscript-fork-join/#examples")
            details = page.locator("details.ran").first
            details.locator("summary").click()
            for row in details.locator("tbody tr").all():
                date = row.locator("td").nth(2)
                expect(date).to_have_text(re.compile(r"^\d{4}-\d\d-\d\d$"))
                assert date.is_visible() and date.bounding_box()["x"] + date.bounding_box()["width"] <= 390
            assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_article_shows_the_same_runs_as_the_feature(site: Site, page: Page) -> None:
    page.goto(f"{site.url}en/releases/1.6/")
    inside = page.locator(".snippet details.ran > summary").all_text_contents()
    page.goto(f"{site.url}en/features/torchscript-fork-join/")
    assert page.locator("details.ran > summary").first.text_content() in inside


@pytest.mark.parametrize("edition", ADDRESSES)
def test_the_index_filters_by_feature_area_and_outcome_and_keeps_them_in_the_address(site: Site, page: Page, edition: str) -> None:
    page.goto(f"{site.url}{ADDRESSES[edition]}snippets/")
    assert len(entries(page)) == len(KNOWN.snippets)
    page.locator("select[name=feature]").select_option("memory-profiler")
    assert set(entries(page)) == {"memory-profiler"}
    assert page.locator("article h2:visible").count() == 1
    page.go_back()
    page.locator("select[name=area]").select_option("torchscript")
    assert set(entries(page)) == {one.feature for one in KNOWN.snippets.values() if ATLAS.features[one.feature].area == "torchscript"}
    page.goto(f"{page.url.partition('?')[0]}?outcome=ok+with+warning")
    warned = [one for one in KNOWN.snippets.values() if KNOWN.ran[one.name][NEWEST.release].outcome == "ok with warning"]
    assert sorted(entries(page)) == sorted(one.feature for one in warned)
    expect(page.get_by_role("status").first).to_contain_text(f"{len(warned)}")
    page.locator(".sn-form [type=reset]").click()
    page.wait_for_url(re.compile(r"/snippets/$"))
    assert len(entries(page)) == len(KNOWN.snippets)


def test_the_index_is_whole_without_a_script(site: Site, browser: Browser) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{site.url}en/snippets/")
        assert page.locator(".sn-list [data-outcome]:visible").count() == len(KNOWN.snippets)
        assert not page.locator(".sn-form").is_visible()
