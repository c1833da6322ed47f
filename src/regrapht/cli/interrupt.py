"""Ctrl-C, for commands that can stop between two steps and go on another time; and the other ways to be told to end."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

GRACE_S = 10.0
"""So long after SIGTERM the step in hand may take: batch systems and containers kill some half a minute after it, or sooner."""
_SAME = "the same command again"
_going_on = [_SAME]


class Interrupted(Exception):
    """Ctrl-C ended a command where it stood."""


def go_on_with(command: str) -> None:
    """Say what goes on with the work in hand, should it be interrupted from now on; until then it is the same command again."""
    _going_on[0] = command


def how_to_go_on() -> str:
    """What goes on with what was interrupted."""
    return _going_on[0]


def end_when_told() -> None:
    """Let SIGTERM (`kill`, a batch system) and SIGHUP (a closed terminal) end a command as Ctrl-C ends one that cannot stop between steps.

    What it started is ended with it, what it did is kept, the exit code is 130. What is ignored already, as under `nohup`, stays so.
    """
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


@contextmanager
def stop_on_interrupt(in_hand: str) -> Iterator[threading.Event]:
    """The event that the first Ctrl-C or SIGTERM sets, saying that what is `in_hand` is finished; a second one, or `GRACE_S` after SIGTERM,
    stops hard."""
    stop, owner, late = threading.Event(), os.getpid(), threading.Timer(GRACE_S, os.kill, (os.getpid(), signal.SIGTERM))
    late.daemon = True

    def interrupt(number: int, _frame: FrameType | None) -> None:
        if os.getpid() != owner:  # a child that was forked: nobody asks its event
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            return
        if stop.is_set():
            print(f"\ninterrupted at once; all but the {in_hand} in hand is kept", file=sys.stderr)
            raise KeyboardInterrupt
        stop.set()
        if number == signal.SIGTERM:
            late.start()
        print(f"\nfinishing the {in_hand} in hand; Ctrl-C again stops at once", file=sys.stderr)

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        late.cancel()
        for number, handler in before.items():
            signal.signal(number, handler)
