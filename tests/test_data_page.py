"""The examples of the page "Use the data" do what they show, in both written editions."""

from __future__ import annotations

import doctest
import functools
import http.server
import os
import re
import subprocess
import threading
from pathlib import Path

import pytest

from hooks import tree
from hooks.web import publish

ROOT = Path(__file__).parent.parent
FENCE = re.compile(r"^```(bash|pycon)\n(.*?)^```$", re.M | re.S)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The published files behind an address of this machine."""
    folder = tmp_path_factory.mktemp("site")
    publish.stage(folder, {path: file.content for path, file in tree.expand(ROOT).pages.items() if path.startswith("data/")})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.mark.parametrize("edition", ["zh-Hans", "en"])
def test_the_examples_run_in_the_order_of_the_page(edition, site, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = ROOT / f"docs/{edition}/data.md"
    fences = FENCE.findall(page.read_text("utf-8"))
    assert [language for language, _ in fences] == ["bash", "bash", "bash", "pycon", "bash", "pycon"]
    printed = []
    scope: dict[str, object] = {}
    for language, code in fences:
        if language == "bash":
            done = subprocess.run(["bash", "-euo", "pipefail", "-c", code], env=os.environ | {"SITE": site}, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            printed.append(done.stdout.split("\n"))
        else:
            test = doctest.DocTestParser().get_doctest(code, scope, page.name, str(page), 0)
            report: list[str] = []
            doctest.DocTestRunner().run(test, out=report.append, clear_globs=False)
            assert not report, "".join(report)
            scope = test.globs
    assert "cuda-11" in printed[0] and "amp" not in printed[0]
    assert '["amp","amp-historical"]' in printed[1]
    assert '["1.6","stable"]' in printed[2]


def test_both_editions_show_the_same_code():
    chinese, english = (FENCE.findall((ROOT / f"docs/{edition}/data.md").read_text("utf-8")) for edition in ("zh-Hans", "en"))
    assert chinese == english
