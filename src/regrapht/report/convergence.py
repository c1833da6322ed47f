"""The convergence of a graph as an SVG picture: techniques and transitions known after so many trajectories."""

from collections.abc import Sequence

from regrapht.graph.stats import ConvergencePoint
from regrapht.report.plot import Axis, Plot, round_ticks

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
