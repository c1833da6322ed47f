"""What a finished run leaves for its user: the best program with all that is needed to build and to trust it."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from regrapht.records.encoding import to_json
from regrapht.records.task import Task
from regrapht.report.caller import build_line, caller, header
from regrapht.report.delivery.files import delivered
from regrapht.report.html import render_html
from regrapht.report.story import Story, headline
from regrapht.store.output_folder import forget_result, keep_result


def write_result(
    folder: Path,
    story: Story,
    *,
    command: str,
    details: Mapping[str, str],
    exemplars: Mapping[int, Sequence[str]],
    architecture: str,
    run: str = "",
    residency: str | None = None,
    bindings: tuple[str, ...] = (),
    notes: Sequence[str] = (),
) -> tuple[Path, ...]:
    """Write `report.html`, and for a best program `best.cu`, `best.h`, `use_best.cu` and `verdict.json`; the files in that order.

    A best program of the transform engine has `decisions.json` too, which makes it again. What a pull request can hold comes next: sources
    named after the function, a build, a test, a patch. What an earlier result left in the folder is taken away.

    Args:
        run: The run's id, kept with the list of files.
        residency: `host`, `device` or `managed`: what pointers the delivered function takes; None is as the task says.
        bindings: `python`, and `torch` beside it: files by which the delivered function is called from there.
        notes: What was guessed of the task, and what the judge could not do, for the report's head.
    """
    best = story.best.candidate.source if story.best is not None else None
    build = (
        build_line(best, architecture=architecture, rounding=story.task.contract.rounding) if best is not None else ""
    )
    report = render_html(story, command=command, details=details, exemplars=exemplars, build=build, notes=notes)
    files = {"report.html": report}
    if story.best is not None:
        source = story.best.candidate.source
        assert source is not None
        files |= {
            "best.cu": source,
            "best.h": header(story.task),
            "use_best.cu": caller(story.task, source, architecture=architecture, sizes=_example_sizes(story.task)),
            "verdict.json": to_json(story.best.verdict) + "\n",
        }
        decisions = story.best.candidate.origin.decisions
        files |= {"decisions.json": decisions + "\n"} if decisions is not None else {}
        files |= delivered(
            story.task,
            source,
            story.best.verdict,
            headline=headline(story),
            architecture=architecture,
            residency=residency,
            bindings=bindings,
        )
    forget_result(folder)
    for name, text in files.items():
        _write(folder / name, text)
    keep_result(folder, run, tuple(files))
    return tuple(folder / name for name in files)


def _example_sizes(task: Task) -> Mapping[str, int]:
    return task.bench_sizes[0] if task.bench_sizes else task.check_sizes[-1]


def _write(path: Path, text: str) -> None:
    """Write through a temporary name, so that a reader never sees half a file."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)
