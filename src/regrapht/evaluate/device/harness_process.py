"""A GPU harness in a process of its own, started before there is an object to run; and one that makes timed repetitions when told to."""

import itertools
import math
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from threading import Event, Thread

from regrapht.evaluate.inputs.drawing import read_samples
from regrapht.sandbox.giving_up import is_given_up, require_awaited
from regrapht.sandbox.sandbox import Command, Completed, Limits, Sandbox
from regrapht.sandbox.wire import CommandKind, Exchange

_ANSWER_POLL_S = 0.0001
"""Between looks for an answer while the device is held alone: what passes unseen is time that nobody else can use."""
_POLL_S = 0.002
"""Between looks otherwise: judges that wait beside each other must not take the processor from those that work."""
_LOOK_S = 0.2
"""Between looks whether anybody still waits."""
_START_S = 120.0
LIFE_S = 3600.0
"""The wall limit of a process that waits for its object or its turn: others may hold the device for long, which is no fault of a candidate.
What it does with its object has limits of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Repetitions that one command asked for: what the child's clocks say of each, and what the parent's says of all together."""

    pairs: tuple[tuple[float, float], ...]
    """(device, host) microseconds."""
    wall_us: float
    """From before the command was given until its answer was seen: at least what the block took."""
    seen_us: float
    """From after the command was given until it was last seen unanswered: at most what the block took. Other threads of this process can
    keep the parent from looking for long, which lies between the two."""

    @property
    def unclaimed_us(self) -> float:
        """The parent's time for one repetition beyond what the child's host clock claims, at most: restoring, flushing, and whatever is
        hidden."""
        return self._beyond_claims(self.wall_us)

    @property
    def surely_unclaimed_us(self) -> float:
        """The same, at least."""
        return self._beyond_claims(self.seen_us)

    def _beyond_claims(self, spent_us: float) -> float:
        return (spent_us - sum(host for _, host in self.pairs)) / len(self.pairs)


def taken(samples_us: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The repetitions that were made: a harness that stops early leaves zeros behind."""
    return [
        (event, host)
        for event, host in samples_us
        if math.isfinite(event) and math.isfinite(host) and event > 0 and host > 0
    ]


class ChildEnded(Exception):
    """The process ended, or was stopped, before it did what it was told."""

    def __init__(self, child: "HarnessChild", completed: Completed) -> None:
        super().__init__("the process ended early")
        self.child, self.completed = child, completed


class HarnessChild:
    """A harness that gets its device and data ready, waits for its object, runs it, and ends. `close` ends it early.

    Args:
        exchange: Its calls, with `awaits_object`. Stays the caller's to close, after this.
        limits: The wall limit covers the waiting too.
    """

    def __init__(self, sandbox: Sandbox, command: Command, exchange: Exchange, limits: Limits) -> None:
        self.exchange = exchange
        self._cancel = Event()
        self._run: Future[Completed] = Future()
        self.was_ready = False
        """Whether `wait_ready` saw the device and the data ready. How a process that never was ends is not its object's doing."""
        # As a daemon: the interpreter does not wait for a process that waits for commands, which `Partners` ends when it exits.
        self._thread = Thread(target=self._watch, args=(sandbox, command, limits), name="harness", daemon=True)
        self._thread.start()

    @property
    def ended(self) -> bool:
        """Whether the process is known to have ended."""
        return self._run.done()

    def wait_ready(self) -> None:
        """Return when the device and the data are ready.

        Raises:
            ChildEnded: It did not come so far.
        """
        self._wait(lambda: self.exchange.ready >= 1, _START_S, poll_s=_POLL_S)
        self.was_ready = True

    def deliver(self, library: bytes) -> None:
        """Hand over the object; it runs at once."""
        self.exchange.deliver(library)

    def join(self, *, limit_s: float) -> Completed:
        """How it ended; it is stopped (`cancelled`) when it takes longer than `limit_s`.

        Raises:
            EvaluatorUnavailable: It was stopped because nobody waits for this thread's work any more.
        """
        last = time.monotonic() + limit_s
        while (left_s := last - time.monotonic()) > 0 and not is_given_up():
            if wait([self._run], timeout=min(left_s, _LOOK_S)).done:
                break
        ended = self.end()
        require_awaited()
        return ended

    def end(self) -> Completed:
        """Stop the program if it still runs; how it ended."""
        self._cancel.set()
        return self._run.result()

    def cancel(self) -> None:
        """Have it stopped, without waiting for that."""
        self._cancel.set()

    def close(self) -> None:
        """End the process, if it still runs."""
        self._cancel.set()
        self._thread.join()

    def _watch(self, sandbox: Sandbox, command: Command, limits: Limits) -> None:
        try:
            self._run.set_result(sandbox.run(command, limits, cancel=self._cancel))
        except BaseException as error:
            self._run.set_exception(error)

    def _wait(self, reached: Callable[[], bool], limit_s: float, *, poll_s: float) -> float:
        """Return when it is reached; when it surely was not yet, on `time.perf_counter`."""
        begun = not_yet = time.perf_counter()
        while True:
            looked = time.perf_counter()
            if reached():
                return not_yet
            not_yet = looked
            if self._run.done():
                raise ChildEnded(self, self._run.result())
            if looked > begun + limit_s:
                raise ChildEnded(self, self.end())
            time.sleep(poll_s)


class TimedChild(HarnessChild):
    """A harness in timing mode: it repeats its object at each of its shapes as it is told.

    Args:
        sets: How many sets of data there are of each shape: the calls of `exchange`, shape by shape, each with room for samples.
        checks: The calls of `check`. Stays the caller's to close, after this.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        command: Command,
        exchange: Exchange,
        limits: Limits,
        *,
        sets: Sequence[int],
        checks: Exchange | None = None,
    ) -> None:
        super().__init__(sandbox, command, exchange, limits)
        self.checks = checks
        firsts = itertools.accumulate(sets, initial=0)
        self.shapes = tuple(
            ChildAtShape(self, number, first=first, sets=count)
            for number, (first, count) in enumerate(zip(firsts, sets, strict=False))
        )

    def wait_loaded(self, *, limit_s: float) -> None:
        """Return when the object is loaded.

        Raises:
            ChildEnded: It did not come so far.
        """
        self._wait(lambda: self.exchange.ready >= 2, limit_s, poll_s=_ANSWER_POLL_S)

    def check(self, *, limit_s: float) -> None:
        """Make every call of `checks` once; their outputs are then there.

        Raises:
            ChildEnded: As `answer`.
        """
        self.answer(CommandKind.CHECK, 0, limit_s, poll_s=_POLL_S)

    def finish(self, *, limit_s: float = 30.0) -> Completed:
        """Let the program come to its end; how it ended."""
        self.exchange.command(CommandKind.FINISH, 0)
        return self.join(limit_s=limit_s)

    def answer(
        self, kind: CommandKind, count: int, limit_s: float, *, shape: int = 0, poll_s: float = _ANSWER_POLL_S
    ) -> float:
        """Have a command done; for how long it was surely not, in microseconds.

        Raises:
            ChildEnded: It ended, or took longer than `limit_s` and was ended.
        """
        number = self.exchange.command(kind, count, shape=shape)
        given = time.perf_counter()
        not_yet = self._wait(lambda: self.exchange.answered == number, limit_s, poll_s=poll_s)
        return max(0.0, 1e6 * (not_yet - given))


class ChildAtShape:
    """One shape of a timed process. All methods raise `ChildEnded` as `TimedChild.answer` does.

    Args:
        number: The shape's, from 0.
        first: The exchange's call with the shape's first set of data.
        sets: How many sets there are.
    """

    def __init__(self, child: TimedChild, number: int, *, first: int, sets: int) -> None:
        self._child, self._number, self.calls = child, number, range(first, first + sets)

    def block(self, kind: CommandKind, count: int, *, limit_s: float) -> Block:
        """`count` repetitions."""
        begun = time.perf_counter()
        seen_us = self._answer(kind, count, limit_s)
        wall_us = 1e6 * (time.perf_counter() - begun)
        per_set = [read_samples(self._child.exchange, call) for call in self.calls]
        pairs = tuple(per_set[i % len(per_set)][i // len(per_set)] for i in range(count))
        if len(taken(pairs)) < count:
            raise ChildEnded(self._child, self._child.end())
        return Block(pairs=pairs, wall_us=wall_us, seen_us=seen_us)

    def latency_us(self, *, limit_s: float) -> float:
        """What a command takes by itself: the median of three that ask for no repetition."""
        return statistics.median(self._answer(CommandKind.SAMPLE, 0, limit_s) for _ in range(3))

    def keep(self, data_set: int, *, limit_s: float) -> None:
        """One more repetition on a set's unchanged data; its outputs are put aside, in the place of earlier ones, until `store`."""
        self._answer(CommandKind.KEEP, data_set, limit_s)

    def store(self, data_set: int, *, limit_s: float) -> None:
        """Have what was kept last of a set put into the exchange. For large outputs that takes longer than all repetitions."""
        self._answer(CommandKind.STORE, data_set, limit_s)

    def _answer(self, kind: CommandKind, count: int, limit_s: float) -> float:
        return self._child.answer(kind, count, limit_s, shape=self._number)
