"""The reasoning graph to explore: techniques, what follows each, and the exemplars that show it."""

import math
from typing import Any

from regrapht.errors import UnknownName
from regrapht.graph.stats import technique_figures
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.records.encoding import to_plain
from regrapht.records.technique import INIT, Transition
from regrapht.view.candidate import diff_html

_MOST_EXEMPLARS = 6


def show_graph(graph: TechniqueGraph, technique: str | None) -> None:
    """The drawing, and one technique in full where one is chosen."""
    from nicegui import ui

    ui.label(f"{len(graph.techniques)} techniques, {len(graph.transitions)} transitions").classes("text-lg")
    ui.label(
        "A line is as thick as exemplars are many. A click on a technique shows it; the wheel zooms, dragging moves."
    ).classes("text-sm")
    ui.echart(
        drawing(graph, technique),
        on_point_click=lambda event: (
            ui.navigate.to(f"/graph?technique={event.name}") if event.data_type == "node" else None
        ),
    ).style("height: 60vh; width: 100%")
    if technique is not None:
        try:
            _technique(graph, graph.resolve(technique))
        except UnknownName as error:
            ui.label(str(error))


def drawing(graph: TechniqueGraph, chosen: str | None) -> dict[str, Any]:
    """The options of the drawing."""
    support: dict[str, int] = {}
    for transition in graph.transitions:
        support[transition.target] = support.get(transition.target, 0) + graph.support(transition)
    nodes = [
        {
            "name": slug,
            "symbolSize": 8 + 5 * math.sqrt(support.get(slug, 0)),
            "itemStyle": {"color": "#c2571a" if slug == chosen else "#2b5f8a" if slug == INIT else "#2b7a4b"},
        }
        for slug in (INIT, *graph.techniques)
    ]
    links = [
        {"source": one.source, "target": one.target, "lineStyle": {"width": 1 + math.log2(1 + graph.support(one))}}
        for one in graph.transitions
    ]
    series = {
        "type": "graph",
        "layout": "force",
        "roam": True,
        "data": nodes,
        "links": links,
        "label": {"show": True, "position": "right", "fontSize": 10},
        "labelLayout": {"hideOverlap": True},
        "edgeSymbol": ["none", "arrow"],
        "edgeSymbolSize": 5,
        "lineStyle": {"color": "#9db8a7", "curveness": 0.15},
        "force": {"repulsion": 260, "edgeLength": [60, 180], "layoutAnimation": False},
        "emphasis": {"focus": "adjacency"},
    }
    return {"series": [series]}


def _technique(graph: TechniqueGraph, slug: str) -> None:
    from nicegui import ui

    entry = graph.techniques[slug]
    ui.label(entry.title).classes("text-lg font-bold")
    ui.label(entry.meaning)
    ui.label(f"When: {entry.condition}")
    figures = next((one for one in technique_figures(graph) if one.slug == slug), None)
    if figures is not None:
        told = (f"{name} {value}" for name, value in to_plain(figures).items() if value is not None and name != "slug")
        ui.label(", ".join(told)).classes("text-xs")
    before = [edge for edge in graph.transitions if edge.target == slug]
    with ui.row().classes("gap-2"):
        ui.label("Followed by:")
        for edge in graph.successors(slug):
            ui.link(f"{edge.target} ({graph.support(edge)})", f"/graph?technique={edge.target}")
    for edge in sorted(before, key=lambda edge: -graph.support(edge))[:_MOST_EXEMPLARS]:
        _exemplars(graph, edge)


def _exemplars(graph: TechniqueGraph, edge: Transition) -> None:
    from nicegui import ui

    for exemplar in graph.exemplars(edge, limit=1):
        told = f"{exemplar.speedup:.2f} x on {exemplar.device}" if exemplar.speedup is not None else "not timed"
        with ui.expansion(f"after {edge.source}: {exemplar.task_id}, {told}").classes("w-full"):
            ui.label(exemplar.rationale)
            ui.html(diff_html(graph.programs[exemplar.before], graph.programs[exemplar.after]), sanitize=False)
