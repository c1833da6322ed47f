"""What every evaluator promises, as tests to inherit: they ask for a fixture `examinee` with the evaluator in it.

@pytest.fixture(scope="module")
def examinee():
    return Examinee(MyEvaluator())

class TestMyEvaluator(EvaluatorConformance):
    pass

Without pytest: `for outcome in examine(Examinee(MyEvaluator())): print(outcome.name, outcome.problem)`.

A promise that is not kept raises `NotKept` with what was seen. `SlowEvaluatorConformance` holds those that wait for a time limit.
"""

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import NoReturn
from unittest import SkipTest

from regrapht.errors import EvaluatorUnavailable, InvalidTask, SchemaError
from regrapht.evaluate.evaluator import Evaluator
from regrapht.records.candidate import Candidate, NoSource
from regrapht.records.encoding import from_json, to_json, to_plain
from regrapht.records.measurement import Yardstick
from regrapht.records.task import Task
from regrapht.records.verdict import Level, StageName, StageOutcome, Status, Verdict
from regrapht.testing.evaluator_examples import (
    BROKEN_REFERENCES,
    ENDLESS,
    ENDLESS_REFERENCE,
    FLOOD,
    HOSTILE_TEXTS,
    LISTED_SIZES_ONLY,
    REMEMBERS,
    RIGHT,
    SECRET_DIGITS,
    UNUSUAL_WRONG,
    WRONG,
    Example,
    candidate,
    example_task,
    task_with_reference,
    tell_tale,
    without_source,
)

TEXT_LIMIT = 20_000
"""Characters that any one text of a verdict may have."""
VERDICT_LIMIT = 1_000_000
"""Characters that a whole verdict on the suite's small task may have as JSON."""
_UNSHOWABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
_SEED = re.compile(r"\bseed\W{0,3}(is |was |of )?\d|(?<![\d.])\d{16,}", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")


class NotKept(AssertionError):
    """A promise that the evaluator does not keep."""


def require(kept: bool, otherwise: str) -> None:
    """Raise `NotKept` with `otherwise` unless `kept`; an `assert` that stays in optimised Python."""
    if not kept:
        raise NotKept(otherwise)


@dataclass(slots=True)
class Examinee:
    """The evaluator under examination, and what the suite cannot find out by itself.

    Use one examinee for all cases: verdicts are kept, so that a program is judged again only where a case asks for it.
    """

    evaluator: Evaluator
    unavailable: Evaluator | None = None
    """One of the same kind for which something is missing, so that it is not available; None to leave that case out."""
    signs_as: str | None = None
    """The evaluator's name on verdicts, where it answers for another; None: its own."""
    from_record: bool = False
    """It repeats verdicts of another evaluator: what is not in its record is `EvaluatorUnavailable`, where others say `InvalidTask`."""
    task: Task = field(default_factory=example_task)
    _verdicts: dict[tuple[str, Level], Verdict] = field(default_factory=dict)
    _yardstick: Yardstick | None = None
    _unready: str = ""

    def yardstick(self) -> Yardstick:
        """The evaluator made ready for the suite's task, once; where that fails, it is not tried again."""
        if self._yardstick is None and not self._unready:
            try:
                self._yardstick = self.evaluator.prepare(self.task, None)
            except Exception as error:
                self._unready = f"prepare raises {_told(error)} for a task that is right"
        if self._yardstick is None:
            raise NotKept(self._unready)
        return self._yardstick

    def judge(self, program: Candidate, level: Level = Level.SCREEN, *, what: str = "a candidate") -> Verdict:
        """Judge `program` now."""
        self.yardstick()
        try:
            return self.evaluator.evaluate(self.task, program, level=level)
        except Exception as error:
            raise NotKept(f"evaluate raises {_told(error)} for {what}; what a candidate does is a verdict") from error

    def verdict(self, program: Candidate, level: Level = Level.SCREEN, *, what: str = "a candidate") -> Verdict:
        """The verdict on `program`, judged when first asked for."""
        key = program.id, level
        if key not in self._verdicts:
            self._verdicts[key] = self.judge(program, level, what=what)
        return self._verdicts[key]


class EvaluatorConformance:
    """Every evaluator passes these."""

    def test_a_right_candidate_passes(self, examinee: Examinee) -> None:
        verdict = examinee.verdict(RIGHT.candidate, what="a right candidate")
        require(verdict.passed, f"a right candidate is {_said(verdict)}")
        for name in (StageName.BUILD, StageName.CHECK):
            outcomes = [stage.outcome for stage in verdict.stages if stage.name is name]
            require(outcomes == [StageOutcome.PASSED], f"a pass needs one passed {name.value} stage, not {outcomes}")
        require(bool(verdict.cases), "a pass without cases")
        require(all(case.passed for case in verdict.cases), "a pass with a case that did not pass")
        judged = {case.sizes.get("n") for case in verdict.cases}
        require({256, 1024} <= judged, f"a pass without every listed size: only n in {sorted(map(str, judged))}")

    def test_wrong_candidates_are_refused_by_name(self, examinee: Examinee) -> None:
        _require_statuses(WRONG, lambda example, what: examinee.verdict(example.candidate, what=what))

    def test_a_candidate_without_source_is_a_verdict(self, examinee: Examinee) -> None:
        for why in NoSource:
            status = Status.SKIPPED if why is NoSource.SKIPPED else Status.UNPARSABLE
            verdict = examinee.verdict(without_source(why), what=f"a candidate that is {why.value}")
            require(verdict.status is status, f"a candidate that is {why.value} is {_said(verdict)}")

    def test_unknown_is_no_pass(self, examinee: Examinee) -> None:
        verdict = examinee.verdict(candidate(UNUSUAL_WRONG), what="a wrong program in inline PTX")
        require(not verdict.passed, "a wrong program in inline PTX passes: what cannot be judged is UNSUPPORTED")

    def test_a_pass_says_what_was_not_checked(self, examinee: Examinee) -> None:
        for stage in examinee.verdict(RIGHT.candidate).stages:
            said = stage.outcome is not StageOutcome.ABSENT or bool(stage.detail)
            require(said, f"the {stage.name.value} stage is absent without a reason in its detail")
        labels = examinee.verdict(RIGHT.candidate).labels
        outcomes = {stage.name: stage.outcome for stage in examinee.verdict(RIGHT.candidate).stages}
        checked = outcomes.get(StageName.MEMORY) is StageOutcome.PASSED or "memory_unchecked" in labels
        require(checked, "a pass without a passed memory stage needs the label memory_unchecked")

    def test_verdicts_say_what_they_are_about(self, examinee: Examinee) -> None:
        evaluator, signed = examinee.evaluator, examinee.signs_as or examinee.evaluator.name
        for program in (RIGHT.candidate, WRONG["a wrong value"].candidate, without_source(NoSource.SKIPPED)):
            verdict = examinee.verdict(program)
            told = {
                "task_hash": (verdict.task_hash, examinee.task.content_hash),
                "candidate_id": (verdict.candidate_id, program.id),
                "protocol": (verdict.protocol, evaluator.protocol),
                "evaluator": (verdict.evaluator, signed),
                "level": (verdict.level, Level.SCREEN),
            }
            for name, (found, expected) in told.items():
                require(found == expected, f"{name} of a {verdict.status} verdict is {found!r}, not {expected!r}")
            require(bool(verdict.protocol), "a verdict without the protocol that it was made under")
            require(verdict.environment is not None, f"a {verdict.status} verdict without its environment")
            device = verdict.environment.device if verdict.environment else ""
            expected_device = evaluator.environment().device
            require(device == expected_device, f"a verdict made on {device!r} by an evaluator on {expected_device!r}")

    def test_each_level_is_on_its_verdict(self, examinee: Examinee) -> None:
        for level in Level:
            verdict = examinee.verdict(RIGHT.candidate, level, what="a right candidate")
            require(verdict.level is level, f"asked for {level.value}, the verdict says {verdict.level.value}")
            require(verdict.passed, f"a right candidate judged at level {level.value} is {_said(verdict)}")

    def test_there_is_timing_or_a_reason_for_none(self, examinee: Examinee) -> None:
        for program in (
            RIGHT.candidate,
            WRONG["a wrong value"].candidate,
            WRONG["text that does not compile"].candidate,
        ):
            verdict = examinee.verdict(program)
            told = (verdict.timing is None) == bool(verdict.no_timing)
            require(told, f"a {verdict.status} verdict needs either timing or no_timing with a reason")
            passed = verdict.passed or verdict.timing is None
            require(passed, f"a {verdict.status} verdict has timing: a refused candidate has no time")

    def test_a_refusal_says_why(self, examinee: Examinee) -> None:
        for what, example in WRONG.items():
            verdict = examinee.verdict(example.candidate, what=what)
            require(bool(verdict.reason.strip()), f"{what} is refused without a reason")
            require(bool(verdict.feedback.strip()), f"{what} is refused without feedback")

    def test_no_expected_value_is_told(self, examinee: Examinee) -> None:
        for program, level in (
            (WRONG["a wrong value"].candidate, Level.SCREEN),
            (WRONG["an output that is not written"].candidate, Level.SCREEN),
            (candidate(LISTED_SIZES_ONLY), Level.FULL),
        ):
            for where, text in _texts(to_plain(examinee.verdict(program, level))):
                digits = re.sub(r"[.,_' ]", "", text)
                require(SECRET_DIGITS not in digits, f"{where} tells an expected value: {text[:200]!r}")

    def test_no_hidden_size_and_no_seed_is_told(self, examinee: Examinee) -> None:
        verdict = examinee.verdict(candidate(LISTED_SIZES_ONLY), Level.FULL, what="a program for listed sizes only")
        require(
            not verdict.passed, "a program that is right at listed sizes only passes in full: no hidden size was tried"
        )
        hidden = {str(case.sizes["n"]) for case in verdict.cases if case.hidden} - {"1"}
        told = {"feedback": verdict.feedback, "reason": verdict.reason}
        for where, text in told.items():
            found = hidden & set(_NUMBER.findall(text))
            require(not found, f"{where} names the hidden size {', '.join(sorted(found))}: {text[:200]!r}")
        for example in WRONG.values():
            refused = examinee.verdict(example.candidate)
            for where, text in (("feedback", refused.feedback), ("reason", refused.reason), *told.items()):
                require(_SEED.search(text) is None, f"{where} seems to name a seed: {text[:200]!r}")

    def test_several_threads_may_ask(self, examinee: Examinee) -> None:
        examinee.yardstick()
        asked = {"a right candidate": RIGHT, **dict(list(WRONG.items())[:4])}
        with ThreadPoolExecutor(len(asked)) as pool:
            judged = {what: pool.submit(examinee.judge, e.candidate, what=what) for what, e in asked.items()}
        _require_statuses(asked, lambda _, what: judged[what].result())

    def test_hostile_text_is_a_verdict(self, examinee: Examinee) -> None:
        examinee.yardstick()
        with ThreadPoolExecutor(4) as pool:
            asked = {
                what: pool.submit(examinee.judge, candidate(text), what=what) for what, text in HOSTILE_TEXTS.items()
            }
        for what, answer in asked.items():
            verdict = answer.result()
            require(not verdict.passed, f"{what} passes")
            _require_showable(verdict, what)

    def test_a_flood_of_output_is_contained(self, examinee: Examinee) -> None:
        verdict = examinee.verdict(FLOOD.candidate, what="a program that floods its output")
        require(verdict.status in FLOOD.statuses, f"a program that floods its output is {_said(verdict)}")
        _require_showable(verdict, "a program that floods its output")

    def test_inputs_are_drawn_afresh(self, examinee: Examinee) -> None:
        verdict = examinee.verdict(REMEMBERS.candidate, what="a program that repeats its first result")
        require(
            verdict.status in REMEMBERS.statuses,
            f"a program that repeats its first result is {_said(verdict)}: "
            "every call of one size must have inputs of its own",
        )
        prints = [_fingerprint(examinee.verdict(candidate(tell_tale(number)))) for number in (1, 2)]
        require(prints[0] != prints[1], "two judgements used the same inputs: a candidate can hold their outputs")

    def test_the_same_candidate_gets_the_same_status(self, examinee: Examinee) -> None:
        for what, example in {"a right candidate": RIGHT, "a wrong value": WRONG["a wrong value"]}.items():
            first, second = examinee.verdict(example.candidate, what=what), examinee.judge(example.candidate, what=what)
            require(first.status is second.status, f"{what} is {first.status} at first and {_said(second)} afterwards")

    def test_verdicts_survive_being_stored(self, examinee: Examinee) -> None:
        programs = {"a right candidate": RIGHT.candidate, **{what: e.candidate for what, e in WRONG.items()}}
        for what, program in programs.items():
            verdict = examinee.verdict(program, what=what)
            try:
                again = from_json(Verdict, to_json(verdict).encode())
            except (SchemaError, ValueError, TypeError) as error:
                raise NotKept(f"the verdict on {what} cannot be stored: {_told(error)}") from error
            require(to_json(again) == to_json(verdict), f"the verdict on {what} is another one after being stored")

    def test_the_yardstick_is_usable(self, examinee: Examinee) -> None:
        stick = examinee.yardstick()
        require(
            stick.start > stick.floor > 0, f"the scale starts at {stick.start} and ends at {stick.floor}: not above it"
        )
        require(bool(stick.start_name), "the yardstick does not say what its start is")

    def test_a_broken_reference_blames_the_task(self, examinee: Examinee) -> None:
        for what, body in BROKEN_REFERENCES.items():
            _require_invalid(examinee, task_with_reference(body), f"a reference that {what}")

    def test_an_evaluator_that_cannot_work_gives_no_verdict(self, examinee: Examinee) -> None:
        require(examinee.evaluator.availability().available, "the evaluator to examine is not available")
        broken = examinee.unavailable
        if broken is None:
            raise SkipTest("no evaluator was given that cannot work")
        answer = broken.availability()
        require(not answer.available, "the evaluator that was given as unavailable says that it is available")
        require(bool(answer.reason), "an evaluator is not available and does not say why")
        for what, call in {
            "evaluate": lambda: broken.evaluate(examinee.task, RIGHT.candidate, level=Level.SCREEN),
            "prepare": lambda: broken.prepare(examinee.task, None),
        }.items():
            _require_raises(EvaluatorUnavailable, call, f"{what} of an evaluator that is not available")


class SlowEvaluatorConformance:
    """Every evaluator passes these too; each waits for a time limit."""

    def test_an_endless_candidate_is_stopped(self, examinee: Examinee) -> None:
        _require_statuses(
            {"an endless kernel": ENDLESS}, lambda example, what: examinee.judge(example.candidate, what=what)
        )

    def test_an_endless_reference_blames_the_task(self, examinee: Examinee) -> None:
        _require_invalid(examinee, task_with_reference(ENDLESS_REFERENCE), "a reference that never ends")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One promise, tried."""

    name: str
    """Such as `a right candidate passes`."""
    problem: str | None
    """What was seen where it is not kept; None where it is."""
    left_out: str | None = None
    """Why it was not tried; then `problem` is None as well."""
    seconds: float


def cases(*, slow: bool = False) -> dict[str, Callable[[Examinee], None]]:
    """Every promise by its name, in order."""
    suites = (EvaluatorConformance, *((SlowEvaluatorConformance,) if slow else ()))
    return {
        name.removeprefix("test_").replace("_", " "): getattr(suite(), name)
        for suite in suites
        for name in vars(suite)
        if name.startswith("test_")
    }


def examine(examinee: Examinee, *, slow: bool = False) -> Iterator[Outcome]:
    """Try every promise in turn; `slow` adds those that wait for a time limit. Each outcome is given as soon as it is known."""
    for name, case in cases(slow=slow).items():
        begun = time.monotonic()
        problem = left_out = None
        try:
            case(examinee)
        except SkipTest as reason:
            left_out = str(reason)
        except NotKept as seen:
            problem = str(seen)
        except Exception as error:  # an evaluator that is broken in a way that no case foresees is still a finding
            problem = _told(error)
        yield Outcome(name=name, problem=problem, left_out=left_out, seconds=time.monotonic() - begun)


def _require_statuses(examples: Mapping[str, Example], verdict_of: Callable[[Example, str], Verdict]) -> None:
    found = {what: (verdict_of(example, what), example.statuses) for what, example in examples.items()}
    wrong = [
        f"{what} is {_said(verdict)}, not {' or '.join(statuses)}"
        for what, (verdict, statuses) in found.items()
        if verdict.status not in statuses
    ]
    require(not wrong, "; ".join(wrong))


def _require_invalid(examinee: Examinee, task: Task, what: str) -> None:
    evaluator = examinee.evaluator
    expected = EvaluatorUnavailable if examinee.from_record else InvalidTask
    _require_raises(expected, lambda: evaluator.prepare(task, None), f"prepare with {what}")

    def judged() -> Verdict:
        return evaluator.evaluate(task, RIGHT.candidate, level=Level.SCREEN)

    if examinee.from_record:
        _require_raises(expected, judged, f"evaluate with {what}")
        return
    try:
        verdict = judged()
    except Exception as error:
        raise NotKept(
            f"evaluate with {what} raises {_told(error)}; a task at fault is the status INVALID_TASK"
        ) from error
    require(verdict.status is Status.INVALID_TASK, f"evaluate with {what} is {_said(verdict)}, not INVALID_TASK")
    require(bool(verdict.reason), f"evaluate with {what} says INVALID_TASK without a reason")


def _require_raises(expected: type[Exception], call: Callable[[], object], what: str) -> None:
    try:
        answer = call()
    except expected as error:
        require(bool(str(error)), f"{what} raises {expected.__name__} without a message")
        return
    except Exception as error:
        raise NotKept(f"{what} raises {_told(error)}, not {expected.__name__}") from error
    _refuse_answer(answer, expected, what)


def _refuse_answer(answer: object, expected: type[Exception], what: str) -> NoReturn:
    said = _said(answer) if isinstance(answer, Verdict) else f"{type(answer).__name__}"
    raise NotKept(f"{what} answers {said} instead of raising {expected.__name__}")


def _require_showable(verdict: Verdict, what: str) -> None:
    """Every text in the verdict can be printed and is capped."""
    for where, text in _texts(to_plain(verdict)):
        found = _UNSHOWABLE.search(text)
        require(found is None, f"{what}: {where} holds the character {found.group() if found else ''!a}: escape it")
        require(len(text) <= TEXT_LIMIT, f"{what}: {where} has {len(text)} characters, more than {TEXT_LIMIT}")
    total = len(json.dumps(to_plain(verdict)))
    require(total <= VERDICT_LIMIT, f"{what}: the verdict has {total} characters, more than {VERDICT_LIMIT}")


def _texts(plain: object, where: str = "verdict") -> Iterator[tuple[str, str]]:
    """Every text of a record with its place, and every number as text."""
    if isinstance(plain, Mapping):
        for key, value in plain.items():
            yield from _texts(value, f"{where}.{key}")
    elif isinstance(plain, list):
        for index, value in enumerate(plain):
            yield from _texts(value, f"{where}[{index}]")
    elif isinstance(plain, str):
        yield where, plain


def _fingerprint(verdict: Verdict) -> tuple[tuple[str, int], ...]:
    """What a tell-tale program told of its inputs."""
    require(bool(verdict.cases), f"a program with wrong values is {_said(verdict)}, without the cases that it failed")
    return tuple((f"{case.family} n={case.sizes.get('n')}", case.mismatches) for case in verdict.cases)


def _said(verdict: Verdict) -> str:
    return f"{verdict.status.value} ({verdict.reason[:200]})"


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error)[:300]}"
