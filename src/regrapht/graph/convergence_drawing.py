"""The convergence of a graph as an SVG picture: techniques and transitions known after so many trajectories."""

from collections.abc import Sequence

from regrapht.graph.stats import ConvergencePoint

WIDTH, HEIGHT, MARGIN = 640, 360, 56
_LINES = (("techniques", "#1f77b4"), ("transitions", "#d68910"))


def convergence_svg(points: Sequence[ConvergencePoint]) -> str:
    """The drawing: one line for techniques, one for transitions, from no trajectory to all of them."""
    last = max((point.trajectories for point in points), default=1)
    top = max((max(point.techniques, point.transitions) for point in points), default=1.0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        "<title>Convergence of the reasoning graph, a mean over shuffled orders of its trajectories</title>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        *_axes(last, top),
    ]
    for row, (name, colour) in enumerate(_LINES):
        places = [_place(0, 0.0, last, top)]
        places += [_place(point.trajectories, getattr(point, name), last, top) for point in points]
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{text}" fill="none" stroke="{colour}" stroke-width="2"/>')
        y = MARGIN / 2 + 16 * row
        end = f"{getattr(points[-1], name):.0f}" if points else "0"
        parts.append(f'<text x="{MARGIN + 12}" y="{y:.0f}" fill="{colour}">{name}: {end} after all trajectories</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _axes(last: int, top: float) -> list[str]:
    (x0, y0), (x1, _), (_, y1) = _place(0, 0, last, top), _place(last, 0, last, top), _place(0, top, last, top)
    lines = [f'<path d="M{x0:.1f} {y1:.1f}V{y0:.1f}H{x1:.1f}" fill="none" stroke="#444"/>']
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        x, y = _place(last * share, top * share, last, top)
        lines.append(f'<text x="{x:.1f}" y="{y0 + 18:.1f}" text-anchor="middle" fill="#222">{last * share:.0f}</text>')
        lines.append(f'<text x="{x0 - 8:.1f}" y="{y + 4:.1f}" text-anchor="end" fill="#222">{top * share:.0f}</text>')
        lines.append(f'<path d="M{x0:.1f} {y:.1f}H{x1:.1f}" stroke="#ddd" stroke-width="0.5"/>')
    middle = (x0 + x1) / 2
    lines.append(f'<text x="{middle:.1f}" y="{y0 + 38:.1f}" text-anchor="middle" fill="#222">trajectories</text>')
    return lines


def _place(trajectories: float, value: float, last: int, top: float) -> tuple[float, float]:
    x = MARGIN + trajectories / last * (WIDTH - 2 * MARGIN)
    return x, HEIGHT - MARGIN - value / top * (HEIGHT - 2 * MARGIN)
