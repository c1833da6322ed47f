"""Processes of trusted programs that candidates are timed in turn with, kept from one candidate of a task to the next.

Making a device context takes longer than most checks, and the driver makes one at a time for the whole machine. A candidate always gets a
process of its own; its partner, whose program and data are the same for every candidate, need not start anew. Judges of one process share
it: whoever times a candidate holds the device alone, so nobody else gives it commands meanwhile.
"""

import threading
import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from regrapht.evaluate.build.gpu_program import GpuProgram
from regrapht.evaluate.device.harness_process import TimedChild
from regrapht.evaluate.inputs.drawing import Inputs
from regrapht.records.task import Task

YOUNG_S = 300.0
"""A process older than this is lent to nobody new."""
IDLE_S = 30.0
"""A process that nobody used for so long ends: a judge that serves for days must not hold the device's memory meanwhile."""
_MOST_IDLE = 4
_MOST_IDLE_BYTES = 2**30
Shapes = Sequence[Sequence[Inputs]]
"""Sets of data of each shape that a process is timed at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Partner:
    """The trusted program that a candidate is timed in turn with."""

    program: GpuProgram
    baseline: str | None
    """Its name as a baseline; None for the empty program, which only shows what the work around a call takes."""


@dataclass(eq=False, slots=True, kw_only=True)
class PartnerProcess:
    """A partner's process with its data, sets of each shape; `Partners` counts its users and closes it."""

    child: TimedChild
    shapes: Shapes
    started: float = field(default_factory=time.monotonic)
    users: int = 0
    used: float = 0.0

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for sets in self.shapes for inputs in sets for array in inputs.arrays.values())

    @property
    def lendable(self) -> bool:
        """Whether somebody new may have it: it is young and has not ended."""
        return time.monotonic() - self.started < YOUNG_S and not self.child.ended

    def close(self) -> None:
        """End it and free its memory."""
        self.child.close()
        self.child.exchange.close()


_Key = tuple[str, str, tuple[int, ...]]


class Partners:
    """Lends partners' processes and keeps idle ones: the last four, with a gibibyte of data at most. Safe to use from several threads.

    Args:
        start: Starts a process with its data and hands it its program, without waiting for it.
    """

    def __init__(self, start: Callable[[Task, Shapes, Partner], PartnerProcess]) -> None:
        self._start = start
        self._kept: dict[_Key, PartnerProcess] = {}
        self._lock = threading.Lock()
        self._tidies = False
        self.close = weakref.finalize(self, _close_all, self._kept)
        """End the kept ones. Called when this is forgotten or the interpreter ends, if not before."""

    def lend(self, task: Task, shapes: Shapes, partner: Partner, *, anew: bool = False) -> "Lent":
        """A process of `partner` with these data: a kept one, else or with `anew` a new one."""
        return Lent(partial(self._take, task, shapes, partner), self._give_back, anew=anew)

    def _take(self, task: Task, shapes: Shapes, partner: Partner, anew: bool) -> PartnerProcess:
        # The identities are those of these data as long as the process holds them.
        key = (task.content_hash, partner.program.identity, tuple(id(inputs) for sets in shapes for inputs in sets))
        with self._lock:
            kept = self._kept.get(key)
            lent = kept if kept is not None and kept.lendable and not anew else self._start(task, shapes, partner)
            self._kept[key] = lent
            lent.users += 1
        if kept is not None and kept is not lent and not kept.users:
            kept.close()
        return lent

    def _give_back(self, lent: PartnerProcess) -> None:
        with self._lock:
            lent.users -= 1
            lent.used = time.monotonic()
            surplus = self._surplus()
            if not lent.users and lent not in self._kept.values() and lent not in surplus:
                surplus.append(lent)  # it was replaced meanwhile
            self._tidy_later()
        for process in surplus:
            process.close()

    def _tidy_later(self) -> None:
        """Have a look at idle processes when the next of them may have been idle for long. Hold the lock."""
        if self._kept and not self._tidies:
            self._tidies = True
            timer = threading.Timer(IDLE_S, _tidy, [weakref.ref(self)])
            timer.daemon = True
            timer.start()

    def tidy(self) -> None:
        """End what nobody used for long."""
        with self._lock:
            self._tidies = False
            surplus = self._surplus()
            self._tidy_later()
        for process in surplus:
            process.close()

    def _surplus(self) -> list[PartnerProcess]:
        """Take out what nobody uses and is not worth keeping: what ended, is old or idle for long, then what was used longest ago."""
        idle = [(key, kept) for key, kept in self._kept.items() if not kept.users]
        idle.sort(key=lambda item: item[1].used, reverse=True)
        surplus, count, room = [], 0, _MOST_IDLE_BYTES
        for key, kept in idle:
            recent = time.monotonic() - kept.used < IDLE_S
            if kept.lendable and recent and count < _MOST_IDLE and kept.nbytes <= room:
                count, room = count + 1, room - kept.nbytes
            else:
                surplus.append(self._kept.pop(key))
        return surplus


class Lent:
    """One user's hold on a partner's process, until `give_back`. Made by `Partners.lend`."""

    def __init__(
        self, take: Callable[[bool], PartnerProcess], give_back: Callable[[PartnerProcess], None], *, anew: bool
    ) -> None:
        self._take, self._give_back = take, give_back
        self._process = take(anew)

    @property
    def child(self) -> TimedChild:
        """The process; maybe not ready yet."""
        return self._process.child

    def renew(self) -> None:
        """Have a new process in the place of this one."""
        ended, self._process = self._process, self._take(True)
        self._give_back(ended)

    def give_back(self) -> None:
        """Let others have it."""
        self._give_back(self._process)


def _tidy(partners: "weakref.ref[Partners]") -> None:
    if (found := partners()) is not None:
        found.tidy()


def _close_all(kept: dict[_Key, PartnerProcess]) -> None:
    processes = list(kept.values())
    kept.clear()
    for process in processes:
        process.child.cancel()
    for process in processes:
        process.close()
