"""A graph in the formats of other tools: DOT, GraphML, Cytoscape JSON. `graph.drawing` makes the SVG.

Names and titles come from files that others may have written, so every text is escaped for its format.
"""

import json
from collections.abc import Callable, Mapping

from regrapht.errors import ConfigError
from regrapht.graph.drawing import to_svg, xml_text
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.records.technique import INIT, Transition


def to_dot(graph: TechniqueGraph) -> str:
    """Graphviz DOT; the width of an edge grows with its support."""
    lines = ["digraph techniques {", "  rankdir=LR;", "  node [shape=box, style=rounded];"]
    for slug, title, area in nodes(graph):
        lines.append(f"  {_dot(slug)} [label={_dot(title)}, area={_dot(area)}];")
    for edge in graph.transitions:
        support = graph.support(edge)
        width = min(6.0, 1.0 + support / 4)
        lines.append(f"  {_dot(edge.source)} -> {_dot(edge.target)} [support={support}, penwidth={width:.2f}];")
    return "\n".join([*lines, "}", ""])


def to_graphml(graph: TechniqueGraph) -> str:
    """GraphML with title and area on nodes, support, exemplars, attempts and successes on edges."""
    keys = [("title", "node", "string"), ("area", "node", "string")]
    keys += [
        ("support", "edge", "int"),
        ("exemplars", "edge", "int"),
        ("attempts", "edge", "int"),
        ("correct", "edge", "int"),
    ]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">']
    lines += [f'  <key id="{name}" for="{place}" attr.name="{name}" attr.type="{kind}"/>' for name, place, kind in keys]
    lines.append('  <graph id="techniques" edgedefault="directed">')
    for slug, title, area in nodes(graph):
        data = f'<data key="title">{xml_text(title)}</data><data key="area">{xml_text(area)}</data>'
        lines.append(f'    <node id="{xml_text(slug)}">{data}</node>')
    for edge in graph.transitions:
        data = "".join(f'<data key="{name}">{value}</data>' for name, value in _figures(graph, edge).items())
        lines.append(f'    <edge source="{xml_text(edge.source)}" target="{xml_text(edge.target)}">{data}</edge>')
    return "\n".join([*lines, "  </graph>", "</graphml>", ""])


def to_cytoscape(graph: TechniqueGraph) -> str:
    """Cytoscape.js elements as JSON."""
    found = [{"data": {"id": slug, "label": title, "area": area}} for slug, title, area in nodes(graph)]
    edges = [
        {"data": {"id": str(edge), "source": edge.source, "target": edge.target, **_figures(graph, edge)}}
        for edge in graph.transitions
    ]
    return (
        json.dumps({"elements": {"nodes": found, "edges": edges}}, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    )


FORMATS: Mapping[str, Callable[[TechniqueGraph], str]] = {
    ".dot": to_dot,
    ".graphml": to_graphml,
    ".json": to_cytoscape,
    ".svg": to_svg,
}
"""Writers by the suffix of the file's name."""


def export(graph: TechniqueGraph, suffix: str) -> str:
    """The graph as the text of a file with this suffix.

    Raises:
        ConfigError: There is no such format.
    """
    if suffix not in FORMATS:
        raise ConfigError(f"a graph cannot be exported as {suffix!r}: choose one of {', '.join(FORMATS)}")
    return FORMATS[suffix](graph)


def nodes(graph: TechniqueGraph) -> list[tuple[str, str, str]]:
    """Slug, title and area of the root and of every technique that some transition touches."""
    touched = {slug for edge in graph.transitions for slug in (edge.source, edge.target)}
    used = [technique for slug, technique in graph.techniques.items() if slug in touched]
    return [(INIT, "sequential program", ""), *((t.slug, t.title, t.area.value) for t in used)]


def _figures(graph: TechniqueGraph, edge: Transition) -> dict[str, int]:
    outcomes = graph.outcomes(edge)
    return {
        "support": graph.support(edge),
        "exemplars": len(graph.edges[edge]),
        "attempts": sum(outcome.attempts for outcome in outcomes),
        "correct": sum(outcome.correct for outcome in outcomes),
    }


def _dot(text: str) -> str:
    """A quoted DOT string. Line ends become spaces and other control characters go, so that no text can end its line."""
    printable = "".join(character for character in " ".join(text.split()) if character.isprintable())
    return '"' + printable.replace("\\", "\\\\").replace('"', '\\"') + '"'
