"""Judging for somebody elsewhere: what travels is texts, and a job is told whole, so that asking again is the same job.

`JudgeAtHand` is the side that judges; an actor of Ray and a process behind ssh are two ways to reach it. Every job names its task, and the
plain program that the task's scale begins at, by content: who gets one prepares the task once. Its secret inputs are drawn there, and stay.
"""

import hashlib
import json
import threading
from collections.abc import Mapping
from typing import Any

from regrapht.errors import ConfigError, EvaluatorUnavailable, InvalidTask, RegraphtError
from regrapht.evaluate import EVALUATORS
from regrapht.evaluate.cached import judge_code
from regrapht.evaluate.evaluator import Evaluator
from regrapht.records.candidate import Candidate
from regrapht.records.encoding import from_json, from_plain, to_json, to_plain
from regrapht.records.measurement import Environment, Yardstick
from regrapht.records.task import Task
from regrapht.records.verdict import Level, Verdict
from regrapht.sandbox.choose import choose

Job = Mapping[str, Any]
_KINDS: Mapping[str, type[RegraphtError]] = {
    "EvaluatorUnavailable": EvaluatorUnavailable,
    "InvalidTask": InvalidTask,
    "ConfigError": ConfigError,
}
"""Errors that mean the same on both sides."""


def job(method: str, task: Task, plain: Candidate | None, **more: object) -> dict[str, Any]:
    """A job as it travels."""
    plain_text = to_json(plain) if plain is not None else None
    return {
        "method": method,
        "task": _task_text(task),
        "plain": plain_text,
        **{k: to_plain(v) for k, v in more.items()},
    }


def _task_text(task: Task) -> str:
    """The task, without the folder that it came from: what it reads beside its text does not travel.

    Raises:
        ConfigError: It reads such files.
    """
    reads = [arg.name for arg in task.args if arg.init is not None and arg.init.kind == "file"]
    if reads or task.reference.include:
        raise ConfigError(
            f"{task.id} reads files of this machine ({', '.join(reads) or 'headers'}): it is judged here alone"
        )
    return to_json(task)


class JudgeAtHand:
    """The judge that answers jobs, in the process that has the device.

    Args:
        name: An evaluator; None is the GPU's where there is one, else the emulated one.
    """

    def __init__(self, name: str | None, *, allow_root: bool = False) -> None:
        sandbox = choose(allow_root=allow_root).sandbox
        why = ""
        for candidate in (name,) if name else ("local_gpu", "emulated"):
            self._judge: Evaluator = EVALUATORS.make(candidate, sandbox)
            availability = self._judge.availability()
            if availability.available:
                break
            why = f"the {candidate} evaluator cannot work there: {availability.reason}"
        else:
            raise EvaluatorUnavailable(why)
        self._prepared: dict[str, tuple[Task, Yardstick]] = {}
        self._lock = threading.Lock()

    def hello(self) -> dict[str, Any]:
        """Who judges, by which rules, on what."""
        return {
            "name": self._judge.name,
            "protocol": self._judge.protocol,
            "environment": to_plain(self._judge.environment()),
            "judge": judge_code(),
        }

    def answer(self, asked: Job) -> dict[str, Any]:
        """A job's result, or the error that the other side is to raise."""
        try:
            if asked.get("method") == "hello":
                return {"result": self.hello()}
            task, yardstick = self._task(str(asked["task"]), asked.get("plain"))
            if asked["method"] == "prepare":
                return {"result": to_plain(yardstick)}
            candidate = from_plain(Candidate, asked["candidate"])
            return {"result": to_plain(self._judge.evaluate(task, candidate, level=Level(asked["level"])))}
        except RegraphtError as error:
            return {"error": {"kind": type(error).__name__, "message": str(error)}}
        except (KeyError, ValueError) as error:
            return {"error": {"kind": "ConfigError", "message": f"no job of ours: {error}"}}

    def _task(self, text: str, plain: object) -> tuple[Task, Yardstick]:
        key = hashlib.sha256(json.dumps([text, plain]).encode()).hexdigest()
        with self._lock:
            if key not in self._prepared:
                task = from_json(Task, text)
                begun = from_json(Candidate, str(plain)) if plain is not None else None
                self._prepared[key] = task, self._judge.prepare(task, begun)
            return self._prepared[key]


def result_of(answer: Mapping[str, Any]) -> Any:
    """What an answer holds.

    Raises:
        RegraphtError: What the other side said, as if it had been here.
    """
    if "error" not in answer:
        return answer["result"]
    kind, message = str(answer["error"].get("kind")), str(answer["error"].get("message"))
    raise _KINDS.get(kind, EvaluatorUnavailable)(message)


def require_same_judge(hello: Mapping[str, Any], where: str) -> None:
    """Refuse verdicts by other rules than this regrapht's.

    Raises:
        ConfigError: The judge there is of another version.
    """
    if hello.get("judge") != judge_code():
        raise ConfigError(f"the judge {where} is of another regrapht than this one: install the same version on both")


class PlainOf:
    """The plain program that each task's scale was prepared with, by the task's content."""

    def __init__(self) -> None:
        self._known: dict[str, Candidate | None] = {}

    def keep(self, task: Task, plain: Candidate | None) -> None:
        if plain is not None or task.content_hash not in self._known:
            self._known[task.content_hash] = plain

    def of(self, task: Task) -> Candidate | None:
        return self._known.get(task.content_hash)


def environment_of(hello: Mapping[str, Any]) -> Environment:
    """The machine of a greeting."""
    found: Environment = from_plain(Environment, hello["environment"])
    return found


def verdict_of(plain: Any) -> Verdict:
    """A verdict that travelled."""
    found: Verdict = from_plain(Verdict, plain)
    return found


def yardstick_of(plain: Any) -> Yardstick:
    """A yardstick that travelled."""
    found: Yardstick = from_plain(Yardstick, plain)
    return found
