"""Curves that show every value where it belongs, and are pictures that a browser takes as they are."""

import re
import xml.etree.ElementTree as ElementTree
from types import SimpleNamespace

import pytest

from regrapht.bench.intervals import Interval
from regrapht.bench.summary.table import Curve
from regrapht.graph.stats import ConvergencePoint
from regrapht.report.curves import budget_curves, convergence_svg, gain_over_budget

SVG = "{http://www.w3.org/2000/svg}"


HOSTILE = "<script>&\"'"


def texts(svg: str) -> dict[str, tuple[float, float]]:
    """The place of every text in a picture; a namespace is what makes a file of its own a picture."""
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    return {one.text: (float(one.get("x")), float(one.get("y"))) for one in root.iter(f"{SVG}text")}


def test_the_convergence_is_drawn_to_its_last_point():
    points = [ConvergencePoint(trajectories=n, techniques=2.0 * n, transitions=5.0 * n) for n in (1, 2, 4)]
    places = texts(drawn := convergence_svg(points))
    assert "techniques: 8 after all trajectories" in places and "transitions: 20 after all trajectories" in places
    lines = re.findall(r'<polyline points="([^"]*)"', drawn)
    assert len(lines) == 2 and lines[1].split()[0] == "56.0,304.0" and lines[1].split()[-1] == "584.0,56.0"
    assert "techniques: 0 after all trajectories" in texts(convergence_svg(()))


def test_budget_curves_are_a_picture_with_every_method():
    budgets = (1, 10, 100)
    curves = [
        Curve(method=f"{HOSTILE}{k}", points=tuple((b, Interval(0.3, 0.2, 0.4)) for b in budgets)) for k in range(12)
    ]
    places = texts(drawn := budget_curves(curves, HOSTILE))
    assert {curve.method for curve in curves} <= set(places) and drawn.count("stroke-dasharray") == 2 * 6, (
        "every second pair"
    )
    assert places["10"][0] == pytest.approx((places["1"][0] + places["100"][0]) / 2, abs=0.1)
    assert "nothing to draw" in budget_curves([Curve(method="a", points=())], "q")


def test_bands_hide_no_lines():
    """Few curves have a band each, of many the first alone, whose line is the last and the thickest."""

    def drawn(count):
        points = tuple((b, Interval(0.3, 0.2, 0.4)) for b in (5, 10, 20))
        return budget_curves([Curve(method=f"m{k}", points=points) for k in range(count)], "q")

    assert [drawn(count).count("<polygon") for count in (1, 4, 5, 12)] == [1, 4, 1, 1]
    assert re.findall(r'<polyline [^>]*stroke-width="(\d)"', drawn(5)) == ["2", "2", "2", "2", "4"]


def test_the_gain_steps_up_and_never_down():
    gains = [1.0, None, 4.0, 2.0, 16.0]
    steps = [SimpleNamespace(number=number, gain=gain, counts=True) for number, gain in enumerate(gains, 1)]
    drawn = gain_over_budget(steps, "faster")
    assert [f"{2**k} x" in texts(drawn) for k in range(6)] == [True] * 5 + [False]
    assert drawn.count("<circle") == 4
    (line,) = re.findall(r'<polyline points="([^"]*)"', drawn)
    assert line == "200.0,220.0 472.0,220.0 472.0,118.0 744.0,118.0 744.0,16.0 744.0,16.0"
