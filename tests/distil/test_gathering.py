"""Filling a folder with pairs: interrupted work is gone on with, other rules are refused, and what was left out is counted."""

import json
from itertools import islice
from types import SimpleNamespace

import pytest

from regrapht.distil import gathering
from regrapht.distil.gathering import ITEMS, PAIRS, REPORT, Wanted, gather
from regrapht.distil.pair import read_pairs
from regrapht.errors import ConfigError

from .test_pair import PAIR


@pytest.fixture
def sources(tmp_path):
    folder = tmp_path / "kept_out"
    folder.mkdir()
    (folder / "one.cpp").write_text("void one(int n, int* a) { for (int i = 0; i < n; ++i) a[i] = a[i] * 3 + i; }\n")
    return folder


@pytest.fixture
def wanted(sources):
    return Wanted(pairs=4, seed=3, corpora=(), keep_out=(sources,))


@pytest.fixture
def items(monkeypatch):
    """Which items were worked; each gives one pair, in the place of judging."""
    worked: list[int] = []

    def work(wanted, known, jobs, written, done, until):
        have = sum(len(made["pairs"]) for made in done.values())
        for number in (number for number in range(100) if number not in done):
            if have >= wanted.pairs:
                return
            worked.append(number)
            have += 1
            line = PAIR.line() if number == 0 else json.dumps({**json.loads(PAIR.line()), "number": number})
            yield (
                number,
                {
                    "pairs": [line],
                    "preferences": [],
                    "left_out": {"near-duplicate of cudaeval": 1},
                    "verdicts": {"PASSED": 2},
                },
            )

    monkeypatch.setattr(gathering, "_worked", work)
    return worked


def test_interrupted_work_is_gone_on_with(tmp_path, wanted, items):
    out = tmp_path / "data"

    def stop(total):
        if total.items == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gather(out, wanted, jobs=1, minutes=None, say=stop)
    assert items == [0, 1] and len((out / PAIRS).read_text().splitlines()) == 2
    with (out / ITEMS).open("a") as cut_off:
        cut_off.write('{"item": 7, "pai')
    done = gather(out, wanted, jobs=1, minutes=None, say=lambda total: None)
    assert items == [0, 1, 2, 3] and done.pairs == 4 and done.new_pairs == 2
    report = json.loads((out / REPORT).read_text())
    assert report["pairs"] == 4 and report["left_out"] == {"near-duplicate of cudaeval": 4}


def test_what_was_asked_in_other_words_is_worked_again(tmp_path, wanted, items):
    out = tmp_path / "data"
    gather(out, wanted, jobs=1, minutes=None, say=lambda total: None)
    lines = [json.loads(line) for line in (out / ITEMS).read_text().splitlines()]
    lines[2]["asked_by"] = "0" * 64  # item 1
    del lines[3]["asked_by"]  # item 2, of a time when that was not kept
    (out / ITEMS).write_text("".join(json.dumps(one) + "\n" for one in lines))
    items.clear()
    gather(out, wanted, jobs=1, minutes=None, say=lambda total: None)
    assert items == [1, 2]
    kept = [json.loads(line) for line in (out / ITEMS).read_text().splitlines()[1:]]
    assert sorted(one["item"] for one in kept) == [0, 1, 2, 3]
    assert {one["asked_by"] for one in kept} == {gathering.asking_code()}


def test_other_rules_are_refused(tmp_path, wanted, items):
    from dataclasses import replace

    out = tmp_path / "data"
    gather(out, wanted, jobs=1, minutes=None, say=lambda total: None)
    with pytest.raises(ConfigError, match="go on with the same"):
        gather(out, replace(wanted, seed=4), jobs=1, minutes=None, say=lambda total: None)


def test_a_function_that_differs_in_names_and_numbers_alone_is_not_taken_again(monkeypatch):
    texts = [
        "int f(int a) { return a * 3; }",
        "int g(int b) {\n    return b * 7; // as f\n}\n",
        "int f(int a) { return a + 3; }",
    ]
    drawn = [
        SimpleNamespace(task=SimpleNamespace(reference=SimpleNamespace(source=SimpleNamespace(text=text))))
        for text in texts
    ]
    monkeypatch.setattr(gathering, "draw", lambda seed, number: drawn[number // 2 % 3] if number % 2 else drawn[0])
    assert list(islice(gathering._different(1, 3), 5)) == [0, 1, 2, 4, 5]  # three written ones, of which none is drawn


@pytest.mark.slow
def test_pairs_of_drawn_functions(tmp_path, sources):
    """By the real judge in two processes: every kind but `improve`, which needs times, and each pair as it was written."""
    out = tmp_path / "data"
    wanted = Wanted(pairs=40, seed=11, corpora=(), keep_out=(sources,), allow_root=True)
    done = gather(out, wanted, jobs=2, minutes=None, say=lambda total: None)
    read = read_pairs(out / PAIRS)
    assert len(read.pairs) == 40 and not read.left_out
    assert {"initial", "apply", "repair"} <= set(done.kinds)
    begun = [pair for pair in read.pairs if pair.begin]
    assert begun and all(pair.reply.startswith(pair.begin) and pair.kind == "initial" for pair in begun)
    assert all(pair.feedback_status != "PASSED" and pair.fault for pair in read.pairs if pair.kind == "repair")
    assert all(pair.gain["how"] == "modelled" for pair in read.pairs if pair.gain)
