"""How a run ended early is told to who wrote the program in plain words, with what to do."""

import signal
from types import SimpleNamespace

import pytest

from regrapht.evaluate.judgement.draft import Draft
from regrapht.evaluate.judgement.endings import require_completed, require_silent
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.records.verdict import Status
from regrapht.sandbox.sandbox import Completed

CASE = SimpleNamespace(hidden=False, sizes={"n": 7})


def completed(**how):
    facts = {"exit_code": None, "signal": None, "stopped": None, "stdout": "", "stderr": "", "files": {}, "wall_s": 1.0}
    return Completed(**{**facts, **how})


@pytest.mark.parametrize(
    ("how", "status", "words"),
    [
        ({"signal": signal.SIGSEGV}, Status.CRASHED, ("SIGSEGV", "outside of a kernel", "in a kernel")),
        ({"signal": signal.SIGBUS}, Status.CRASHED, ("SIGBUS", "in a kernel")),
        ({"signal": signal.SIGFPE}, Status.CRASHED, ("SIGFPE", "divided a whole number by zero")),
        ({"signal": signal.SIGABRT}, Status.CRASHED, ("SIGABRT", "freed twice")),
        ({"signal": 63}, Status.CRASHED, ("the program crashed with",)),
        ({"exit_code": 3}, Status.CRASHED, ("exit status 3", "leave out exit()")),
        ({"exit_code": 0}, Status.CRASHED, ("before all calls had returned", "leave out exit()")),
        ({"stopped": "timeout"}, Status.TIMED_OUT, ("did not end within 5 s", "barrier")),
        ({"stopped": "memory"}, Status.OUT_OF_MEMORY, ("more memory than it may", "free it")),
        ({"stopped": "output"}, Status.OUTPUT_LIMIT, ("printed more", "printf")),
    ],
)
def test_an_early_end(how, status, words):
    exchange = SimpleNamespace(output=lambda index: SimpleNamespace(done=False), completed=False)
    with pytest.raises(Rejected) as refused:
        require_completed(completed(**how), exchange, [SimpleNamespace(case=CASE)], limit_s=5.0)
    told = refused.value
    assert told.status is status and "n=7" in told.feedback
    assert all(word in told.feedback for word in words), told.feedback
    assert told.feedback.endswith(".")


def test_a_program_that_prints():
    with pytest.raises(Rejected) as refused:
        require_silent(completed(exit_code=0, stdout="row 1\n"), Draft.__new__(Draft))
    assert "'row 1 '" in refused.value.feedback and "printf" in refused.value.feedback
