"""One run: its state, the walk of its search as a tree, its candidates as a table, and the one that was chosen in full. Stays live."""

from html import escape
from typing import Any

from regrapht.records.proposal import Judged
from regrapht.records.run import Run, RunState
from regrapht.view.candidate import diff_html, evidence, facts, heat_html
from regrapht.view.library import Library
from regrapht.view.walk import PASSED, Walk, Walked

_LOOK_S = 1.0
"""How often a running run is looked at."""
_MOST_DRAWN = 20_000


class RunPage:
    """A run on a page of one browser.

    Raises:
        UnknownName: There is no such store or run.
    """

    def __init__(self, library: Library, store: str, run_id: str) -> None:
        from regrapht.errors import UnknownName

        if store not in library.readers:
            raise UnknownName(f"there is no store {store!r:.20} here")
        self._reader = library.readers[store]
        self._run: Run = self._reader.run(run_id)
        self._walk = Walk(self._run.yardstick)
        self._seen = 0
        self._panel: Any = None
        self._chart: Any = None
        self._grid: Any = None
        self._head: Any = None

    async def show(self) -> None:
        """Draw the page; a running run is followed from then on."""
        from nicegui import run, ui

        self._seen = self._reader.event_count(self._run.id)
        self._walk.take(await run.io_bound(self._reader.steps, self._run.id) or ())
        self._head = ui.label(self._headline()).classes("text-lg")
        options = self._run.settings.options
        ui.label(
            f"{self._run.id}: {options.search} with {options.model or options.proposer}, {options.budget}, seed {options.seed}"
        ).classes("text-sm")
        with ui.row().classes("w-full gap-4 items-start"):
            with ui.column().classes("gap-1").style("flex: 1 1 520px; min-width: min(100%, 340px)"):
                self._draw()
            self._panel = (
                ui.column().classes("gap-1").style("flex: 1 1 520px; min-width: min(100%, 340px); max-width: 100%")
            )
        best = self._walk.best
        if best is not None:
            self._choose(best.number)
        if self._run.state is RunState.RUNNING:
            ui.timer(_LOOK_S, self._follow)

    def _draw(self) -> None:
        from nicegui import ui

        self._chart = ui.echart(self._tree(), on_point_click=lambda event: self._choose(event.value)).style(
            "height: 46vh; width: 100%"
        )
        ui.label(
            "Orange: the way to the best program. Green passed, grey did not. A click on a program shows it and what was made from it."
        ).classes("text-xs")
        columns = [
            ("number", "#", 80),
            ("technique", "Technique", 150),
            ("status", "Status", 120),
            ("gain", "Gain", 90),
            ("parent", "From", 90),
            ("writer", "Writer", 150),
            ("tokens", "Tokens", 100),
            ("reason", "Reason", 260),
        ]
        self._grid = ui.aggrid(
            {
                "columnDefs": [
                    {"field": name, "headerName": shown, "minWidth": width, "filter": True, "sortable": True}
                    for name, shown, width in columns
                ],
                "rowData": self._walk.rows(),
                ":getRowId": "params => String(params.data.number)",
                "rowSelection": {"mode": "singleRow", "checkboxes": False, "enableClickSelection": True},
            }
        ).style("height: 40vh")
        self._grid.on("cellClicked", lambda event: self._choose(event.args["data"]["number"]), args=["data"])

    def _headline(self) -> str:
        best, ended = self._walk.best, self._reader.ending(self._run.id)
        gained = f"best {best.gain:.2f} {self._walk.unit}" if best is not None else "nothing passed yet"
        state = self._run.state.value + (f" ({ended})" if ended and ended != self._run.state.value else "")
        return f"{self._run.settings.task.id}: {len(self._walk.steps)} candidates, {gained}; {state}"

    def _tree(self) -> dict[str, Any]:
        label = {"position": "right", "align": "left", "fontSize": 11, "backgroundColor": "rgba(255, 255, 255, 0.85)"}
        series = {
            "type": "tree",
            "data": [self._walk.tree(self._run.settings.task.id)],
            "orient": "TB",
            "roam": True,
            "top": 16,
            "bottom": 24,
            "left": 16,
            "right": 150,
            "symbolSize": 9,
            "itemStyle": {"color": PASSED, "borderColor": PASSED},
            "initialTreeDepth": -1,
            "expandAndCollapse": True,
            "animation": False,
            "label": {"show": False, **label},
            "leaves": {"label": {"show": False, **label}},
            "emphasis": {"label": {"show": True, **label}},
            "lineStyle": {"color": "#9db8a7", "curveness": 0.4},
        }
        return {"series": [series]}

    def _choose(self, number: object) -> None:
        """Show one candidate in full."""
        if not isinstance(number, int) or not 0 < number <= len(self._walk.steps):
            return
        step = self._walk.steps[number - 1]
        judged = self._reader.judged(self._run.id, step.step.sequence)
        self._panel.clear()
        with self._panel:
            self._candidate(step, judged)

    def _candidate(self, step: Walked, judged: Judged) -> None:
        from nicegui import ui

        gained = f", {step.gain:.2f} {self._walk.unit}" if step.gain is not None else ""
        ui.label(f"#{step.number} {step.name}: {step.step.status}{gained}").classes("text-lg font-bold")
        ui.label(judged.verdict.reason)
        with ui.element("div").classes("scroll"), ui.element("table"):
            for name, value in facts(judged):
                with ui.element("tr"):
                    with ui.element("th"):
                        ui.label(name)
                    with ui.element("td").style("white-space: normal"):
                        ui.label(value)
        parts = self._parts(step, judged)
        with ui.tabs().props("dense align=left outside-arrows mobile-arrows").classes("w-full") as tabs:
            for name in parts:
                ui.tab(name)
        with ui.tab_panels(tabs, value=next(iter(parts), None)).classes("w-full"):
            for name, (kind, text) in parts.items():
                with ui.tab_panel(name).classes("p-1"), ui.element("div").classes("scroll"):
                    if kind == "html":
                        ui.html(text, sanitize=False)  # ours: every text in it is escaped
                    elif kind == "code":
                        ui.code(text, language="cpp").classes("w-full")
                    else:
                        ui.html(f'<pre class="words">{escape(text)}</pre>', sanitize=False)

    def _parts(self, step: Walked, judged: Judged) -> dict[str, tuple[str, str]]:
        """The texts of a candidate by name, each with how it is shown."""
        source, origin = judged.candidate.source, judged.candidate.origin
        parts: dict[str, tuple[str, str]] = {}
        if source is not None:
            parts["Program"] = ("code", source)
            before = self._before(step)
            parts["Changes"] = ("html", diff_html(before, source))
            if (heat := heat_html(source, judged.verdict)) is not None:
                parts["Cost by line"] = ("html", heat)
        parts["Evidence"] = ("text", evidence(judged.verdict))
        if origin.prompt is not None:
            parts["Prompt"] = ("text", origin.prompt)
        elif origin.prompt_hash is not None:
            parts["Prompt"] = ("text", f"not kept by the regrapht that made this run; its hash is {origin.prompt_hash}")
        if origin.completion is not None:
            parts["Reply"] = ("text", origin.completion)
        if origin.decisions is not None:
            parts["Decisions"] = ("text", origin.decisions)
        return parts

    def _before(self, step: Walked) -> str:
        """The program that it was made from; the sequential one for a first program."""
        if step.parent is None:
            return self._run.settings.task.reference.source.text
        parent = self._walk.steps[step.parent - 1]
        return self._reader.judged(self._run.id, parent.step.sequence).candidate.source or ""

    def _follow(self) -> None:
        """Take in what has happened since."""
        count = self._reader.event_count(self._run.id)
        run = self._reader.run(self._run.id) if count != self._seen else None
        state = (
            next((one.state for one in self._reader.runs() if one.id == self._run.id), self._run.state)
            if run is None
            else run.state
        )
        if count == self._seen and state is self._run.state:
            return
        self._seen = count
        self._run = run or self._reader.run(self._run.id)
        was = self._walk.best
        new = self._walk.take(self._reader.steps(self._run.id, after=self._walk.last_sequence))
        self._head.set_text(self._headline())
        if new:
            self._grid.run_grid_method("applyTransaction", {"add": self._walk.rows(new)})
            if len(self._walk.steps) <= _MOST_DRAWN:
                self._chart.options["series"] = self._tree()["series"]
                self._chart.update()
        best = self._walk.best
        if was is None and best is not None:
            self._choose(best.number)
