"""The report's curve as SVG text: gain over budget. The search graph is in `search_picture`."""

import math
from collections.abc import Callable, Sequence
from html import escape

from regrapht.report.story import JudgedStep

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _MARGIN = 760, 260, 64, 40, 16
_PASSED, _BEST = "#2b7a4b", "#c2571a"


def gain_over_budget(steps: Sequence[JudgedStep], unit: str) -> str:
    """A step line of the best gain so far over judged candidates, with every passed candidate as a dot. Logarithmic upright axis."""
    gains = [(step.number, step.gain) for step in steps if step.gain is not None]
    if not gains:
        return '<p class="empty">No candidate passed, so there is nothing to draw.</p>'
    low = math.floor(math.log2(min(gain for _, gain in gains)) * 2) / 2
    high = max(math.ceil(math.log2(max(gain for _, gain in gains)) * 2) / 2, low + 1)

    def x(number: int) -> float:
        return _LEFT + (_WIDTH - _LEFT - _MARGIN) * number / max(len(steps), 1)

    def y(gain: float) -> float:
        return _HEIGHT - _BOTTOM - (_HEIGHT - _BOTTOM - _MARGIN) * (math.log2(gain) - low) / (high - low)

    parts = [_axes(len(steps), low, high, x, y, unit)]
    best, line = 0.0, []
    for number, gain in gains:
        if gain > best:
            line += [f"{x(number):.1f},{y(best):.1f}"] if best else []
            best = gain
            line.append(f"{x(number):.1f},{y(best):.1f}")
        parts.append(f'<circle cx="{x(number):.1f}" cy="{y(gain):.1f}" r="3" fill="{_PASSED}"/>')
    line.append(f"{x(len(steps)):.1f},{y(best):.1f}")
    parts.append(f'<polyline points="{" ".join(line)}" fill="none" stroke="{_BEST}" stroke-width="2"/>')
    return _svg(_WIDTH, _HEIGHT, parts, "Best gain so far over judged candidates")


def _axes(
    count: int, low: float, high: float, x: Callable[[int], float], y: Callable[[float], float], unit: str
) -> str:
    parts = []
    tick = math.ceil(low)
    while tick <= high:
        value, at = 2.0**tick, y(2.0**tick)
        parts.append(f'<line x1="{_LEFT}" x2="{_WIDTH - _MARGIN}" y1="{at:.1f}" y2="{at:.1f}" stroke="#e4e4e4"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{value:g} x</text>')
        tick += max(1, math.ceil((high - low) / 8))
    step = max(1, math.ceil(count / 12))
    parts += [
        f'<text x="{x(number):.1f}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">{number}</text>'
        for number in range(step, count + 1, step)
    ]
    parts.append(f'<text x="{_WIDTH / 2}" y="{_HEIGHT - 6}" text-anchor="middle">judged candidates</text>')
    parts.append(f'<text x="{_LEFT}" y="12" text-anchor="start">{escape(unit)}</text>')
    return "".join(parts)


def _svg(width: float, height: float, parts: Sequence[str], title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="11" fill="#333"><title>{escape(title)}</title>{"".join(parts)}</svg>'
    )
