"""Curves as SVG text: quality over budget of methods, gain over budget of one run, convergence of a graph. All text in them is escaped."""

import math
from collections.abc import Sequence
from html import escape

from regrapht.bench.summary.table import Curve
from regrapht.graph.stats import ConvergencePoint
from regrapht.report.plot import Axis, Plot, round_ticks
from regrapht.report.story import JudgedStep

_TOP, _RIGHT = 28, 590
_MOST_BANDS = 4
"""With more curves their bands would hide each other, and all lines: then the first curve alone has one."""
_DASHES = ("", "", ' stroke-dasharray="7 3"', ' stroke-dasharray="2 3"')
"""So that lines are told apart in grey, and by who does not tell these colours apart."""
_COLOURS = (
    "#c2571a",
    "#2b5f8a",
    "#2b7a4b",
    "#7a2b6d",
    "#8a7a1a",
    "#555555",
    "#1a8a8a",
    "#b03030",
    "#3a3ab0",
    "#6b8e23",
)


def budget_curves(curves: Sequence[Curve], quality: str) -> str:
    """Mean best quality over judged candidates, the axis of candidates logarithmic; bands are 95 % intervals over tasks.

    The first curve is the one that the others are compared with: it is drawn over them, and thicker.
    """
    points = [point for curve in curves for point in curve.points]
    if not points:
        return '<p class="empty">Nothing is finished yet, so there is nothing to draw.</p>'
    budgets = sorted({budget for budget, _ in points})
    low = min(0.0, *(interval.low for _, interval in points))
    high = max(interval.high for _, interval in points)
    high = high if high > low else low + 1
    plot = Plot(
        title=f"Mean best {quality} over judged candidates",
        across=Axis(
            low=budgets[0],
            high=budgets[-1],
            ticks=[(b, str(b)) for b in budgets],
            label="judged candidates",
            logarithmic=True,
        ),
        upright=Axis(low=low, high=high, ticks=round_ticks(low, high), label=f"mean best {quality}"),
        size=(760, max(340, _TOP + 18 * len(curves) + 12)),
        area=(56, _TOP, _RIGHT, 296),
    )
    bands = curves if len(curves) <= _MOST_BANDS else curves[:1]
    parts = [_band(plot, curve, number) for number, curve in enumerate(bands)]
    for number in reversed(range(len(curves))):
        parts += _curve(plot, curves[number], number)
    return plot.svg(parts)


def _band(plot: Plot, curve: Curve, number: int) -> str:
    edge = [(budget, interval.high) for budget, interval in curve.points]
    edge += [(budget, interval.low) for budget, interval in reversed(curve.points)]
    return f'<polygon points="{plot.points(edge)}" fill="{_COLOURS[number % len(_COLOURS)]}" opacity="0.12"/>'


def _curve(plot: Plot, curve: Curve, number: int) -> list[str]:
    """The line, and its place in the legend."""
    colour = _COLOURS[number % len(_COLOURS)]
    dash = _DASHES[number % len(_DASHES)]
    x, y = _RIGHT + 12, _TOP + 8 + 18 * number
    width = 2 if number else 4
    return [
        plot.line([(budget, interval.value) for budget, interval in curve.points], colour, dash, width=width),
        f'<path d="M{x} {y}h24" stroke="{colour}" stroke-width="{width}"{dash}/>',
        f'<text x="{x + 30}" y="{y + 4}">{escape(curve.method)}</text>',
    ]


_PASSED, _BEST = "#2b7a4b", "#c2571a"


def gain_over_budget(steps: Sequence[JudgedStep], unit: str) -> str:
    """A step line of the best gain so far over judged candidates, with every passed candidate as a dot. Logarithmic upright axis."""
    judged = [step for step in steps if step.counts]
    gains = [(number, step.gain) for number, step in enumerate(judged, start=1) if step.gain is not None]
    if not gains:
        return '<p class="empty">No candidate passed, so there is nothing to draw.</p>'
    plot = Plot(
        title="Best gain so far over judged candidates",
        across=_candidates(len(judged)),
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
    return plot.svg([*dots, plot.line([*line, (len(judged), best)], _BEST)])


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


_LINES = (("techniques", "#1f77b4"), ("transitions", "#d68910"))


def convergence_svg(points: Sequence[ConvergencePoint]) -> str:
    """The drawing: one line for techniques, one for transitions, from no trajectory to all of them."""
    last = max((point.trajectories for point in points), default=1)
    most = max((max(point.techniques, point.transitions) for point in points), default=1.0)
    plot = Plot(
        title="Convergence of the reasoning graph, a mean over shuffled orders of its trajectories",
        across=Axis(low=0, high=last, ticks=round_ticks(0, last, least=1), label="trajectories"),
        upright=Axis(low=0, high=most, ticks=round_ticks(0, most, least=1)),
        size=(640, 360),
        area=(56, 56, 584, 304),
    )
    parts = []
    for row, (name, colour) in enumerate(_LINES):
        values = [(point.trajectories, getattr(point, name)) for point in points]
        parts.append(plot.line([(0, 0), *values], colour))
        end = values[-1][1] if values else 0
        parts.append(
            f'<text x="68" y="{28 + 16 * row}" fill="{colour}">{name}: {end:.0f} after all trajectories</text>'
        )
    return plot.svg(parts)
