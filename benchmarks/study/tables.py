"""A study's results as Markdown tables, each saying what its numbers are."""

from collections.abc import Callable, Mapping, Sequence

from regrapht.bench.intervals import Interval
from study.methods import Dials
from study.run import BUDGETS, Cell
from study.statistics import Difference, Results

SUMMED_UP = (20, 50, 100, 200)
"""Budgets whose mean stands for a method in tuning and in one column."""
COMPARED = (10, *SUMMED_UP)


def overall(cell: Cell) -> float:
    """Mean share of the best gain over the budgets 20 to 200."""
    return sum(cell.share(budget) for budget in SUMMED_UP) / len(SUMMED_UP)


def share_at(budget: int) -> Callable[[Cell], float]:
    """The measure "share of the best gain found within this budget"."""
    return lambda cell: cell.share(budget)


def regret_at(budget: int) -> Callable[[Cell], float]:
    """The measure "doublings short of the best"."""
    return lambda cell: cell.regret(budget)


def tables_of(results: Results) -> str:
    """What the landscapes are worth at best."""
    best = {cell.table: cell.best_gain for method in results.methods for cell in results.cells(method)}
    rows = [[name, f"{2**gain:.2f}", f"{gain:.2f}"] for name, gain in sorted(best.items())]
    return _markdown(["landscape", "best over first", "in doublings"], rows)


def methods_table(results: Results, spoil: float) -> str:
    """Share of the best gain by budget, summary with interval, regret, and how long the best took; best first."""
    rows = []
    for method in results.methods:
        summary = results.mean(method, spoil, overall)
        if summary is None:
            continue
        shares = [results.mean(method, spoil, share_at(budget)) for budget in BUDGETS]
        regret = results.mean(method, spoil, regret_at(50))
        near = results.median_near(method, spoil)
        row = [method, *(f"{s.value:.3f}" if s else "-" for s in shares), _span(summary)]
        row += [f"{regret.value:.2f}" if regret else "-", "> 200" if near is None else f"{near:.0f}"]
        rows.append((summary.value, row))
    rows.sort(key=lambda item: -item[0])
    head = ["method", *(f"B={budget}" for budget in BUDGETS), "mean 20-200", "regret at 50", "to 95 %"]
    return _markdown(head, [row for _, row in rows])


def differences_table(results: Results, spoil: float, first: str = "mcgs") -> str:
    """`first` minus every other method, paired by landscape and seed; intervals without 0 are bold."""
    rows = []
    for method in results.methods:
        found = [results.difference(first, method, spoil, share_at(budget)) for budget in COMPARED]
        if method != first and any(found):
            rows.append([method, *(_difference(d) for d in found)])
    return _markdown([f"{first} minus", *(f"B={budget}" for budget in COMPARED)], rows)


def ablations_table(results: Results, spoil: float, base: str = "mcgs") -> str:
    """Each ablation by budget, and its difference from `base`, the most harmful first."""
    rows = []
    for method in results.methods:
        summary, difference = results.mean(method, spoil, overall), results.difference(method, base, spoil, overall)
        if summary is None or difference is None:
            continue
        shares = [results.mean(method, spoil, share_at(budget)) for budget in SUMMED_UP]
        row = [method, *(f"{s.value:.3f}" if s else "-" for s in shares), f"{summary.value:.3f}"]
        rows.append((difference.interval.value, [*row, "" if method == base else _difference(difference)]))
    rows.sort(key=lambda item: item[0])
    head = ["search", *(f"B={budget}" for budget in SUMMED_UP), "mean 20-200", f"minus {base}, paired"]
    return _markdown(head, [row for _, row in rows])


def dials_table(dials: Mapping[str, Dials]) -> str:
    """What tuning chose; the shipped values are not repeated."""
    rows = [
        [method, ", ".join(f"{name} {value}" for name, value in sorted(chosen.items())) or "as shipped"]
        for method, chosen in dials.items()
    ]
    return _markdown(["method", "dials after tuning"], rows)


def _difference(found: Difference | None) -> str:
    if found is None:
        return "-"
    text = f"{found.interval.value:+.3f} [{found.interval.low:+.3f}, {found.interval.high:+.3f}]"
    return f"**{text}**" if found.interval.excludes_zero else text


def _span(interval: Interval) -> str:
    return f"{interval.value:.3f} [{interval.low:.3f}, {interval.high:.3f}]"


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["--"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"
