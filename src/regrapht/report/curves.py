"""The drawing of budget against quality: one line a method with its interval as a band, as SVG text. All text in it is escaped."""

import math
from collections.abc import Sequence
from html import escape

from regrapht.bench.tables import Curve

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP, _RIGHT = 760, 340, 56, 44, 28, 170
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
    """Mean best quality over judged candidates, the axis of candidates logarithmic; bands are 95 % intervals over tasks."""
    points = [point for curve in curves for point in curve.points]
    if not points:
        return '<p class="empty">Nothing is finished yet, so there is nothing to draw.</p>'
    most = max(budget for budget, _ in points)
    low = min(0.0, *(interval.low for _, interval in points))
    high = max(interval.high for _, interval in points)
    high = high if high > low else low + 1

    def x(budget: int) -> float:
        share = math.log2(budget) / math.log2(most) if most > 1 else 0.5
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * share

    def y(value: float) -> float:
        return _HEIGHT - _BOTTOM - (_HEIGHT - _BOTTOM - _TOP) * (value - low) / (high - low)

    parts = [f'<text x="{_LEFT}" y="14">mean best {escape(quality)}</text>']
    for i in range(5):
        value = low + (high - low) * i / 4
        parts.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#e4e4e4"/>'
        )
        parts.append(f'<text x="{_LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.2f}</text>')
    for budget in sorted({budget for budget, _ in points}):
        parts.append(f'<text x="{x(budget):.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">{budget}</text>')
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(f'<text x="{middle:.1f}" y="{_HEIGHT - 6}" text-anchor="middle">judged candidates</text>')
    for number, curve in enumerate(curves):
        colour = _COLOURS[number % len(_COLOURS)]
        dash = ' stroke-dasharray="6 3"' if number >= len(_COLOURS) else ""
        top = [f"{x(budget):.1f},{y(interval.high):.1f}" for budget, interval in curve.points]
        bottom = [f"{x(budget):.1f},{y(interval.low):.1f}" for budget, interval in reversed(curve.points)]
        line = " ".join(f"{x(budget):.1f},{y(interval.value):.1f}" for budget, interval in curve.points)
        parts.append(f'<polygon points="{" ".join(top + bottom)}" fill="{colour}" opacity="0.08"/>')
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        at = _TOP + 8 + 18 * number
        parts.append(
            f'<line x1="{_WIDTH - _RIGHT + 12}" x2="{_WIDTH - _RIGHT + 36}" y1="{at}" y2="{at}" stroke="{colour}" stroke-width="2"{dash}/>'
        )
        parts.append(f'<text x="{_WIDTH - _RIGHT + 42}" y="{at + 4}">{escape(curve.method)}</text>')
    height = max(_HEIGHT, _TOP + 18 * len(curves) + 12)
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" role="img" '
        f'aria-label="Mean best {escape(quality)} over judged candidates">{"".join(parts)}</svg>'
    )
