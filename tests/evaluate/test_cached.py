"""Remembered verdicts."""

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import regrapht.errors
from regrapht.evaluate import cached
from regrapht.evaluate.cached import CachedEvaluator
from regrapht.evaluate.emulated import EmulatedEvaluator
from regrapht.evaluate.evaluator import Availability
from regrapht.records.measurement import Environment, Scale, Yardstick
from regrapht.records.verdict import Level, Stage, StageName, StageOutcome, Status, Verdict

YARDSTICK = Yardstick(scale=Scale.MODELLED, start=10.0, floor=1.0, start_name="plain")


class Counting:
    """An evaluator that says one status and counts how often it is asked."""

    name = "counting"
    protocol = "1"

    def __init__(self, status=Status.UNSUPPORTED):
        self.asked, self.status = 0, status

    def availability(self):
        return Availability(available=True)

    def environment(self):
        return Environment(device="d", architecture="a", cpu="c", tools={"x": "1"}, clocks={"sm": float(self.asked)})

    def prepare(self, task, plain):
        return YARDSTICK

    def evaluate(self, task, candidate, *, level):
        self.asked += 1
        return Verdict(
            status=self.status,
            level=level,
            evaluator=self.name,
            task_hash=task.content_hash,
            candidate_id=candidate.id,
            reason=f"number {self.asked}",
            stages=(Stage(name=StageName.BUILD, outcome=StageOutcome.PASSED, seconds=0.0),),
            no_timing="not_reached",
        )


class Cache(dict):
    def put(self, key, verdict):
        self[key] = verdict


def test_a_cached_verdict_is_not_made_again(gemm, saxpy, candidate):
    inner = Counting()
    evaluator = CachedEvaluator(inner, Cache())
    one, two = candidate("int a;"), candidate("int b;")
    first = evaluator.evaluate(gemm, one, level=Level.SCREEN)
    assert evaluator.evaluate(gemm, one, level=Level.SCREEN) == first and inner.asked == 1
    evaluator.evaluate(gemm, one, level=Level.FULL)
    evaluator.evaluate(saxpy, one, level=Level.SCREEN)
    evaluator.evaluate(gemm, two, level=Level.SCREEN)
    assert inner.asked == 4 and evaluator.name == "counting" and evaluator.prepare(gemm, None) == YARDSTICK


def test_one_of_several_that_ask_at_once_judges(gemm, candidate):
    """Cells of an experiment side by side come to the same program at the same time."""

    class Slow(Counting):
        def evaluate(self, task, candidate, *, level):
            verdict = super().evaluate(task, candidate, level=level)
            together.wait(timeout=60)  # the others' programs are judged meanwhile
            return verdict

    inner, together = Slow(), threading.Barrier(2)
    evaluator = CachedEvaluator(inner, Cache())
    programs = [candidate(text) for text in ("int a;", "int a;", "int b;", "int b;", "int a;")]
    with ThreadPoolExecutor(5) as pool:
        found = list(pool.map(lambda one: evaluator.evaluate(gemm, one, level=Level.SCREEN), programs))
    assert inner.asked == 2 and len({verdict.candidate_id for verdict in found}) == 2
    assert [verdict.candidate_id for verdict in found] == [program.id for program in programs]


def test_another_judge_is_asked_anew(gemm, candidate, monkeypatch):
    inner, cache = Counting(), Cache()
    CachedEvaluator(inner, cache).evaluate(gemm, candidate("int a;"), level=Level.SCREEN)
    monkeypatch.setattr(cached, "judge_code", lambda: "one whose comparison was mended")
    CachedEvaluator(inner, cache).evaluate(gemm, candidate("int a;"), level=Level.SCREEN)
    assert inner.asked == 2


def test_the_judge_is_its_files(tmp_path, monkeypatch):
    for part in ("evaluate", "emulate/runtime", "records", "sandbox", "source"):
        (tmp_path / part / "__pycache__").mkdir(parents=True)
        (tmp_path / part / "header").write_text("// no suffix")
    monkeypatch.setattr(cached, "files", lambda name: tmp_path)
    told = cached.judge_code.__wrapped__
    before = told()
    (tmp_path / "evaluate" / "__pycache__" / "a.pyc").write_bytes(b"1")
    assert told() == before
    (tmp_path / "evaluate" / "observation").mkdir()
    (tmp_path / "evaluate" / "observation" / "a.py").write_text("no verdict runs through it")
    assert told() == before
    (tmp_path / "emulate" / "runtime" / "header").write_text("// changed")
    assert told() != before


@pytest.mark.parametrize(
    ("status", "asked"),
    [(Status.INVALID_TASK, 2), (Status.SUSPECT, 2), (Status.TIMING_INVALID, 2), (Status.WRONG_VALUE, 1)],
)
def test_what_may_be_another_the_next_time_is_asked_again(gemm, candidate, status, asked):
    inner = Counting(status)
    evaluator = CachedEvaluator(inner, Cache())
    for _ in range(2):
        assert evaluator.evaluate(gemm, candidate("int a;"), level=Level.SCREEN).status is status
    assert inner.asked == asked


def test_a_verdict_of_a_weaker_sandbox_is_not_taken_for_one_of_a_stronger(saxpy, candidate):
    """What was not enforced is a label on a verdict, so a verdict without it has to be made anew."""

    def key(sandbox):
        return CachedEvaluator(EmulatedEvaluator(sandbox), Cache()).key(saxpy, candidate("int a;"), Level.SCREEN)

    strong, weak = (SimpleNamespace(name="s", labels=labels) for labels in ((), ("weak_sandbox",)))
    assert key(strong) != key(weak)


COPY = """__global__ void copy_kernel(int n, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}
extern "C" void copy(int n, const float* x, float* y) { copy_kernel<<<(n + 255) / 256, 256>>>(n, x, y); }
"""


def test_a_cost_at_one_shape_is_no_cost_at_another(build, sandbox, candidate):
    text = "void copy(int n, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i] = 2 * x[i]; }"
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out"))
    task = replace(build.task("copy", text, args, ({"n": 3}, {"n": 70})), bench_sizes=({"n": 2**20},))
    memory, plain = Cache(), candidate(COPY)

    def prepared(with_plain):
        evaluator = CachedEvaluator(EmulatedEvaluator(sandbox), memory)
        return evaluator, evaluator.prepare(task, with_plain)

    evaluators, scales = zip(prepared(None), prepared(plain), strict=True)
    first, second = (one.evaluate(task, plain, level=Level.SCREEN) for one in evaluators)
    assert scales[1].start_name == "plain" and scales[0].start != scales[1].start
    assert second.evidence.modelled_cost == scales[1].start != first.evidence.modelled_cost
    again = [one.evaluate(task, plain, level=Level.SCREEN) for one in evaluators]
    assert again[0] is first and again[1] is second, "each is found again"


def _files_of_the_judge():
    folder = Path(regrapht.errors.__file__).parent
    for part in cached.PARTS_OF_THE_JUDGE:
        for file in (folder / part).rglob("*.py"):
            if file.parent.relative_to(folder).as_posix() not in cached.NOT_OF_THE_JUDGE:
                yield file.read_text()


def test_the_judge_is_all_that_it_imports():
    """But for names of errors and variables, and the version, which is part of a verdict's environment."""
    imported = set()
    for text in _files_of_the_judge():
        imported |= set(re.findall(r"^\s*(?:from|import) regrapht\.(\w+)", text, re.MULTILINE))
        imported |= set(re.findall(r"^\s*from regrapht import (\w+)", text, re.MULTILINE))
    assert imported - {"errors", "registry", "settings", "version"} == set(cached.PARTS_OF_THE_JUDGE)


def test_what_is_not_of_the_judge_is_never_judged_by():
    """What is left out of the judge's hash exists, and no file of the judge imports it."""
    rooms = [part.replace("/", ".") for part in cached.NOT_OF_THE_JUDGE]
    texts = list(_files_of_the_judge())
    for room in rooms:
        assert (Path(regrapht.errors.__file__).parent / room.replace(".", "/")).is_dir()
        parent, name = room.rsplit(".", 1)
        pattern = rf"^\s*(?:(?:from|import) regrapht\.{re.escape(room)}\b|from regrapht\.{parent} import .*\b{name}\b)"
        assert not [text for text in texts if re.search(pattern, text, re.MULTILINE)], room
