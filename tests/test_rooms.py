"""The rooms inside the large parts, and cycles of imports anywhere, type-only and lazy imports included.

`test_architecture.py` holds the layers of parts. Here: a room imports only rooms below it; no folder imports, over any way, what imports
it; no file does either, but for the recursions listed with their reason.
"""

import ast
import shutil
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.source_facts import facts

NAME = "regrapht"
PACKAGE = Path(__file__).resolve().parents[1] / "src" / NAME
ROOMS: dict[str, tuple[set[str], ...]] = {
    "transform": (
        {"ir"},
        {"reader", "polyhedral"},
        {"plan"},
        {"normalise", "codegen"},
        {"analyse", "rules"},
        {"verbatim"},
        {"engine"},
        {"explanation"},
        {"reach"},
        {"__init__"},
    ),
    "evaluate": (
        {"__init__", "evaluator", "inputs"},
        {"judgement", "cached"},
        {"elsewhere"},
        {"ray_cluster", "ssh"},
        {"build", "replay"},
        {"reference"},
        {"compare"},
        {"memory"},
        {"cases", "device"},
        {"admission", "emulated", "observation", "timing"},
        {"gpu_processes"},
        {"local_gpu"},
    ),
    "bench": (
        {"__init__", "generated", "importers", "intervals", "landscape", "metrics", "pack", "suites"},
        {"pack_archive"},
        {"suite"},
        {"admit", "experiment"},
        {"harvest", "stability", "summary"},
    ),
}
"""Part -> its folders and files, lowest first; those in one set do not import each other."""
RECURSIONS: dict[frozenset[str], str] = {
    frozenset({f"{NAME}.graph.encoding", f"{NAME}.graph.technique_graph"}): (
        "a graph is read and written by `encoding`, and users ask the graph itself for it"
    ),
    frozenset({f"{NAME}.tasks.inference.index_values", f"{NAME}.tasks.inference.settled"}): (
        "an index's value is the range of what may be stored in a variable, and what is stored is a value again"
    ),
}
"""Files that import each other -> why they must."""
LONG, SHORT = 500, 40

Graph = Mapping[str, set[str]]


def modules(package: Path) -> dict[str, Path]:
    """Every module's dotted name with its file; a package by its `__init__`."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = (NAME, *path.relative_to(package).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def import_graph(package: Path) -> Graph:
    """Module -> the modules of regrapht that its text imports anywhere: at the top, for types alone, inside of functions."""
    known = modules(package)
    graph: dict[str, set[str]] = {}
    for module, path in known.items():
        targets = set(_imports(path.read_text(encoding="utf-8"), known.keys()))
        graph[module] = targets - {module}
    return graph


def _imports(source: str, known: Iterable[str]) -> Iterator[str]:
    for node in facts(source).imports:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in known else node.module


def cycles(graph: Graph) -> list[frozenset[str]]:
    """The strongly connected components of more than one node (Tarjan's algorithm, without recursion)."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[frozenset[str]] = []
    for root in graph:
        work = [(root, iter(sorted(graph[root])))] if root not in number else []
        while work:
            node, rest = work[-1]
            if node not in number:
                number[node] = low[node] = len(number)
                stack.append(node)
            for target in rest:
                if target not in number:
                    work.append((target, iter(sorted(graph.get(target, ())))))
                    break
                if target in stack:
                    low[node] = min(low[node], number[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    component = set(stack[stack.index(node) :])
                    del stack[stack.index(node) :]
                    if len(component) > 1:
                        found.append(frozenset(component))
    return found


def children(graph: Graph, folder: str) -> Graph:
    """The imports between what lies directly in a folder: its files, and its folders with all that is in them."""
    found: dict[str, set[str]] = defaultdict(set)
    for module, targets in graph.items():
        own = _child(module, folder)
        if own is not None:
            found[own] |= {child for target in targets if (child := _child(target, folder)) not in (None, own)}
    return found


def _child(module: str, folder: str) -> str | None:
    """What the module is, or is in, directly under the folder; the folder's own `__init__` for itself; None outside."""
    if module == folder:
        return "__init__"
    return module.removeprefix(f"{folder}.").split(".")[0] if module.startswith(f"{folder}.") else None


def problems(package: Path) -> list[str]:
    graph, paths = import_graph(package), modules(package)
    folders = {module for module, path in paths.items() if path.name == "__init__.py"}
    found = [f"these files import each other: {_shown(cycle)}" for cycle in cycles(graph) if cycle not in RECURSIONS]
    found += [
        f"no cycle any more, take it off the list: {_shown(cycle)}"
        for cycle in RECURSIONS
        if cycle <= graph.keys() and cycle not in cycles(graph)
    ]
    for folder in sorted(folders - {NAME}):
        for cycle in cycles(children(graph, folder)):
            if any(f"{folder}.{child}" in folders for child in cycle):
                found.append(f"{folder}: these import each other, and there is a folder among them: {_shown(cycle)}")
    for part, rooms in ROOMS.items():
        found += _against_the_order(children(graph, f"{NAME}.{part}"), part, rooms)
    return found


def _shown(cycle: Iterable[str]) -> str:
    return ", ".join(sorted(cycle))


def _against_the_order(imports: Graph, part: str, rooms: tuple[set[str], ...]) -> Iterator[str]:
    floor = {name: number for number, names in enumerate(rooms) for name in names}
    for name in imports:
        if name not in floor:
            yield f"{part}/{name} is no room: add it to ROOMS, and say in {part}/__init__.py what it is for"
            continue
        for target in sorted(imports[name]):
            if floor.get(target, -1) >= floor.get(name, len(rooms)):
                yield f"{part}/{name} must not import {part}/{target}"


def test_rooms():
    assert problems(PACKAGE) == []


@pytest.fixture
def planted(tmp_path):
    """A copy of one part, with files put into it."""

    def with_files(part: str, files: Mapping[str, str]) -> list[str]:
        shutil.copytree(PACKAGE / part, tmp_path / part, ignore=shutil.ignore_patterns("suites", "__pycache__"))
        for name, text in files.items():
            with (tmp_path / part / name).open("a", encoding="utf-8") as file:
                file.write(text)
        return problems(tmp_path)

    return with_files


def test_a_planted_import_for_types_alone_is_caught(planted):
    reader = next(
        path.stem for path in sorted((PACKAGE / "transform" / "reader").glob("*.py")) if path.stem != "__init__"
    )
    line = f"if TYPE_CHECKING:\n    from {NAME}.transform.reader.{reader} import anything\n"
    found = planted("transform", {"ir/statements.py": line})
    assert any("transform/ir must not import transform/reader" in one for one in found), found
    assert any(one.startswith(f"{NAME}.transform: ") and "a folder among them: ir" in one for one in found), found


def test_a_planted_cycle_of_folders_is_caught(planted):
    """Two rooms of the judge, in functions alone, by files that are in no cycle of their own."""
    down = f"def late():\n    from {NAME}.evaluate.judgement import rejected\n"
    up = f"def late():\n    from {NAME}.evaluate.timing import clocks\n"
    found = planted("evaluate", {"timing/planted.py": down, "judgement/planted.py": up})
    assert any("evaluate/judgement must not import evaluate/timing" in one for one in found), found
    assert any(one.startswith(f"{NAME}.evaluate: ") and "judgement" in one and "timing" in one for one in found), found


def test_a_planted_cycle_of_files_is_caught(planted):
    files = {f"{own}.py": f"def late():\n    from {NAME}.search import {other}\n" for own, other in ("xy", "yx")}
    assert planted("search", files) == [f"these files import each other: {NAME}.search.x, {NAME}.search.y"]


def test_a_room_that_nobody_named_is_caught(planted):
    assert any(
        "transform/attic is no room" in one
        for one in planted("transform", {"attic.py": f"import {NAME}.transform.ir\n"})
    )


def test_lengths_are_looked_at():
    """A warning, not a rule: a long file may be one idea, and a short one too."""
    lengths = {
        path: len(path.read_text(encoding="utf-8").splitlines())
        for path in PACKAGE.rglob("*.py")
        if path.stem != "__init__"
    }
    odd = [
        f"{path.relative_to(PACKAGE)}: {lines} lines"
        for path, lines in sorted(lengths.items())
        if lines > LONG or lines < SHORT
    ]
    if odd:
        warnings.warn(f"above {LONG} or below {SHORT} lines:\n" + "\n".join(odd), stacklevel=1)
