"""The figures of reports as PNG and PDF: the shapes stand where the SVG has them, in its colours."""

import pytest

from regrapht.bench.intervals import Interval
from regrapht.bench.summary.table import Curve
from regrapht.graph.stats import ConvergencePoint
from regrapht.report.curves import budget_curves, convergence_svg, gain_over_budget
from regrapht.report.search_picture import search_picture
from regrapht.report.svg_as_image import write_image

from .test_search_picture import WALK

pytest.importorskip("matplotlib", reason="matplotlib is not installed")


def budget_svg() -> str:
    curves = [
        Curve(method=name, points=tuple((n, Interval(low=0.1 * n, value=0.2 * n, high=0.3 * n)) for n in (1, 2, 5)))
        for name in ("mcgs", "fsr & more", "direct")
    ]
    return budget_curves(curves, "reward")


@pytest.mark.parametrize(
    "drawing",
    [
        pytest.param(budget_svg, id="budget"),
        pytest.param(
            lambda: convergence_svg(
                [ConvergencePoint(trajectories=n, techniques=2.0 * n, transitions=5.0 * n) for n in (1, 4)]
            ),
            id="convergence",
        ),
        pytest.param(lambda: gain_over_budget(WALK, "gain"), id="gain"),
        pytest.param(lambda: search_picture(WALK, [WALK[0], WALK[1], WALK[3]]), id="walk"),
    ],
)
def test_every_figure_of_ours(drawing, tmp_path):
    svg = drawing()
    for ending, begins in (("png", b"\x89PNG"), ("pdf", b"%PDF")):
        file = tmp_path / f"one.{ending}"
        write_image(svg, file)
        assert file.read_bytes().startswith(begins)
        again = tmp_path / f"two.{ending}"
        write_image(svg, again)
        assert file.read_bytes() == again.read_bytes(), "no date is in it"


def test_shapes_stand_where_they_are(tmp_path):
    from matplotlib.image import imread

    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50"><rect width="100%" height="100%" fill="#fff"/>'
        '<rect x="10" y="10" width="20" height="10" fill="#ff0000"/><circle cx="70" cy="25" r="10" fill="#0000ff"/>'
        '<path d="M40 5V45h4" fill="none" stroke="#00ff00" stroke-width="4"/></svg>'
    )
    write_image(svg, tmp_path / "one.png")
    pixels = imread(tmp_path / "one.png")
    assert pixels.shape[:2] == (100, 200), "two pixels for one"
    seen = {
        place: tuple(round(float(one)) for one in pixels[2 * place[1], 2 * place[0], :3])
        for place in [(20, 15), (70, 25), (40, 25), (5, 5), (20, 30), (85, 45)]
    }
    assert seen == {
        (20, 15): (1, 0, 0),
        (70, 25): (0, 0, 1),
        (40, 25): (0, 1, 0),
        (5, 5): (1, 1, 1),
        (20, 30): (1, 1, 1),
        (85, 45): (1, 1, 1),
    }


def test_what_no_figure_of_ours_has_is_a_fault(tmp_path):
    with pytest.raises(ValueError, match="ellipse"):
        write_image(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><ellipse cx="4" cy="4" rx="2"/></svg>',
            tmp_path / "x.png",
        )
