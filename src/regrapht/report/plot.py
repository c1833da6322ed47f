"""The frame of a plot as SVG text: two axes, linear or logarithmic, with ticks, grid lines and labels. All text in it is escaped."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """A scale from low to high. A logarithmic one needs both above 0."""

    low: float
    high: float
    ticks: Sequence[tuple[float, str]]
    """Values, and what is written at each."""
    label: str = ""
    """Along the axis below, or over the upright one."""
    logarithmic: bool = False

    def share(self, value: float) -> float:
        """How far along the axis a value stands: 0 at the low end, 1 at the high one; in the middle of an axis without length."""
        low, high, value = (math.log2(v) if self.logarithmic else v for v in (self.low, self.high, value))
        return (value - low) / (high - low) if high > low else 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A picture with two axes. Labels need 44 pixels below the plotted area, 12 above and some 50 to the left."""

    title: str
    across: Axis
    upright: Axis
    size: tuple[int, int]
    """Width and height of the picture, in pixels."""
    area: tuple[int, int, int, int]
    """Left, top, right and bottom edge of the plotted area, in pixels from the picture's left and top."""

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Where two values stand, in pixels."""
        left, top, right, bottom = self.area
        return left + (right - left) * self.across.share(x), bottom - (bottom - top) * self.upright.share(y)

    def points(self, values: Iterable[tuple[float, float]]) -> str:
        """Pairs of values as SVG's `points` attribute."""
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in (self.at(*pair) for pair in values))

    def line(self, values: Iterable[tuple[float, float]], colour: str, style: str = "", *, width: int = 2) -> str:
        """Pairs of values as a line, so many pixels wide; `style` is more attributes."""
        return f'<polyline points="{self.points(values)}" fill="none" stroke="{colour}" stroke-width="{width}"{style}/>'

    def svg(self, parts: Iterable[str]) -> str:
        """The whole picture: a white ground, the frame, and the parts over it."""
        width, height = self.size
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
                f'role="img" font-family="system-ui, sans-serif" font-size="12" fill="#222">',
                f"<title>{escape(self.title)}</title>",
                '<rect width="100%" height="100%" fill="#fff"/>',
                *self._frame(),
                *parts,
                "</svg>\n",
            ]
        )

    def _frame(self) -> list[str]:
        left, top, right, bottom = self.area
        lines = []
        for value, text in self.upright.ticks:
            _, y = self.at(self.across.low, value)
            lines.append(f'<path d="M{left} {y:.1f}H{right}" stroke="#e4e4e4"/>')
            lines.append(_text(left - 8, y + 4, text, "end"))
        for value, text in self.across.ticks:
            x, _ = self.at(value, self.upright.low)
            lines.append(_text(x, bottom + 18, text, "middle"))
        lines.append(f'<path d="M{left} {top}V{bottom}H{right}" fill="none" stroke="#444"/>')
        lines.append(_text((left + right) / 2, bottom + 38, self.across.label, "middle"))
        if self.upright.label:
            lines.append(_text(left, 12, self.upright.label, "start"))
        return lines


def round_ticks(low: float, high: float, *, least: float = 0.0) -> list[tuple[float, str]]:
    """At most seven ticks of a linear axis, `least` apart or more: multiples of 1, 2 or 5 times a power of ten."""
    if high <= low:
        return [(low, f"{low:g}")]
    decade = math.floor(math.log10((high - low) / 6))
    steps = [factor * 10.0**power for power in (decade, decade + 1) for factor in (1, 2, 5)]
    step = max(least, next(step for step in steps if (high - low) / step <= 6))
    digits = max(0, -math.floor(math.log10(step)))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [(number * step, f"{number * step:.{digits}f}") for number in range(first, last + 1)]


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
