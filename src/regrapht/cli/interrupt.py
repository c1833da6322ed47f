"""Ctrl-C, for commands that can stop between two steps and go on another time; and the other ways to be told to end."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

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
    """Let SIGTERM (`kill`, a scheduler) and SIGHUP (a closed terminal) end a command as Ctrl-C ends one that cannot stop between steps.

    What it started is ended with it, what it did is kept, the exit code is 130. What is ignored already, as under `nohup`, stays so.
    """
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


@contextmanager
def stop_on_interrupt(in_hand: str) -> Iterator[threading.Event]:
    """The event that the first Ctrl-C sets, saying that what is `in_hand` is finished; a second one stops hard."""
    stop = threading.Event()

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        if stop.is_set():
            print(f"\ninterrupted at once; all but the {in_hand} in hand is kept", file=sys.stderr)
            raise KeyboardInterrupt
        stop.set()
        print(f"\nfinishing the {in_hand} in hand; Ctrl-C again stops at once", file=sys.stderr)

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
