"""Reference trajectories: their names, the tier that follows from their costs, and verdicts kept beside them."""

from dataclasses import replace

import pytest

from regrapht.bench.solutions import keep_verdict, known_verdict, read_solution, tier_of
from regrapht.errors import ConfigError
from regrapht.records.measurement import Scale
from regrapht.records.verdict import Level, Status
from regrapht.testing.synthetic import synthetic_verdict


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "twice"
    folder.mkdir()
    for name in ("01_map_to_threads.cu", "02_grid_stride_loop.cu", "03_vectorised_access.cu"):
        (folder / name).write_text(f"// {name}\n")
    return tmp_path


@pytest.mark.parametrize(
    ("costs", "tier", "counted"),
    [
        ([100.0], "easy", 1),
        ([100.0, 50.0], "easy", 2),
        ([100.0, 98.0, 96.0, 94.0], "easy", 1),
        ([100.0, 97.0, 94.0], "medium", 3),
        ([100.0, 50.0, 60.0, 40.0, 30.0, 20.0], "medium", 5),
        ([100.0, 50.0, 40.0, 30.0, 20.0, 10.0], "hard", 6),
    ],
)
def test_only_steps_that_pay_count(costs, tier, counted):
    found = tier_of(costs, Scale.MEASURED_US)
    assert (found.tier, found.counted, found.steps, found.basis) == (tier, counted, len(costs), Scale.MEASURED_US)


def test_no_steps_no_tier():
    with pytest.raises(ValueError, match="at least one step"):
        tier_of([], Scale.MODELLED)


def test_steps_in_order(root):
    assert [step.technique for step in read_solution(root, "twice")] == [
        "map_to_threads",
        "grid_stride_loop",
        "vectorised_access",
    ]
    assert read_solution(root, "thrice") == ()


@pytest.mark.parametrize(
    ("name", "said"),
    [("05_padding.cu", "without a gap"), ("4_padding.cu", "are called"), ("04_wishing.cu", "no technique 'wishing'")],
)
def test_a_misnamed_step(root, name, said):
    (root / "twice" / name).write_text("")
    with pytest.raises(ConfigError, match=said):
        read_solution(root, "twice")


def test_a_verdict_is_known_while_program_task_judge_and_rules_are_the_same(root):
    first, second, _ = read_solution(root, "twice")
    verdict = synthetic_verdict(Status.PASSED)
    keep_verdict(first, verdict, "local_gpu")
    keep_verdict(second, verdict, "emulated")
    same = {"evaluator": "local_gpu", "protocol": verdict.protocol, "level": Level.SCREEN}
    assert known_verdict(first, verdict.task_hash, **same).passed
    assert known_verdict(second, verdict.task_hash, **same) is None
    assert known_verdict(first, "another task", **same) is None
    assert known_verdict(first, verdict.task_hash, **(same | {"protocol": "another"})) is None
    first.file.write_text("// changed\n")
    assert known_verdict(read_solution(root, "twice")[0], verdict.task_hash, **same) is None


@pytest.mark.parametrize(
    ("judged", "wanted", "known"), [("full", "screen", True), ("screen", "screen", True), ("screen", "full", False)]
)
def test_a_screening_is_no_full_judgement(root, judged, wanted, known):
    step = read_solution(root, "twice")[0]
    keep_verdict(step, replace(synthetic_verdict(Status.PASSED), level=Level(judged)), "local_gpu")
    verdict = synthetic_verdict(Status.PASSED)
    of_judge = {"evaluator": "local_gpu", "protocol": verdict.protocol}
    assert (known_verdict(step, verdict.task_hash, **of_judge, level=Level(wanted)) is not None) is known
