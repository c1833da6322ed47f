"""The reasoning graph to explore: techniques, what follows each, and the exemplars that show it."""

import math
from typing import Any

from regrapht.errors import UnknownName
from regrapht.graph.drawing import AREA_COLOURS
from regrapht.graph.stats import TechniqueFigures, technique_figures
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.records.technique import INIT, Area, Transition
from regrapht.view.candidate import diff_html
from regrapht.wording import counted

_MOST_EXEMPLARS = 6
_CHOSEN = "#c2571a"
_RINGED = {"borderColor": _CHOSEN, "borderWidth": 3}


def show_graph(graph: TechniqueGraph, technique: str | None) -> None:
    """The drawing, and one technique in full where one is chosen."""
    from nicegui import ui

    ui.label(f"{len(graph.techniques)} techniques, {len(graph.transitions)} transitions").classes("text-lg")
    ui.label(
        "A technique is as large, and a line as thick, as exemplars are many; colours are areas. "
        "A click on a technique shows it; the wheel zooms, dragging moves."
    ).classes("text-sm")
    ui.echart(
        drawing(graph, technique),
        on_point_click=lambda event: (
            ui.navigate.to(f"/graph?technique={event.name}") if event.data_type == "node" else None
        ),
    ).style("height: min(78vh, 105vw); width: 100%")
    if bare := [slug for slug in graph.techniques if slug not in _touched(graph)]:
        _links("Not drawn, since no exemplar shows them:", [(slug, slug) for slug in sorted(bare)])
    if technique is not None:
        try:
            _technique(graph, graph.resolve(technique))
        except UnknownName as error:
            ui.label(str(error))


def drawing(graph: TechniqueGraph, chosen: str | None) -> dict[str, Any]:
    """The options of the drawing: techniques that a transition touches on a circle, those of one area side by side."""
    support: dict[str, int] = {}
    for transition in graph.transitions:
        support[transition.target] = support.get(transition.target, 0) + graph.support(transition)
    areas, touched = list(Area), _touched(graph)
    ring = sorted(
        (one for one in graph.techniques.values() if one.slug in touched),
        key=lambda one: (areas.index(one.area), one.slug),
    )
    colour = {INIT: "#222222"} | {one.slug: AREA_COLOURS[one.area] for one in ring}
    nodes = [
        {
            "name": slug,
            "symbolSize": 5 + 1.2 * math.sqrt(support.get(slug, 0)),
            "itemStyle": {"color": colour[slug], **(_RINGED if slug == chosen else {})},
            "label": {"fontWeight": "bold" if slug == chosen else "normal"},
        }
        for slug in colour
    ]
    links = [
        {
            "source": one.source,
            "target": one.target,
            "lineStyle": {
                "width": 0.5 + 0.6 * math.log2(1 + graph.support(one)),
                **({"color": _CHOSEN, "opacity": 0.8} if chosen in (one.source, one.target) else {}),
            },
        }
        for one in graph.transitions
    ]
    series = {
        "type": "graph",
        "layout": "circular",
        "circular": {"rotateLabel": True},
        "roam": True,
        "data": nodes,
        "links": links,
        **dict.fromkeys(("top", "bottom", "left", "right"), 160),
        "label": {"show": True, "position": "right", "fontSize": 11, "color": "#222222"},
        "edgeSymbol": ["none", "arrow"],
        "edgeSymbolSize": 4,
        "lineStyle": {"color": "#9db8a7", "opacity": 0.45, "curveness": 0.3},
        "emphasis": {"focus": "adjacency"},
    }
    narrow = {"label": {"fontSize": 6}, **dict.fromkeys(("top", "bottom", "left", "right"), 85)}
    return {"series": [series], "media": [{"query": {"maxWidth": 700}, "option": {"series": [narrow]}}]}


def _touched(graph: TechniqueGraph) -> set[str]:
    """The techniques that a transition leads to or from."""
    return {slug for one in graph.transitions for slug in (one.source, one.target)}


def _links(words: str, targets: list[tuple[str, str]]) -> None:
    """Words, then techniques to go to, each with its text."""
    from nicegui import ui

    with ui.row().classes("gap-2"):
        ui.label(words)
        for slug, text in targets:
            ui.link(text, f"/graph?technique={slug}")


def _technique(graph: TechniqueGraph, slug: str) -> None:
    from nicegui import ui

    entry = graph.techniques[slug]
    ui.label(entry.title).classes("text-lg font-bold")
    ui.label(entry.meaning)
    ui.label(f"When: {entry.condition}")
    figures = next((one for one in technique_figures(graph) if one.slug == slug), None)
    if figures is not None:
        ui.label(_told(figures)).classes("text-sm")
    before = [edge for edge in graph.transitions if edge.target == slug]
    _links("Followed by:", [(edge.target, f"{edge.target} ({graph.support(edge)})") for edge in graph.successors(slug)])
    for edge in sorted(before, key=lambda edge: -graph.support(edge))[:_MOST_EXEMPLARS]:
        _exemplars(graph, edge)


def _told(figures: TechniqueFigures) -> str:
    """A technique's figures in a sentence."""
    parts = [
        f"{counted(figures.support, 'verified application')} in {counted(figures.tasks, 'task')}",
        f"{figures.as_first} to the sequential program",
        f"{counted(figures.attempts, 'attempt')}"
        + (f", {100 * figures.success:.0f} % right" if figures.success is not None else ""),
    ]
    if figures.gain is not None:
        parts.append(f"{figures.gain:.2f} x as fast in the geometric mean of {figures.measured} timed on a GPU")
    return "; ".join(parts) + "."


def _exemplars(graph: TechniqueGraph, edge: Transition) -> None:
    from nicegui import ui

    for exemplar in graph.exemplars(edge, limit=1):
        told = f"{exemplar.speedup:.2f} x on {exemplar.device}" if exemplar.speedup is not None else "not timed"
        with ui.expansion(f"after {edge.source}: {exemplar.task_id}, {told}").classes("w-full"):
            ui.label(exemplar.rationale)
            ui.html(diff_html(graph.programs[exemplar.before], graph.programs[exemplar.after]), sanitize=False)
