"""Work that somebody waits for no more: what its thread runs in a sandbox is ended, and nothing further is begun there.

A run whose time is up leaves the judgement in hand this way. It is the thread's affair, so that no judge and no proposer between them hands
an event down. Threads that they start themselves do not know of it: what these run is ended by whoever waits for them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event

from regrapht.errors import EvaluatorUnavailable

_given_up: ContextVar[Event | None] = ContextVar("given_up", default=None)


@contextmanager
def given_up_with(event: Event) -> Iterator[None]:
    """Inside, this thread's work is given up once `event` is set."""
    before = _given_up.set(event)
    try:
        yield
    finally:
        _given_up.reset(before)


def is_given_up() -> bool:
    """Whether nobody waits for this thread's work any more."""
    event = _given_up.get()
    return event is not None and event.is_set()


def require_awaited() -> None:
    """Go on only where somebody still waits for this thread's work.

    Raises:
        EvaluatorUnavailable: Nobody does. There is no verdict then: nothing was found out about the candidate.
    """
    if is_given_up():
        raise EvaluatorUnavailable("given up: nobody waits for this judgement any more")
