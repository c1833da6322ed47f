"""Ctrl-C, for commands that can stop between two steps and go on another time.

SIGTERM, by which `timeout`, containers and batch systems end a command, is taken as Ctrl-C is.
"""

import os
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


@contextmanager
def stop_on_interrupt(in_hand: str) -> Iterator[threading.Event]:
    """The event that the first Ctrl-C sets, saying that what is `in_hand` is finished; a second one stops hard."""
    stop, owner = threading.Event(), os.getpid()

    def interrupt(number: int, _frame: FrameType | None) -> None:
        if os.getpid() != owner:  # a child that was forked: nobody asks its event
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            return
        if stop.is_set():
            print(f"\ninterrupted at once; all but the {in_hand} in hand is kept", file=sys.stderr)
            raise KeyboardInterrupt
        stop.set()
        print(f"\nfinishing the {in_hand} in hand; Ctrl-C again stops at once", file=sys.stderr)

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
