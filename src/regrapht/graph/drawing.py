"""A graph as an SVG picture, without any other program: the root in the middle, techniques on a circle, grouped and coloured by area."""

import math
import re
from xml.sax.saxutils import escape

from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.records.technique import INIT, Area, Technique, Transition

LETTER_WIDTH = 6.6
"""Of the labels, in pixels; what decides how much room there is around the circle."""
MOST_LETTERS = 60
NODE_SPACING = 44.0
"""Length of the circle for one technique, in pixels."""
AREA_COLOURS = {
    Area.PARALLELISM: "#1f77b4",
    Area.ALGORITHM: "#8c564b",
    Area.MEMORY: "#2ca02c",
    Area.SHARED_MEMORY: "#17a589",
    Area.REGISTERS: "#d68910",
    Area.LATENCY: "#b7950b",
    Area.DIVERGENCE: "#cb4335",
    Area.PRECISION: "#af7ac5",
    Area.LIBRARY: "#5d6d7e",
    Area.HOST: "#839192",
    Area.ARCHITECTURE: "#6c3483",
}
Point = tuple[float, float]


def to_svg(graph: TechniqueGraph) -> str:
    """The drawing; techniques that no transition touches are left out. An edge has the colour of the technique
    it leads to, and is the wider the more support it has."""
    touched = {slug for edge in graph.transitions for slug in (edge.source, edge.target)}
    areas = list(Area)
    ring = sorted(
        (t for t in graph.techniques.values() if t.slug in touched), key=lambda t: (areas.index(t.area), t.slug)
    )
    radius = max(140.0, len(ring) * NODE_SPACING / (2 * math.pi))
    letters = min(MOST_LETTERS, max((len(technique.title) for technique in ring), default=0))
    size = 2 * (radius + 30 + letters * LETTER_WIDTH)
    centre = (size / 2, size / 2)
    places: dict[str, Point] = {INIT: centre}
    for index, technique in enumerate(ring):
        places[technique.slug] = _on_circle(centre, radius, _angle(index, len(ring)))
    most = max((graph.support(edge) for edge in graph.transitions), default=1) or 1
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size:.0f}" height="{size:.0f}" viewBox="0 0 {size:.0f} {size:.0f}" '
        'font-family="sans-serif" font-size="12">',
        "<title>Reasoning graph: techniques and the transitions between them</title>",
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="14" refY="4" markerWidth="6" markerHeight="6" markerUnits="userSpaceOnUse" '
        'orient="auto"><path d="M0 0L8 4L0 8z" fill="#777"/></marker></defs>',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        *(
            _edge(
                edge,
                places,
                colour=AREA_COLOURS[graph.techniques[edge.target].area],
                share=math.sqrt(graph.support(edge) / most),
            )
            for edge in graph.transitions
        ),
        _root(centre),
        *(_node(technique, places[technique.slug], _angle(i, len(ring))) for i, technique in enumerate(ring)),
        *_legend([area for area in areas if any(technique.area is area for technique in ring)]),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def xml_text(text: str) -> str:
    """The text for use between XML tags or in a quoted attribute; characters that XML cannot hold at all become `?`."""
    return escape(re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "?", text), {'"': "&quot;"})


def _angle(index: int, count: int) -> float:
    return 2 * math.pi * index / max(1, count) - math.pi / 2


def _on_circle(centre: Point, radius: float, angle: float) -> Point:
    return centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)


def _edge(edge: Transition, places: dict[str, Point], *, colour: str, share: float) -> str:
    """A curve in the colour of the technique it leads to; `share`, 0 to 1, is its weight."""
    centre = places[INIT]
    (x1, y1), (x2, y2) = places[edge.source], places[edge.target]
    if edge.source == edge.target:
        # A self-loop: a small circle beside the node, towards the middle.
        reach = 12 / max(1.0, math.dist((x1, y1), centre))
        x1, y1 = x1 + (x1 - centre[0]) * -reach, y1 + (y1 - centre[1]) * -reach
        shape = f'<circle cx="{x1:.1f}" cy="{y1:.1f}" r="9"'
    else:
        # Bent towards the middle, so that there and back are two curves.
        bend = 0.25
        mx, my = (x1 + x2) / 2, (y1 + y2) / 2
        cx, cy = mx + bend * (centre[0] - mx) + 0.08 * (y2 - y1), my + bend * (centre[1] - my) - 0.08 * (x2 - x1)
        shape = f'<path d="M{x1:.1f} {y1:.1f}Q{cx:.1f} {cy:.1f} {x2:.1f} {y2:.1f}" marker-end="url(#arrow)"'
    style = (
        f'fill="none" stroke="{colour}" stroke-opacity="{0.3 + 0.6 * share:.2f}" stroke-width="{0.7 + 3.3 * share:.2f}"'
    )
    return f"{shape} {style}><title>{xml_text(str(edge))}</title></{shape[1:].split(' ', 1)[0]}>"


def _root(centre: Point) -> str:
    x, y = centre
    text = f'<text x="{x:.1f}" y="{y + 24:.1f}" text-anchor="middle" fill="#222">sequential program</text>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="9" fill="#222"/>{text}'


def _node(technique: Technique, place: Point, angle: float) -> str:
    x, y = place
    is_left = math.cos(angle) < 0
    turn = math.degrees(angle) + (180 if is_left else 0)
    offset, anchor = (-12, "end") if is_left else (12, "start")
    label = (
        f'<text transform="translate({x:.1f} {y:.1f}) rotate({turn:.1f})" x="{offset}" y="4" text-anchor="{anchor}" fill="#222">'
        f"{xml_text(technique.title)}</text>"
    )
    meaning = f"<title>{xml_text(technique.meaning)}</title>"
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="7" fill="{AREA_COLOURS[technique.area]}">{meaning}</circle>{label}'


def _legend(areas: list[Area]) -> list[str]:
    rows = []
    for index, area in enumerate(areas):
        y = 20 + 18 * index
        name = xml_text(area.value.replace("_", " "))
        rows.append(
            f'<circle cx="16" cy="{y}" r="6" fill="{AREA_COLOURS[area]}"/><text x="28" y="{y + 4}" fill="#222">{name}</text>'
        )
    return rows
