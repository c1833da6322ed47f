"""Every evaluator that is built in keeps the promises of the protocol, and the suite finds out those that do not."""

import os
import threading
from contextlib import contextmanager
from dataclasses import replace
from unittest import mock

import pytest

from regrapht.errors import EvaluatorUnavailable, InvalidTask
from regrapht.evaluate.cached import CachedEvaluator
from regrapht.evaluate.emulated import EmulatedEvaluator
from regrapht.evaluate.evaluator import Availability
from regrapht.evaluate.local_gpu import LocalGpuEvaluator
from regrapht.evaluate.replay import ReplayEvaluator
from regrapht.records.verdict import Level, Status
from regrapht.sandbox.choose import choose_sandbox
from regrapht.store.verdict_cache import VerdictCache
from regrapht.testing.evaluator_conformance import (
    EvaluatorConformance,
    Examinee,
    SlowEvaluatorConformance,
    cases,
    examine,
)
from regrapht.testing.evaluator_examples import RIGHT, SECRET, WRONG


class Wrapped:
    """An evaluator that does as another one; its subclasses do not, in one point."""

    def __init__(self, inner):
        self.inner = inner
        self.name, self.protocol = inner.name, inner.protocol

    def availability(self):
        return self.inner.availability()

    def environment(self):
        return self.inner.environment()

    def prepare(self, task, plain):
        return self.inner.prepare(task, plain)

    def evaluate(self, task, candidate, *, level):
        return self.inner.evaluate(task, candidate, level=level)


class WithoutTools(Wrapped):
    """The same evaluator on a machine without compilers."""

    @contextmanager
    def poor(self):
        nothing = {"CXX": "/nonexistent/g++", "REGRAPHT_NVCC": "/nonexistent/nvcc"}
        with mock.patch.dict(os.environ, nothing):
            yield

    def availability(self):
        with self.poor():
            return super().availability()

    def prepare(self, task, plain):
        with self.poor():
            return super().prepare(task, plain)

    def evaluate(self, task, candidate, *, level):
        with self.poor():
            return super().evaluate(task, candidate, level=level)


class Recorder(Wrapped):
    """Keeps every verdict in a store, and what was asked, so that all of it can be replayed."""

    def __init__(self, inner, folder):
        self.cache = VerdictCache(folder)
        self.cached = CachedEvaluator(inner, self.cache)
        super().__init__(self.cached)
        self.asked = {}

    def evaluate(self, task, candidate, *, level):
        verdict = super().evaluate(task, candidate, level=level)
        self.asked[self.cached.key(task, candidate, level)] = candidate.id
        return verdict

    def replay(self, yardstick):
        verdicts = [(candidate_id, self.cache.get(key)) for key, candidate_id in self.asked.items()]
        return ReplayEvaluator(
            [pair for pair in verdicts if pair[1] is not None], yardstick
        )  # a task at fault is not kept


@pytest.fixture(scope="module")
def emulated():
    evaluator = EmulatedEvaluator(choose_sandbox())
    available = evaluator.availability()
    if not available.available:
        pytest.skip(f"the emulator cannot run here: {available.reason}")
    return evaluator


@pytest.fixture(scope="module")
def emulated_examinee(emulated):
    return Examinee(emulated, unavailable=WithoutTools(EmulatedEvaluator(choose_sandbox())))


@pytest.fixture(scope="module")
def recorder(emulated, tmp_path_factory):
    """The emulated evaluator's answers to the whole suite, stored; they keep the promises through the store, too."""
    recorder = Recorder(emulated, tmp_path_factory.mktemp("store"))
    recorder.outcomes = list(examine(Examinee(recorder)))
    yield recorder
    recorder.cache.close()


@pytest.fixture(scope="module")
def replay_examinee(emulated, recorder):
    yardstick = emulated.prepare(Examinee(emulated).task, None)
    return Examinee(recorder.replay(yardstick), signs_as="emulated", from_record=True)


class TestEmulated(EvaluatorConformance):
    @pytest.fixture
    def examinee(self, emulated_examinee):
        return emulated_examinee


@pytest.mark.slow
class TestEmulatedSlow(SlowEvaluatorConformance):
    @pytest.fixture
    def examinee(self, emulated_examinee):
        return emulated_examinee


@pytest.mark.slow
class TestReplay(EvaluatorConformance):
    @pytest.fixture
    def examinee(self, replay_examinee):
        return replay_examinee


@pytest.fixture(scope="module")
def local_gpu_examinee():
    sandbox = choose_sandbox()
    return Examinee(LocalGpuEvaluator(sandbox), unavailable=WithoutTools(LocalGpuEvaluator(sandbox)))


@pytest.mark.gpu
class TestLocalGpu(EvaluatorConformance):
    @pytest.fixture
    def examinee(self, local_gpu_examinee):
        return local_gpu_examinee


@pytest.mark.gpu
@pytest.mark.slow
class TestLocalGpuSlow(SlowEvaluatorConformance):
    @pytest.fixture
    def examinee(self, local_gpu_examinee):
        return local_gpu_examinee


def test_a_cached_evaluator_keeps_the_promises(recorder):
    assert {o.name: o.problem for o in recorder.outcomes if o.problem is not None} == {}
    assert len(recorder.outcomes) == len(cases())


class PassesEverything(Wrapped):
    def evaluate(self, task, candidate, *, level):
        right = self.inner.evaluate(task, RIGHT.candidate, level=level)
        return replace(right, candidate_id=candidate.id)


class RaisesForWrong(Wrapped):
    def evaluate(self, task, candidate, *, level):
        verdict = self.inner.evaluate(task, candidate, level=level)
        if verdict.status is Status.WRONG_VALUE:
            raise RuntimeError("outputs differ")
        return verdict


class RaisesForHostileText(Wrapped):
    def evaluate(self, task, candidate, *, level):
        if candidate.source is not None and "\0" in candidate.source:
            raise ValueError("embedded null byte")
        return self.inner.evaluate(task, candidate, level=level)


class Altered(Wrapped):
    """Changes every verdict, or those that are refused."""

    def __init__(self, inner, change, *, refused_only=False):
        super().__init__(inner)
        self.change, self.refused_only = change, refused_only

    def evaluate(self, task, candidate, *, level):
        verdict = self.inner.evaluate(task, candidate, level=level)
        return verdict if self.refused_only and verdict.passed else self.change(verdict)


def tells_the_secret(verdict):
    return replace(verdict, feedback=f"{verdict.feedback} Expected {SECRET} there.")


def tells_the_secret_in_a_stage(verdict):
    stages = [replace(stage, output=f"want 91_827.3, got 4 in {stage.name}") for stage in verdict.stages]
    return replace(verdict, stages=tuple(stages))


def tells_a_hidden_size(verdict):
    hidden = [f"n={case.sizes['n']}" for case in verdict.cases if case.hidden]
    return replace(verdict, feedback=f"{verdict.feedback} It fails at {', '.join(hidden)}.")


class SameInputs(Wrapped):
    """As if inputs were drawn once: the second tell-tale is told the cases of the first."""

    def __init__(self, inner):
        super().__init__(inner)
        self.cases = None

    def evaluate(self, task, candidate, *, level):
        verdict = self.inner.evaluate(task, candidate, level=level)
        if candidate.source is not None and "hash" in candidate.source:
            self.cases = self.cases or verdict.cases
            return replace(verdict, cases=self.cases)
        return verdict


class Moody(Wrapped):
    """Says something else the second time."""

    def __init__(self, inner):
        super().__init__(inner)
        self.seen = set()

    def evaluate(self, task, candidate, *, level):
        verdict = self.inner.evaluate(task, candidate, level=level)
        if candidate.id in self.seen and verdict.status is Status.WRONG_VALUE:
            return replace(verdict, status=Status.NON_FINITE)
        self.seen.add(candidate.id)
        return verdict


class TakesTurns(Wrapped):
    """Not made for threads: whichever of them asks, all get the verdict of the first."""

    def __init__(self, inner):
        super().__init__(inner)
        self.first, self.judging, self.own = None, threading.Lock(), threading.current_thread()

    def evaluate(self, task, candidate, *, level):
        verdict = self.inner.evaluate(task, candidate, level=level)
        if threading.current_thread() is self.own:
            return verdict
        with self.judging:
            self.first = self.first or verdict
            return self.first


class ScreensOnly(Wrapped):
    def evaluate(self, task, candidate, *, level):
        return replace(self.inner.evaluate(task, candidate, level=level), level=Level.SCREEN)


class TakesAnyReference(Wrapped):
    """A reference that does not work is no fault of the task's to it."""

    def __init__(self, inner, task):
        super().__init__(inner)
        self.task = task

    def prepare(self, task, plain):
        return self.inner.prepare(self.task, plain)


class NeverThere(Wrapped):
    def availability(self):
        return Availability(available=False, reason="no device")


class TooManyWords(Altered):
    def __init__(self, inner):
        super().__init__(inner, lambda verdict: replace(verdict, feedback=verdict.feedback + "x" * 100_000))


def problems(evaluator, *, unavailable=None):
    """The promises that an evaluator, wrapped around the replayed one, does not keep."""
    examinee = Examinee(evaluator, signs_as="emulated", from_record=True, unavailable=unavailable)
    return {outcome.name: outcome.problem for outcome in examine(examinee) if outcome.problem is not None}


@pytest.fixture(scope="module")
def replayed(replay_examinee):
    assert problems(replay_examinee.evaluator) == {}, "what the broken evaluators are made of is whole"
    return replay_examinee.evaluator


BROKEN = {
    "passes everything": (PassesEverything, "wrong candidates are refused by name"),
    "raises for a wrong candidate": (RaisesForWrong, "wrong candidates are refused by name"),
    "raises for hostile text": (RaisesForHostileText, "hostile text is a verdict"),
    "tells an expected value": (
        lambda e: Altered(e, tells_the_secret, refused_only=True),
        "no expected value is told",
    ),
    "tells it in a tool's output": (
        lambda e: Altered(e, tells_the_secret_in_a_stage, refused_only=True),
        "no expected value is told",
    ),
    "tells a hidden size": (
        lambda e: Altered(e, tells_a_hidden_size, refused_only=True),
        "no hidden size and no seed is told",
    ),
    "tells a seed": (
        lambda e: Altered(e, lambda v: replace(v, reason=f"{v.reason} (seed: 77)"), refused_only=True),
        "no hidden size and no seed is told",
    ),
    "never draws afresh": (SameInputs, "inputs are drawn afresh"),
    "lacks the protocol": (lambda e: Altered(e, lambda v: replace(v, protocol="")), "verdicts say what they are about"),
    "lacks the environment": (
        lambda e: Altered(e, lambda v: replace(v, environment=None)),
        "verdicts say what they are about",
    ),
    "mixes candidates up": (
        lambda e: Altered(e, lambda v: replace(v, candidate_id="0" * 64)),
        "verdicts say what they are about",
    ),
    "gives no reason for having no time": (
        lambda e: Altered(e, lambda v: replace(v, no_timing="")),
        "there is timing or a reason for none",
    ),
    "refuses without feedback": (
        lambda e: Altered(e, lambda v: replace(v, feedback=" "), refused_only=True),
        "a refusal says why",
    ),
    "shows control characters": (
        lambda e: Altered(e, lambda v: replace(v, reason="\x1b[2J" + v.reason)),
        "hostile text is a verdict",
    ),
    "cannot be stored": (
        lambda e: Altered(e, lambda v: replace(v, feedback="\ud800")),
        "verdicts survive being stored",
    ),
    "does not stop talking": (TooManyWords, "a flood of output is contained"),
    "changes its mind": (Moody, "the same candidate gets the same status"),
    "is not made for threads": (TakesTurns, "several threads may ask"),
    "screens only": (ScreensOnly, "each level is on its verdict"),
    "leaves memory unchecked in silence": (
        lambda e: Altered(e, lambda v: replace(v, stages=tuple(s for s in v.stages if s.name != "memory"))),
        "a pass says what was not checked",
    ),
    "passes one size": (
        lambda e: Altered(e, lambda v: replace(v, cases=v.cases[:1])),
        "a right candidate passes",
    ),
    "takes any reference": (lambda e: TakesAnyReference(e, Examinee(e).task), "a broken reference blames the task"),
    "is never there": (NeverThere, "an evaluator that cannot work gives no verdict"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_evaluator_is_found_out(name, replayed):
    make, case = BROKEN[name]
    found = problems(make(replayed))
    assert case in found, f"an evaluator that {name} keeps every promise but {sorted(found)}"
    assert found[case].strip()


def test_a_verdict_from_an_evaluator_that_cannot_work_is_found_out(replayed):
    case = "an evaluator that cannot work gives no verdict"
    assert "instead of raising EvaluatorUnavailable" in problems(replayed, unavailable=NeverThere(replayed))[case]

    class Refuses(NeverThere):
        def prepare(self, task, plain):
            raise EvaluatorUnavailable("no device")

        def evaluate(self, task, candidate, *, level):
            raise EvaluatorUnavailable("no device")

    assert problems(replayed, unavailable=Refuses(replayed)) == {}


def test_an_evaluator_that_is_never_ready_is_tried_once(replayed):
    class NeverReady(Wrapped):
        tries = 0

        def prepare(self, task, plain):
            self.tries += task.id == "conformance" and "int = 3" not in task.reference.source.text
            raise InvalidTask("I do not like this task")

    evaluator = NeverReady(replayed)
    found = problems(evaluator)
    assert "I do not like this task" in found["a right candidate passes"]
    assert evaluator.tries <= 2, "once to get ready and once for the reference that crashes"


def test_the_examples_hold_no_secret_where_values_are_wrong():
    assert SECRET not in WRONG["a wrong value"].source + WRONG["an output that is not written"].source
