"""The report's curve as SVG text: gain over budget. The search graph is in `search_picture`."""

import math
from collections.abc import Sequence

from regrapht.report.plot import Axis, Plot
from regrapht.report.story import JudgedStep

_PASSED, _BEST = "#2b7a4b", "#c2571a"


def gain_over_budget(steps: Sequence[JudgedStep], unit: str) -> str:
    """A step line of the best gain so far over judged candidates, with every passed candidate as a dot. Logarithmic upright axis."""
    gains = [(step.number, step.gain) for step in steps if step.gain is not None]
    if not gains:
        return '<p class="empty">No candidate passed, so there is nothing to draw.</p>'
    plot = Plot(
        title="Best gain so far over judged candidates",
        across=_candidates(len(steps)),
        upright=_doublings([gain for _, gain in gains], unit),
        size=(760, 264),
        area=(64, 16, 744, 220),
    )
    dots, line, best = [], [], 0.0
    for number, gain in gains:
        if gain > best:
            line += [(number, best)] if best else []
            best = gain
            line.append((number, best))
        x, y = plot.at(number, gain)
        dots.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{_PASSED}"/>')
    return plot.svg([*dots, plot.line([*line, (len(steps), best)], _BEST)])


def _candidates(count: int) -> Axis:
    """Of judged candidates, with at most twelve ticks."""
    step = math.ceil(count / 12)
    ticks = [(number, str(number)) for number in range(step, count + 1, step)]
    return Axis(low=0, high=count, ticks=ticks, label="judged candidates")


def _doublings(gains: Sequence[float], unit: str) -> Axis:
    """Around all gains to the next half doubling, ticks at whole ones."""
    low = math.floor(math.log2(min(gains)) * 2) / 2
    high = max(math.ceil(math.log2(max(gains)) * 2) / 2, low + 1)
    ticks = [2.0**tick for tick in range(math.ceil(low), math.floor(high) + 1, math.ceil((high - low) / 8))]
    return Axis(low=2**low, high=2**high, ticks=[(t, f"{t:g} x") for t in ticks], label=unit, logarithmic=True)
