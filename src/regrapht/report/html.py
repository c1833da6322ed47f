"""The report of a run: one HTML file that needs no network. Everything that a candidate or a model wrote is escaped."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

from regrapht.records.measurement import Scale
from regrapht.records.verdict import CaseResult, Verdict
from regrapht.report.curves import gain_over_budget
from regrapht.report.search_picture import search_picture
from regrapht.report.story import Story, gain_title, headline

if TYPE_CHECKING:
    from markupsafe import Markup

_CONTEXT_LINES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class _CaseRow:
    """The cases of one family of values, in a line."""

    family: str
    shapes: int
    norm: str
    element: str
    passed: bool


def render_html(
    story: Story,
    *,
    command: str,
    details: Mapping[str, str],
    exemplars: Mapping[int, Sequence[str]],
    build: str = "",
    notes: Sequence[str] = (),
) -> str:
    """The whole report as HTML text.

    `command` makes the run again, `build` builds its program, `details` are facts about it in order, `exemplars` name those shown
    for a judged step, `notes` are what was guessed of the task and what the judge could not do.
    """
    import jinja2
    from markupsafe import Markup

    source = resources.files("regrapht.report").joinpath("templates/report.html.jinja").read_text(encoding="utf-8")
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    verdict = story.best.verdict if story.best else None
    modelled = story.yardstick.scale is Scale.MODELLED
    title = gain_title(story)
    return environment.from_string(source).render(
        task=story.task,
        headline=headline(story),
        best=story.best,
        verdict=verdict,
        timing=verdict.timing if verdict else None,
        modelled=modelled,
        gain_title=f"{title}, best so far",
        gain_svg=Markup(gain_over_budget(story.steps, title)),
        search_svg=Markup(search_picture(story.steps, story.path)),
        path=story.path,
        tuning=story.tuning,
        exemplars=exemplars,
        steps=story.steps,
        case_rows=_case_rows(verdict.cases) if verdict else [],
        diff=_diff(story),
        environment=[*_environment(verdict), *details.items()],
        command=command,
        build=build,
        notes=notes,
        reference=_highlighted(story.task.reference.source.text),
        program=_highlighted(story.best.candidate.source or "") if story.best else "",
        style=Markup(_style()),
        tokens={
            step.number: usage.total_tokens for step in story.steps if (usage := step.judged.candidate.origin.usage)
        },
    )


def _highlighted(source: str) -> "Markup":
    """Code as HTML, its words marked; what it says is escaped."""
    from markupsafe import Markup
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import CudaLexer

    return Markup(highlight(source, CudaLexer(), HtmlFormatter(nowrap=True)))


def _style() -> str:
    from pygments.formatters import HtmlFormatter

    return str(HtmlFormatter(style="bw").get_style_defs("pre")).replace("border: 1px solid #F00", "")


def _diff(story: Story) -> list[tuple[str, str, str]]:
    """Rows (kind, left, right) from the path's first program to its last, with a few lines of context."""
    if len(story.path) < 2:
        return []
    left, right = ((step.judged.candidate.source or "").splitlines() for step in (story.path[0], story.path[-1]))
    rows: list[tuple[str, str, str]] = []
    for group in difflib.SequenceMatcher(a=left, b=right, autojunk=False).get_grouped_opcodes(_CONTEXT_LINES):
        if rows:
            rows.append(("gap", "...", "..."))
        for kind, a, b, c, d in group:
            height = max(b - a, d - c)
            olds, news = left[a:b] + [""] * (height - (b - a)), right[c:d] + [""] * (height - (d - c))
            rows += [(kind, old, new) for old, new in zip(olds, news, strict=True)]
    return rows


def _case_rows(cases: Sequence[CaseResult]) -> list[_CaseRow]:
    rows = []
    for family in dict.fromkeys(case.family for case in cases):
        mine = [case for case in cases if case.family == family]
        norms = [case.norm_error / case.norm_bar for case in mine if case.norm_error is not None and case.norm_bar]
        elements = [case.element_error for case in mine if case.element_error is not None]
        rows.append(
            _CaseRow(
                family=family,
                shapes=len(mine),
                norm=f"{max(norms):.3g}" if norms else "exact",
                element=f"{max(elements):.3g}" if elements else "",
                passed=all(case.passed for case in mine),
            )
        )
    return rows


def _environment(verdict: Verdict | None) -> list[tuple[str, str]]:
    if verdict is None or verdict.environment is None:
        return []
    machine = verdict.environment
    rows = [("Device", machine.device), ("Processor", machine.cpu)]
    rows += [(name, version) for name, version in sorted(machine.tools.items())]
    rows += [(f"{name} clock", f"{rate:g} MHz") for name, rate in sorted(machine.clocks.items())]
    return rows
