"""Our own SVG text as PNG or PDF, drawn again by matplotlib shape by shape: a figure has one drawing, whatever it is saved as.

Only what `plot`, `curves` and `search_picture` write is read; anything else is a fault of ours, and raises.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from regrapht.errors import PrerequisiteMissing

_PIXELS_AN_INCH = 96
_POINTS_A_PIXEL = 72 / _PIXELS_AN_INCH
_SHARP = 2
"""Pixels of a PNG for one of the drawing's."""
_INHERITED = ("fill", "font-size")
_STEP = re.compile(r"([MHVhC])([^MHVhC]*)")


def write_image(svg: str, file: Path) -> None:
    """Write the drawing in the form that the file's name says.

    Raises:
        PrerequisiteMissing: matplotlib is not installed.
        OSError: The file cannot be written.
    """
    try:
        import matplotlib
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise PrerequisiteMissing("PNG and PDF figures need matplotlib: pip install 'regrapht[figures]'") from error
    root = ElementTree.fromstring(svg)
    width, height = (float(value) for value in root.attrib["viewBox"].split()[2:])
    with matplotlib.rc_context({"lines.scale_dashes": False}):
        figure = Figure(figsize=(width / _PIXELS_AN_INCH, height / _PIXELS_AN_INCH), dpi=_SHARP * _PIXELS_AN_INCH)
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
        axes.set_axis_off()
        _draw(root, axes, {}, (width, height))
        undated = {"CreationDate": None} if file.suffix.lower() == ".pdf" else {}
        figure.savefig(file, metadata=undated)


def _draw(element: ElementTree.Element, axes: Any, above: Mapping[str, str], size: tuple[float, float]) -> None:
    """The shape, or all shapes of a group."""
    kind, given = element.tag.rpartition("}")[2], element.attrib
    inherited = {**above, **{name: given[name] for name in _INHERITED if name in given}}
    if kind in ("svg", "g"):
        for child in element:
            _draw(child, axes, inherited, size)
    elif kind == "text":
        _text(element, axes, inherited)
    elif kind != "title":
        axes.add_patch(_shape(kind, given, _style(given, inherited), size))


def _shape(kind: str, given: Mapping[str, str], style: dict[str, Any], size: tuple[float, float]) -> Any:
    from matplotlib.patches import Circle, FancyBboxPatch, PathPatch, Polygon, Rectangle

    if kind == "rect":
        wide, high = (
            all_of if given[name] == "100%" else float(given[name])
            for name, all_of in zip(("width", "height"), size, strict=True)
        )
        corner = (float(given.get("x", 0)), float(given.get("y", 0)))
        if "rx" not in given:
            return Rectangle(corner, wide, high, **style)
        return FancyBboxPatch(corner, wide, high, boxstyle=f"round,pad=0,rounding_size={given['rx']}", **style)
    if kind == "circle":
        return Circle((float(given["cx"]), float(given["cy"])), float(given["r"]), **style)
    if kind in ("polyline", "polygon"):
        points = [tuple(map(float, pair.split(","))) for pair in given["points"].split()]
        return Polygon(points, closed=kind == "polygon", **style)
    if kind == "path":
        return PathPatch(_path(given["d"]), **style)
    raise ValueError(f"figures have no <{kind}>")


def _path(steps: str) -> Any:
    """A path of the steps M, H, V, h and C."""
    from matplotlib.path import Path as Outline

    points: list[tuple[float, float]] = []
    codes: list[int] = []
    for name, numbers in _STEP.findall(steps):
        values = [float(one) for one in re.findall(r"-?[\d.]+", numbers)]
        x, y = points[-1] if points else (0.0, 0.0)
        if name in "Hh":
            values = [values[0] + (x if name == "h" else 0.0), y]
        elif name == "V":
            values = [x, values[0]]
        points += zip(values[::2], values[1::2], strict=True)
        codes += {"M": [int(Outline.MOVETO)], "C": [int(Outline.CURVE4)] * 3}.get(name, [int(Outline.LINETO)])
    return Outline(points, codes)


def _style(given: Mapping[str, str], inherited: Mapping[str, str]) -> dict[str, Any]:
    style: dict[str, Any] = {
        "facecolor": inherited.get("fill", "#000"),
        "edgecolor": given.get("stroke", "none"),
        "linewidth": float(given.get("stroke-width", 1)) * _POINTS_A_PIXEL,
    }
    seen = given.get("opacity") or given.get("stroke-opacity")
    if seen is not None:
        style["alpha"] = float(seen)
    if dashes := given.get("stroke-dasharray"):
        style["linestyle"] = (0, tuple(float(one) * _POINTS_A_PIXEL for one in dashes.split()))
    return style


def _text(element: ElementTree.Element, axes: Any, inherited: Mapping[str, str]) -> None:
    given = element.attrib
    side = {"start": "left", "middle": "center", "end": "right"}[given.get("text-anchor", "start")]
    axes.text(
        float(given["x"]),
        float(given["y"]),
        (element.text or "").replace("$", r"\$"),
        color=inherited.get("fill", "#000"),
        fontsize=float(inherited.get("font-size", 12)) * _POINTS_A_PIXEL,
        ha=side,
        va="baseline",
    )
