"""The file of results: what survives a kill, what is refused, and the account of each stage."""

from contextlib import closing

import pytest

from regrapht.bench.harvest.outcomes import RESULTS, Head, Outcome, ResultsFile, Stage, count_stages, hash_of
from regrapht.errors import ConfigError, SchemaError

HEAD = Head(model=None, evaluator="emulated", protocol="2", level="screen")


def outcome(unit="a.cu:k", stage=Stage.COMPLETE, key="1", **more):
    return Outcome(unit=unit, stage=stage, key=key, **more)


def begun(folder, *outcomes):
    """The file as it is after `outcomes` were added; closed."""
    with closing(ResultsFile(folder, HEAD)) as results:
        for one in outcomes:
            results.add(one)
    return results


def test_an_outcome_is_found_again_by_what_went_in(tmp_path):
    begun(tmp_path, outcome(made={"needed": "text"}))
    again = begun(tmp_path)
    assert again.find(Stage.COMPLETE, "1").made == {"needed": "text"}
    assert again.find(Stage.SEQUENTIAL, "1") is None and again.find(Stage.COMPLETE, "2") is None


def test_the_same_line_is_not_written_twice(tmp_path):
    for _ in range(2):
        begun(tmp_path, outcome(), outcome(unit="moved.cu:k"))
    assert len((tmp_path / RESULTS).read_text().splitlines()) == 3


@pytest.mark.parametrize("cut", [1, 20])
def test_a_line_that_a_kill_cut_off_is_work_not_done(tmp_path, cut):
    begun(tmp_path, outcome(key="1"), outcome(key="2"))
    content = (tmp_path / RESULTS).read_bytes()
    (tmp_path / RESULTS).write_bytes(content[:-cut])
    again = begun(tmp_path)
    assert again.find(Stage.COMPLETE, "1") and again.find(Stage.COMPLETE, "2") is None
    begun(tmp_path, outcome(key="2"))
    assert (tmp_path / RESULTS).read_bytes() == content


def test_other_options_are_refused_by_name(tmp_path):
    begun(tmp_path)
    with pytest.raises(ConfigError, match="another model, level"):
        ResultsFile(tmp_path, Head(model="scripted", evaluator="emulated", protocol="2", level="full"))


def test_it_is_open_once_at_a_time(tmp_path):
    with closing(ResultsFile(tmp_path, HEAD)), pytest.raises(ConfigError, match="another process works on"):
        ResultsFile(tmp_path, HEAD)
    begun(tmp_path)


def test_a_damaged_file_is_refused(tmp_path):
    begun(tmp_path)
    with open(tmp_path / RESULTS, "a") as file:
        file.write('{"unit": 3}\n')
    with pytest.raises(SchemaError, match=r"line 2.*delete the file"):
        ResultsFile(tmp_path, HEAD)


def test_a_damaged_head_of_our_own_is_refused(tmp_path):
    (tmp_path / RESULTS).write_text('{"schema": "regrapht.cudaeval", "level": 3}\n')
    with pytest.raises(SchemaError, match=r"line 1.*delete the file"):
        ResultsFile(tmp_path, HEAD)


@pytest.mark.parametrize(
    "content",
    [
        '{"budget": {"candidates": 20}}\n{"task',
        '{"budget": {"candidates": 20}}',
        "no JSON\n",
        "[1]\n",
        "\n",
        "\udcff\n",
    ],
)
def test_results_of_something_else_are_left_alone(tmp_path, content):
    (tmp_path / RESULTS).write_text(content, errors="surrogateescape")
    with pytest.raises(ConfigError, match="something else") as refused:
        ResultsFile(tmp_path, HEAD)
    assert "another --out" in str(refused.value) and "delete" not in str(refused.value)
    assert (tmp_path / RESULTS).read_text(errors="surrogateescape") == content


def test_the_account_adds_up():
    counts = count_stages(
        [
            outcome(stage=Stage.FILTER),
            outcome(stage=Stage.COMPLETE, by="model"),
            outcome(stage=Stage.COMPLETE, reason="not_self_contained"),
            outcome(stage=Stage.COMPLETE, reason="constant_memory"),
            outcome(stage=Stage.COMPLETE, reason="not_self_contained"),
        ]
    )
    by_stage = {count.stage: count for count in counts}
    assert list(by_stage) == list(Stage)
    complete = by_stage[Stage.COMPLETE]
    assert (complete.entered, complete.kept, complete.by_model) == (4, 1, 1)
    assert list(complete.dropped.items()) == [("not_self_contained", 2), ("constant_memory", 1)]
    assert (by_stage[Stage.ADMIT].entered, by_stage[Stage.ADMIT].dropped) == (0, {})


def test_no_two_sequences_of_texts_share_a_hash():
    assert len({hash_of("ab", "c"), hash_of("a", "bc"), hash_of("abc"), hash_of("", "abc"), hash_of("abc", "")}) == 5
