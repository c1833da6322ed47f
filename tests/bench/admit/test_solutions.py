"""Reference trajectories: their names, the tier that follows from their costs, and verdicts kept beside them."""

from dataclasses import replace

import pytest

from regrapht.bench.admit.solutions import (
    fastest_step,
    keep_verdict,
    known_verdict,
    read_solution,
    tier_of,
    timed_steps,
)
from regrapht.errors import ConfigError
from regrapht.records.measurement import Scale, ShapeTiming, TimingSamples
from regrapht.records.verdict import Level, Status
from regrapht.testing.synthetic import synthetic_task, synthetic_verdict


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


@pytest.fixture
def timed(root):
    """The task whose trajectory is in `root`, and steps judged on it with these times at its two bench shapes."""
    task = replace(synthetic_task(), id="twice", bench_sizes=({"n": 100}, {"n": 200}))

    def judge(number, *times_us, evaluator="local_gpu", status=Status.PASSED):
        shapes = tuple(
            ShapeTiming(sizes=sizes, candidate=TimingSamples(samples_us=(us,)), baselines={}, ratios=(), absent=ABSENT)
            for sizes, us in zip(task.bench_sizes, times_us, strict=False)
        )
        verdict = replace(synthetic_verdict(status), task_hash=task.content_hash, timing=shapes, no_timing=None)
        keep_verdict(read_solution(root, "twice")[number - 1], verdict, evaluator)

    return task, judge


ABSENT = dict.fromkeys(("kernel", "end_to_end", "with_transfers"), "screening")


def test_the_fastest_step_by_the_geometric_mean_over_shapes(root, timed):
    task, judge = timed
    judge(1, 10.0, 40.0)
    judge(2, 1.0, 225.0)
    judge(3, 5.0, 45.0)
    assert [step.time_us for step in timed_steps(root, task)] == pytest.approx([20.0, 15.0, 15.0])
    judge(3, 5.0, 30.0)
    assert fastest_step(root, task).step.technique == "vectorised_access"


def test_what_is_no_time_of_a_step(root, timed):
    task, judge = timed
    judge(1, 10.0)  # one of two shapes
    judge(2, 1.0, 1.0, evaluator="emulated")
    judge(3, 1.0, 1.0, status=Status.WRONG_VALUE)
    assert fastest_step(root, task) is None
    judge(1, 10.0, 40.0)
    assert fastest_step(root, task).time_us == pytest.approx(20.0)
    (root / "twice" / "01_map_to_threads.cu").write_text("// another text\n")
    assert fastest_step(root, task) is None
    assert timed_steps(root, task, "another task") == ()
