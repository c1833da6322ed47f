"""What a run leaves: the folder, the label of a task that is not admitted, and the command that makes it again."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from regrapht.errors import ConfigError
from regrapht.records.run import Budget, RunOptions
from regrapht.session.finish import _command, finish
from regrapht.session.launch import launch
from regrapht.testing.synthetic import synthetic_task

OPTIONS = RunOptions(evaluator="synthetic", budget=Budget(candidates=4), seed=3)


def finished(launched, out=None):
    return finish(launched, out=out, observer=lambda event: None, stop=threading.Event())


def command(settings, **changed):
    made = replace(settings, path=Path("/tasks/two words"), options=replace(OPTIONS, **changed))
    return _command(made).partition("   #")[0]


def test_the_folder_is_the_one_named_last(judge, tmp_path):
    assert finished(launch(Path("task"), OPTIONS)).folder.parent == Path("regrapht-out")
    named = replace(OPTIONS, out=tmp_path / "named")
    assert finished(launch(Path("task"), named)).folder == tmp_path / "named"
    with pytest.raises(ConfigError, match="has a result already"):
        launch(Path("task"), named)
    result = finished(launch(Path("task"), named, force=True), out=tmp_path / "later")
    assert result.folder == tmp_path / "later" and (tmp_path / "later" / "report.html").is_file()


def test_the_result_says_who_wrote_what(judge):
    """The made-up proposer is neither engine nor model."""
    result = finished(launch(Path("task"), OPTIONS))
    plain = result.as_plain()
    assert result.writers == f"judged: {plain['judged']} by other; the result by other"
    assert plain["judged_by"] == {"other": plain["judged"]} and plain["written_by"] == ["other"]


def test_a_task_that_is_not_admitted_marks_its_result(judge):
    launched = launch(Path("task"), OPTIONS)
    settings = replace(launched.run.settings, not_admitted=("constant_output",))
    marked = replace(launched, run=replace(launched.run, settings=settings))
    best = finished(marked).outcome.best
    assert best is not None and best.verdict.labels[-1] == "not_admitted"


def test_the_command_names_what_was_asked(judge):
    settings = launch(Path("task"), OPTIONS).run.settings
    assert settings.task == synthetic_task()
    usual = "--evaluator synthetic --level screen --seed 3 --workers 1"
    assert command(settings) == (
        f"regrapht optimize '/tasks/two words' --search mcgs --proposer transform --budget candidates=4 {usual}"
    )
    more = command(
        settings, tune=5, hide_family=True, architecture="sm_90", graph=Path("/g.json"), proposer="language_model",
        model="scripted:r", context_tokens=9000, hide_reference=True, entry="f",
    )  # fmt: skip
    assert more.endswith(
        "--model scripted:r --budget candidates=4 --entry f " + usual + " --graph /g.json --arch sm_90 --hide-family "
        "--context-tokens 9000 --max-tokens 8192 --hide-reference --tune --tune-budget 5"
    )
    hybrid = command(settings, proposer="hybrid", model="scripted:r", repair=False, choice_weight=0.25)
    assert hybrid.endswith("--max-tokens 8192 --choice-weight 0.25 --no-repair")
    assert command(settings, given_file=Path("/mine.cu"), tune=5) == (
        f"regrapht tune '/tasks/two words' /mine.cu --budget 5 {usual}"
    )
