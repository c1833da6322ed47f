"""The GPU judge's processes, orders, clocks and comparisons, with the judge's own harness on an emulated device."""

import os
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from uuid import uuid4

import pytest

from regrapht import settings
from regrapht.errors import EvaluatorUnavailable, InvalidTask
from regrapht.evaluate import gpu_processes, local_gpu
from regrapht.evaluate.cases import bench_cases
from regrapht.evaluate.compare import outputs
from regrapht.evaluate.device import call_process, harness_process
from regrapht.evaluate.device.call_process import CallProcess
from regrapht.evaluate.device.gpu import Peaks
from regrapht.evaluate.gpu_processes import GpuProcesses
from regrapht.evaluate.local_gpu import LocalGpuEvaluator
from regrapht.evaluate.memory import emulator_check
from regrapht.evaluate.reference.expected import ReferenceFailed
from regrapht.evaluate.timing import clocks, gpu_timer, paired_timing, second_look
from regrapht.evaluate.timing.clocks import clocks_agree, hidden_us
from regrapht.records.element import SCALAR_TYPES
from regrapht.records.measurement import Scale, TimingSamples
from regrapht.records.task import Baseline, Compare, SourceFile
from regrapht.records.verdict import Level, StageName, StageOutcome, Status
from regrapht.sandbox.sandbox import Command, Limits
from regrapht.tasks.load import load_task
from regrapht.testing.emulated_device import emulated_machine

CHEATS = Path(__file__).parents[1] / "cheats"
KERNEL = """__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}
"""
PLAIN = KERNEL + (
    'extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {\n'
    "    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);\n}\n"
)
DEAD = "{\n    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);"


@pytest.fixture(scope="module")
def evaluator(sandbox, emulated, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        # What one evaluator keeps of times and marks is not to reach another run; the emulator's own cache may stay.
        timer = gpu_timer.GpuTimer(emulated_machine(sandbox))
        judge = LocalGpuEvaluator(sandbox)
        timer._times._machine = f"test {tmp_path_factory.mktemp('times')}"
        patch.setattr(judge, "_found", timer)
        # This processor is the device and runs other tests too, so its clocks may disagree with reason. Whether the judge sees that is a
        # question of its own, below.
        patch.setattr(clocks, "clocks_agree", lambda *arguments, **more: True)
        patch.setattr(clocks, "hidden_us", lambda *arguments, **more: 0.0)
        # For the same reason what takes seconds here may take long: limits are for candidates that hang, and those have tests of their own.
        patch.setattr(gpu_processes, "_CHECK_S", 120.0)
        patch.setattr(emulator_check, "LIMITS", Limits(wall_s=60, memory_bytes=4 * 2**30))
        # Its times are hardly ever steady, and what is asked of them here takes few: the least that a plan wants, however slow the machine.
        patch.setattr(paired_timing, "_WARM_CAP_S", 0.0)
        patch.setattr(paired_timing, "is_settled", lambda samples: True)
        for level, plan in gpu_timer.PLANS.items():
            patch.setitem(gpu_timer.PLANS, level, replace(plan, warm_s=0.0, sample_s=120.0))
        yield judge


@pytest.fixture(scope="module")
def affine():
    """The task at one small bench shape, its plain version a baseline."""
    task = load_task(CHEATS / "tasks" / "affine")
    naive = Baseline(name="naive", source=SourceFile(name="naive.cu", text=PLAIN))
    return replace(task, bench_sizes=({"n": 5000},), baselines=(naive,))


SEVERAL = ({"n": 300}, {"n": 5000}, {"n": 4999})


@pytest.fixture
def several(affine):
    """The task at three bench shapes, not in the order of their size."""
    return replace(affine, bench_sizes=SEVERAL)


@pytest.fixture
def processes(monkeypatch):
    """Harness processes that were started, those of baselines and partners among them."""
    found, start = [], harness_process.HarnessChild.__init__
    monkeypatch.setattr(
        harness_process.HarnessChild, "__init__", lambda child, *more: found.append(child) or start(child, *more)
    )
    return found


def cheat(name):
    return (CHEATS / "candidates" / f"{name}.cu").read_text()


FULL_DEVICE = ("/bin/sh", "-c", "echo 'harness: cudaSetDevice: out of memory' >&2; exit 71")


@pytest.mark.parametrize(("place", "name"), [(gpu_timer, "time_command"), (call_process, "check_command")])
def test_a_device_without_room_is_not_the_candidates_doing(evaluator, affine, candidate, monkeypatch, place, name):
    """Other judges' data may fill it. Nobody has run the candidate then, so nobody can say that it crashed."""
    evaluator.prepare(affine, None)
    command = getattr(place, name)
    monkeypatch.setattr(
        place, name, lambda *arguments, **more: replace(command(*arguments, **more), argv=FULL_DEVICE, files={})
    )
    another = candidate(PLAIN.replace("256", "192"))
    with pytest.raises(EvaluatorUnavailable, match=r"could not be made ready .*out of memory"):
        evaluator.evaluate(affine, another, level=Level.FULL)


def test_a_memory_checker_without_room_has_not_finished(evaluator, affine, candidate, monkeypatch):
    """What it says of such a process are errors too, though not of a program that it never ran."""
    monkeypatch.setattr(
        call_process, "check_command", lambda *arguments, **more: Command(argv=FULL_DEVICE, descriptors={})
    )
    machine, task = evaluator._machine(), affine
    with ThreadPoolExecutor(1) as pool:
        process = pool.submit(lambda: CallProcess(machine, task, []))
        assert not process.result().was_ready
        judgement = SimpleNamespace(_fresh=lambda earlier, tool: earlier)
        read = GpuProcesses._sanitizing(judgement, "memcheck", process, None)()  # type: ignore[arg-type]
        process.result().close()
    assert not read.finished and not read.findings


def test_a_right_candidate_in_full(evaluator, affine, candidate, tmp_path, monkeypatch):
    (tmp_path / "compute-sanitizer").write_text("#!/bin/sh\nexit 3\n")
    (tmp_path / "compute-sanitizer").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")  # of a machine whose device this is not
    yardstick = evaluator.prepare(affine, None)
    assert yardstick.scale is Scale.MEASURED_US and yardstick.floor < yardstick.start
    verdict = evaluator.evaluate(affine, candidate(PLAIN), level=Level.FULL)
    assert verdict.status is Status.PASSED, f"{verdict.status} {verdict.reason}"
    assert {s.outcome for s in verdict.stages if s.name in (StageName.CHECK, StageName.MEMORY, StageName.TIME)} == {
        StageOutcome.PASSED
    }
    (shape,) = verdict.timing
    assert (
        len(shape.candidate.samples_us) >= 30 and shape.ratio("naive").paired and not shape.ratio("sequential").paired
    )
    assert shape.kernel and shape.with_transfers and shape.end_to_end and shape.first_call_us > 0 and not shape.absent
    assert "no_sanitizer" in verdict.labels and verdict.evidence is not None
    assert any(case.hidden for case in verdict.cases)


def test_an_array_that_is_input_and_output_is_sent_anew_each_time(evaluator, saxpy, candidate):
    source = """__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
extern "C" void saxpy(int n, float a, const float* x, float* y) {
    saxpy_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
"""
    verdict = evaluator.evaluate(replace(saxpy, bench_sizes=({"n": 5000},)), candidate(source), level=Level.FULL)
    assert verdict.status is Status.PASSED, f"{verdict.status} {verdict.reason}"
    assert verdict.timing[0].with_transfers


def test_a_right_candidate_screened(evaluator, affine, candidate, processes):
    evaluator.prepare(affine, None)
    processes.clear()
    verdict = evaluator.evaluate(affine, candidate(PLAIN), level=Level.SCREEN)
    (shape,) = verdict.timing
    assert verdict.passed and shape.absent == {"kernel": "screening", "with_transfers": "screening"}
    assert shape.ratio("naive") is not None and not shape.ratio("naive").paired
    assert len(processes) == 1 and shape.first_call_us is None, "checked in the process that is timed"


@pytest.mark.parametrize(("level", "expected"), [(Level.SCREEN, 1), (Level.FULL, 5)])
def test_one_process_is_timed_at_all_shapes(evaluator, several, candidate, processes, level, expected):
    """In full there are its partner, the two that make the check calls, and the one with skewed values."""
    evaluator.prepare(several, None)
    processes.clear()
    verdict = evaluator.evaluate(several, candidate(PLAIN), level=level)
    assert verdict.passed, f"{verdict.status}: {verdict.reason}"
    assert len(processes) == expected
    assert [shape.sizes for shape in verdict.timing] == list(SEVERAL)
    assert {case.sizes["n"] for case in verdict.cases} >= {sizes["n"] for sizes in SEVERAL}, "compared at each"
    for shape in verdict.timing:
        assert shape.ratio("naive").paired is (level is Level.FULL) and shape.ratio("sequential") is not None
        assert shape.candidate.samples_us
    firsts = [shape.first_call_us is not None for shape in verdict.timing]
    assert firsts == [level is Level.FULL, False, False], "a process has one first call"


@pytest.mark.parametrize(
    ("fault", "statuses"),
    [
        ("z[i] = 0;", [Status.WRONG_VALUE]),
        ("__builtin_trap();", [Status.CRASHED]),
        ("for (;;) z[i] = z[i] + 1;", [Status.PASSED]),
    ],
)
def test_what_is_wrong_at_a_bench_shape_for_skewed_values(evaluator, affine, candidate, monkeypatch, fault, statuses):
    """Wrong is wrong; what takes long there need not with the declared values, and is a label."""
    monkeypatch.setattr(gpu_processes, "_CHECK_S", 20.0)
    wrong = PLAIN.replace(
        "y[i];", f"y[i];\n    if (n == 5000 && i > 1000 && i < 1003 && x[i] == x[i - 1]) {{ {fault} }}"
    )
    verdict = evaluator.evaluate(affine, candidate(wrong), level=Level.FULL)
    assert verdict.status in statuses, f"{verdict.status}: {verdict.reason}"
    assert ("bench_skew_unchecked n=5000" in verdict.labels) == verdict.passed
    assert verdict.passed or "n=5000" in verdict.reason


@pytest.mark.parametrize("shape", SEVERAL)
@pytest.mark.parametrize(
    ("fault", "status"),
    [
        ("return;", Status.UNWRITTEN),
        ("a = 2 * a + 1;", Status.WRONG_VALUE),
        ("__builtin_trap();", Status.CRASHED),
    ],
)
def test_what_is_wrong_at_one_of_several_shapes_is_named(evaluator, several, candidate, shape, fault, status):
    wrong = PLAIN.replace(DEAD, f"{{\n    if (n == {shape['n']}) {fault}" + DEAD[1:])
    verdict = evaluator.evaluate(several, candidate(wrong), level=Level.SCREEN)
    assert verdict.status is status and verdict.stages[-1].name is StageName.TIME, f"{verdict.status}: {verdict.reason}"
    assert f"n={shape['n']}" in verdict.reason and verdict.timing is None


def test_shapes_whose_data_do_not_fit_together_have_processes_of_their_own(
    evaluator, several, candidate, processes, monkeypatch
):
    evaluator.prepare(several, None)
    processes.clear()
    monkeypatch.setattr(local_gpu, "_EARLY_BYTES", 3 * 4 * 5400)  # the first two
    verdict = evaluator.evaluate(several, candidate(PLAIN), level=Level.SCREEN)
    assert verdict.passed and [shape.sizes for shape in verdict.timing] == list(SEVERAL), verdict.reason
    assert len(processes) == 2


def test_a_shape_without_data_is_left_out_of_the_process(evaluator, several, candidate, monkeypatch):
    """The reference takes too long at the second of three shapes."""
    pool, slow = bench_cases.BenchCases._pool, {"n": 5006}

    def too_slow(cases, sizes, *more):
        if sizes == slow:
            raise ReferenceFailed("it takes too long", call=0)
        return pool(cases, sizes, *more)

    monkeypatch.setattr(bench_cases.BenchCases, "_pool", too_slow)  # sets of an earlier run may lie on the disk
    task = replace(several, bench_sizes=(SEVERAL[0], slow, SEVERAL[2]))
    verdict = evaluator.evaluate(task, candidate(PLAIN), level=Level.SCREEN)
    assert verdict.passed and [shape.sizes for shape in verdict.timing] == [SEVERAL[0], SEVERAL[2]], verdict.reason
    assert "bench_unchecked n=5006" in verdict.labels


def test_a_partner_is_brought_at_the_shape_where_clocks_disagree(evaluator, several, candidate, monkeypatch):
    evaluator.prepare(several, None)
    doubts = evaluator._timer().doubts
    place = several.content_hash, "n=5000"
    monkeypatch.setitem(doubts._ordinary, place, replace(doubts._ordinary[place], outside_us=1e6))
    monkeypatch.setattr(
        clocks, "hidden_us", lambda blocks, ordinary, *more, **around: -ordinary if ordinary >= 1e6 else 0.0
    )
    verdict = evaluator.evaluate(several, candidate(PLAIN), level=Level.SCREEN)
    assert verdict.passed, f"{verdict.status}: {verdict.reason}"
    assert [shape.ratio("naive").paired for shape in verdict.timing] == [False, True, True]


def test_screening_gets_a_partner_where_clocks_disagree(evaluator, affine, candidate, monkeypatch):
    """What a baseline showed of the work around a call may be of a busier hour; a trusted program at the same time shows what it is now."""
    evaluator.prepare(affine, None)
    doubts = evaluator._timer().doubts
    place = affine.content_hash, "n=5000"
    known = doubts._ordinary[place]
    monkeypatch.setitem(doubts._ordinary, place, replace(known, outside_us=1e6))
    monkeypatch.setattr(
        clocks, "hidden_us", lambda blocks, ordinary, *more, **around: -ordinary if ordinary >= 1e6 else 0.0
    )
    for beside in (True, False):  # the second is measured by what the first one's partner showed
        verdict = evaluator.evaluate(affine, candidate(PLAIN), level=Level.SCREEN)
        assert verdict.passed and verdict.timing[0].ratio("naive").paired is beside, (
            f"{verdict.status}: {verdict.reason}"
        )


def test_screening_without_data_to_time_with(evaluator, affine, candidate, monkeypatch):
    """Where the reference takes too long at a bench shape, a process of its own makes the check calls."""
    task = replace(affine, bench_sizes=({"n": 5002},))

    def too_slow(*_, **__):
        raise ReferenceFailed("the reference ran longer than a second", call=0)

    monkeypatch.setattr(bench_cases.BenchCases, "_pool", too_slow)  # sets of an earlier run may lie on the disk
    verdict = evaluator.evaluate(task, candidate(PLAIN), level=Level.SCREEN)
    assert verdict.passed and verdict.timing is None and verdict.no_timing == "reference_too_slow"
    wrong = evaluator.evaluate(task, candidate(PLAIN.replace("a * x[i]", "x[i]")), level=Level.SCREEN)
    assert wrong.status is Status.WRONG_VALUE, f"{wrong.status}: {wrong.reason}"


def test_screening_ends_what_hangs_when_checked(evaluator, affine, candidate, monkeypatch):
    monkeypatch.setattr(gpu_processes, "_CHECK_S", 2.0)
    hanging = PLAIN.replace(DEAD, "{\n    for (volatile int k = 0; n != 5000 && k < 1;) continue;" + DEAD[1:])
    verdict = evaluator.evaluate(affine, candidate(hanging), level=Level.SCREEN)
    assert verdict.status is Status.TIMED_OUT, f"{verdict.status}: {verdict.reason}"
    assert verdict.stages[-1].name is StageName.CHECK and "n=" in verdict.reason


@pytest.mark.slow
def test_the_partner_of_one_candidate_is_that_of_the_next(evaluator, affine, candidate, monkeypatch):
    """Its process is started once, and again when it ended meanwhile: neither candidate is the worse for it."""
    task, timer, started = replace(affine, bench_sizes=({"n": 5001},)), evaluator._timer(), []
    monkeypatch.setattr(settings, "bench_sets", lambda: 1)
    starting = timer.partners._start
    monkeypatch.setattr(
        timer.partners, "_start", lambda *arguments: started.append(starting(*arguments)) or started[-1]
    )
    for ended in (False, False, True):
        if ended:
            started[0].child.end()
        verdict = evaluator.evaluate(task, candidate(PLAIN), level=Level.FULL)
        assert verdict.passed and verdict.timing[0].ratio("naive").paired, f"{verdict.status}: {verdict.reason}"
        assert not any(label.startswith("baseline_failed") for label in verdict.labels)
        assert len(started) == 1 + ended


def test_a_partner_that_ends_while_a_candidate_waits_is_started_again(evaluator, affine, candidate, monkeypatch):
    ended, opened = [], gpu_timer.GpuTimer.open

    def end_it(self, *arguments, **more):
        session = opened(self, *arguments, **more)
        if session.partner is not None:
            ended.append(session.partner.end())
        return session

    monkeypatch.setattr(gpu_timer.GpuTimer, "open", end_it)
    verdict = evaluator.evaluate(affine, candidate(PLAIN), level=Level.FULL)
    assert verdict.passed and verdict.timing[0].ratio("naive").paired and ended, f"{verdict.status}: {verdict.reason}"


def test_a_baseline_that_cannot_be_timed_is_said(evaluator, affine, candidate):
    broken = Baseline(name="library", source=SourceFile(name="library.cu", text="no program"))
    task = replace(affine, baselines=(*affine.baselines, broken))
    verdict = evaluator.evaluate(task, candidate(PLAIN), level=Level.SCREEN)
    (label,) = (label for label in verdict.labels if label.startswith("baseline_failed"))
    assert verdict.passed and re.fullmatch(r"baseline_failed library: .*error.*", label), label
    assert {ratio.against for ratio in verdict.timing[0].ratios} == {"naive", "sequential"}


@pytest.mark.slow
def test_a_reference_too_slow_to_be_timed_is_said(evaluator, affine, candidate, monkeypatch):
    monkeypatch.setattr(gpu_timer, "_SEQUENTIAL_TRY_S", 1e-4)
    task = replace(affine, reference=replace(affine.reference, fast=affine.reference.source))
    for plain, starts in ((task, "naive"), (affine, "sequential")):
        assert evaluator.prepare(plain, None).start_name == starts
    verdict = evaluator.evaluate(task, candidate(PLAIN), level=Level.SCREEN)
    assert verdict.passed and "sequential_too_slow n=5000" in verdict.labels, verdict.labels
    assert {ratio.against for ratio in verdict.timing[0].ratios} == {"naive"}
    with pytest.raises(InvalidTask, match="nothing to compare with at n=5000"):
        evaluator.prepare(replace(task, baselines=()), None)


@pytest.mark.slow
def test_a_baseline_that_does_less_is_no_baseline(evaluator, affine, candidate):
    lazy = Baseline(name="lazy", source=SourceFile(name="lazy.cu", text=PLAIN.replace("i < n", "i < n / 2")))
    verdict = evaluator.evaluate(
        replace(affine, baselines=(*affine.baselines, lazy)), candidate(PLAIN), level=Level.SCREEN
    )
    (label,) = (label for label in verdict.labels if label.startswith("baseline_failed"))
    assert verdict.passed and re.match(r"baseline_failed lazy: z: wrong in .*never written, at n=", label), label
    assert {ratio.against for ratio in verdict.timing[0].ratios} == {"naive", "sequential"}


@pytest.mark.parametrize(
    ("name", "statuses"),
    [
        ("noop", {Status.UNWRITTEN}),
        ("cached_by_shape", {Status.WRONG_VALUE}),
        ("zeroes_input", {Status.INPUT_MODIFIED, Status.BUILD_FAILED}),
        ("one_past_end", {Status.OUT_OF_BOUNDS}),
        ("recurses", {Status.CRASHED}),
        ("exits_with_pass", {Status.CRASHED}),
        ("prints", {Status.POLICY_REJECTED}),
        ("too_much_shared", {Status.CRASHED}),
        ("host_through_scratch", {Status.POLICY_REJECTED}),
    ],
)
def test_wrong_candidates(evaluator, affine, candidate, name, statuses):
    verdict = evaluator.evaluate(affine, candidate(cheat(name)), level=Level.SCREEN)
    assert verdict.status in statuses, f"{verdict.status}: {verdict.reason}"


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("zeroes_input", Status.INPUT_MODIFIED),
        ("one_past_end", Status.OUT_OF_BOUNDS),
        ("exits_with_pass", Status.CRASHED),
        ("prints", Status.POLICY_REJECTED),
    ],
)
def test_wrong_candidates_in_full(evaluator, affine, candidate, name, status):
    """There the check calls have processes of their own."""
    verdict = evaluator.evaluate(affine, candidate(cheat(name)), level=Level.FULL)
    assert verdict.status is status, f"{verdict.status}: {verdict.reason}"
    assert verdict.stages[-1].name is StageName.CHECK


@pytest.mark.slow  # of no use on a processor that is busy otherwise
def test_forged_times_are_found_by_the_parents_clock(evaluator, affine, candidate, monkeypatch):
    monkeypatch.setattr(clocks, "clocks_agree", clocks_agree)
    monkeypatch.setattr(clocks, "hidden_us", hidden_us)
    work = "{ float w = x[i]; for (int k = 0; k < 40000; ++k) w = w * 0.5f + 1.0f; z[i] = w < 0.0f ? w : a * x[i] + y[i]; }"
    # What it hides must be more than this device's own noise; and it forges all repetitions of a block but the last, so there are several.
    slow = cheat("forges_times").replace("z[i] = a * x[i] + y[i];", work)
    monkeypatch.setattr(paired_timing, "_BLOCK_US", 1e6)
    small = replace(affine, bench_sizes=({"n": 300},))
    verdict = evaluator.evaluate(small, candidate(slow), level=Level.FULL)
    assert verdict.status is Status.TIMING_INVALID, f"{verdict.status}: {verdict.reason}"
    assert "outside of its process" in verdict.reason


def test_results_that_change_from_call_to_call(evaluator, affine, candidate):
    turning = PLAIN.replace(DEAD, "{\n    static int calls = 0;\n    a *= 1 + 1e-7f * (++calls % 2);" + DEAD[1:])
    assert turning != PLAIN
    verdict = evaluator.evaluate(affine, candidate(turning), level=Level.FULL)
    assert verdict.status is Status.NONDETERMINISTIC, f"{verdict.status}: {verdict.reason}"


@pytest.mark.parametrize("level", [Level.SCREEN, Level.FULL])
def test_room_in_the_cache_that_a_call_sets_aside_is_gone_before_the_next(evaluator, affine, candidate, level):
    """A program finds out, and writes nothing where an earlier call's room is left."""
    evaluator.prepare(affine, None)
    asking = PLAIN.replace(
        "{\n    affine_kernel<<<",
        "{\n    static bool timed = false; size_t room = 1;\n"
        "    cudaDeviceGetLimit(&room, cudaLimitPersistingL2CacheSize);\n"
        "    cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, n == 5000 ? 1 << 20 : 0);\n"
        "    if (n == 5000 && timed && room) return;\n    timed = n == 5000;\n    affine_kernel<<<",
    )
    assert asking != PLAIN
    verdict = evaluator.evaluate(affine, candidate(asking), level=level)
    assert verdict.passed, f"{verdict.status}: {verdict.reason}"


def test_an_order_that_changes_from_call_to_call_where_it_is_free(evaluator, affine, candidate):
    in_any_order = replace(
        affine, args=tuple(replace(arg, compare=Compare.UNORDERED) if arg.name == "z" else arg for arg in affine.args)
    )
    turning = """__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z, int by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[(i + by) % n] = __fadd_rn(__fmul_rn(a, x[i]), y[i]);  // an order that is free is of exact elements
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    static int calls = 0;
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z, ++calls % 1000);
}
"""
    verdict = evaluator.evaluate(in_any_order, candidate(turning), level=Level.FULL)
    assert verdict.passed, f"{verdict.status}: {verdict.reason}"


@pytest.mark.parametrize("level", list(Level))
def test_an_input_that_is_changed_only_when_timed(evaluator, affine, candidate, level):
    changing = PLAIN.replace(
        "if (i < n) z[i] =",
        "const bool last = n == 5000 && i == n - 1 && x[2000] != x[2001];  // not with skewed values\n"
        "    if (last) const_cast<float*>(x)[i] += 1;\n    if (i < n) z[i] =",
    ).replace("a * x[i] + y[i];", "a * (x[i] - last) + y[i];")
    verdict = evaluator.evaluate(affine, candidate(changing), level=level)
    assert verdict.status is Status.INPUT_MODIFIED, f"{verdict.status}: {verdict.reason}"
    assert verdict.reason == "the read-only input x was changed when timed"


@pytest.mark.parametrize("level", [Level.SCREEN, pytest.param(Level.FULL, marks=pytest.mark.slow)])
def test_outputs_too_large_for_looks_in_between_are_compared_in_the_end(
    evaluator, affine, candidate, level, monkeypatch
):
    monkeypatch.setattr(gpu_timer, "_LOOK_BYTES", 0)
    assert evaluator.evaluate(affine, candidate(PLAIN), level=level).passed
    wrong = PLAIN.replace("if (i < n) z[i] = a", "if (i < n) z[i] = (n == 5000 && i == 77 ? 2 * a : a)")
    verdict = evaluator.evaluate(affine, candidate(wrong), level=level)
    assert verdict.status is Status.WRONG_VALUE and "z[77]" in verdict.reason, f"{verdict.status}: {verdict.reason}"


def test_a_candidate_that_is_wrong_only_when_timed(evaluator, affine, candidate, monkeypatch):
    left = []
    compared = outputs.compare_case

    def look(task, inputs, expected, got, **more):
        if inputs.case.sizes["n"] == 5000:
            left.append((inputs.poison, set(got["z"].tobytes())))
        return compared(task, inputs, expected, got, **more)

    monkeypatch.setattr(outputs, "compare_case", look)
    lazy = PLAIN.replace(DEAD, "{\n    if (n == 5000) return;" + DEAD[1:])
    verdict = evaluator.evaluate(affine, candidate(lazy), level=Level.SCREEN)
    assert verdict.stages[-1].name is StageName.TIME
    assert verdict.status is Status.UNWRITTEN, f"{verdict.status}: {verdict.reason}"
    assert "every element" in verdict.reason
    assert left and all(found == {poison} for poison, found in left), (
        "each set's own poison, and nothing of an earlier repetition"
    )


@pytest.mark.parametrize("right_calls", [1, 5])
def test_an_answer_of_an_earlier_repetition_does_not_stay(evaluator, affine, candidate, right_calls):
    tired = f"{{\n    static int calls = 0;\n    if (n == 5000 && calls++ >= {right_calls}) return;"
    verdict = evaluator.evaluate(affine, candidate(PLAIN.replace(DEAD, tired + DEAD[1:])), level=Level.SCREEN)
    assert verdict.status is Status.UNWRITTEN, f"{verdict.status}: {verdict.reason}"


@pytest.fixture
def suspicious_at_once(monkeypatch):
    """Whatever is timed is ten times too fast. This processor is busy otherwise, so two times of one program say little here."""
    monkeypatch.setattr(second_look, "SUSPECT_RATIO", 1e-9)
    monkeypatch.setattr(second_look, "SAME_TIME", 1e9)


def test_a_second_look_bears_out_a_right_candidate(evaluator, affine, candidate, suspicious_at_once, monkeypatch):
    times = []
    timed = gpu_timer.GpuTimer.candidate

    def slower_each_time(self, *arguments):
        (found,) = timed(self, *arguments)
        times.append(replace(found, candidate=TimingSamples(samples_us=(100.0 * (len(times) + 1),) * 30)))
        return times[-1:]

    monkeypatch.setattr(gpu_timer.GpuTimer, "candidate", slower_each_time)
    verdict = evaluator.evaluate(affine, candidate(PLAIN), level=Level.SCREEN)
    assert verdict.passed and second_look.RECHECKED in verdict.labels, f"{verdict.status}: {verdict.reason}"
    assert [case.hidden for case in verdict.cases].count(True) > 0, (
        "sizes of the judge's own, though this was a screening"
    )
    assert len(times) == 2 and verdict.timing == (times[1],), "the time that claims less"


def test_a_time_that_is_not_borne_out_is_suspect(evaluator, affine, candidate, suspicious_at_once, monkeypatch):
    monkeypatch.setattr(second_look, "SAME_TIME", 0.0)
    verdict = evaluator.evaluate(affine, candidate(PLAIN), level=Level.SCREEN)
    assert verdict.status is Status.SUSPECT, f"{verdict.status}: {verdict.reason}"
    assert re.search(
        r"times as fast as the baseline naive, .* us at n=5000, but .* us when timed again", verdict.reason
    )
    assert (
        verdict.timing is None and verdict.stages[-1].name is StageName.TIME and "second, stricter" in verdict.feedback
    )


def test_what_no_memory_checker_could_look_at_is_suspect(evaluator, affine, candidate, suspicious_at_once, monkeypatch):
    monkeypatch.setattr(local_gpu, "emulated_beside", lambda *arguments, **more: None)
    verdict = evaluator.evaluate(affine, candidate(PLAIN), level=Level.SCREEN)
    assert verdict.status is Status.SUSPECT and "no memory checker" in verdict.reason, verdict.reason


def test_a_second_look_names_what_is_wrong(evaluator, affine, candidate, suspicious_at_once):
    listed = " && ".join(f"n != {sizes['n']}" for sizes in (*affine.check_sizes, *affine.bench_sizes))
    known_only = PLAIN.replace(DEAD, f"{{\n    if ({listed}) return;" + DEAD[1:])
    verdict = evaluator.evaluate(affine, candidate(known_only), level=Level.SCREEN)
    assert verdict.status is Status.UNWRITTEN and "hidden shape" in verdict.reason, (
        f"{verdict.status}: {verdict.reason}"
    )


def test_less_than_the_data_take_is_impossible(evaluator, affine, candidate, monkeypatch):
    monkeypatch.setattr(evaluator._timer(), "peaks", Peaks(bytes_per_us=1e-6, flops_per_us=1e9))
    verdict = evaluator.evaluate(affine, candidate(PLAIN), level=Level.SCREEN)
    assert verdict.status is Status.IMPOSSIBLE and "moving the data" in verdict.reason, (
        f"{verdict.status}: {verdict.reason}"
    )


def test_a_reference_that_fails_blames_the_task(evaluator, affine, candidate):
    broken = affine.reference.source.text.replace("{", "{ __builtin_trap();", 1)
    source = replace(affine.reference.source, text=broken)
    task = replace(affine, reference=replace(affine.reference, source=source))
    verdict = evaluator.evaluate(task, candidate(PLAIN), level=Level.SCREEN)
    assert verdict.status is Status.INVALID_TASK and "SIGILL" in verdict.reason, f"{verdict.status}: {verdict.reason}"


def test_what_ends_as_the_harness_does_is_tried_twice_and_then_blamed(evaluator, affine, candidate, monkeypatch):
    posing = PLAIN.replace('extern "C"', '#include <cstdlib>\nextern "C"', 1).replace(
        DEAD, "{\n    std::exit(71);" + DEAD[1:]
    )
    looks = []
    machine = evaluator._machine()
    monkeypatch.setattr(type(machine), "probe", lambda self: looks.append(1) or self.gpu)
    verdict = evaluator.evaluate(affine, candidate(posing), level=Level.SCREEN)
    assert verdict.status in (Status.CRASHED, Status.POLICY_REJECTED), f"{verdict.status}: {verdict.reason}"
    if verdict.status is Status.CRASHED:
        assert "harness could not go on" in verdict.reason and len(looks) >= 2


def test_a_device_that_no_longer_works_is_no_verdict(evaluator, sandbox, affine, candidate, monkeypatch):
    machine = evaluator._machine()
    broken = replace(machine, gpu=replace(machine.gpu, uuid=uuid4().hex))

    def fails(self):
        raise EvaluatorUnavailable("no answer")

    monkeypatch.setattr(type(machine), "probe", fails)
    judge = LocalGpuEvaluator(sandbox)
    judge._found = gpu_timer.GpuTimer(broken)
    try:
        for source in (cheat("recurses"), PLAIN):
            with pytest.raises(EvaluatorUnavailable, match="out of use"):
                judge.evaluate(affine, candidate(source), level=Level.SCREEN)
    finally:
        (settings.cache() / "quarantine" / f"gpu-{broken.gpu.uuid}.json").unlink(missing_ok=True)


TOTAL = """__global__ void total_kernel(int n, const float* x, float* result) {
    __shared__ float part[256];
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += 256) sum += x[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 128; half; half >>= 1) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (!threadIdx.x) *result = part[0];
}
"""
KEPT_BY_SHAPE = """__device__ float kept;
__global__ void keep(const float* result) { kept = *result; }
__global__ void say_again(float* result) { *result = kept; }
extern "C" void total(int n, const float* x, float* result) {
    static int known = 0;
    if (n == known) { say_again<<<1, 1>>>(result); return; }
    total_kernel<<<1, 256>>>(n, x, result);
    if (n < 5000) return;
    keep<<<1, 1>>>(result);
    known = n;
}
"""
SPIN = """__global__ void spin_kernel(int n, const float* x, float* y, const int* skip) {
    if (skip && *skip) return;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { float v = x[i]; for (int s = 0; s < 60; ++s) v = 0.5f * v + 0.25f; y[i] = v + x[i]; }
}
"""
ONLY_WHAT_COMES_AGAIN = """__device__ float seen[4096];
__device__ int times[4096], calls, skip;
__global__ void decide(const float* x) {
    int slot = (__float_as_uint(x[0]) * 2654435761u) >> 20;
    ++calls;
    if (seen[slot] == x[0]) ++times[slot]; else { seen[slot] = x[0]; times[slot] = 1; }
    skip = calls > 8 && times[slot] < 3;
}
extern "C" void spin(int n, const float* x, float* y) {
    if (n < 5000) { spin_kernel<<<(n + 255) / 256, 256>>>(n, x, y, nullptr); return; }
    int* flag;
    cudaGetSymbolAddress((void**)&flag, skip);
    decide<<<1, 1>>>(x);
    spin_kernel<<<(n + 255) / 256, 256>>>(n, x, y, flag);
}
"""


def with_baseline(task, text):
    naive = Baseline(name="naive", source=SourceFile(name="naive.cu", text=text))
    return replace(task, bench_sizes=({"n": 20_000},), baselines=(naive,))


def test_a_sum_of_other_data_is_another_one(evaluator, build, candidate):
    """Turning the inputs does not change what a sum is, and a single set would be all that the program ever meets at the bench shape."""
    reference = (
        "float total(int n, const float* x) { double s = 0; for (int i = 0; i < n; ++i) s += x[i]; return (float)s; }"
    )
    args, sizes = (build.size("n"), build.array("x", "n", "in")), ({"n": 33}, {"n": 1000})
    task = build.task("total", reference, args, sizes, length="n", returns=SCALAR_TYPES["float32"])
    plain = (
        TOTAL
        + 'extern "C" void total(int n, const float* x, float* result) { total_kernel<<<1, 256>>>(n, x, result); }'
    )
    task = with_baseline(task, plain)
    verdict = evaluator.evaluate(task, candidate(TOTAL + KEPT_BY_SHAPE), level=Level.FULL)
    assert verdict.status in (Status.WRONG_VALUE, Status.NONDETERMINISTIC), verdict


@pytest.mark.slow
def test_timed_repetitions_on_new_data_are_not_free(evaluator, build, candidate):
    """Most repetitions are on data turned anew and are compared with nothing; a program that tells them apart does nothing there."""
    body = "{ float v = x[i]; for (int s = 0; s < 60; ++s) v = 0.5f * v + 0.25f; y[i] = v + x[i]; }"
    reference = f"void spin(int n, const float* x, float* y) {{ for (int i = 0; i < n; ++i) {body} }}"
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out"))
    launch = "spin_kernel<<<(n + 255) / 256, 256>>>(n, x, y, nullptr);"
    plain = SPIN + f'extern "C" void spin(int n, const float* x, float* y) {{ {launch} }}'
    task = with_baseline(build.task("spin", reference, args, ({"n": 33}, {"n": 1000})), plain)
    # A busy machine makes few repetitions, and the moment is chance: what is not found at once is found another time.
    sources = (f"{SPIN}{ONLY_WHAT_COMES_AGAIN}// {attempt}\n" for attempt in range(5))
    found = (evaluator.evaluate(task, candidate(source), level=Level.FULL).status for source in sources)
    assert any(status in (Status.UNWRITTEN, Status.WRONG_VALUE, Status.NONDETERMINISTIC) for status in found)
