"""Progress of a search: a live table on a terminal, one line a verdict elsewhere, nothing when quiet."""

import json
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from regrapht.records.candidate import Writer
from regrapht.records.proposal import Judged, ProposalKind
from regrapht.records.run import Abandoned, Asked, Event
from regrapht.report.model_use import ModelUse
from regrapht.report.story import gain
from regrapht.search.budget import Spending
from regrapht.session.launch import Launched
from regrapht.tune.opening import words

if TYPE_CHECKING:
    from rich.console import RenderableType

Observer = Callable[[Event], None]
_SHOWN = 8
SILENCE_S = 30.0
"""No longer than this is nothing said where there is no live table."""


@contextmanager
def progress_for(launched: Launched, *, quiet: bool) -> Iterator[Observer]:
    """An observer for `finish`, showing what fits the place that stderr goes to."""
    if quiet:
        yield lambda event: None
    elif sys.stderr.isatty():
        with _live(launched) as observer:
            yield observer
    else:
        with _lines(_Board(launched)) as observer:
            yield observer


@contextmanager
def _lines(board: "_Board") -> Iterator[Observer]:
    """A line for each verdict, and one on what is being done whenever there was none for `SILENCE_S`."""
    ended, last = threading.Event(), [time.monotonic()]

    def say(line: str) -> None:
        last[0] = time.monotonic()
        print(line, file=sys.stderr, flush=True)

    def take(event: Event) -> None:
        board.take(event)
        if isinstance(event, Judged):
            say(board.last[-1])

    def watch() -> None:
        while not ended.wait(min(1.0, SILENCE_S / 4)):
            if time.monotonic() - last[0] >= SILENCE_S:
                say(f"     ... {board.doing()}")

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield take
    finally:
        ended.set()
        watching.join()


class _Board:
    """What has happened so far."""

    def __init__(self, launched: Launched) -> None:
        self._yardstick, self.budget = launched.yardstick, launched.run.settings.options.budget
        self._has_model = launched.run.settings.options.model is not None
        self.tune_budget = launched.run.settings.options.tune
        self.judged = self.tuned = self.proposals = 0
        self._spent = Spending()
        self.use = ModelUse()
        self._number: dict[str, int] = {}
        """Program -> the number that its line has."""
        self._settings: dict[int, str] = {}
        self.best: float | None = None
        self._asked: dict[int, tuple[str, float]] = {}
        """What is being served: proposal -> its words, and since when."""
        self._model_doing = getattr(launched.proposer, "doing", lambda: "")
        self.last: deque[str] = deque(maxlen=_SHOWN)
        self.started = time.monotonic()
        for event in launched.replayed:
            self.take(event)

    def take(self, event: Event) -> None:
        if isinstance(event, Asked):
            self.proposals += 1
            proposal, transition = event.proposal, event.proposal.transition
            what = transition.target if transition else proposal.kind.value
            if proposal.kind is ProposalKind.TUNE:
                self._settings[proposal.id] = words(json.loads(proposal.notes))
                what = f"tune: {self._settings[proposal.id]}"
            self._asked[proposal.id] = what, time.monotonic()
            return
        self._asked.pop(event.proposal_id, None)
        if isinstance(event, Abandoned):
            self.last.append(f"abandoned: {event.reason}")
        else:
            self._judged(event)

    def doing(self) -> str:
        """What is waited for, how long so far, and what the model says it is at."""
        asked = list(self._asked.values())  # the thread that reads is another
        if not asked:
            return "the best program is judged in full" if self.proposals else "preparing"
        what, since = asked[-1]
        limit = f" of {self.budget.candidates}" if self.budget.candidates else ""
        model = self._model_doing() or "being written or judged"
        return f"candidate {self.judged + 1}{limit}, {what}, {time.monotonic() - since:.0f} s: {model}"

    def _judged(self, event: Judged) -> None:
        counts = self._spent.add(event.candidate, event.verdict)
        setting = self._settings.get(event.proposal_id)
        writer = event.candidate.writer
        self.tuned += counts and setting is not None
        self.judged = self._spent.candidates
        before = self.use.tokens
        self.use.add(event.candidate)
        gained = gain(event.verdict, self._yardstick)
        if gained is not None and (self.best is None or gained > self.best):
            self.best = gained
        transition = event.candidate.transition
        technique = transition.target if transition else "first program" if event.candidate.parent is None else "change"
        shown = f"{gained:.2f} x" if gained is not None else event.verdict.reason[:70]
        program = event.candidate.program_hash or ""
        if counts and program:
            self._number[program] = self.judged
        elif program in self._number:
            shown = f"{shown:9} as #{self._number[program]}"
        if self._has_model and writer is not Writer.OTHER:
            technique = f"{technique} ({writer})"
        status = event.verdict.status.value
        if (chosen := event.candidate.chosen) is not None:  # no program, and nothing was skipped for it
            technique, status = "choice (model)", ""
            shown = (", ".join(chosen[:3]) + (" ..." if len(chosen) > 3 else "")) or "none of the techniques"
        number = self.judged if counts else ""
        if setting is not None:
            technique, shown = "tune", f"{shown:9} {setting[:80]}"
        if self.use.tokens > before:
            shown = f"{shown:9} ({self.use.tokens - before} tokens)"
        self.last.append(f"{number:4} {technique:28} {status:14} {shown}")


@contextmanager
def _live(launched: Launched) -> Iterator[Observer]:
    from rich.console import Console
    from rich.live import Live

    board = _Board(launched)
    with Live(get_renderable=lambda: _table(board), console=Console(stderr=True), refresh_per_second=4, transient=True):
        yield board.take  # drawn anew four times a second, so that the clock goes on while a step takes long


def _table(board: _Board) -> "RenderableType":
    from rich.table import Table
    from rich.text import Text

    unit = "speed-up" if board._yardstick.scale.value == "measured_us" else "modelled gain"
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_row("best so far", Text(f"{board.best:.2f} x {unit}" if board.best is not None else "nothing passed yet"))
    table.add_row("trying", Text(board.doing()))
    limits = (
        ("candidates", board.judged - board.tuned, board.budget.candidates),
        ("proposals", board.proposals, board.budget.proposals),
        ("tokens", board.use.tokens, board.budget.tokens),
        ("settings", board.tuned, board.tune_budget),
    )
    for name, used, limit in limits:
        if isinstance(limit, int) and limit:
            filled = min(30, round(30 * used / limit))
            table.add_row(name, Text(f"{'█' * filled}{'░' * (30 - filled)} {used} of {limit}"))
    if board.use.requests:
        table.add_row("model", Text(board.use.words()))
    table.add_row("elapsed", Text(f"{time.monotonic() - board.started:.0f} s"))
    for line in list(board.last):  # the drawing thread reads what this one appends to
        table.add_row("", Text(line))
    return table
