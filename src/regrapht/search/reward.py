"""What a verdict is worth. Pure functions of a verdict and the run's yardstick.

A correct program earns `log(start / t) / log(start / floor)`, kept within 0 and 1, where `t` is its measured time or its modelled cost,
whichever the yardstick measures with. A failure earns less than 0, by how far it got.
"""

import math

from regrapht.records.measurement import Scale, Yardstick
from regrapht.records.proposal import Judged
from regrapht.records.verdict import Status, Verdict

NOTHING, NOT_BUILT, STOPPED, WRONG = -1.0, -0.8, -0.6, -0.4

_FAILURE = {
    Status.UNPARSABLE: NOTHING,
    Status.SKIPPED: NOTHING,
    Status.INVALID_TASK: NOTHING,
    Status.BUILD_FAILED: NOT_BUILT,
    Status.POLICY_REJECTED: NOT_BUILT,
    Status.UNSUPPORTED: NOT_BUILT,
    Status.CRASHED: STOPPED,
    Status.TIMED_OUT: STOPPED,
    Status.OUT_OF_MEMORY: STOPPED,
    Status.OUTPUT_LIMIT: STOPPED,
}
"""The statuses that are neither a pass nor a wrong or unsafe program; those are worth `WRONG`."""


def reward(verdict: Verdict, yardstick: Yardstick) -> float:
    """What the verdict earns: 0 at the yardstick's start or slower, 1 at its floor or faster, below 0 for a failure.

    A correct program without the figure that the yardstick measures with earns 0: nothing is known of its speed.
    """
    if not verdict.passed:
        return progress(verdict)
    return earned(figure(verdict, yardstick.scale), start=yardstick.start, floor=yardstick.floor)


def progress(verdict: Verdict) -> float:
    """How far a failure got, below 0: from no program over one that was not built and one that stopped to one that is wrong."""
    return _FAILURE.get(verdict.status, WRONG)


def earned(cost: float | None, *, start: float, floor: float) -> float:
    """What a correct program of that time or modelled cost earns; 0 without one."""
    if cost is None:
        return 0.0
    if floor >= start:
        return 1.0 if cost <= floor else 0.0
    return min(1.0, max(0.0, math.log(start / cost) / math.log(start / floor)))


def doublings(verdict: Verdict, yardstick: Yardstick) -> float | None:
    """log2(start / t) of a correct program, without bounds: how often it doubled the start's speed. None for a failure.

    Searches compare programs by this, because `reward` cannot tell apart two programs beyond either end of the yardstick. It is 0 for a
    correct program without a figure.
    """
    if not verdict.passed:
        return None
    cost = figure(verdict, yardstick.scale)
    return 0.0 if cost is None else math.log2(yardstick.start / cost)


def figure(verdict: Verdict, scale: Scale) -> float | None:
    """The verdict's time in microseconds or its modelled cost, as the scale says; None when it has none."""
    if scale is Scale.MEASURED_US:
        return verdict.time_us
    return verdict.evidence.modelled_cost if verdict.evidence is not None else None


def rank(judged: Judged, yardstick: Yardstick) -> tuple[bool, float, float, int]:
    """Sort key, best last: passed, then reward, then speed beyond the yardstick's ends, then fewer steps."""
    verdict = judged.verdict
    return (
        verdict.passed,
        reward(verdict, yardstick),
        doublings(verdict, yardstick) or 0.0,
        -len(judged.candidate.techniques),
    )
