"""Every limit against every server: the loop with a real client and a real server, and a judge that takes no time.

Each ends within its limit and five seconds, with the reason that its result tells; where a server gives no answer and nothing limits the
time, after a bounded number of requests. Run alone: wall time is looked at.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from regrapht.errors import ModelUnavailable
from regrapht.llm import begun
from regrapht.llm.endpoint import parse_endpoint
from regrapht.llm.endpoint_calls import CallLimits
from regrapht.llm.openai_compatible import OpenAICompatibleModel
from regrapht.llm.prices import Prices
from regrapht.llm.retry import RetryPolicy
from regrapht.loop import OptimizeSettings, run_search
from regrapht.propose.language_model import LanguageModelProposer, LanguageModelSettings
from regrapht.records.candidate import NoSource
from regrapht.records.element import SCALAR_TYPES
from regrapht.records.expression import Expression
from regrapht.records.proposal import Judged
from regrapht.records.run import Budget
from regrapht.records.task import Arg, ArgKind, Compare, Reference, Role, SourceFile, Task, Tolerance, Work
from regrapht.records.verdict import Level, Status, Verdict
from regrapht.report.model_use import ModelUse
from regrapht.search import SEARCHES
from regrapht.testing.model_faults import FAULTS
from regrapht.testing.model_server import ModelServer
from regrapht.testing.search_conformance import context

KEY = "sk-of-the-test-0123456789"
LATE_S = 5.0
REFUSED = ("quota429", "401", "402", "redirect")
TOO_LONG = "ctx400"
"""Each prompt is found too long: its proposal is skipped, since another's may be shorter."""
TOO_LONG_IN_OTHER_WORDS = ("413", "toolong422")
ANSWERING = (
    *("ok", "nullcontent", "empty", "length", "filter", "refusal", "sse_ok"),
    *("parts", "tool_call", "thought_alone", "sse_as_text", "json_as_sse"),
    *("no_usage", "usage_zero", "usage_negative", "usage_huge", "renamed", "echoed_key"),
)
WAITING = ("hang", "slow_headers", "drip", "endless", "sse_stall", "retryafter_huge")
SILENT = tuple(
    fault for fault in FAULTS if fault not in (*REFUSED, *ANSWERING, TOO_LONG, *TOO_LONG_IN_OTHER_WORDS, "flaky429")
)
"""Those that never give an answer that can be used."""
LIMITS = {
    "tokens": Budget(tokens=5000),
    "usd": Budget(usd=0.01),
    "proposals": Budget(proposals=4),
    "candidates": Budget(candidates=4),
}
TASK = Task(
    id="fill",
    title="Fill",
    description="",
    entry="fill",
    reference=Reference(source=SourceFile(name="r.cpp", text="void fill(int n, float* x) { x[0] = n; }")),
    args=(
        Arg(name="n", kind=ArgKind.SIZE, dtype=SCALAR_TYPES["int32"]),
        Arg(name="x", kind=ArgKind.ARRAY, dtype=SCALAR_TYPES["float32"], shape=(Expression("n"),), role=Role.OUT),
    ),
    check_sizes=({"n": 1},),
    tolerance=Tolerance(kind=Compare.FLOAT, reduction_length=Expression("1")),
    work=Work(bytes=Expression("4*n")),
)


class Refusing:
    """A judge that finds that nothing builds."""

    name = "refusing"

    def evaluate(self, task, candidate, *, level):
        without = Status.SKIPPED if candidate.no_source is NoSource.SKIPPED else Status.UNPARSABLE
        status = without if candidate.source is None else Status.BUILD_FAILED
        return Verdict(
            status=status,
            level=Level.SCREEN,
            evaluator=self.name,
            task_hash="t",
            candidate_id=candidate.id,
            reason=candidate.reason or "r",
            feedback="it does not compile",
            no_timing="not_reached",
        )


@pytest.fixture(autouse=True)
def own_key(monkeypatch):
    begun.forget()
    monkeypatch.setenv("REGRAPHT_API_KEY", KEY)


def run(server, fault, budget, *, limits=None, stop=None, workers=1):
    """The outcome, its events, and seconds from the limit on."""
    url = server.url if fault == "good" else server.fault_url(fault)
    model = OpenAICompatibleModel(parse_endpoint(f"m@{url}", allow_remote=False), limits=limits)
    settings = LanguageModelSettings(prices=Prices(input=2.0, output=2.0))
    proposer = LanguageModelProposer(model, settings=settings)
    search = SEARCHES.load("best-of-n")(
        context(replace(budget, candidates=budget.candidates or (1000 if budget.seconds else None)))
    )
    events = []
    loop = OptimizeSettings(seconds=budget.seconds, workers=workers, pause_s=0.01)
    started = time.monotonic()
    try:
        outcome = run_search(
            TASK,
            search=search,
            proposer=proposer,
            evaluator=Refusing(),
            settings=loop,
            observer=events.append,
            stop=stop,
        )
        return outcome, events, time.monotonic() - started - (budget.seconds or 0.0)
    finally:
        proposer.close()


def check_seconds(fault):
    with ModelServer() as server:
        outcome, events, late = run(server, fault, Budget(seconds=1.0))
        assert KEY not in repr(events)
    if fault in REFUSED:
        assert outcome.reason.startswith("refused: m at http://127.0.0.1") and KEY not in outcome.reason
    elif fault in WAITING:
        assert outcome.reason == "seconds"
    elif fault in (TOO_LONG, *TOO_LONG_IN_OTHER_WORDS):
        assert outcome.reason == "seconds" or outcome.reason.startswith("nothing was judged: the prompt needs about ")
    else:
        assert outcome.reason in ("seconds", "finished")
    assert late < LATE_S


def test_a_refusal():
    check_seconds("401")


@pytest.mark.slow
@pytest.mark.parametrize("fault", (*WAITING, *REFUSED, *ANSWERING, TOO_LONG, *TOO_LONG_IN_OTHER_WORDS))
def test_seconds(fault):
    check_seconds(fault)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 4])
@pytest.mark.parametrize("fault", WAITING)
def test_a_press_of_ctrl_c(fault, workers):
    stop = threading.Event()
    threading.Timer(0.5, stop.set).start()
    with ModelServer() as server:
        outcome, _, seconds = run(server, fault, Budget(candidates=8), stop=stop, workers=workers)
    assert outcome.reason == "interrupted" and seconds < 0.5 + LATE_S


@pytest.mark.slow
@pytest.mark.parametrize("limit", ["proposals", "candidates"])
def test_prompts_that_are_all_too_long_end_with_what_is_counted(limit):
    with ModelServer() as server:
        outcome, events, _ = run(server, TOO_LONG, LIMITS[limit])
    assert outcome.reason.startswith("nothing was judged: the prompt needs about ") and outcome.best is None
    assert outcome.judged == 0
    assert 0 < sum(isinstance(event, Judged) for event in events) <= 4 * 8


@pytest.mark.slow
@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("fault", ANSWERING)
def test_what_is_counted(fault, limit):
    budget = LIMITS[limit]
    with ModelServer() as server:
        outcome, events, _ = run(server, fault, budget)
        asked = server.hits[fault]
    assert outcome.reason == "finished"
    use = ModelUse(events)
    judged = [event for event in events if isinstance(event, Judged)]
    if limit in ("candidates", "proposals"):
        assert 0 < len(judged) <= 4 * 8
    else:  # a limit is passed by one reply at most; those of this server are short and its prompts alike
        assert 0 < use.tokens <= 5000 + 3 * use.tokens / len(judged)
        assert asked < 40
    if fault in ("no_usage", "usage_zero", "usage_negative", "usage_huge"):
        assert use.untold == len(judged) and "estimated" in use.words()
    if fault == "renamed":
        assert len(use.served) == len(judged) and "answered as m-1, m-2" in use.words()
    assert use.usd is not None and use.usd == pytest.approx(use.tokens * 2e-6)


@pytest.mark.slow
@pytest.mark.parametrize("fault", SILENT)
def test_without_an_answer_the_run_ends_after_a_bounded_number(fault):
    impatient = CallLimits(
        read_s=0.1, total_s=0.3, retry=RetryPolicy(max_attempts=2, first_wait_s=0.01, longest_retry_after_s=0.01)
    )
    with ModelServer() as server, pytest.raises(ModelUnavailable, match=r"m at http://127\.0\.0\.1"):
        run(server, fault, Budget(candidates=8), limits=impatient)
    assert server.hits[fault] <= 3 * 3 * 2 * 2  # proposals, tries, attempts, with the beginning and without


EXAMPLE = Path(__file__).parents[2] / "examples" / "sum_of_squares"


@pytest.mark.slow
@pytest.mark.parametrize("how", ["seconds", "ctrl-c", "ctrl-c twice"])
@pytest.mark.parametrize("fault", ["tool_call", "hang", "drip"])
def test_the_command_ends_in_time_whatever_its_judge_is_at(tmp_path, fault, how):
    """The whole command with a real judge, whose judgement in full of this task takes longer than the limit.

    From the line that says that the run begins, when its clock does, to the end of the process: starting and preparing are not in it, the
    report is.
    """
    words = ["optimize", str(EXAMPLE), "--evaluator", "emulated", "--out", str(tmp_path / "out"), "--allow-root"]
    with ModelServer() as server:
        words += ["--model", f"openai:{server.model}@{server.fault_url(fault)}"]
        words += ["--budget", "seconds=2" if how == "seconds" else "200"]
        process = subprocess.Popen(
            [sys.executable, "-m", "regrapht", *words],
            env={**os.environ, "REGRAPHT_HOME": str(tmp_path / "home"), "REGRAPHT_NVCC": "none"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert process.stdout is not None
        said = ""
        while "goes on, should it end early" not in said:
            said += process.stdout.readline()
        started = time.monotonic()
        for _ in range(how.count("ctrl-c") + how.count("twice")):
            time.sleep(1.0)
            process.send_signal(signal.SIGINT)
        said += process.communicate(timeout=600)[0]
        took = time.monotonic() - started
    assert process.returncode in ((0, 1) if how == "seconds" else (130,)), said
    assert took < 2.0 + LATE_S, said
    assert how != "seconds" or "ended: seconds" in said
