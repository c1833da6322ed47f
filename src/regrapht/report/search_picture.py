"""The search graph as it was walked, as SVG text: a tidy tree of programs from left to right, with transpositions drawn across.

The way to the best program is orange and the topmost row, and the picture is made as small as that row needs to fit a page. Edges are
as thick as they were often visited, programs as dark as they are fast. All text is escaped.
"""

import math
from collections.abc import Sequence
from html import escape

from regrapht.report.story import JudgedStep
from regrapht.report.walked_graph import TASK, WalkedEdge, WalkedGraph, walked_graph

_BEST, _LINE, _DARK = "#c2571a", "#9db8a7", (43, 122, 75)
_COLUMN, _ROW, _WIDTH, _HEIGHT, _MARGIN, _HEADING = 222, 26, 172, 20, 14, 18
_PAGE, _SMALLEST = 1180, 0.6
"""Pixels of a page's width, and how small the picture may get for the way to the best to fit it."""
MOST_PROGRAMS = 250
"""Beyond so many, those least visited are left out, and the picture says how many."""

Places = dict[int, tuple[float, float]]


def search_picture(steps: Sequence[JudgedStep], best_path: Sequence[JudgedStep]) -> str:
    """The picture of a run, or a sentence where no program passed."""
    graph = walked_graph(steps, best_path)
    if not graph.programs:
        return '<p class="empty">No program passed, so there is nothing to draw.</p>'
    left_out = _prune(graph)
    places, rows = _layout(graph)
    low, high = _range(graph)
    parts = [_way(edge, places, graph) for edge in sorted(graph.edges.values(), key=lambda e: e.child in graph.best)]
    parts += [_program(step, places[number], graph, low, high) for number, step in graph.programs.items()]
    parts.append(_task(places[TASK], graph))
    parts += _stubs(graph, places)
    columns = 1 + max(x for x, _ in places.values()) / _COLUMN
    note = f"{left_out} programs that were visited least are not drawn" if left_out else ""
    width, height = _MARGIN + columns * _COLUMN, 2 * _MARGIN + _HEADING + rows * _ROW
    best = max((places[number][0] for number in graph.best if number in places), default=0.0) + _COLUMN
    scale = min(1.0, max(_SMALLEST, _PAGE / best))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{scale * width:.0f}" height="{scale * height:.0f}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="11" fill="#333"><title>The programs that the search visited</title>'
        f'<text x="{_MARGIN}" y="{_MARGIN}" fill="#777">{note}</text>{"".join(parts)}</svg>'
    )


def _prune(graph: WalkedGraph) -> int:
    """Drop what was visited least, never what leads to something that stays; the number dropped."""
    visits = dict.fromkeys(graph.programs, 0)
    for edge in graph.edges.values():
        visits[edge.child] = max(visits[edge.child], edge.visits) if edge.first else visits[edge.child]
    ranked = sorted(graph.programs, key=lambda number: (number not in graph.best, -visits[number], number))
    dropped = set(ranked[MOST_PROGRAMS:])
    for number in dropped:
        del graph.programs[number]
    graph.edges = {key: e for key, e in graph.edges.items() if not dropped & {e.parent, e.child}}
    graph.nothing = {key: counts for key, counts in graph.nothing.items() if key[0] not in dropped}
    return len(dropped)


def _layout(graph: WalkedGraph) -> tuple[Places, float]:
    """The left middle of every box, and the rows used: leaves one below the other, a parent at the middle of its children, or in the row
    of the one that leads to the best, which comes first."""
    places: Places = {}
    row = 0.0

    def place(number: int, depth: int) -> float:
        nonlocal row
        ways = sorted(graph.children(number), key=lambda edge: edge.child not in graph.best)
        stub = 0.5 if any(at == number for at, _ in graph.nothing) else 0.0
        if not ways:
            own = row
            row += 1 + stub
        else:
            inner = [place(edge.child, depth + 1) for edge in ways]
            own = inner[0] if ways[0].child in graph.best else (inner[0] + inner[-1]) / 2
            row += stub if len(ways) == 1 else 0
        places[number] = (depth * _COLUMN, own)
        return own

    place(TASK, 0)
    y0 = _MARGIN + _HEADING + _ROW / 2
    return {number: (_MARGIN + x, y0 + y * _ROW) for number, (x, y) in places.items()}, row


def _range(graph: WalkedGraph) -> tuple[float, float]:
    gains = [math.log2(step.gain) for step in graph.programs.values() if step.gain]
    low, high = min(gains, default=0.0), max(gains, default=1.0)
    return low, max(high, low + 0.1)


def _way(edge: WalkedEdge, places: Places, graph: WalkedGraph) -> str:
    (x1, y1), (x2, y2) = places[edge.parent], places[edge.child]
    start = x1 + (_WIDTH if edge.parent != TASK else 34)
    is_best = edge.first and edge.child in graph.best and (edge.parent in graph.best or edge.parent == TASK)
    colour, thickness = (_BEST if is_best else _LINE), 1 + 1.2 * math.log2(1 + edge.visits)
    middle = (start + x2) / 2
    dash = "" if edge.first else ' stroke-dasharray="4 3"'
    times = (
        f'<text x="{x2 - 6:.1f}" y="{y2 - 5:.1f}" text-anchor="end" fill="#777">{edge.visits}</text>'
        if edge.first and edge.visits > 1
        else ""
    )
    return (
        f'<path d="M{start:.1f},{y1:.1f} C{middle:.1f},{y1:.1f} {middle:.1f},{y2:.1f} {x2:.1f},{y2:.1f}" fill="none" stroke="{colour}" '
        f'stroke-width="{thickness:.1f}" stroke-opacity="0.8"{dash}>'
        f"<title>{escape(edge.technique)}: {edge.visits} visits</title></path>{times}"
    )


def _program(step: JudgedStep, place: tuple[float, float], graph: WalkedGraph, low: float, high: float) -> str:
    (x, y), chosen = place, step.number in graph.best
    share = (math.log2(step.gain) - low) / (high - low) if step.gain else 0.0
    fill = "#" + "".join(f"{round(246 + (dark - 246) * share):02x}" for dark in _DARK)
    ink = "#fff" if share > 0.55 else "#333"
    gain = f"{step.gain:.2f} x" if step.gain is not None else ""
    label = f"{step.number} {step.technique}"
    shown = label if len(label) <= 21 else label[:20] + "…"
    words = f"{step.number} {step.technique}: {gain or step.judged.verdict.status.value}; {step.judged.verdict.reason}"
    return (
        f'<g fill="{ink}"><title>{escape(words)}</title>'
        f'<rect x="{x:.1f}" y="{y - _HEIGHT / 2:.1f}" width="{_WIDTH}" height="{_HEIGHT}" rx="4" '
        f'fill="{fill}" stroke="{_BEST if chosen else "#9db8a7"}" stroke-width="{2.5 if chosen else 1}"/>'
        f'<text x="{x + 6:.1f}" y="{y + 4:.1f}">{escape(shown)}</text>'
        f'<text x="{x + _WIDTH - 6:.1f}" y="{y + 4:.1f}" text-anchor="end">{gain}</text></g>'
    )


def _task(place: tuple[float, float], graph: WalkedGraph) -> str:
    x, y = place
    return (
        f'<rect x="{x:.1f}" y="{y - _HEIGHT / 2:.1f}" width="34" height="{_HEIGHT}" rx="4" fill="#fff" stroke="#999"/>'
        f'<text x="{x + 17:.1f}" y="{y + 4:.1f}" text-anchor="middle">task</text>'
    )


def _stubs(graph: WalkedGraph, places: Places) -> list[str]:
    """Under each program, in a few words, how many tries there came to nothing; which ones in the title."""
    by_program: dict[int, list[tuple[str, str, int]]] = {}
    for (number, technique), counts in graph.nothing.items():
        by_program.setdefault(number, []).extend((technique, outcome, n) for outcome, n in counts.items())
    parts = []
    for number, tries in by_program.items():
        (x, y), count = places[number], sum(n for *_, n in tries)
        known = sum(n for _, outcome, n in tries if outcome == "known")
        words = " · ".join(
            text for n, text in ((count - known, f"{count - known} failed"), (known, f"{known} nothing new")) if n
        )
        title = "\n".join(f"{technique}: {outcome} x {n}" for technique, outcome, n in sorted(tries))
        parts.append(
            f'<text x="{x + 6:.1f}" y="{y + _HEIGHT / 2 + 10:.1f}" fill="#a33" font-size="10">{words}<title>{escape(title)}</title></text>'
        )
    return parts
