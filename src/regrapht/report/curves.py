"""The drawing of budget against quality: one line a method with its interval as a band, as SVG text. All text in it is escaped."""

from collections.abc import Sequence
from html import escape

from regrapht.bench.summary.table import Curve
from regrapht.report.plot import Axis, Plot, round_ticks

_TOP, _RIGHT = 28, 590
_MOST_BANDS = 4
"""With more curves their bands would hide each other, and all lines: then the first curve alone has one."""
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
    dash = ' stroke-dasharray="6 3"' if number >= len(_COLOURS) else ""
    x, y = _RIGHT + 12, _TOP + 8 + 18 * number
    width = 2 if number else 4
    return [
        plot.line([(budget, interval.value) for budget, interval in curve.points], colour, dash, width=width),
        f'<path d="M{x} {y}h24" stroke="{colour}" stroke-width="{width}"{dash}/>',
        f'<text x="{x + 30}" y="{y + 4}">{escape(curve.method)}</text>',
    ]
