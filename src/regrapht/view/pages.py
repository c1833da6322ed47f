"""The pages: runs, one run with its walk, the reasoning graph, experiments. What users, models and tools wrote is escaped."""

from collections.abc import Callable
from typing import Any

from regrapht.errors import RegraphtError
from regrapht.records.run import RunState
from regrapht.report.curves import budget_curves
from regrapht.report.experiment import headline, shown
from regrapht.view.library import Library
from regrapht.view.run_page import RunPage
from regrapht.wording import counted

STYLE = """
body { font-family: system-ui, sans-serif; }
.page { max-width: 1500px; margin: 0 auto; padding: .6rem .8rem 2rem; width: 100%; }
pre { white-space: pre; overflow-x: auto; font-size: .8rem; line-height: 1.35; }
pre.words { white-space: pre-wrap; overflow-wrap: anywhere; }
pre.diff span, pre.heat span { display: block; }
pre.diff .added { background: #dff0e4; } pre.diff .taken { background: #f6ded2; text-decoration: line-through #c2571a55; }
pre.diff .place { color: #2b5f8a; }
.scroll { overflow-x: auto; width: 100%; }
.scroll table { border-collapse: collapse; font-size: .85rem; }
.scroll td, .scroll th { border-bottom: 1px solid #ddd; padding: .2rem .5rem; text-align: left; white-space: nowrap; }
.scroll svg { max-width: 100%; height: auto; }
.nicegui-content { padding: 0; }
.page, .page .q-tabs { overflow-x: hidden; max-width: min(1500px, 100vw); }
"""


_LOOK_S = 2.0
"""How often the list of runs is looked at."""
_WHOLE_NAMES = {"wrapHeaderText": True, "autoHeaderHeight": True}
"""A column's name is read in full, in as many lines as it takes."""
_WIDTHS = {"events": 110, "created": 180, "run": 230}
"""Of columns whose texts are longer or shorter than most, in pixels."""


def register(library: Library) -> None:
    """Make the pages known."""
    from nicegui import ui

    def framed(title: str) -> Any:
        ui.add_css(STYLE)
        ui.page_title(f"{title} - regrapht")
        with ui.header().classes("items-center gap-4 py-2").style("background: #2b5f8a"):
            ui.link("regrapht", "/").classes("text-white text-lg no-underline font-bold")
            ui.link("Runs", "/").classes("text-white")
            ui.link("Reasoning graph", "/graph").classes("text-white")
            for number, one in enumerate(library.experiments):
                ui.link(one.name, f"/experiment/{number}").classes("text-white")
        return ui.column().classes("page gap-2")

    @ui.page("/")
    def runs() -> None:
        with framed("Runs"):
            _runs(library)

    @ui.page("/run/{store}/{run_id}")
    async def run(store: str, run_id: str) -> None:
        with framed(run_id):
            await _told(lambda: RunPage(library, store, run_id).show())

    @ui.page("/graph")
    def graph(technique: str | None = None) -> None:
        with framed("Reasoning graph"):
            from regrapht.view.graph_page import show_graph

            show_graph(library.graph, technique)

    @ui.page("/experiment/{number}")
    def experiment(number: int) -> None:
        with framed("Experiment"):
            _experiment(library, number)


async def _told(show: Callable[[], Any]) -> None:
    """Show a part; what is wrong with it is one line on the page."""
    from nicegui import ui

    try:
        await show()
    except RegraphtError as error:
        ui.label(str(error)).classes("text-lg")


def _runs(library: Library) -> None:
    from nicegui import ui

    shown = {row["at"]: row for row in _run_rows(library)}
    told = ui.label(_how_many(shown)).classes("text-lg")
    columns = ("task", "state", "search", "writer", "events", "created", "run", "cell")
    grid = ui.aggrid(
        {
            "columnDefs": [
                {"field": name, "filter": True, "sortable": True, "minWidth": _WIDTHS.get(name, 120)}
                for name in columns
            ],
            "rowData": list(shown.values()),
            ":getRowId": "params => params.data.at",
            "rowSelection": {"mode": "singleRow", "checkboxes": False, "enableClickSelection": True},
        }
    ).style("height: 75vh")
    grid.on("cellClicked", lambda event: ui.navigate.to(event.args["data"]["at"]), args=["data"])

    def look() -> None:
        rows = {row["at"]: row for row in _run_rows(library)}
        changes = {
            "add": [row for at, row in rows.items() if at not in shown],
            "update": [row for at, row in rows.items() if at in shown and row != shown[at]],
            "remove": [row for at, row in shown.items() if at not in rows],
        }
        if any(changes.values()):
            grid.run_grid_method("applyTransaction", {**changes, "addIndex": 0})
            told.set_text(_how_many(rows))
        shown.clear()
        shown.update(rows)

    ui.timer(_LOOK_S, look)


def _how_many(rows: dict[str, dict[str, Any]]) -> str:
    live = sum(row["state"] == RunState.RUNNING.value for row in rows.values())
    return f"{counted(len(rows), 'run')}, {live} running"


def _run_rows(library: Library) -> list[dict[str, Any]]:
    """Every run of every store, as a row of the table."""
    return [
        {
            "run": run.id,
            "state": run.state.value,
            "task": run.task,
            "search": run.search,
            "writer": run.model or run.proposer,
            "events": run.events,
            "created": run.created[:19].replace("T", " "),
            "cell": run.cell or "",
            "at": f"/run/{name}/{run.id}",
        }
        for name, reader in library.readers.items()
        for run in reader.runs()
    ]


def _experiment(library: Library, number: int) -> None:
    from nicegui import ui

    try:
        tables = library.tables(number)
    except RegraphtError as error:
        ui.label(str(error)).classes("text-lg")
        return
    ui.label(headline(tables)).classes("text-lg")
    for sentence in tables.conclusion:
        ui.label(sentence)
    with ui.element("div").classes("scroll"):
        ui.html(budget_curves(tables.curves, tables.reward_name), sanitize=False)  # ours, and escapes its texts
    for table in tables.with_rows:
        with ui.expansion(table.title, value=not table.is_long).classes("w-full"):
            rows = [{str(place): shown(cell) for place, cell in enumerate(row)} for row in table.rows]
            definitions = [
                {
                    "field": str(place),
                    "headerName": name,
                    "filter": True,
                    "sortable": True,
                    "minWidth": 110,
                    **_WHOLE_NAMES,
                }
                for place, name in enumerate(table.columns)
            ]
            height = min(460, 100 + 43 * len(rows))
            ui.aggrid({"columnDefs": definitions, "rowData": rows}).style(f"height: {height}px")
            if table.note:
                ui.label(table.note).classes("text-sm")
