"""The report of an experiment: the same tables as text, as CSV files and as one HTML page that needs no network."""

import csv
import io
from collections.abc import Sequence
from importlib import resources

from regrapht.bench.results import Experiment
from regrapht.bench.tables import Cell, Table, Tables
from regrapht.report.curves import budget_curves

_DASH = "-"


def render_text(tables: Tables) -> str:
    """All tables, aligned, for a terminal or a page of Markdown."""
    parts = [headline(tables), *(f"{key}: {value}" for key, value in facts(tables.experiment))]
    for table in tables.tables:
        parts += ["", f"## {table.title}", "", _markdown(table)]
        if table.note:
            parts += ["", table.note]
    return "\n".join(parts) + "\n"


def render_csv(table: Table) -> str:
    """One table; numbers in full, what is not defined empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([["" if cell is None else cell for cell in row] for row in table.rows])
    return text.getvalue()


def render_page(tables: Tables) -> str:
    """The page as HTML text; everything that a task, a model or a tool named is escaped."""
    import jinja2
    from markupsafe import Markup

    source = resources.files("regrapht.report").joinpath("templates/experiment.html.jinja").read_text(encoding="utf-8")
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    return environment.from_string(source).render(
        headline=headline(tables),
        experiment=tables.experiment,
        facts=facts(tables.experiment),
        curves=Markup(budget_curves(tables.curves, tables.reward_name)),
        tables=[(table, [[shown(cell) for cell in row] for row in table.rows]) for table in tables.tables],
    )


def headline(tables: Tables) -> str:
    """What was compared, in a line."""
    experiment = tables.experiment
    done = (
        f"{tables.finished} cells"
        if tables.finished == tables.expected
        else f"{tables.finished} of {tables.expected} cells, not finished"
    )
    return (
        f"{len(experiment.methods)} methods on {len(experiment.tasks)} tasks of {experiment.suite}, "
        f"{experiment.seeds} seed{'s' if experiment.seeds > 1 else ''}: {done}"
    )


def facts(experiment: Experiment) -> list[tuple[str, str]]:
    """What a reader needs to believe or repeat the figures."""
    limits = experiment.budget
    budget = ", ".join(
        f"{value:g} {name}"
        for name, value in (
            ("judged candidates", limits.candidates),
            ("proposals", limits.proposals),
            ("tokens", limits.tokens),
            ("seconds", limits.seconds),
            ("USD", limits.usd),
        )
        if value is not None
    )
    machine = experiment.environment
    return [
        ("Command", experiment.command),
        ("Begun", experiment.created),
        ("Budget of a cell", budget),
        ("Proposer", experiment.proposer + (f", {experiment.model}" if experiment.model else "")),
        (
            "Judge",
            f"{experiment.evaluator}, protocol {experiment.protocol}, searching at level {experiment.level}, bests in full",
        ),
        ("Device", machine.device),
        ("Processor", machine.cpu),
        ("Tools", ", ".join(f"{name} {version}" for name, version in sorted(machine.tools.items()))),
        (
            "Reasoning graph",
            experiment.graph_hash[:16] + (", the task's own family hidden" if experiment.hide_family else ""),
        ),
    ]


def shown(cell: Cell) -> str:
    """A cell as a person reads it: three decimals at most, a dash for what is not defined."""
    if cell is None:
        return _DASH
    if isinstance(cell, float):
        return f"{cell:.3f}" if abs(cell) < 100 else f"{cell:.0f}"
    return str(cell)


def _markdown(table: Table) -> str:
    rows = [list(table.columns), *([shown(cell) for cell in row] for row in table.rows)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(table.columns))]

    def line(row: Sequence[str]) -> str:
        return "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"

    return "\n".join([line(rows[0]), "|" + "|".join("-" * (width + 2) for width in widths) + "|", *map(line, rows[1:])])
