"""The report of an experiment: conclusion and tables as text, as CSV files and as one HTML page that needs no network."""

import csv
import io
from collections.abc import Iterator, Sequence
from importlib import resources

from regrapht.bench.experiment.results import Experiment
from regrapht.bench.intervals import Interval
from regrapht.bench.summary.definitions import Definition
from regrapht.bench.summary.table import Cell, Table
from regrapht.bench.summary.tables import Tables
from regrapht.report.curves import budget_curves
from regrapht.wording import counted

_DASH = "-"


def render_text(tables: Tables, *, whole: bool = True) -> str:
    """All tables, aligned, for a page of Markdown; without `whole` for a terminal, where long tables are only named.

    A column is defined below the first table that has it.
    """
    parts = [headline(tables), "", "## Conclusion", "", *(f"* {sentence}" for sentence in tables.conclusion)]
    explained: set[Definition] = set()
    for table in tables.with_rows:
        parts += ["", f"## {table.title}", ""]
        if table.is_long and not whole:
            parts.append(
                f"{len(table.rows)} rows: see {table.name}.csv, or the page, where they can be sorted and filtered."
            )
            continue
        parts.append(_markdown(table))
        if table.note:
            parts += ["", table.note]
        if new := [definition for definition in table.definitions if definition not in explained]:
            parts += ["", *(f"* {_explained(definition)}" for definition in new)]
            explained.update(new)
    parts += ["", "## How it was made", "", *(f"* {name}: {value}" for name, value in facts(tables.experiment))]
    return "\n".join(parts) + "\n"


def render_csv(table: Table) -> str:
    """One table; numbers in full, an interval in two columns, what is not defined empty."""

    def flat(row: Sequence[Cell]) -> Iterator[str | float | int]:
        for place, cell in enumerate(row):
            if isinstance(cell, Interval):
                yield from (cell.low, cell.high)
            else:
                yield from ("" if cell is None else cell,) * (2 if place in table.intervals else 1)

    head = [
        name
        for place, column in enumerate(table.columns)
        for name in ((f"{column}, low", f"{column}, high") if place in table.intervals else (column,))
    ]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([head, *map(flat, table.rows)])
    return text.getvalue()


def render_page(tables: Tables) -> str:
    """The page as HTML text; everything that a task, a model or a tool named is escaped."""
    import jinja2
    from markupsafe import Markup

    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    return environment.from_string(_template("experiment.html.jinja")).render(
        headline=headline(tables),
        experiment=tables.experiment,
        facts=facts(tables.experiment),
        conclusion=tables.conclusion,
        curves=Markup(budget_curves(tables.curves, tables.reward_name)),
        tables=[(table, _numeric_columns(table)) for table in tables.with_rows],
        shown=shown,
        script=Markup(_template("table_tools.js")),
    )


def headline(tables: Tables) -> str:
    """What was compared, in a line."""
    experiment = tables.experiment
    done = (
        f"{tables.finished} cells"
        if tables.finished == tables.expected
        else f"{tables.finished} of {tables.expected} cells, not finished"
    )
    methods, tasks = counted(len(experiment.methods), "method"), counted(len(experiment.tasks), "task")
    return f"{methods} on {tasks} of {experiment.suite}, {counted(experiment.seeds, 'seed')}: {done}"


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
        *_methods(experiment),
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


def _methods(experiment: Experiment) -> list[tuple[str, str]]:
    """Who proposed: once for all methods, or what each is made of."""
    if not experiment.parts:
        return [("Proposer", experiment.proposer + (f", {experiment.model}" if experiment.model else ""))]
    return [
        (
            f"Method {method.name}",
            f"{method.search} with {method.proposer}"
            + (f", {method.model}" if method.model else "")
            + (f", prompts {method.prompts_hash[:16]}" if method.prompts_hash else ""),
        )
        for method in experiment.parts
    ]


def shown(cell: Cell) -> str:
    """A cell as a person reads it: three decimals, more where these would be 0, none from 100 on; a dash for what is not defined."""
    if cell is None:
        return _DASH
    if isinstance(cell, float):
        small = abs(cell) < 0.0005
        return f"{cell:.1g}" if small else f"{cell:.3f}" if abs(cell) < 100 else f"{cell:.0f}"
    if isinstance(cell, Interval):
        return f"{shown(cell.low)} to {shown(cell.high)}"
    return str(cell)


def _numeric_columns(table: Table) -> list[bool]:
    """Of each column, whether it has numbers and nothing else but dashes."""
    columns = [[cell for cell in column if cell is not None] for column in zip(*table.rows, strict=True)]
    return [bool(cells) and not any(isinstance(cell, str | Interval) for cell in cells) for cells in columns]


def _explained(definition: Definition) -> str:
    formula = f" `{definition.formula}`" if definition.formula else ""
    source = f" ({definition.source})" if definition.source else ""
    return f"{definition.term}: {definition.meaning}.{formula}{source}"


def _template(name: str) -> str:
    return resources.files("regrapht.report").joinpath("templates", name).read_text(encoding="utf-8")


def _in_a_line(text: str) -> str:
    """Text that cannot end a row or a cell of Markdown."""
    return " ".join(text.split()).replace("|", "\\|")


def _markdown(table: Table) -> str:
    rows = [list(table.columns), *([_in_a_line(shown(cell)) for cell in row] for row in table.rows)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(table.columns))]

    def line(row: Sequence[str]) -> str:
        return "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"

    return "\n".join([line(rows[0]), "|" + "|".join("-" * (width + 2) for width in widths) + "|", *map(line, rows[1:])])
