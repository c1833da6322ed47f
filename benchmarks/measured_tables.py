"""Tables of docs/experiments.md, docs/transform.md and others, each made from files of results; `make measured` puts them into the pages.

A table is a function without arguments that gives lines of Markdown; BLOCKS names them as the pages do, between
`<!-- measured: NAME -->` and `<!-- end of measured -->`.
"""

import json
import re
import statistics
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import against_libraries
import against_trajectories

from regrapht.bench.experiment.results import CellResult, by_task, read_results
from regrapht.bench.suite import TIERS, TIERS_FILE, open_suite
from regrapht.bench.summary.table import Table
from regrapht.bench.summary.tables import Tables, tabulate
from regrapht.records.reach import Reached
from regrapht.report.experiment import shown

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
SIXTY, SIX = "cudaeval_60_h200_2026-11-23.jsonl", "cudaeval_six_h200_2026-11-24.jsonl"
PAREVAL, TWENTY = "pareval_h200_2026-11-24.jsonl", "cuda_llm_20_h100_2026-11-26.jsonl"
PAREVAL_REACH = "pareval_engine_2026-11-27.jsonl"
TRANSFORM = "transform_h200_2026-11-23.jsonl"
INPUTS = ROOT / "tests" / "transform" / "inputs"
SPEED = (
    "method",
    "speedup@1, failed = 1",
    "95 % of failed = 1",
    "speedup@3, failed = 1",
    "geometric mean of solved",
    "of speed of light",
    "solved only (the papers')",
)


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(header)} |", "|" + "---|" * len(header), *(f"| {' | '.join(row)} |" for row in rows)]


def time_text(value: float | None) -> str:
    """Microseconds: three digits, and whole ones with their thousands apart."""
    if value is None:
        return "-"
    if value >= 1000:
        return f"{value:,.0f}".replace(",", " ")
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def times_text(value: float | None) -> str:
    """A ratio: two decimals below 10, and three digits from there."""
    if value is None:
        return "-"
    if value >= 1000:
        return time_text(value)
    if value >= 100:
        return f"{value:.0f}"
    if value >= 10:
        return f"{value:.1f}"
    return f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"


def span(low: float, high: float, digits: int = 2) -> str:
    return f"[{low:.{digits}f}, {high:.{digits}f}]"


@cache
def experiment(name: str) -> tuple[Any, Sequence[CellResult]]:
    return read_results(RESULTS / name)


@cache
def tables_of(name: str) -> Tables:
    """All tables of an experiment, as `regrapht bench report` makes them."""
    return tabulate(*experiment(name))


def table_of(name: str, table: str) -> Table:
    return next(each for each in tables_of(name).tables if each.name == table)


def part(name: str, table: str, columns: Sequence[str] = (), **only: str) -> list[str]:
    """Some columns of an experiment's table; rows where the columns named in `only` have these values."""
    made = table_of(name, table)
    places = [made.columns.index(column) for column in columns or made.columns]
    rows = [row for row in made.rows if all(row[made.columns.index(key)] == value for key, value in only.items())]
    return markdown([made.columns[at] for at in places], [[_cell(row[at]) for at in places] for row in rows])


def _cell(value: Any) -> str:
    text = shown(value) if not isinstance(value, float) or value else "0"
    return " ".join(text.split()).replace("|", "\\|")


def unsolved() -> list[str]:
    """The engine's own words, without the count of the attempts that heard them."""
    return [re.sub(r"\| \d+ x cannot_transform: ", "| ", row) for row in part(SIXTY, "unsolved")]


def figures(name: str, method: str) -> Mapping[str, CellResult]:
    """A method's fastest passed cell a task."""
    _, cells = experiment(name)
    passed = [cell for cell in cells if cell.method == method and cell.passed and cell.figure is not None]
    return {id: min(each, key=lambda cell: cell.figure or 0.0) for id, each in by_task(passed).items()}


def against_steps() -> list[str]:
    described, cells = experiment(SIXTY)
    return against_trajectories.table(
        {method: by_task([cell for cell in cells if cell.method == method]) for method in described.methods}
    )


def three_rules() -> list[str]:
    """The six tasks before and after three rules were written, the most gained first."""
    header, _, *table = [[cell.strip() for cell in row.split("|")[1:-1]] for row in against_steps()]
    ratios = {row[0]: row[header.index("mcgs")] for row in table}
    before, after = figures(SIXTY, "mcgs"), figures(SIX, "mcgs")
    rows = []
    for task in sorted(after, key=lambda task: after[task].figure / before[task].figure):
        then, now = before[task].figure, after[task].figure
        gain = f"{then / now:.1f}" if then / now >= 1 - 0.05 else f"{then / now:.2f}"
        rows.append((task, f"{then:.1f}", f"{now:.1f}", gain, ratios[task], f"{now / then * float(ratios[task]):.2f}"))
    head = (
        "task",
        "`mcgs` before, µs",
        "with the rules, µs",
        "times as fast",
        "over the trajectory's best step, before",
        "with the rules",
    )
    return markdown(head, rows)


def pareval_methods() -> list[str]:
    rows = []
    for one, other in zip(table_of(PAREVAL, "methods").rows, table_of(PAREVAL, "budgets").rows, strict=True):
        left = dict(zip(table_of(PAREVAL, "methods").columns, one, strict=True))
        right = dict(zip(table_of(PAREVAL, "budgets").columns, other, strict=True))
        cells = [
            left[n]
            for n in (
                "method",
                "tasks",
                "pass@1",
                "solved inside engine",
                "solved outside",
                "measured reward",
                "95 % of reward",
            )
        ]
        rows.append(
            [
                _cell(cell)
                for cell in (*cells, *(right[n] for n in ("after 2", "after 5", "after 20", "anytime reward")))
            ]
        )
    head = (
        "method",
        "tasks",
        "pass@1",
        "solved inside engine",
        "solved outside",
        "measured reward",
        "95 % of reward",
        "reward after 2",
    )
    return markdown((*head, "after 5", "after 20", "anytime reward"), rows)


def pareval_reach() -> list[str]:
    """ParEval's problems by how the transform engine takes them, and what the emulated judge said of the first programs."""
    lines = (RESULTS / PAREVAL_REACH).read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    cells = []
    for how in Reached:
        of = [row for row in rows if row["reached"] == how]
        judged = [row for row in of if "status" in row]
        others = [row["task"] for row in of if row.get("status") != "PASSED"]
        named = others if how is Reached.PROVED else [row["task"] for row in of]
        passed = sum(row["status"] == "PASSED" for row in judged)
        if of:
            cells.append([how.value, str(len(of)), f"{passed} of {len(judged)}" if judged else "-", ", ".join(named)])
    return markdown(
        ("taken", "problems", "first programs right", "which; of the proved, those not judged right"), cells
    )


def pareval_families() -> list[str]:
    names = [f"{method} {what}" for what in ("pass@1", "measured reward") for method in ("direct", "fsr", "mcgs")]
    return part(PAREVAL, "families", ("family", "tasks", *names))


def pareval_delivered() -> list[str]:
    plain, fsr, mcgs = (figures(PAREVAL, method) for method in ("direct", "fsr", "mcgs"))
    rows = []
    for task, base in plain.items():
        over = [found[task].speedups.get("naive") if task in found else None for found in (fsr, mcgs)]
        cells = [
            over[0],
            over[1],
            base.speedups.get("sequential"),
            mcgs[task].speedups.get("sequential") if task in mcgs else None,
        ]
        rows.append((over[1] or 0.0, [task, _family(PAREVAL, task), time_text(base.figure), *map(times_text, cells)]))
    rows.sort(key=lambda row: -row[0])
    head = (
        "problem",
        "family",
        "plain version, µs",
        "fsr over it",
        "mcgs over it",
        "plain over sequential",
        "mcgs over sequential",
    )
    return markdown(head, [row for _, row in rows])


def _family(name: str, task: str) -> str:
    return next(ref.family for ref in experiment(name)[0].tasks if ref.id == task)


@cache
def twenty() -> Sequence[against_libraries.Row]:
    described, cells = experiment(TWENTY)
    return against_libraries.rows_of(described, cells, against_libraries.SOLUTIONS)


def twenty_steps() -> list[str]:
    """The best step of each trajectory of cuda-llm-20, over the plain version and the library beside it."""
    rows, kept = [], []
    for row in twenty():
        step = row.found[against_libraries.TRAJECTORY]
        shapes = step.verdict.timing
        plain, library = (step.speedups.get(name) for name in (against_libraries.PLAIN, against_libraries.LIBRARY))
        largest = max(shapes, key=lambda shape: shape.floor_us or 0.0)
        over = against_libraries.over(largest, against_libraries.LIBRARY)
        light = largest.floor_fraction
        kept.append((plain, library))
        cells = [time_text(step.time_us), step.technique, times_text(plain), times_text(library and library / plain)]
        rows.append([row.task.task.id, *cells, times_text(library), times_text(light), times_text(over)])
    plains, libraries = [p for p, _ in kept if p], [library for _, library in kept if library]
    means = [f"{statistics.geometric_mean(each):.2f} ({len(each)})" for each in (plains, libraries)]
    rows.append([f"geometric mean of {len(rows)}", "", "", means[0], "", means[1], "", ""])
    head = (
        "task",
        "best step, µs",
        "technique of that step",
        "over plain",
        "library's time over plain's",
        "over library",
    )
    return markdown((*head, "at the largest size: of light", "over library"), rows)


def twenty_methods() -> list[str]:
    rows, numbers = [], []
    for row in twenty():
        found = [row.found[method] for method in ("direct", "fsr", "mcgs")]
        if any(isinstance(each, str) for each in found):
            continue
        over = [each.speedups.get("naive") for each in found]
        values = [row.baselines[0], *over]
        numbers.append(values)
        mcgs = found[2].speedups
        cells = [time_text(values[0]), *map(times_text, (*over, mcgs.get("library"), mcgs.get("sequential")))]
        rows.append([row.task.task.id, *cells])
    means = [statistics.geometric_mean(column) for column in zip(*numbers, strict=True)]
    rows.append([f"geometric mean of {len(rows)}", time_text(means[0]), *map(times_text, means[1:]), "", ""])
    head = (
        "task",
        "plain CUDA, µs",
        "direct over plain",
        "fsr over plain",
        "mcgs over plain",
        "mcgs over library",
        "mcgs over sequential",
    )
    return markdown(head, rows)


@cache
def engine_rows() -> Mapping[str, dict[str, Any]]:
    """What the transform engine reached on each of its inputs, and the vendors' libraries beside it."""
    lines = (RESULTS / TRANSFORM).read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return {row["input"]: row for row in sorted(rows, key=lambda row: row["date"])}


def engine_figures(row: Mapping[str, Any]) -> tuple[float, float, float | None]:
    """The plain version's time, the best program's, and its part of the speed of light: geometric means over shapes."""
    best = row.get("tuned") or row["searched"]
    plain, time = (
        statistics.geometric_mean(shape["median_us"] for shape in program["shapes"]) for program in (row["plain"], best)
    )
    light = [shape["fraction_of_speed_of_light"] for shape in best["shapes"]]
    return plain, time, statistics.geometric_mean(light) if all(light) else None


def engine_inputs() -> list[str]:
    rows = []
    for name, row in sorted((name, row) for name, row in engine_rows().items() if not name.startswith("vendor:")):
        plain, best, light = engine_figures(row)
        sizes = row["plain"]["shapes"][0]["sizes"]
        where = ", ".join(f"{size} = {sizes[size]}" for size in _order_of_sizes(name, sizes))
        title = f"{re.sub(r'^[0-9]+_', '', name).replace('_', ' ')}, {where}"
        bound = "yes" if row["memory_bound"] else ""
        times = f"{plain / best:.2f}" if plain / best < 100 else f"{plain / best:.0f}"
        share = "-" if light is None else f"{light:.2f}" if light >= 0.01 else "< 0.01"
        rows.append([title, bound, time_text(plain), time_text(best), times, share])
    return markdown(
        ("input, timed at", "bound by memory", "plain, µs", "best, µs", "times plain", "of the speed of light"), rows
    )


def _order_of_sizes(name: str, sizes: Mapping[str, int]) -> list[str]:
    """As the task declares them, where the input has a task file."""
    file = INPUTS / f"{name}.toml"
    if not file.is_file():
        return list(sizes)
    return [arg["name"] for arg in tomllib.loads(file.read_text(encoding="utf-8"))["args"] if arg["name"] in sizes]


def suite_tasks() -> list[str]:
    """Tasks of CUDAEval by family and tier, and what the tiers rest on."""
    suite = open_suite("cudaeval")
    kept = json.loads((suite.root / TIERS_FILE).read_text(encoding="utf-8"))["tasks"]
    families: dict[str, Counter[str | None]] = {}
    for task in suite.tasks:
        families.setdefault(task.family, Counter())[task.tier] += 1
    rows = [(name, count) for name, count in sorted(families.items())]
    rows.append(("**all**", sum((count for _, count in rows), Counter())))
    cells = [[name, str(count.total()), *(str(count[tier]) for tier in TIERS)] for name, count in rows]
    basis = Counter(kept[task.task.id]["basis"] for task in suite.tasks if task.task.id in kept)
    rests = f"{basis['measured_us']} tiers rest on measured times"
    modelled = (
        f", {basis['modelled']} are provisional ones from the emulator's modelled costs" if basis["modelled"] else ""
    )
    without = f"; {n} tasks have none yet" if (n := rows[-1][1][None]) else ""
    return [*markdown(("family", "tasks", *TIERS), cells), "", f"{rests}{modelled}{without}."]


def ported() -> list[str]:
    """What ports of the applications came to: the newest file without a GPU, and that of a GPU beside it where there is one."""
    files = sorted(RESULTS.glob("port_apps_*.jsonl"))
    rows: dict[bool, dict[str, dict[str, Any]]] = {True: {}, False: {}}
    for file in files:
        for row in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
            rows[row["machine"]["gpu"] != "none"][row["app"]] = row
    gpus = sorted({row["machine"]["gpu"] for row in rows[True].values()})
    lines = []
    for app, row in sorted(rows[False].items()):
        lines.append([f"`{app}`", *_ported(row), *(_on_gpu(rows[True].get(app)) if gpus else ())])
    header = ["application", "taken", "of the time", "left", "output"]
    named = ", ".join(f"[{file.name}](../benchmarks/results/{file.name})" for file in files)
    table = markdown([*header, *(f"{gpu}, `large.in`" for gpu in gpus[:1])], lines)
    return [f"From {named}.", "", *table]


def _ported(row: Mapping[str, Any]) -> list[str]:
    if not row["done"]:
        return ["", "", "", "not done"]
    kinds = {True: [], False: []}  # type: dict[bool, list[str]]
    for one in row["functions"]:
        if one["words"] != "inside of what is taken":
            kinds[one["taken"]].append(f"`{one['name'].rpartition('::')[2]}`")
    share = sum(one["share"] for one in row["functions"] if one["taken"])
    likeness = f"equal, {row['output']}" if row["output_equal"] else row["output"]
    return [", ".join(kinds[True]), f"{min(share, 1):.0%}", ", ".join(kinds[False]), likeness]


def _on_gpu(row: Mapping[str, Any] | None) -> list[str]:
    if row is None or not row["done"]:
        return ["not done"]
    if "program_gain" not in row:
        return [
            row.get("large_output", "not timed" if any(one["taken"] for one in row["functions"]) else "nothing taken")
        ]
    before, after = (statistics.median(row["seconds"][name]) for name in ("original", "ported"))
    return [
        f"{before:.2f} s on one core, {after:.2f} s ported: {times_text(row['program_gain'])} x, {row['large_output']}"
    ]


BLOCKS: Mapping[str, Callable[[], list[str]]] = {
    "cudaeval methods": lambda: part(SIXTY, "methods"),
    "cudaeval speed": lambda: part(SIXTY, "speed", SPEED, against="naive"),
    "cudaeval budgets": lambda: part(SIXTY, "budgets"),
    "cudaeval tiers": lambda: part(SIXTY, "tiers"),
    "cudaeval families": lambda: part(
        SIXTY,
        "families",
        ("family", "tasks", "direct pass@1", *(f"{m} measured reward" for m in ("direct", "mcgs", "no-graph"))),
    ),
    "cudaeval unsolved": unsolved,
    "cudaeval trajectories": against_steps,
    "suite tasks": suite_tasks,
    "three rules": three_rules,
    "pareval methods": pareval_methods,
    "pareval reach": pareval_reach,
    "pareval families": pareval_families,
    "pareval delivered": pareval_delivered,
    "twenty steps": twenty_steps,
    "twenty methods": twenty_methods,
    "engine inputs": engine_inputs,
    "ported applications": ported,
}
