import pytest

from regrapht.errors import ModelRefused, ModelUnavailable
from regrapht.llm.retry import Clock, RetryPolicy, Transient, retrying


class Time:
    """A clock that only sleeping moves."""

    def __init__(self, jitter: float = 1.0) -> None:
        self.now_s = 0.0
        self.pauses: list[float] = []
        self.clock = Clock(now=lambda: self.now_s, sleep=self.sleep, jitter=lambda: jitter)

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now_s += seconds


def failing(times: int, retry_after_s: float | None = None):
    left = [times]

    def attempt() -> str:
        left[0] -= 1
        if left[0] >= 0:
            raise Transient("busy", retry_after_s=retry_after_s)
        return "answer"

    return attempt


def test_waits_double_up_to_a_limit():
    time = Time()
    policy = RetryPolicy(max_attempts=8, first_wait_s=1.0, longest_wait_s=10.0)
    assert retrying(failing(6), policy=policy, clock=time.clock) == "answer"
    assert time.pauses == [1, 2, 4, 8, 10, 10]


def test_jitter_is_full():
    time = Time(jitter=0.0)
    retrying(failing(3), policy=RetryPolicy(), clock=time.clock)
    assert time.pauses == [0, 0, 0]


@pytest.mark.parametrize(("asked", "waited"), [(7.0, 7.0), (86400.0, 60.0), (0.0, 1.0)])
def test_retry_after_is_honoured_and_capped(asked, waited):
    time = Time()
    retrying(failing(1, asked), policy=RetryPolicy(), clock=time.clock)
    assert time.pauses == [waited]


def test_attempts_are_bounded():
    with pytest.raises(ModelUnavailable, match=r"busy \(3 requests"):
        retrying(failing(9), policy=RetryPolicy(max_attempts=3), clock=Time().clock)


def test_no_wait_goes_beyond_the_elapsed_time_or_the_deadline():
    time = Time()
    with pytest.raises(ModelUnavailable):
        retrying(failing(99), policy=RetryPolicy(max_attempts=99, max_elapsed_s=20.0), clock=time.clock)
    assert sum(time.pauses) == 15
    time = Time()
    with pytest.raises(ModelUnavailable):
        retrying(failing(99), policy=RetryPolicy(max_attempts=99), clock=time.clock, deadline=4.0)
    assert time.pauses == [1, 2]


def test_other_exceptions_pass_at_once():
    def refused() -> None:
        raise ModelRefused("no")

    time = Time()
    with pytest.raises(ModelRefused):
        retrying(refused, policy=RetryPolicy(), clock=time.clock)
    assert time.pauses == []


def test_a_policy_needs_an_attempt():
    with pytest.raises(ValueError, match="at least one"):
        RetryPolicy(max_attempts=0)
