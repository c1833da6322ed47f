"""The story of a run."""

from dataclasses import replace
from types import SimpleNamespace

from regrapht.records.candidate import NoSource
from regrapht.records.measurement import WITHOUT_PLAIN, Scale, Yardstick
from regrapht.records.verdict import SCREENED_ONLY, Status
from regrapht.report.story import Story, headline, refusals, tell


def test_gains_and_path(story: Story) -> None:
    assert [step.gain for step in story.steps] == [5.0, None, 20.0]
    assert [step.technique for step in story.path] == ["map_to_threads", "vectorised_access"]
    assert refusals(story) == {"WRONG_VALUE": 1}


def test_headline_names_gain_baseline_interval_and_device(story: Story) -> None:
    line = headline(story)
    for part in (
        "20.00 x [18.00, 22.00] against sequential",
        "n=1000",
        "Test GPU (sm_90)",
        "measured",
        "map_to_threads -> vectorised_access",
    ):
        assert part in line


def test_headline_without_a_pass(nothing_passed: Story) -> None:
    assert "no candidate passed in 1 judged" in headline(nothing_passed)


def test_headline_without_anything_judged(nothing_passed: Story) -> None:
    (step,) = nothing_passed.steps
    verdict = replace(step.judged.verdict, status=Status.SKIPPED, reason="the prompt needs 9 tokens", cases=())
    skipped = replace(step, judged=replace(step.judged, verdict=verdict))
    line = headline(replace(nothing_passed, steps=(skipped, skipped)))
    assert line.endswith(": nothing was judged: the prompt needs 9 tokens")
    assert "no candidate passed in 1 judged" in headline(replace(nothing_passed, steps=(skipped, step, skipped)))
    assert headline(replace(nothing_passed, steps=())).endswith(": nothing was judged.")


def test_an_interrupted_runs_best_is_not_called_verified(story: Story) -> None:
    assert "screened" not in headline(story)
    verdict = replace(story.best.verdict, labels=(SCREENED_ONLY,))
    assert "screened only" in headline(replace(story, best=replace(story.best, verdict=verdict)))
    untimed = replace(verdict, timing=None, no_timing="no_gpu")
    line = headline(replace(story, best=replace(story.best, verdict=untimed)))
    assert "screened only" in line and "verified" not in line


def test_a_cost_without_a_plain_version_is_compared_with_nothing(story: Story) -> None:
    evidence = SimpleNamespace(modelled_cost=12345.0, launches=1, threads=256)
    untimed = replace(story.best.verdict, timing=None, no_timing="no_gpu", evidence=evidence)
    yardstick = Yardstick(scale=Scale.MODELLED, start=1e6, floor=1e3, start_name=WITHOUT_PLAIN)
    line = headline(replace(story, best=replace(story.best, verdict=untimed), yardstick=yardstick))
    assert "modelled cost 1.234e+04, with no plain version" in line and " x lower" not in line


def test_what_one_core_takes_stands_beside_a_modelled_gain(story: Story) -> None:
    """Whatever was gained over the plain version says nothing of a CPU."""
    evidence = SimpleNamespace(modelled_cost=500.0, launches=1, threads=256)
    untimed = replace(story.best.verdict, timing=None, no_timing="no_gpu", evidence=evidence)
    yardstick = Yardstick(
        scale=Scale.MODELLED, start=1e3, floor=1e2, start_name="plain", one_core_us=12345.6, one_core_at="n=9"
    )
    line = headline(replace(story, best=replace(story.best, verdict=untimed), yardstick=yardstick))
    assert "2.00 x lower than the plain version's (at n=9 the reference takes 12 346 us on one core" in line


def test_a_repeated_program_names_the_step_that_judged_it_first(story: Story) -> None:
    assert [step.same_as for step in story.steps] == [None, None, None]
    events = [step.judged for step in (*story.steps, story.steps[0], story.steps[1])]
    again = tell(story.task, story.yardstick, events, story.best)
    assert [step.same_as for step in again.steps] == [None, None, None, 1, 2]
    nothing = replace(
        story.steps[1].judged.candidate, source=None, program_hash=None, no_source=NoSource.UNPARSABLE, reason="none"
    )
    unwritten = replace(story.steps[1].judged, candidate=nothing)
    assert [step.same_as for step in tell(story.task, story.yardstick, [unwritten, unwritten], None).steps] == [
        None,
        None,
    ]


def test_a_best_program_in_one_thread_is_called_that(story: Story) -> None:
    assert "one thread" not in headline(story)
    serial = replace(story.best.candidate, source="void f(float* x) { k<<<1, 1>>>(x); }")
    line = headline(replace(story, best=replace(story.best, candidate=serial)))
    assert "runs in one thread" in line and "measured" in line


def test_what_was_refused_in_full_is_said(story: Story) -> None:
    refused = replace(
        story.best, verdict=replace(story.best.verdict, status=Status.RACE, reason="two threads write z[3]")
    )
    line = headline(replace(story, best=None, path=(), refused=(refused,)))
    assert "none in full" in line and "RACE: two threads write z[3]" in line
