"""Whole runs with scripted models over a real task: the emulator judges, and every way of hybrid and of repair is gone."""

from collections import Counter
from dataclasses import replace

import pytest

from regrapht.assemble import open_evaluator, open_proposer, open_search, open_task, plain_version, search_context
from regrapht.graph.shipped import shipped_graph
from regrapht.loop import OptimizeSettings, run_search
from regrapht.records.encoding import from_json, to_json
from regrapht.records.proposal import Judged, ProposalKind
from regrapht.records.run import Asked, Budget, RunOptions
from regrapht.records.verdict import Level, Status
from regrapht.search.budget import spent_by

FUNCTION = "void scale(int n, const float* x, float* y) {\n  for (int i = 0; i < n; ++i) y[i] = 2 * x[i];\n}\n"
RIGHT = """#include <cuda_runtime.h>
__global__ void k(int n, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}
extern "C" void scale(int n, const float* x, float* y) { k<<<(n + 1023) / 128, 128>>>(n, x, y); }
"""
FASTER = RIGHT.replace("2 * x[i]", "x[i] + x[i]").replace("128", "256")
LAUNCH = "k<<<(n + 1023) / 128, 128>>>(n, x, y);"
SLOW = RIGHT.replace(LAUNCH, 3 * LAUNCH)
BROKEN = RIGHT.replace("int i = ", "auto i = undeclared + ")
SEMICOLON = RIGHT.replace("2 * x[i];", "2 * x[i]")
OUTSIDE = RIGHT.replace("if (i < n) ", "")
SMALL_ONLY = RIGHT.replace("if (i < n) ", "if (i < n && i < 8000000) ").replace("128", "64")
"""Right at every size that the screening tries, and wrong at the bench size."""
FAR = 0.1
"""A floor so far down that no program ends the search."""
NONE = "NOT APPLICABLE: there is nothing to do."


def fenced(code):
    return f"```cuda\n{code}```\n"


@pytest.fixture(scope="module")
def task(tmp_path_factory):
    file = tmp_path_factory.mktemp("task") / "scale.cpp"
    file.write_text(FUNCTION)
    return open_task(file).task


@pytest.fixture(scope="module")
def judge(task, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REGRAPHT_NVCC", "none")
        opened = open_evaluator("emulated", cache_folder=tmp_path_factory.mktemp("verdicts"))
        yield opened, opened.prepare(task, plain_version(task))


class Model:
    """Answers each kind of request from its own script, the last reply again and again, and keeps the prompts."""

    def __init__(self, inner, **scripts):
        self._inner, self._scripts, self.prompts = inner, scripts, []
        self.name = inner.name

    def complete(self, prompt, sampling, *, deadline_s=None):
        text = prompt.messages[-1].text
        self.prompts.append(text)
        kind = next(
            kind
            for kind, sign in (
                ("choose", "Which of these techniques"),
                ("repair", "Change nothing else."),
                ("apply", "# Technique to apply"),
                ("first", ""),
            )
            if sign in text
        )
        script = self._scripts[kind]
        reply = script.pop(0) if len(script) > 1 else script[0]
        return replace(self._inner.complete(prompt, sampling), text=reply)


def run(
    task,
    judge,
    tmp_path,
    *,
    search="mcgs",
    candidates=6,
    journal=None,
    replayed=(),
    proposer="",
    repairs=True,
    floor=1.0,
    **scripts,
):
    evaluator, yardstick = judge
    yardstick = replace(yardstick, floor=floor * yardstick.floor)
    (tmp_path / "any.json").write_text(f"{['x'] * 200}".replace("'", '"'))
    options = RunOptions(
        model=f"scripted:{tmp_path / 'any.json'}",
        proposer=proposer,
        search=search,
        budget=Budget(candidates=candidates),
        repair=repairs,
    )
    graph = shipped_graph()
    opened = open_proposer(options, graph=graph)
    asker = opened if options.proposer == "language_model" else opened._model
    model = asker._model = Model(
        asker._model, **{"choose": ["NONE"], "repair": [NONE], "apply": [NONE], "first": [NONE]} | scripts
    )
    if options.proposer == "hybrid":
        opened._chooser._model = model
    context = search_context(task, graph, yardstick, options, proposer=opened, evaluator=evaluator)
    events = []

    class Journal:
        def append(self, event):
            events.append(from_json(type(event), to_json(event)))

    outcome = run_search(
        task,
        search=open_search(search, context),
        proposer=opened,
        evaluator=evaluator,
        settings=OptimizeSettings(pause_s=0.001),
        journal=Journal(),
        replayed=replayed,
    )
    return outcome, events, model.prompts


def told(events):
    return [(event.candidate.writer.value, event.verdict.status.value) for event in events if isinstance(event, Judged)]


def test_a_model_that_fails_is_shown_its_failure_and_mends_it(task, judge, tmp_path):
    outcome, events, prompts = run(
        task,
        judge,
        tmp_path,
        proposer="language_model",
        candidates=4,
        first=[fenced(BROKEN)],
        repair=[fenced(OUTSIDE), fenced(RIGHT)],
    )
    assert told(events)[:3] == [("model", "BUILD_FAILED"), ("model", "OUT_OF_BOUNDS"), ("model", "PASSED")]
    assert outcome.best is not None and "undeclared" in prompts[1]
    assert len(set(prompts)) == len(prompts), "no request is made twice"


def test_without_repair_it_is_asked_anew_and_told_what_failed(task, judge, tmp_path):
    _, events, prompts = run(
        task,
        judge,
        tmp_path,
        proposer="language_model",
        candidates=3,
        repairs=False,
        first=[fenced(BROKEN), fenced(SEMICOLON), fenced(RIGHT)],
    )
    kinds = {event.proposal.kind for event in events if isinstance(event, Asked)}
    assert ProposalKind.REPAIR not in kinds and "undeclared" in prompts[1] and "undeclared" not in prompts[0]


def test_the_engine_is_first_rules_are_free_and_hints_come_before_requests(task, judge, tmp_path):
    outcome, events, prompts = run(
        task,
        judge,
        tmp_path,
        candidates=16,
        floor=FAR,
        choose=["thread_coarsening"],
        apply=[fenced(SEMICOLON), NONE],
        repair=[fenced(FASTER)],
    )
    answers = told(events)
    assert answers[0] == ("engine", "PASSED") and outcome.best is not None
    spent = spent_by(events)
    assert spent.by_writer.total() == spent.candidates <= 16 and {"engine", "rule"} <= set(spent.by_writer)
    assert ("model", "BUILD_FAILED") in answers
    assert ("hint", "PASSED") in answers and not any("Change nothing else." in prompt for prompt in prompts)
    choices = [event for event in events if isinstance(event, Judged) and event.candidate.chosen is not None]
    assert choices and len({event.candidate.parent for event in choices}) == len(choices), "asked once a program"
    again, rest, _ = run(task, judge, tmp_path, candidates=16, floor=FAR, replayed=events)
    assert rest == [] and again == outcome, "a stored run asks nobody again"


def test_a_run_cut_off_between_a_choice_and_what_follows_goes_on(task, judge, tmp_path):
    chosen = ", ".join(shipped_graph().techniques)  # whichever of them are offered
    scripts = {"choose": [chosen], "apply": [NONE], "candidates": 12, "floor": FAR}
    outcome, events, _ = run(task, judge, tmp_path, **scripts)
    cut = next(i for i, event in enumerate(events) if isinstance(event, Judged) and event.candidate.chosen) + 1
    again, rest, _ = run(task, judge, tmp_path, replayed=events[:cut], **scripts)
    assert [type(e) for e in rest] == [type(e) for e in events[cut:]]
    assert again.best is not None and outcome.best is not None and again.best.candidate.id == outcome.best.candidate.id


def test_a_refusal_is_not_asked_for_again_below(task, judge, tmp_path):
    _, events, _ = run(
        task,
        judge,
        tmp_path,
        proposer="language_model",
        candidates=5,
        first=[fenced(SLOW)],
        apply=[NONE, fenced(RIGHT), NONE],
    )
    skipped = {
        event.proposal_id for event in events if isinstance(event, Judged) and event.verdict.status is Status.SKIPPED
    }
    refused = Counter(
        event.proposal.transition.target
        for event in events
        if isinstance(event, Asked) and event.proposal.transition is not None and event.proposal.id in skipped
    )
    parents = {
        event.proposal.parent.candidate.id for event in events if isinstance(event, Asked) and event.proposal.parent
    }
    assert len(parents) == 2, "it was asked at the first program and at the faster one"
    assert max(refused.values()) == 1
    assert not any(slug.startswith("map_") for slug in refused)


def test_a_first_program_that_is_wrong_in_full_is_repaired_before_anything_is_built_on_it(task, judge, tmp_path):
    outcome, events, _ = run(
        task,
        judge,
        tmp_path,
        proposer="language_model",
        candidates=3,
        first=[fenced(SMALL_ONLY)],
        repair=[fenced(RIGHT)],
    )
    answers = [event for event in events if isinstance(event, Judged)]
    assert not answers[0].verdict.passed and answers[0].verdict.level is Level.FULL
    assert answers[1].verdict.passed and answers[1].verdict.level is Level.SCREEN, answers[1].verdict.reason
    assert outcome.best is not None and outcome.best.candidate.id == answers[1].candidate.id


def test_what_is_best_on_the_screen_and_wrong_in_full_costs_nothing_right(task, judge, tmp_path):
    wrong = [
        SMALL_ONLY,
        SMALL_ONLY.replace("64", "96"),
        SMALL_ONLY.replace("64", "160"),
        SMALL_ONLY.replace("64", "192"),
    ]
    outcome, events, _ = run(
        task,
        judge,
        tmp_path,
        search="best-of-n",
        proposer="language_model",
        candidates=5,
        first=[*map(fenced, wrong), fenced(RIGHT)],
    )
    assert told(events) == [("model", "PASSED")] * 5
    assert outcome.best is not None and "8000000" not in (outcome.best.candidate.source or "")
    assert all(final.verdict.status is not Status.PASSED for final in outcome.finals[:-1])
