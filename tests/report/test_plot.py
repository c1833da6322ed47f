"""Axes that place values where they belong, with round ticks."""

import xml.etree.ElementTree as ElementTree

import pytest

from regrapht.graph.stats import ConvergencePoint
from regrapht.report.curves import convergence_svg
from regrapht.report.plot import Axis, Plot, round_ticks

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>&\"'"


def plot(across: Axis, upright: Axis) -> Plot:
    return Plot(title=HOSTILE, across=across, upright=upright, size=(200, 160), area=(50, 20, 150, 120))


def texts(svg: str) -> dict[str, tuple[float, float]]:
    """The place of every text in a picture; a namespace is what makes a file of its own a picture."""
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    return {one.text: (float(one.get("x")), float(one.get("y"))) for one in root.iter(f"{SVG}text")}


def test_a_linear_axis_has_equal_steps_and_a_logarithmic_one_equal_factors():
    linear = Axis(low=-2, high=6, ticks=())
    assert [linear.share(value) for value in (-2, 0, 6)] == [0, 0.25, 1]
    logarithmic = Axis(low=0.5, high=8, ticks=(), logarithmic=True)
    assert [logarithmic.share(value) for value in (0.5, 1, 2, 8)] == [0, 0.25, 0.5, 1]
    assert Axis(low=1, high=1, ticks=(), logarithmic=True).share(1) == 0.5


def test_values_stand_at_their_ticks():
    drawn = plot(
        Axis(low=1, high=16, ticks=[(4, "four")], label="across", logarithmic=True),
        Axis(low=0, high=10, ticks=round_ticks(0, 10), label=HOSTILE),
    )
    assert drawn.at(4, 2.5) == (100, 95) and drawn.points([(1, 0), (16, 10)]) == "50.0,120.0 150.0,20.0"
    places = texts(drawn.svg([drawn.line([(1, 0), (16, 10)], "#123456")]))
    assert places["four"][0] == 100 and places["2"] == (42, 100 + 4) and places["10"] == (42, 20 + 4)
    assert HOSTILE in places and "across" in places


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 0.67, ["0.0", "0.2", "0.4", "0.6"]),
        (0, 1, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (-0.3, 0.1, ["-0.3", "-0.2", "-0.1", "0.0", "0.1"]),
        (0, 0.0004, ["0.0000", "0.0001", "0.0002", "0.0003", "0.0004"]),
        (0, 165, ["0", "50", "100", "150"]),
        (3, 9.5, ["4", "6", "8"]),
    ],
)
def test_ticks_are_round_numbers(low, high, expected):
    ticks = round_ticks(low, high)
    assert [text for _, text in ticks] == expected
    assert all(low - 1e-12 <= value <= high + 1e-12 and float(text) == pytest.approx(value) for value, text in ticks)


def test_an_axis_without_length_has_one_tick():
    assert round_ticks(0, 0) == [(0, "0")]
    assert "0 after all trajectories" in convergence_svg(
        [ConvergencePoint(trajectories=2, techniques=0.0, transitions=0.0)]
    )


def test_what_is_counted_has_whole_ticks():
    assert [text for _, text in round_ticks(0, 2, least=1)] == ["0", "1", "2"]
