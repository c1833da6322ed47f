"""T10: a program ten times faster than the best one known is believed only after a second, stricter look.

Known are the task's baselines on the device, and what stood a second look before: where the plain version runs in one thread, every honest
program is a hundred times faster, and one look is enough for all of them.

The look itself (new seeds, hidden sizes, memory checkers, new processes, the time taken again) is `GpuJudgement`'s. What it finds wrong has
a status of its own. SUSPECT is for what neither fails nor holds: the look could not be carried out, or the time is another one.
"""

import math
from collections.abc import Mapping, Sequence

from regrapht.evaluate.judgement.feedback import shape_text
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.records.measurement import Ratio, ShapeTiming
from regrapht.records.verdict import Status

SUSPECT_RATIO = 10.0
SAME_TIME = 1.5
"""Two medians of one program are within this factor on a device that is held alone, whatever its clocks do."""
RECHECKED = "suspect_rechecked"
"""The label of a program that is as fast as that, and passed."""


def best_ratio(shape: ShapeTiming) -> Ratio | None:
    """The speed-up over the fastest baseline of the device; None where there is none. The sequential reference says nothing here."""
    device = [ratio for ratio in shape.ratios if ratio.against != "sequential"]
    return min(device, key=lambda ratio: ratio.value) if device else None


def suspicious(timing: Sequence[ShapeTiming], believed_us: Mapping[str, float]) -> list[int]:
    """The places in `timing` whose speed-up is too good to be believed at once. `believed_us` has the best time borne out, by shape."""

    def is_doubtful(shape: ShapeTiming) -> bool:
        ratio, known_us = best_ratio(shape), believed_us.get(shape_text(shape.sizes), math.inf)
        return ratio is not None and min(ratio.value, known_us / shape.candidate.median_us) > SUSPECT_RATIO

    return [place for place, shape in enumerate(timing) if is_doubtful(shape)]


def slower_of(first: ShapeTiming, again: ShapeTiming) -> ShapeTiming:
    """The claim, or the time of the second look where that is longer; one that is shorter bears the claim out as well.

    Raises:
        Rejected: SUSPECT: the second look's median is too far above the claim.
    """
    if again.candidate.median_us > SAME_TIME * first.candidate.median_us:
        raise suspect(
            f"{first.candidate.median_us:.3g} us at {shape_text(first.sizes)}, but {again.candidate.median_us:.3g} us when timed again",
            first,
        )
    return max(first, again, key=lambda shape: shape.candidate.median_us)


def suspect(why: str, shape: ShapeTiming) -> Rejected:
    """The refusal of a program whose second look did not bear out its time at `shape`."""
    ratio = best_ratio(shape)
    assert ratio is not None, "only a shape with a baseline is looked at again"
    return Rejected(
        Status.SUSPECT,
        f"{ratio.value:.3g} times as fast as the baseline {ratio.against}, and a stricter look does not bear it out: {why}",
        feedback=f"The program is over {SUSPECT_RATIO:g} times as fast as the best baseline, and a second, stricter look did not bear that "
        f"out: {why}.",
    )
