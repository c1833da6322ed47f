"""Judges on a cluster of Ray: an actor a GPU, or a core where costs are modelled. The driver asks, keeps and writes; actors only judge.

Ray places actors, restarts them and notices what is lost. A job whose actor or node went away is asked again of another: it is named by its
content, so that is the same job, and nothing is kept there. What is lost is at most the judgements in hand.
"""

import logging
import queue
import socket
import threading
import time
from typing import Any
from urllib.parse import urlsplit

from regrapht import settings
from regrapht.errors import ConfigError, EvaluatorUnavailable, PrerequisiteMissing
from regrapht.evaluate.elsewhere import (
    JudgeAtHand,
    PlainOf,
    environment_of,
    job,
    require_same_judge,
    result_of,
    verdict_of,
    yardstick_of,
)
from regrapht.evaluate.evaluator import Availability
from regrapht.records.candidate import Candidate
from regrapht.records.measurement import Environment, Yardstick
from regrapht.records.task import Task
from regrapht.records.verdict import Level, Verdict

PATIENCE_S = 300.0
"""So long nobody may be able to take a job before the cluster counts as unavailable."""
_PAUSE_S = 0.2
_KNOCK_S = 10.0
_log = logging.getLogger(__name__)


class RayEvaluator:
    """An evaluator over the judges of a cluster; its name and protocol are theirs, so that verdicts are the same wherever they were made.

    Args:
        address: `local`, `local:3` for so many processes of this machine, or the address of a cluster (`auto`, `HOST:6379`, `ray://...`).
        judge: The evaluator that every actor has; None is the GPU's where the cluster has GPUs, else the emulated one.
        kind: Only devices whose name has this in it, where a cluster has several kinds.

    Raises:
        PrerequisiteMissing: Ray is not installed.
        ConfigError: The address makes no sense, or judges on devices of several kinds would be mixed.
        EvaluatorUnavailable: There is no such cluster, or it has no room for a judge.
    """

    def __init__(
        self, address: str, judge: str | None = None, *, allow_root: bool = False, kind: str | None = None
    ) -> None:
        self._ray = _connect(address)
        try:
            self._place(address, judge, allow_root, kind)
        except BaseException:
            self.close()
            raise

    def _place(self, address: str, judge: str | None, allow_root: bool, kind: str | None) -> None:
        """Start the judges, and see that they are alike."""
        has_gpus = self._ray.cluster_resources().get("GPU", 0) >= 1
        name = judge or ("local_gpu" if has_gpus else "emulated")
        unit = "GPU" if name == "local_gpu" else "CPU"
        count = int(self._ray.cluster_resources().get(unit, 0))
        if count < 1:
            raise EvaluatorUnavailable(f"the cluster at {address} has no {unit} for a judge")
        needs = {"num_gpus": 1, "num_cpus": 1} if unit == "GPU" else {"num_cpus": 1}
        made = self._ray.remote(_Actor).options(
            **needs, max_restarts=-1, max_task_retries=0, scheduling_strategy="SPREAD"
        )
        self._actors = [made.remote(name, allow_root) for _ in range(count)]
        self._greet(kind)
        self._plain = PlainOf()
        self._lock = threading.Lock()
        self._free: queue.SimpleQueue[Any] = queue.SimpleQueue()
        for actor in self._actors:
            self._free.put(actor)

    def _greet(self, kind: str | None) -> None:
        greetings = []
        for actor in self._actors:
            try:
                greetings.append(
                    (actor, result_of(self._ray.get(actor.answer.remote({"method": "hello"}), timeout=PATIENCE_S)))
                )
            except (self._ray.exceptions.RayError, TimeoutError) as error:
                raise EvaluatorUnavailable(f"a judge of the cluster does not start: {_first_line(error)}") from error
        if kind is not None:
            greetings = [(a, hello) for a, hello in greetings if kind.lower() in hello["environment"]["device"].lower()]
        devices = sorted({hello["environment"]["device"] for _, hello in greetings})
        if len(devices) != 1:
            found = ", ".join(devices) or "none"
            raise ConfigError(
                f"judges on one kind of device are needed, and these are {found}: choose with --cluster-kind"
            )
        self._actors = [actor for actor, _ in greetings]
        self._hello = greetings[0][1]
        require_same_judge(self._hello, "of the cluster")
        self.name, self.protocol = str(self._hello["name"]), str(self._hello["protocol"])

    @property
    def judges(self) -> int:
        """How many judge at once."""
        return len(self._actors)

    def availability(self) -> Availability:
        """Whether the cluster is there."""
        return Availability(available=bool(self._ray.is_initialized()))

    def environment(self) -> Environment:
        """The judges' device and tools."""
        return environment_of(self._hello)

    def prepare(self, task: Task, plain: Candidate | None) -> Yardstick:
        """As `Evaluator.prepare`, on one of the judges; the others prepare the task with their first job on it."""
        self._plain.keep(task, plain)
        return yardstick_of(self._ask(job("prepare", task, plain)))

    def evaluate(self, task: Task, candidate: Candidate, *, level: Level) -> Verdict:
        """As `Evaluator.evaluate`, by the judge that is free first."""
        asked = job("evaluate", task, self._plain.of(task), candidate=candidate, level=level)
        return verdict_of(self._ask(asked))

    def close(self) -> None:
        """Leave the cluster; one that was started for this ends."""
        if self._ray.is_initialized():
            self._ray.shutdown()

    def _ask(self, asked: dict[str, Any]) -> Any:
        """The result of a job, asked again of another judge where one is lost with it."""
        until = time.monotonic() + PATIENCE_S
        while True:
            actor = self._free.get()
            try:
                return result_of(self._ray.get(actor.answer.remote(asked)))
            except self._ray.exceptions.RayTaskError as error:  # a fault of ours in the actor, with its traceback
                raise RuntimeError(str(error)) from error
            except self._ray.exceptions.RayError as error:
                _log.warning("a judge was lost with the job in hand, which is asked again: %s", _first_line(error))
                if time.monotonic() > until:
                    raise EvaluatorUnavailable(f"no judge of the cluster answers: {_first_line(error)}") from error
            finally:
                self._free.put(actor)
            time.sleep(_PAUSE_S)


class _Actor:
    """The judge in a process of the cluster."""

    def __init__(self, name: str, allow_root: bool) -> None:
        self._judge = JudgeAtHand(name, allow_root=allow_root)

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        return self._judge.answer(asked)


def _connect(address: str) -> Any:
    settings.keep_ray_quiet()
    try:
        import ray
    except ImportError as error:
        raise PrerequisiteMissing("a cluster needs Ray: pip install 'regrapht[ray]'") from error
    usual: dict[str, Any] = {
        "include_dashboard": False,
        "log_to_driver": False,
        "logging_level": logging.ERROR,
        "namespace": "regrapht",
    }
    word, _, number = address.partition(":")
    try:
        if word == "local":
            if number and not (number.isdecimal() and int(number) > 0):
                raise ConfigError(f"--cluster {address}: local:N has a number of processes, such as local:3")
            # Named, since Ray joins a cluster that this machine is part of already where it is given no address.
            ray.init(address="local", num_cpus=int(number) if number else None, _node_ip_address="127.0.0.1", **usual)
        else:
            del usual["include_dashboard"]
            _knock(address)
            ray.init(address=address, **usual)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise EvaluatorUnavailable(f"there is no cluster at {address}: {_first_line(error)}") from error
    return ray


def _knock(address: str) -> None:
    """Ray tries for minutes where nobody listens: it is known in seconds.

    Raises:
        ConnectionError: Nobody takes a connection at HOST:PORT.
        ValueError: There is no number where the port stands.
    """
    there = urlsplit(address if "://" in address else f"//{address}")
    if there.hostname is None or there.port is None:
        return  # `auto` and the like: Ray looks for them itself
    try:
        socket.create_connection((there.hostname, there.port), timeout=_KNOCK_S).close()
    except OSError as error:
        raise ConnectionError(f"nobody listens there ({error})") from error


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
