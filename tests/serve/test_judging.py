"""Order, repetition and faults of judgements, over a judge that says what it is told."""

import threading

import pytest

from regrapht.errors import ConfigError, EvaluatorUnavailable
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.verdict import Level
from regrapht.serve import judging
from regrapht.serve.judging import Judging, PreparedTasks, wait_for
from regrapht.testing.synthetic import synthetic_task

TASK = synthetic_task()


def program(text: str) -> Candidate:
    return Candidate(source=text, program_hash=text, origin=Origin(proposer="agent", seconds=0.0))


@pytest.fixture
def one_worker(judge):
    made = Judging(judge, workers=1, prepare=lambda task: None)
    yield made
    judge.go_on.set()
    made.close()


def test_one_client_with_many_does_not_hold_up_another(one_worker, judge):
    first = one_worker.submit(TASK, program("slow"), Level.SCREEN, client="a")
    many = [one_worker.submit(TASK, program(f"a{i}"), Level.SCREEN, client="a") for i in range(20)]
    other = one_worker.submit(TASK, program("b"), Level.SCREEN, client="b")
    judge.go_on.set()
    for one in (first, other, *many):
        assert wait_for(one, 10)
    assert judge.judged.index("b") <= 2
    assert [text for text in judge.judged if text.startswith("a")] == [f"a{i}" for i in range(20)]


def test_a_hundred_clients_are_answered_in_their_order(one_worker, judge):
    one_worker.submit(TASK, program("slow"), Level.SCREEN, client="first")
    asked = [one_worker.submit(TASK, program(f"c{i}"), Level.SCREEN, client=f"client {i}") for i in range(100)]
    judge.go_on.set()
    assert all(wait_for(one, 10) for one in asked)
    assert judge.judged[1:] == [f"c{i}" for i in range(100)]


def test_the_same_program_is_judged_once(one_worker, judge):
    first = one_worker.submit(TASK, program("right"), Level.SCREEN, client="a")
    again = one_worker.submit(TASK, program("right"), Level.SCREEN, client="b")
    assert again is first
    assert wait_for(first, 10)
    assert one_worker.submit(TASK, program("right"), Level.SCREEN, client="c") is first
    assert one_worker.submit(TASK, program("right"), Level.FULL, client="c") is not first


def test_a_fault_of_the_machine_is_no_verdict_and_is_tried_again(one_worker, judge):
    first = one_worker.submit(TASK, program("broken"), Level.SCREEN, client="a")
    assert wait_for(first, 10)
    with pytest.raises(EvaluatorUnavailable):
        first.future.result()
    assert one_worker.submit(TASK, program("broken"), Level.SCREEN, client="a") is not first


def test_too_many_are_refused_and_nothing_is_lost(one_worker, judge, monkeypatch):
    monkeypatch.setattr(judging, "MOST_WAITING", 3)
    one_worker.submit(TASK, program("slow"), Level.SCREEN, client="a")
    while not judge.judged:
        threading.Event().wait(0.01)
    kept = [one_worker.submit(TASK, program(f"x{i}"), Level.SCREEN, client="a") for i in range(3)]
    with pytest.raises(ConfigError, match="3 judgements wait already"):
        one_worker.submit(TASK, program("y"), Level.SCREEN, client="b")
    judge.go_on.set()
    assert all(wait_for(one, 10) for one in kept)


def test_closing_drops_what_waits_and_says_so(judge):
    closing = Judging(judge, workers=1, prepare=lambda task: None)
    closing.submit(TASK, program("slow"), Level.SCREEN, client="a")
    while not judge.judged:
        threading.Event().wait(0.01)
    waiting = closing.submit(TASK, program("x"), Level.SCREEN, client="a")
    threading.Timer(0.05, judge.go_on.set).start()
    closing.close()
    with pytest.raises(ConfigError, match="closed"):
        waiting.future.result(timeout=1)
    with pytest.raises(ConfigError, match="closing"):
        closing.submit(TASK, program("z"), Level.SCREEN, client="a")


def test_a_task_is_prepared_once_and_again_after_a_failure():
    calls = []

    def prepare(task):
        calls.append(task)
        if len(calls) == 1:
            raise EvaluatorUnavailable("not yet")
        return "ready"

    prepared = PreparedTasks(prepare)
    with pytest.raises(EvaluatorUnavailable):
        prepared(TASK)
    assert [prepared(TASK), prepared(TASK)] == ["ready", "ready"]
    assert len(calls) == 2
