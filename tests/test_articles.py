"""The four articles, and seeds and edits that are not as they must be."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import opencc
import pytest
import yaml

import traditional
from hooks import articles, yamlfile
from hooks import trace as tracing
from hooks.damage.codepage import damage
from hooks.errors import Refusal

ROOT = Path(__file__).parent.parent
RELEASES = ["1.6", "1.7", "1.10", "1.12"]
SEED = "PyTorch1.8发布。[BETA]新的分析器可用。旧的soxpostend也在。"


def letters(text: str) -> str:
    """The Chinese characters, letters and digits of a text: what no edit but a `fix` may touch."""
    return re.sub(r"\W|_", "", text)


@pytest.fixture(scope="module")
def made():
    return {release: articles.article(ROOT, release) for release in RELEASES}


@pytest.fixture
def root(tmp_path):
    """A small repository with the project's data and one seed."""
    shutil.copytree(ROOT / "docs/data", tmp_path / "docs/data")
    (tmp_path / "seeds").mkdir()
    write_seed(tmp_path, SEED)
    return tmp_path


def write_seed(root: Path, text: str | bytes, release: str = "1.8") -> None:
    data = text.encode() if isinstance(text, str) else text
    (root / f"seeds/pytorch-{release}.txt").write_bytes(data)


def write_edits(root: Path, edits: list[dict], **more) -> None:
    meta = {
        "title": "PyTorch 1.8",
        "description": "一篇报道。",
        "release": "1.8",
        "publisher": "unknown",
        "date": "unknown",
        "original_name": "x.txt",
        "sha256": hashlib.sha256((root / "seeds/pytorch-1.8.txt").read_bytes()).hexdigest(),
        "edits": edits,
    }
    (root / "seeds/pytorch-1.8.yml").write_text(yaml.safe_dump(meta | more, allow_unicode=True, sort_keys=False), "utf-8")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "hooks.articles", *arguments], cwd=ROOT, capture_output=True, text=True)


def test_releases_sort_as_versions():
    assert articles.releases(ROOT) == RELEASES


@pytest.mark.parametrize("release", RELEASES)
def test_seed_is_the_original_file(made, release):
    assert hashlib.sha256((ROOT / f"seeds/pytorch-{release}.txt").read_bytes()).hexdigest() == made[release].meta["sha256"]


@pytest.mark.parametrize("release", RELEASES)
def test_the_command_prints_page_and_ledger_that_give_back_the_seed(release):
    page, ledger = run(release).stdout, run(release, "--ledger").stdout
    assert tracing.restore(page, tracing.from_tsv(ledger)).encode() == (ROOT / f"seeds/pytorch-{release}.txt").read_bytes()


def test_the_proof_of_all_articles_says_what_it_proved():
    proof = run("--prove")
    assert proof.returncode == 0
    assert [line.split(":")[0] for line in proof.stdout.splitlines()] == RELEASES


@pytest.mark.parametrize("release", RELEASES)
def test_every_word_of_the_article_is_kept_but_furniture_and_fixes(made, release):
    """Undo what edits dropped and fixed: the letters of the source are all there, in their order."""
    article = made[release]
    changed = {"drop", "fix", "head", "heading", "note", "label", "snippet", "name", "split", "encoding",
               "gloss", "torn", "punctuation", "stray", "judgement", "script"}  # fmt: skip
    for entry in article.ledger:
        if not changed & set(entry.kind.split("+")):
            assert letters(entry.before) == letters(entry.after), entry
        if set(entry.kind.split("+")) <= {"split", "label"}:
            assert letters(entry.before).lower() in letters(entry.after).lower() or "tier" in entry.after, entry


@pytest.mark.parametrize("release", RELEASES)
def test_nothing_of_the_damage_is_left(made, release):
    body = made[release].body
    assert not re.search(r"\([a-zü]*[āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜ][a-z]*\)|€|\ufffd", body)
    assert not re.search(r"\?(?![\w=&])|？？", body)
    assert "  " not in re.sub(r"^ +- ", "", body, flags=re.M)


@pytest.mark.parametrize("release", RELEASES)
def test_every_tier_label_of_the_source_is_one_marker(made, release):
    """Counted in the repaired seed, without the sentence that explains the three tiers."""
    article = made[release]
    text = articles.normalise(ROOT, articles.read_seed(ROOT, release)).text
    plain = re.sub(r"Stable（稳定版）、Beta（测试版）和 Prototype（原型版）", "", text)
    labels = re.findall(r"[（(\[]\\?(?:稳定版?|测试版|原型版|BETA|Beta)\\?[)）\]]", plain)
    assert labels == []
    assert re.findall(r"\[\[tier:\w+\]\]", text) == re.findall(r"\[\[tier:\w+\]\]", article.body)


@pytest.mark.parametrize("release", RELEASES)
def test_every_note_is_sourced_and_placed(made, release):
    article = made[release]
    known = yamlfile.load(ROOT / "docs/data/sources.yml").data
    assert set(re.findall(r"\[\^([\w-]+)\]", article.body)) == set(article.notes)
    for name, note in article.notes.items():
        # What only the seed itself shows needs no other witness.
        assert note["sources"] or note["kind"] in {"garbled-name", "judgement"}, name
        assert set(note["sources"]) <= set(known), name


def test_a_seed_without_edits_is_readable_and_proved(root):
    article = articles.article(root, "1.8")
    assert not article.edited
    assert article.body == "PyTorch 1.8 发布。 [[tier:beta]] 新的分析器可用。旧的 soxpostend 也在。\n"
    assert article.page.endswith("# PyTorch 1.8 {#pytorch-1-8}\n\n" + article.body)
    assert tracing.restore(article.page, article.ledger) == SEED


def test_a_traditional_seed_arrives_in_simplified_script(root):
    write_seed(root, "\ufeff此版本擴展了支援，\r\n並為開發者改進效能。\r\n")
    article = articles.article(root, "1.8")
    assert article.body == "此版本扩展了支援，\n\n并为开发者改进效能。\n"
    assert tracing.restore(article.page, article.ledger).encode() == (root / "seeds/pytorch-1.8.txt").read_bytes()


def test_edits_make_the_article(root):
    write_edits(
        root,
        [
            {"heading": "[[tier:beta]] 新的分析器", "level": 3, "id": "profiler", "title": "新的分析器"},
            {"paragraph": "旧的 sox"},
            {"fix": "soxpostend", "with": "sox 后端", "note": "sox", "reason": "torn"},
        ],
        notes={"sox": {"kind": "garbled-name", "zh-Hans": "甲", "en": "a", "sources": []}},
    )
    article = articles.article(root, "1.8")
    assert article.body == (
        "PyTorch 1.8 发布。\n\n### 新的分析器 {#profiler}\n\n[[tier:beta]]\n\n可用。\n\n旧的 sox 后端[^sox] 也在。\n"
    )
    assert tracing.restore(article.page, article.ledger) == SEED


def refusal(root: Path) -> Refusal:
    with pytest.raises(Refusal) as caught:
        articles.article(root, "1.8")
    assert "\n" not in str(caught.value) and caught.value.mend
    return caught.value


@pytest.mark.parametrize(
    ("data", "what", "line"),
    [
        ("甲".encode("gbk"), "not UTF-8", 1),
        ("好\n好\n".encode() + b"\xff", "not UTF-8", 3),
        (b"", "empty", None),
        (b"\xef\xbb\xbf \n", "empty", None),
        ("\u3000\n".encode(), "empty", None),
        ("甲\n乙\0".encode(), "NUL", 2),
        ("甲".encode() * 2_000_000, "bytes", None),
    ],
)
def test_a_bad_seed_is_refused(root, data, what, line):
    write_seed(root, data)
    found = refusal(root)
    assert what in found.what and found.line == line and found.file.endswith("seeds/pytorch-1.8.txt")


@pytest.mark.parametrize(
    ("edits", "what"),
    [
        ([{"split": "没有的话", "with": "x", "reason": "r"}], "occurs nowhere"),
        ([{"split": "。", "with": "x", "reason": "r"}], "occurs 3 times"),
        ([{"fixx": "soxpostend", "with": "x", "reason": "r"}], "unknown key `fixx`"),
        ([{"fix": "soxpostend", "with": "x", "reason": "r"}], "is not valid"),
        ([{"heading": "旧的", "level": 2, "id": "a"}, {"heading": "也在", "level": 2, "id": "a"}], "the id `a` stands twice"),
        ([{"note": "n", "after": "也在"}], "no note `n`"),
        ([{"drop": {"from": "也在", "to": "发布"}, "reason": "r"}], "`to` stands before `from`"),
        ([{"snippet": "no.pycon", "after": "也在。", "reason": "r"}], "docs/snippets/no.pycon"),
        ([{"heading": "旧的", "level": 2, "id": "a", "feature": "no-such-feature"}], "unknown feature"),
    ],
)
def test_a_bad_edit_is_refused_with_its_line(root, edits, what):
    write_edits(root, edits)
    found = refusal(root)
    assert what in found.what
    line = (root / "seeds/pytorch-1.8.yml").read_text("utf-8").splitlines()[found.line - 1]
    assert any(str(value) in line or key in line for key, value in edits[-1].items()) or "edits" in line


def test_a_release_written_as_a_number_is_refused(root):
    write_edits(root, [])
    path = root / "seeds/pytorch-1.8.yml"
    path.write_text(path.read_text("utf-8").replace("'1.8'", "1.10"), "utf-8")
    found = refusal(root)
    assert found.what == "`release` is read as the number 1.1" and "quotes" in found.mend and found.line == 3


def test_a_note_placed_nowhere_is_refused(root):
    write_edits(root, [], notes={"sox": {"kind": "number", "zh-Hans": "甲", "en": "a", "sources": []}})
    assert "placed nowhere" in refusal(root).what


def test_a_judgement_on_what_is_not_there_is_refused_in_the_edits_file(root):
    write_edits(root, [], judgements=[{"seed": "非?？?！", "reading": "非常酷！", "reason": "r"}])
    found = refusal(root)
    assert found.file.endswith("seeds/pytorch-1.8.yml") and found.line and "does not occur" in found.what


def test_a_seed_that_changed_is_refused(root):
    write_edits(root, [])
    write_seed(root, SEED + "！")
    assert "SHA-256" in refusal(root).what


def test_the_commands_speak_utf_8_on_any_console():
    """A Windows pipe takes the code page of the system, here one without Chinese."""
    latin = dict(os.environ, PYTHONIOENCODING="latin-1")

    def spoken(module: str, *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([sys.executable, "-m", module, *arguments], cwd=ROOT, env=latin, input=given, capture_output=True)

    assert "自动混合精度" in spoken("hooks.articles", "1.6").stdout.decode()
    assert spoken("hooks.hant", given="软件".encode()).stdout.decode().strip() == "軟體"
    refused = spoken("hooks.hant", given=b"\xff")
    assert refused.returncode == 1 and refused.stderr.decode() == "<stdin>: not UTF-8 (byte 0). Save the text as UTF-8.\n"


def test_an_unknown_release_is_one_line_on_the_command_line():
    done = run("1.11")
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.count("\n") == 1 and "seeds/pytorch-1.11.txt" in done.stderr and "1.12" in done.stderr


GLUED = (
    "PyTorch1.8发布了！这个版本由3000多次提交组成。[BETA]分布式训练的流水线并行把模型切成几段，放到不同的GPU上。（原型版）移动端的解释器更小。"
    "用户可以用torch.fft计算快速傅里叶变换，也可以在CPU上使用TorchScript。" * 6
    + "\n• 支持Python3.9\n• 不再支持CUDA10.1\n更多内容见https://pytorch.org/blog/pytorch-1.8-released/。<b>谢谢</b>！"
)


def test_an_unknown_text_without_edits_becomes_a_readable_page(root):
    write_seed(root, GLUED)
    article = articles.article(root, "1.8")
    blocks = article.body.split("\n\n")
    assert len(blocks) > 3 and max(map(len, blocks)) < 600
    assert "PyTorch 1.8 发布了！这个版本由 3000 多次提交组成。 [[tier:beta]] 分布式训练" in article.body
    assert "- 支持 Python 3.9\n- 不再支持 CUDA 10.1" in article.body
    assert "<https://pytorch.org/blog/pytorch-1.8-released/>" in article.body and "&lt;b>谢谢&lt;/b>" in article.body
    assert tracing.restore(article.page, article.ledger) == GLUED


def test_a_damaged_text_without_edits_becomes_a_readable_page(root):
    sentences = "\n\n".join(traditional.SENTENCES[:30])
    table = {"現": "xiàn", "優": "yōu", "點": "diǎn", "關": "guān", "開": "kāi", "與": "yǔ", "學": "xué", "這": "zhè", "個": "gè", "時": "shí"}
    damaged = damage(sentences, table)
    assert damaged.count("(") > 15
    write_seed(root, damaged)
    article = articles.article(root, "1.8")
    assert not re.search(r"\([a-z]*[āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜ][a-z]*\)", article.body)
    assert letters(article.body) == letters(opencc.OpenCC("t2s").convert(sentences))
    assert tracing.restore(article.page, article.ledger) == damaged
