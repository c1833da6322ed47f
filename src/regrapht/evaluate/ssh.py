"""A judge on another machine, reached by OpenSSH: `--evaluator ssh:HOST` starts `regrapht judge-stdio` there and sends it jobs.

One line of JSON a job and one an answer, in any order, told apart by their numbers. What OpenSSH asks or refuses is OpenSSH's business: it
is started so that it asks nothing.
"""

import itertools
import json
import re
import subprocess
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import IO, Any

from regrapht.errors import ConfigError, EvaluatorUnavailable
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

HELLO_S = 120.0
_HOST = re.compile(r"[\w.@\[\]:-]*[\w\]]")
_AT_ONCE = 4


class SshEvaluator:
    """The judge behind one connection; begun anew with the next job when it was lost.

    Args:
        address: `HOST` as OpenSSH knows it, or `HOST:/path/to/regrapht` where that is not on the path there.

    Raises:
        ConfigError: The address makes no sense, or another version of regrapht answers.
        EvaluatorUnavailable: Nothing answers.
    """

    def __init__(self, address: str) -> None:
        host, _, program = address.partition(":/")
        if not _HOST.fullmatch(host) or host.startswith("-"):
            raise ConfigError(f"--evaluator ssh:{address}: give ssh:HOST, or ssh:HOST:/path/to/regrapht")
        words = [f"/{program}" if program else "regrapht", "judge-stdio"]
        self._command = ["ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=20", "--", host, *words]
        self._address = address
        self._plain = PlainOf()
        self._lock = threading.Lock()
        self._connection: _Connection | None = None
        self._hello = self._ask({"method": "hello"}, seconds=HELLO_S)
        require_same_judge(self._hello, f"at {address}")
        self.name, self.protocol = str(self._hello["name"]), str(self._hello["protocol"])

    def availability(self) -> Availability:
        """Whether it answered."""
        return Availability(available=True)

    def environment(self) -> Environment:
        """The other machine's device and tools."""
        return environment_of(self._hello)

    def prepare(self, task: Task, plain: Candidate | None) -> Yardstick:
        """As `Evaluator.prepare`, there."""
        self._plain.keep(task, plain)
        return yardstick_of(self._ask(job("prepare", task, plain)))

    def evaluate(self, task: Task, candidate: Candidate, *, level: Level) -> Verdict:
        """As `Evaluator.evaluate`, there."""
        return verdict_of(self._ask(job("evaluate", task, self._plain.of(task), candidate=candidate, level=level)))

    def close(self) -> None:
        """End the connection, and with it the judge there."""
        with self._lock:
            connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _ask(self, asked: dict[str, Any], *, seconds: float | None = None) -> Any:
        with self._lock:
            if self._connection is None or not self._connection.is_open:
                self._connection = _Connection(self._command, self._address)
            connection = self._connection
        try:
            return result_of(connection.send(asked).result(timeout=seconds))
        except TimeoutError as error:
            raise EvaluatorUnavailable(f"the judge at {self._address} does not answer within {seconds:g} s") from error


class _Connection:
    """One process of OpenSSH, and the jobs that wait for its answers."""

    def __init__(self, command: Sequence[str], address: str) -> None:
        pipe = subprocess.PIPE
        try:
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        except OSError as error:
            raise EvaluatorUnavailable(
                f"OpenSSH cannot be started: {error.strerror}; install openssh-client"
            ) from error
        self._address = address
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._waiting: dict[int, Future[Any]] = {}
        self._ended: EvaluatorUnavailable | None = None
        threading.Thread(target=self._listen, name="regrapht-ssh", daemon=True).start()

    @property
    def is_open(self) -> bool:
        return self.process.poll() is None

    def send(self, asked: dict[str, Any]) -> "Future[Any]":
        """The answer to be; it fails where the connection ends before."""
        future: Future[Any] = Future()
        with self._lock:
            if self._ended is not None:
                raise self._ended
            number = next(self._numbers)
            self._waiting[number] = future
            assert self.process.stdin is not None
            with suppress(OSError):  # it has ended: who listens to it is about to say so to everybody that waits
                self.process.stdin.write(json.dumps({**asked, "number": number}) + "\n")
                self.process.stdin.flush()
        return future

    def close(self) -> None:
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.process.wait()

    def _listen(self) -> None:
        assert self.process.stdout is not None and self.process.stderr is not None
        for line in self.process.stdout:
            try:
                answer = json.loads(line)
                future = self._waiting.pop(answer["number"], None)
            except (ValueError, KeyError, TypeError):
                continue  # a greeting of the machine's, before the judge has begun
            if future is not None:
                future.set_result(answer)
        said = self.process.stderr.read().strip().splitlines()
        self.process.wait()
        why = f": {said[-1][:200]}" if said else ""
        with self._lock:  # who asks from now on is told at once
            self._ended = EvaluatorUnavailable(f"the connection to the judge at {self._address} ended{why}")
            while self._waiting:
                _, future = self._waiting.popitem()
                future.set_exception(self._ended)


def serve_stdio(judge: JudgeAtHand, lines: IO[str], answers: IO[str], *, at_once: int = _AT_ONCE) -> None:
    """Answer jobs until the input ends: what `regrapht judge-stdio` does."""
    lock = threading.Lock()

    def work(asked: dict[str, Any]) -> None:
        answer = judge.answer(asked) | {"number": asked.get("number")}
        with lock:
            answers.write(json.dumps(answer) + "\n")
            answers.flush()

    with ThreadPoolExecutor(at_once, thread_name_prefix="judge") as pool:
        for line in lines:
            if (asked := _job(line)) is not None:
                pool.submit(work, asked)


def _job(line: str) -> dict[str, Any] | None:
    try:
        plain = json.loads(line)
    except ValueError:
        return {"method": "not JSON"} if line.strip() else None
    return plain if isinstance(plain, dict) else {"method": "no object"}
