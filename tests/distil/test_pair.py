"""A pair is its line: what was changed, has no licence or did not pass is left out when it is read, and counted."""

import json

import pytest

from regrapht.distil.pair import Judgement, Pair, read_pairs
from regrapht.errors import ConfigError

PAIR = Pair(
    kind="initial",
    system="You write CUDA.",
    user="Write it.",
    reply="```cuda\nint x;\n```",
    begin="```cuda\n",
    task="doubled",
    task_hash="a" * 64,
    family="elementwise",
    program_hash="b" * 64,
    verdict=Judgement(status="PASSED", evaluator="emulated", level="screen", protocol="9"),
    gain={"how": "modelled", "times": 1.5},
    origin="drawn 1/2",
    licence="Apache-2.0",
)


def changed(**changes: object) -> str:
    return json.dumps({**json.loads(PAIR.line()), **changes})


def test_a_pair_reads_as_it_was_written(tmp_path):
    file = tmp_path / "pairs.jsonl"
    file.write_text(PAIR.line() + "\n")
    read = read_pairs(file)
    assert read.pairs == (PAIR,) and not read.left_out
    roles = [one["role"] for one in json.loads(PAIR.line())["messages"]]
    assert roles == ["system", "user", "assistant"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (changed(licence=""), "without a licence"),
        (changed(verdict={**json.loads(PAIR.line())["verdict"], "status": "WRONG_VALUE"}), "changed"),
        (changed(verdict={**json.loads(PAIR.line())["verdict"], "level": "full"}), "changed"),
        (changed(begin=""), "changed"),
        (changed(messages=[]), "changed"),
        (changed(schema="another/1"), "another form"),
        ("{", "no JSON"),
        ("[]", "another form"),
    ],
)
def test_what_is_no_pair_any_more_is_left_out_and_counted(line, why, tmp_path):
    file = tmp_path / "pairs.jsonl"
    file.write_text(f"{PAIR.line()}\n{line}\n")
    read = read_pairs(file)
    assert read.pairs == (PAIR,)
    ((reason, count),) = read.left_out.items()
    assert why in reason and count == 1


def test_a_pair_that_did_not_pass_is_none_even_with_its_own_hash(tmp_path):
    from dataclasses import replace

    failed = replace(PAIR, verdict=replace(PAIR.verdict, status="WRONG_VALUE"))
    file = tmp_path / "pairs.jsonl"
    file.write_text(failed.line() + "\n")
    with pytest.raises(ConfigError, match="1 not passed"):
        read_pairs(file)


def test_a_file_that_is_not_there_says_how_to_make_it(tmp_path):
    with pytest.raises(ConfigError, match="regrapht distil data"):
        read_pairs(tmp_path / "none.jsonl")
