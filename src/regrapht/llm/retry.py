"""The one owner of retries: exponential waits with full jitter, bounded in number and time.

Full jitter (a wait drawn uniformly below the exponential bound) keeps many workers that failed together from coming back together.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from regrapht.errors import ModelUnavailable

Answer = TypeVar("Answer")


class Transient(Exception):
    """One request failed in a way that another may not. Handled by `retrying`; never leaves this package."""

    def __init__(self, reason: str, *, retry_after_s: float | None = None, status: int | None = None) -> None:
        super().__init__(reason)
        self.retry_after_s = retry_after_s
        self.status = status


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often, how long, and how patiently to try again."""

    max_attempts: int = 4
    max_elapsed_s: float = 300.0
    first_wait_s: float = 1.0
    """Upper bound of the first wait; doubles with each one."""
    longest_wait_s: float = 30.0
    longest_retry_after_s: float = 60.0
    """A server that asks for a longer pause is asked again after this one."""

    def __post_init__(self) -> None:
        if self.max_attempts < 1:
            raise ValueError("a call takes at least one attempt")

    def wait_s(self, failures: int, failure: Transient, jitter: float) -> float:
        """The pause after the `failures`-th failure, counted from 1; `jitter` is drawn from [0, 1)."""
        drawn = jitter * min(self.longest_wait_s, self.first_wait_s * 2.0 ** (failures - 1))
        if failure.retry_after_s is None:
            return drawn
        return max(drawn, min(failure.retry_after_s, self.longest_retry_after_s))


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """Time and chance, so that tests can give their own."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random


def retrying(
    attempt: Callable[[], Answer], *, policy: RetryPolicy, clock: Clock, deadline: float = float("inf")
) -> Answer:
    """The answer of the first attempt that gives one.

    Args:
        attempt: Makes one request; raises `Transient` where another one may succeed. Any other exception passes through.
        policy: The limits.
        clock: Time and chance.
        deadline: No wait goes beyond this moment of `clock`.

    Raises:
        ModelUnavailable: Every attempt failed, or the next wait would go beyond a limit. Says the last reason.
    """
    started = clock.now()
    last_moment = min(deadline, started + policy.max_elapsed_s)
    failures = 0
    while True:
        try:
            return attempt()
        except Transient as failure:
            failures += 1
            wait_s = policy.wait_s(failures, failure, clock.jitter())
            if failures >= policy.max_attempts or clock.now() + wait_s >= last_moment:
                elapsed = clock.now() - started
                requests = "1 request" if failures == 1 else f"{failures} requests"
                raise ModelUnavailable(f"{failure} ({requests}, {elapsed:.1f} s)") from failure
            clock.sleep(wait_s)
