"""What was measured at one bench shape as a verdict has it: times, ratios to baselines, and labels for what they are not."""

from collections.abc import Mapping

from regrapht.evaluate.device.gpu import Peaks, floor_us
from regrapht.evaluate.judgement.draft import Draft
from regrapht.evaluate.judgement.feedback import shape_text
from regrapht.evaluate.timing.paired_timing import Measured
from regrapht.evaluate.timing.ratios import is_launch_bound, is_settled, paired_ratio, ratio, with_launch_noise
from regrapht.records.measurement import Ratio, ShapeTiming, TimingSamples
from regrapht.records.task import Residency, Sizes


def shape_timing(
    draft: Draft,
    measured: Measured,
    sizes: Sizes,
    baselines: Mapping[str, TimingSamples],
    *,
    paired: str | None,
    peaks: Peaks,
    least: int,
) -> ShapeTiming:
    """The shape's record; what is short of the protocol becomes a label of the draft.

    Args:
        paired: The baseline that the session's partner is. Where `measured` has none of its samples, it counts as the others.
        least: How many samples the protocol asks for.
    """
    samples, where = measured.samples, shape_text(sizes)
    if len(samples.samples_us) < least:
        draft.label(f"few_samples {where}")
    if not is_settled(samples):
        draft.label(f"noisy {where}")
    found, paired = dict(baselines), paired if measured.partner_blocks else None
    if paired is not None and (partner_samples := measured.partner_samples) is not None:
        found[paired] = partner_samples
    kernel = TimingSamples(samples_us=measured.kernel_us) if measured.kernel_us else None
    transfers = TimingSamples(samples_us=measured.with_transfers_us) if measured.with_transfers_us else None
    if draft.task.contract.residency is Residency.HOST:
        transfers = measured.end_to_end  # the candidate's own transfers are inside every repetition
    return ShapeTiming(
        sizes=dict(sizes),
        candidate=samples,
        baselines=found,
        ratios=_ratios(draft, measured, found, where, paired),
        floor_us=floor_us(draft.task, sizes, peaks),
        kernel=kernel,
        end_to_end=measured.end_to_end,
        with_transfers=transfers,
        absent={
            name: "screening" for name, times in (("kernel", kernel), ("with_transfers", transfers)) if times is None
        },
        first_call_us=measured.first_call_us,
    )


def _ratios(
    draft: Draft, measured: Measured, found: Mapping[str, TimingSamples], where: str, paired: str | None
) -> tuple[Ratio, ...]:
    samples = measured.samples
    ratios = [
        paired_ratio(name, measured.rounds) if name == paired else ratio(name, times, samples)
        for name, times in sorted(found.items(), key=lambda item: item[0] != paired)
    ]
    if launch_bound := is_launch_bound(samples, measured.kernel_us):
        draft.label(f"launch_bound {where}")
    if measured.partner_samples is not None:
        launch_bound |= is_launch_bound(measured.partner_samples, measured.partner_kernel_us)
    return tuple(with_launch_noise(one) for one in ratios) if launch_bound else tuple(ratios)
