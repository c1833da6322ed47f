"""Tiers of reference trajectories that were measured, judged on an emulator, or some of each."""

import json
from dataclasses import replace

import pytest

from regrapht.bench.admit.admission import admit_suite, timed_tasks, write_tiers
from regrapht.bench.admit.solutions import keep_verdict, read_solution
from regrapht.bench.suite import TIERS_FILE, open_suite
from regrapht.records.measurement import Scale, ShapeTiming, TimingSamples
from regrapht.records.verdict import Level, Status
from regrapht.sandbox.choose import choose_sandbox
from regrapht.testing.synthetic import synthetic_verdict

STEPS = ("01_map_to_threads.cu", "02_grid_stride_loop.cu", "03_vectorised_access.cu")


class ModellingEvaluator:
    """Says 30, 20, 10 of the steps, as an emulator's costs."""

    name, protocol = "emulated", synthetic_verdict(Status.PASSED).protocol

    def prepare(self, task, plain):
        return None

    def evaluate(self, task, candidate, *, level):
        cost = {"one": 30.0, "two": 20.0, "three": 10.0}[candidate.source.strip("/ \n")]
        return synthetic_verdict(Status.PASSED, cost=cost, level=level)


@pytest.fixture
def suite(suite_folder):
    return open_suite(str(suite_folder)).select(families=["layout"])


@pytest.fixture
def solutions(tmp_path):
    folder = tmp_path / "solutions" / "twice"
    folder.mkdir(parents=True)
    for name, text in zip(STEPS, ("one", "two", "three"), strict=True):
        (folder / name).write_text(f"// {text}\n")
    return folder.parent


def timed(suite, us):
    verdict = synthetic_verdict(Status.PASSED)
    (task,) = suite.tasks
    shape = ShapeTiming(sizes={"n": 4000}, candidate=TimingSamples(samples_us=(us,)), baselines={}, ratios=())
    return replace(verdict, task_hash=task.task.content_hash, level=Level.FULL, timing=(shape,), no_timing=None)


@pytest.mark.parametrize(
    ("measured", "basis", "counted"), [(0, "MODELLED", 3), (2, "MODELLED", 3), (3, "MEASURED_US", 1)]
)
def test_a_tier_rests_on_costs_of_one_kind(suite, solutions, measured, basis, counted):
    for step in read_solution(solutions, "twice")[:measured]:
        keep_verdict(step, timed(suite, 100.0), "local_gpu")
    (found,) = admit_suite(
        suite,
        sandbox=choose_sandbox(),
        evaluator=ModellingEvaluator(),
        solutions=solutions,
        level=Level.SCREEN,
        workers=1,
    )
    assert found.objections == ()
    assert (found.tier.basis, found.tier.counted, found.tier.steps) == (Scale[basis], counted, 3)


def test_a_step_that_adds_floats_in_any_order_is_told(suite, solutions):
    (solutions / "twice" / STEPS[1]).write_text("// two\n__global__ void k(float* y, float v) { atomicAdd(y, v); }\n")

    class Passing(ModellingEvaluator):
        def evaluate(self, task, candidate, *, level):
            return synthetic_verdict(Status.PASSED, cost=1.0, level=level)

    (found,) = admit_suite(
        suite, sandbox=choose_sandbox(), evaluator=Passing(), solutions=solutions, level=Level.SCREEN, workers=1
    )
    assert [told for told in found.objections if told.startswith("unordered_sum")] == [
        f"unordered_sum: {STEPS[1]} adds floats by atomics (line 2), in another order and with other last bits in each run: say "
        "deterministic = false in [tolerance], or add them up in a fixed order"
    ]


def test_tiers_of_a_part_leave_those_of_other_tasks_as_they_are(suite_folder, solutions):
    suite = open_suite(str(suite_folder))
    hashes = {task.task.id: task.task.content_hash for task in suite.tasks}
    known = {"tier": "hard", "basis": "measured_us", "counted": 7, "steps": 7}
    before = {"square": known | {"task_hash": hashes["square"]}, "gone": known | {"task_hash": "1"}}
    (suite_folder / TIERS_FILE).write_text(json.dumps({"tasks": before | {"twice": known | {"task_hash": "2"}}}))
    admitted = admit_suite(
        suite.select(ids=["twice"]),
        sandbox=choose_sandbox(),
        evaluator=ModellingEvaluator(),
        solutions=solutions,
        level=Level.SCREEN,
        workers=1,
    )
    told = json.loads(write_tiers(suite, admitted).read_text())["tasks"]
    assert told["square"] == before["square"] and sorted(told) == ["square", "twice"]
    assert (told["twice"]["tier"], told["twice"]["basis"]) == ("medium", "modelled")
    assert timed_tasks(suite) == {"square"}
    (suite_folder / "stencil/square/twice.cpp").write_text("void twice(int n, const float* x, float* y) {}\n")
    left = json.loads(write_tiers(open_suite(str(suite_folder)), ()).read_text())["tasks"]
    assert sorted(left) == ["twice"], "a task that changed has no tier"
