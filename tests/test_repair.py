"""Repair of damaged texts: what the 1.10 article, other damaged texts and clean ones look like afterwards."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import time
from pathlib import Path

import pypinyin
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from opencc import OpenCC
from traditional import SENTENCES, TEXTS

from hooks.damage.codepage import CHARACTER_OF, damage, read, spell
from hooks.errors import Refusal
from hooks.damage.language import is_hanzi
from hooks.repair import Repaired, prove, repair

ROOT = Path(__file__).parent.parent
SEED = ROOT / "seeds" / "pytorch-1.10.txt"
OTHER_SEEDS = sorted(set((ROOT / "seeds").glob("*.txt")) - {SEED})
COOL = {"非?？?！": "非常酷！"}

CLEAN = {
    "pinyin lesson": "「好(hǎo)」是第三聲，你好(nǐ hǎo)的好要變調。媽(mā)、麻(má)、馬(mǎ)、罵(mà)四個字，媽媽騎馬。",
    "children's text": "我(wǒ)爱(ài)北(běi)京(jīng)，天(tiān)安(ān)门(mén)上(shàng)太(tài)阳(yáng)升(shēng)。",
    "rare characters": "他彳(chì)亍(chù)而行，面对饕(tāo)餮(tiè)大餐，不为所动。",
    "unexpected readings": "叶公好(hào)龙的故事，发生在单(shàn)县与乐(yuè)清之间？！",
    "real parentheses": "權重歸一化 (weight_norm)、Tensor Core(TC)、(高斯)、f(x)、g(an)、你好(ní hǎo) 都留著。",
    "marks": "真的?！這是什麼?？價格€100，他說：「為何?」見 https://example.org/?a=1&b=2？",
    "English": "Is it (really) so? Yes? €5 (per person), f(x) = (an) example?!",
    "French": "Déjà(là) ? « Où êtes-vous ? » 5 € (né à Paris) ! Élève(é)?",
    "German": "Wozu? Straße(n), Bär(en) – 20 € (ab Werk)?",
    "Japanese": "これは何ですか?（たぶん）変数(へんすう)の値は¥100です！本当(ほんとう)？！",
    "Korean": "정말? 한국어(韓國語)로 €5입니다！변수(變數)？",
    "Vietnamese": "Bạn có khỏe không? Tiếng Việt(là) ngôn ngữ (rất) hay!",
    "Russian": "Правда? Цена 5 € (за штуку)，хорошо(да)?",
    "Arabic": "هل هذا صحيح؟ (نعم) €5?",
    "emoji": "好棒🎉(yeah)?！👍🏽 ?，😀",
    "Simplified": "“这是真的吗？”她问。PyTorch 1.10（稳定版）！torch.cuda.amp(自动混合精度)??torch",
}


@pytest.fixture(scope="module")
def seed() -> str:
    return SEED.read_bytes().decode("utf-8")


@pytest.fixture(scope="module")
def repaired(seed: str) -> Repaired:
    return repair(seed)


def apply(changes, text: str) -> str:
    """The text with its changes made, after checking that they are in order and say the truth."""
    place, parts = 0, []
    for change in changes:
        assert place <= change.start < change.end
        assert text[change.start : change.end] == change.before != change.after
        parts += [text[place : change.start], change.after]
        place = change.end
    return "".join(parts) + text[place:]


def reading(character: str) -> str:
    return pypinyin.pinyin(character)[0][0]


def straddled(text: str) -> list[str]:
    """Characters whose bytes lie across two others."""
    raw = spell(text)
    found = (CHARACTER_OF.get(raw[i : i + 2], "") for i in range(len(raw) - 1))
    return sorted({it for it in found if is_hanzi(it) and it not in text})


def test_seed_is_proved_byte_for_byte(seed: str, repaired: Repaired) -> None:
    assert prove(seed).difference is None
    assert damage(repaired.text, repaired.table, repaired.lost).encode() == SEED.read_bytes()
    assert apply(repaired.changes, seed) == repaired.text


def test_no_trace_of_damage_is_left_in_the_seed(repaired: Repaired) -> None:
    assert "?" not in repaired.text and "€" not in repaired.text
    assert re.findall(r"\(([^)]*[^\x00-\x7f][^)]*)\)", repaired.text) == []
    assert re.findall(r"\(([^)]*)\)", repaired.text) == ["weight_norm", "TC", "NNAPI"]
    assert repaired.unexplained == ()


@pytest.mark.parametrize(
    "phrase",
    [
        "已從測試版變為穩定版；",
        "自動融合的支持擴展到 CPU",
        "在 1.10 版本中，FX 趨于穩定",
        "經過研究者的不斷努力，現在， PyTorch",
        "耗時長。現在，PyTorch 1.10 利用",
        "由 426 位貢獻者完成。\n\n此次PyTorch",
        "• Android NNAPI 支持現已推出測試版。",
        "權重歸一化 (weight_norm)、正交參數化",
        "「PyTorch 團隊的出色工作，融合和 profiler 工作，非常",
        "點擊下方卡片，關注“新機器視覺”公眾號",
    ],
)
def test_known_places_of_the_seed(repaired: Repaired, phrase: str) -> None:
    assert phrase in repaired.text


def test_repaired_seed_is_fluent_once_simplified(repaired: Repaired) -> None:
    simple = OpenCC("t2s").convert(repaired.text)
    assert "几个前端 API 已从测试版变为稳定版" in simple
    assert "JIT Compiler 中对自动融合的支持扩展到 CPU" in simple
    # Every character of running Chinese is one that Simplified text can be written with.
    assert all(character.encode("gb2312") for character in simple if is_hanzi(character))


def test_undecided_letter_is_reported_and_can_be_ruled(seed: str, repaired: Repaired) -> None:
    judgement = next(it for it in repaired.judgements if it.damaged == "非?？?！")
    assert not judgement.ruled and judgement.others
    assert all(damage(it, repaired.table) == "非?？?！" for it in (judgement.reading, *judgement.others))
    ruled = repair(seed, COOL)
    assert "非常酷！」" in ruled.text
    assert prove(seed, COOL).difference is None
    assert [it.reading for it in ruled.judgements if it.ruled] == ["非常酷！"]
    assert apply(ruled.changes, seed) == ruled.text
    assert [(it.before, it.after) for it in ruled.changes if it.kind == "judgement"] == [("?？?", "常酷")]


@pytest.mark.parametrize(
    ("judgements", "part"),
    [({"非?？?！": "非常好！"}, "cannot have become"), ({"不存在": "不存在"}, "does not occur"), ({"": "x"}, "does not occur")],
)
def test_judgement_that_cannot_be_is_refused(seed: str, judgements: dict[str, str], part: str) -> None:
    with pytest.raises(Refusal, match=part):
        repair(seed, judgements)


@pytest.mark.parametrize("name", CLEAN)
def test_clean_text_of_any_language_is_untouched(name: str) -> None:
    assert repair(CLEAN[name]) == Repaired(CLEAN[name])


@pytest.mark.parametrize("text", [*SENTENCES, *TEXTS.values(), "", "\n", "?", "€", "(yōu)", "?yōu)"])
def test_clean_chinese_is_untouched(text: str) -> None:
    assert repair(text).text == text


@pytest.mark.parametrize("path", OTHER_SEEDS, ids=lambda path: path.stem)
def test_undamaged_articles_are_untouched(path: Path) -> None:
    text = path.read_bytes().decode("utf-8")
    assert repair(text) == Repaired(text)


@settings(max_examples=60, deadline=None)
@given(st.text())
def test_any_text_without_glosses_is_untouched(text: str) -> None:
    assert repair(text).text == text


@pytest.mark.parametrize("name", TEXTS)
def test_other_texts_come_back_from_the_damage_of_the_seed(name: str, repaired: Repaired) -> None:
    broken = damage(TEXTS[name], repaired.table)
    assert broken.count("(") > TEXTS[name].count("(") + 9
    again = repair(broken)
    assert again.text == TEXTS[name]
    assert apply(again.changes, broken) == again.text
    assert prove(broken).difference is None


@pytest.mark.parametrize("name", TEXTS)
def test_texts_come_back_when_many_characters_are_torn(name: str, repaired: Repaired) -> None:
    text = TEXTS[name]
    listed = random.Random(name).sample(straddled(text), 5)
    broken = damage(text, dict(repaired.table) | {it: reading(it) for it in listed})
    assert broken.count("?") >= text.count("?") + 3
    again = repair(broken)
    assert prove(broken).difference is None
    wrong = sum(new != old for new, old in zip(again.text, text)) if len(again.text) == len(text) else len(text)
    print(f"{name}: {broken.count('?') - text.count('?')} gaps, {wrong} characters wrong of {len(text)}")
    assert wrong <= 3
    assert wrong == 0 or again.judgements


@st.composite
def damaged_texts(draw: st.DrawFn) -> tuple[str, dict[str, str]]:
    """A clean text of several sentences and a list of its characters, some of them only found across two others."""
    sentences = draw(st.lists(st.sampled_from(SENTENCES), min_size=3, max_size=7, unique=True))
    text = draw(st.sampled_from(["", "\n", "\n\n"])).join(sentences)
    own = sorted({it for it in text if is_hanzi(it) and spell(it) != it})
    listed = draw(st.lists(st.sampled_from(own), min_size=4, max_size=9, unique=True))
    listed += draw(st.lists(st.sampled_from(straddled(text)), max_size=1))
    return text, {it: reading(it) for it in listed}


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(damaged_texts())
def test_damage_then_repair_is_the_identity(case: tuple[str, dict[str, str]]) -> None:
    """Wherever the damage destroyed no byte; where it did, the text must at least be one that was damaged so."""
    text, table = case
    broken = damage(text, table)
    again = repair(broken)
    assert apply(again.changes, broken) == again.text
    decidable = broken.count("?") == text.count("?")
    event(f"{'decidable' if decidable else 'bytes lost'}: {'identical' if again.text == text else 'another reading'}")
    if decidable:
        assert again.text == text
    elif not again.unexplained:
        assert damage(again.text, again.table, again.lost) == broken
    assert repair(again.text).text == again.text


def test_most_lost_bytes_are_found_again() -> None:
    """Most torn sentences come back as they were, and where the bytes misled, the choice is reported.

    Where two characters in a row lost all their bytes (`??`) nothing can tell what stood there; these are only counted.
    """
    rng = random.Random(110)
    right = total = reported = hopeless = 0
    for sentence in SENTENCES[::2]:
        text = sentence + "\n這個方法可以使用。"
        across = straddled(sentence)
        torn = rng.choice(across)
        broken = damage(text, {it: reading(it) for it in ("這", "方", "用", torn)})
        if broken.count("?") == text.count("?"):
            continue
        if "??" in broken:
            hopeless += 1
            continue
        again = repair(broken)
        total += 1
        right += again.text == text
        reported += again.text != text and bool(again.judgements or again.unexplained)
    print(f"{total} torn: {right} restored, {reported} others reported; {hopeless} hopeless")
    assert total > 15
    assert right / total > 0.75
    assert right + reported >= total - 1


COMPILER = (
    "一种新的编译器可以把模型转换为静态图，并在多个图形处理器之间自动分配计算任务；研究人员只需修改几行代码，"
    "就能利用混合精度训练缩短时间，同时减少显存的占用，而数值的稳定性不会受到影响。"
)


@pytest.mark.parametrize(
    ("listed", "whole"),
    [("人务分自在需峙募喔娴晃", "并在多个图形处理器之间自动分配计算任务；研究人员只需修改几行代"), ("合度值改究行肫醵艿淌茫", "")],
    ids=["found again", "hopeless"],
)
def test_a_line_that_lost_many_characters_takes_seconds(listed: str, whole: str) -> None:
    broken = damage(COMPILER, {it: reading(it) for it in listed})
    assert broken.count("?") > 8
    began = time.process_time()
    again = repair(broken)
    assert time.process_time() - began < 10
    assert whole in again.text
    assert again.judgements if whole else len(again.unexplained) > 8


def test_gloss_of_a_character_that_also_stands_bare_is_the_writers() -> None:
    clean = "這個機器可以學習，好(hǎo)讀第三聲，好人也是。"
    broken = damage(clean, {"機": "jī", "學": "xué", "可": "kě"})
    assert repair(broken).text == clean


def test_gloss_that_the_writer_put_behind_a_glossed_character_stays() -> None:
    clean = "插入拼音之後，「點」寫成點(diǎn)。這個機器學得很快，可是機器學不會判斷。"
    broken = damage(clean, {"點": "diǎn", "機": "jī", "學": "xué"})
    assert "點(diǎn)(diǎn)" in broken
    assert repair(broken).text == clean
    assert prove(broken).difference is None


@pytest.mark.parametrize(
    "clean",
    [
        "這個機器照常可用，機器學習庫也可用。",
        "原型功能還會改變，這個庫處於原型階段；檢查點也是。",
        "這個檢查點正常。\nFSDP 的檢查點也可用。",
    ],
    ids=["a word, not the end of a clause", "a word that the text says elsewhere", "a line end behind a full stop"],
)
def test_torn_characters_are_read_in_the_light_of_the_text(clean: str, repaired: Repaired) -> None:
    broken = damage(clean, repaired.table)
    assert "?" in broken
    assert repair(broken).text == clean


def test_neutral_tones_and_letters_of_the_code_page() -> None:
    clean = "他們怎麼還沒有把這個機器關上呢"
    broken = damage(clean, {"們": "men", "麼": "me", "機": "jī", "還": "hɑ́i", "關": "ɡuān"})
    assert "(men)" in broken
    assert repair(damage(clean, {"們": "men", "麼": "me", "機": "jī", "關": "ɡuān"})).text == clean


def test_real_question_marks_stay_in_a_damaged_text() -> None:
    clean = "這個機器學習庫是什麼? 見 https://example.org/?q=1。Why? 因為很快。"
    broken = damage(clean, {"機": "jī", "學": "xué", "個": "gè"})
    again = repair(broken)
    assert again.text == clean
    assert [broken[place - 1 : place + 1] for place in again.unexplained] == ["麼?"]


def test_lost_characters_are_dropped_and_put_back() -> None:
    clean = "這個機器學習庫完成了。\n下一個機器。"
    broken = damage(clean, {"機": "jī", "學": "xué", "個": "gè"}, lost=(11,))
    assert "。?\n" in broken
    again = repair(broken)
    assert (again.text, again.lost) == (clean, (11,))
    assert prove(broken).difference is None


@pytest.mark.parametrize(
    ("raw", "text"),
    [(b"\x80", "€"), (b"\xa1(a", "?a"), (b"\xb3", "?"), (b"\xb3\xa1", "场"), (b"\xfd\xb9x", "?x"), (b"\xff", "?")],
)
def test_code_page_reading(raw: bytes, text: str) -> None:
    assert read(raw.decode("ascii", "surrogateescape")) == text


def test_line_ends_and_foreign_characters_pass_through() -> None:
    clean = "\ufeff這個機器•學習😀庫，現在開始。\r\n第二個機器。\r\n"
    broken = damage(clean, {"機": "jī", "學": "xué", "個": "gè"})
    assert repair(broken).text == clean


def run(*arguments: str, data: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "hooks.repair", *arguments]
    return subprocess.run(command, cwd=ROOT, input=data, capture_output=True, timeout=120, check=False)


def test_command_prints_the_repaired_text(seed: str, tmp_path: Path) -> None:
    copy = tmp_path / "article.txt"
    copy.write_bytes(SEED.read_bytes())
    done = run(str(copy))
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == repair(seed).text
    assert run("-", data=SEED.read_bytes()).stdout == done.stdout


def test_command_uses_the_judgements_beside_a_seed(tmp_path: Path) -> None:
    copy = tmp_path / "article.txt"
    copy.write_bytes(SEED.read_bytes())
    entry = 'judgements:\n- {seed: "非?？?！", reading: 非常酷！, reason: the bytes decide nothing}\n'
    copy.with_suffix(".yml").write_text(entry, "utf-8")
    assert "非常酷！" in run(str(copy)).stdout.decode()


def test_command_refuses_judgements_that_are_none(tmp_path: Path) -> None:
    copy = tmp_path / "article.txt"
    copy.write_bytes(SEED.read_bytes())
    copy.with_suffix(".yml").write_text("judgements:\n- just words\n", "utf-8")
    done = run(str(copy))
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)
    assert done.stderr.decode().startswith(f"{copy.with_suffix('.yml')}:")


def test_command_proves_the_seed() -> None:
    done = run("--prove", str(SEED))
    assert done.returncode == 0
    assert f"all {SEED.stat().st_size} bytes" in done.stdout.decode()


@pytest.mark.parametrize("path", OTHER_SEEDS, ids=lambda path: path.stem)
def test_undamaged_articles_are_proved_as_they_are(path: Path) -> None:
    done = run("--prove", str(path))
    assert done.returncode == 0
    assert "no damage" in done.stdout.decode()


def test_command_says_where_the_proof_fails(seed: str, tmp_path: Path) -> None:
    # No clean text can have become this: the gloss tears a character that no byte completes.
    broken = tmp_path / "broken.txt"
    broken.write_text(seed.replace("變?yōu)榉€", "變?yōu)榉"), "utf-8")
    done = run("--prove", str(broken))
    assert done.returncode == 1 and done.stdout == b""
    line = seed[: seed.index("變?yōu)")].count("\n") + 1
    assert done.stderr.decode().startswith(f"{broken}:{line}: ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ("機器".encode("gbk"), ":1: is not UTF-8"),
        ("好\n機\0器".encode(), ":2: holds a NUL byte"),
        (b"", ": is empty"),
        (b" \n\n", ": is empty"),
        ("好".encode() * 1_700_000, ": holds 5100000 bytes"),
    ],
)
def test_bad_input_gets_one_clear_line(data: bytes, what: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    file.write_bytes(data)
    done = run(str(file))
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (1, b"", 1)
    assert f"{file}{what}" in done.stderr.decode()


def test_missing_file_gets_one_clear_line(tmp_path: Path) -> None:
    done = run(str(tmp_path / "none.txt"))
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)
