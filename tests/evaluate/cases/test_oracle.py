"""Sets of data of a bench shape: as many as are asked for, and those that there are where the reference takes too long for more."""

import pytest

from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.reference.expected import ReferenceFailed
from regrapht.records.verdict import Level

SIZES = {"n": 64}


@pytest.fixture
def oracle(saxpy, emulated):
    return Oracle(saxpy, emulated.oracle(saxpy).reference, pool=3, secret=5)


def test_there_are_as_many_sets_as_are_asked_for(oracle):
    counts = [len(oracle.bench.trials(SIZES, sets=sets)) for sets in (1, 2, 1, 9)]
    assert counts == [1, 2, 2, 3], "never fewer than before, never more than the pool holds"


def test_the_first_set_stays_where_there_is_no_second(oracle, monkeypatch):
    calls, expected = [], oracle.bench._expected

    def too_slow_the_second_time(inputs, **more):
        calls.append(inputs)
        if len(calls) > 1:
            raise ReferenceFailed("it takes too long", call=0)
        return expected(inputs, **more)

    monkeypatch.setattr(oracle.bench, "_expected", too_slow_the_second_time)
    for _ in range(3):
        assert len(oracle.bench.trials(SIZES, sets=2)) == 1
    assert len(calls) == 2, "what failed once is not tried at every judgement"


def test_a_reference_that_fails_when_its_bars_are_made_is_told_as_that(oracle, monkeypatch):
    """The call that failed there is none of the drawn cases, and no case is left out for it."""

    def failing(*args, **more):
        raise ReferenceFailed("reference.cpp: saxpy did not end within 60 s", call=99)

    monkeypatch.setattr("regrapht.evaluate.cases.oracle.calibrate", failing)
    with pytest.raises(ReferenceFailed, match="did not end"):
        oracle.trials(oracle.cases(Level.SCREEN))
