"""Clocks that disagree are asked again: by chance they disagree once, for a program that hides work each time."""

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from regrapht.evaluate.device.harness_process import Block
from regrapht.evaluate.device.sharing import MACHINE
from regrapht.evaluate.judgement.feedback import shape_text
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.evaluate.timing import gpu_timer
from regrapht.evaluate.timing.clocks import ClockDoubts, Ordinary
from regrapht.evaluate.timing.gpu_timer import GpuTimer
from regrapht.evaluate.timing.paired_timing import Measured
from regrapht.evaluate.timing.partner_processes import Partner
from regrapht.records.expression import Expression
from regrapht.records.measurement import TimingSamples
from regrapht.records.task import Work

SIZES = {"n": 5000}
PARTNER = Block(
    pairs=((100.0, 105.0),) * 8, wall_us=8 * 135.0, seen_us=8 * 135.0
)  # 30 us of ordinary work around each call


def measured_with(hidden_us: float, *, partner: bool = True) -> Measured:
    """A session whose candidate's repetitions take that much longer outside than its clocks say."""
    wall_us = 8 * (115.0 + hidden_us)
    own = Block(pairs=((80.0, 85.0),) * 8, wall_us=wall_us, seen_us=wall_us)
    return Measured(blocks=[own], partner_blocks=[PARTNER] if partner else [], exclusive_s=0.1)


SHAPE = SimpleNamespace(sizes=SIZES)


class Session:
    """A session without processes."""

    data = ()

    def __init__(self, partner=None):
        self.partner = partner

    def bring_partner(self, lent):
        self.partner = lent


def having(trusted):
    return SimpleNamespace(trusted=trusted)


def nobody():
    raise AssertionError("asked for a partner")


@pytest.fixture
def timer():
    timer = object.__new__(GpuTimer)  # no device: only what is made of blocks is looked at
    timer._lock, timer.doubts = threading.RLock(), ClockDoubts()
    return timer


@pytest.mark.parametrize(
    ("hidden", "looks", "believed"),
    [
        ([0.0], 1, True),
        ([500.0, 0.0], 2, True),
        ([500.0, 500.0, 0.0], 3, True),
        ([500.0, 500.0, 500.0, 0.0], 3, False),
    ],
)
def test_clocks_that_disagree_are_asked_again(timer, saxpy, hidden, looks, believed, monkeypatch):
    alone = []
    monkeypatch.setattr(gpu_timer, "exclusive", lambda name: contextlib.nullcontext(alone.append(name)))
    sessions = iter([measured_with(us) for us in hidden])
    measured = timer._until_explained(saxpy, Session("partner"), SHAPE, lambda: next(sessions), having(nobody))
    assert len(list(sessions)) == len(hidden) - looks
    assert (timer.doubts.doubt(saxpy, measured, SIZES) is None) is believed
    assert measured.exclusive_s == pytest.approx(0.1 * looks)
    assert alone == [MACHINE] * (looks == 3), "the last time nobody on the machine starts a process"


@pytest.mark.parametrize("known_us", [900.0, 0.0])
def test_what_is_known_of_another_hour_refuses_nobody(timer, saxpy, known_us, monkeypatch):
    """A baseline that was measured on a busier (or quieter) machine says little of the work around a call now: a partner does."""
    monkeypatch.setattr(gpu_timer, "exclusive", lambda name: contextlib.nullcontext())
    timer.partners = SimpleNamespace(lend=lambda task, data, partner: f"process of {partner}")
    place = saxpy.content_hash, shape_text(SIZES)
    timer.doubts._ordinary[place] = Ordinary(outside_us=known_us, gap_us=0.0)
    session, beside, hidden_us = Session(), [], 0.0 if known_us else 40.0

    def take():
        beside.append(session.partner)
        return measured_with(hidden_us if session.partner is None else 0.0, partner=session.partner is not None)

    measured = timer._until_explained(saxpy, session, SHAPE, take, having(lambda: "naive"))
    assert timer.doubts.doubt(saxpy, measured, SIZES) is None
    assert beside == [None, "process of naive"]
    assert timer.doubts._ordinary[place].outside_us == pytest.approx(30.0), "the next candidate is measured by this"


def test_where_there_is_no_partner_to_be_had_it_is_asked_again_alone(timer, saxpy, monkeypatch):
    monkeypatch.setattr(gpu_timer, "exclusive", lambda name: contextlib.nullcontext())
    timer.doubts._ordinary[saxpy.content_hash, shape_text(SIZES)] = Ordinary(outside_us=900.0, gap_us=0.0)
    session, beside = Session(), []

    def take():
        beside.append(session.partner)
        return measured_with(0.0, partner=False)

    assert (
        timer.doubts.doubt(saxpy, timer._until_explained(saxpy, session, SHAPE, take, having(lambda: None)), SIZES)
        is not None
    )
    assert beside == [None] * 3


def test_a_partner_comes_back_when_the_candidates_process_cannot_start(timer, saxpy, monkeypatch):
    lent, open_exchanges = SimpleNamespace(child=SimpleNamespace(exchange=None), backs=[]), []
    lent.give_back = lambda: lent.backs.append("back")
    timer.gpu = SimpleNamespace(uuid="GPU-of-a-test")
    timer.partners = SimpleNamespace(lend=lambda *args, **kwargs: lent)
    monkeypatch.setattr(gpu_timer, "shared", contextlib.nullcontext)

    def no_room(*args):
        raise OSError("no room for the exchange")

    @contextlib.contextmanager
    def exchange(*args, **more):
        open_exchanges.append("open")
        try:
            yield
        finally:
            open_exchanges.clear()

    timer._child, timer._exchange = no_room, exchange
    sets = [SimpleNamespace(arrays={"x": np.zeros(4, np.float32)})]
    with pytest.raises(OSError, match="no room"):
        timer.open(saxpy, [sets], Partner(program=None, baseline="naive"))
    assert lent.backs == ["back"] and not open_exchanges


def test_inputs_are_written_before_anybody_waits_for_the_device(timer, saxpy, monkeypatch):
    done = []
    timer.gpu = SimpleNamespace(uuid="GPU-of-a-test")

    @contextlib.contextmanager
    def leased(name):
        done.append("held")
        yield

    def written(*args, **more):
        done.append("written")
        return contextlib.nullcontext("exchange")

    monkeypatch.setattr(gpu_timer, "starting", leased)
    monkeypatch.setattr(gpu_timer, "TimingSession", lambda *args, **more: "session")
    timer._exchange, timer._child = written, lambda *args: SimpleNamespace(close=None)
    assert timer.open(saxpy, [[SimpleNamespace(arrays={"x": np.zeros(4, np.float32)})]], None) == "session"
    assert done == ["written", "held"]


def test_a_shape_with_more_work_than_one_that_took_too_long_is_not_tried(timer, saxpy, monkeypatch):
    tried = []

    def samples(reference, inputs, *, may_be_too_slow):
        tried.append(inputs)
        return TimingSamples(samples_us=(1.0,)) if may_be_too_slow and inputs < 100 else None

    monkeypatch.setattr(gpu_timer, "_sequential_samples", samples)
    timer._times = SimpleNamespace(load=lambda *args: None, save=lambda *args: None)
    timer._known, timer._too_much = {}, {}
    reference = replace(saxpy.reference, fast=saxpy.reference.source)
    slow = replace(saxpy, reference=reference, work=Work(bytes=Expression("8 * n")))
    compiled = object.__new__(CompiledReference)
    found = [timer.sequential(slow, compiled, {"n": n}, lambda n=n: [n]) for n in (500, 1000, 10, 400, 450)]
    assert [one is not None for one in found] == [False, False, True, False, False]
    assert tried == [500, 10, 400], "more than 500, then more than 400, is not tried"


def test_clocks_are_looked_at_while_another_thread_measures_a_baseline(timer, saxpy):
    """Who measures a baseline keeps others from doing the same and waits for the device; who looks at clocks holds the device."""
    with timer._lock, ThreadPoolExecutor(1) as pool:
        assert pool.submit(timer.doubts.doubt, saxpy, measured_with(0.0), SIZES).result(timeout=30) is None


def test_where_no_round_counted_there_are_no_clocks_to_doubt(timer, saxpy):
    nothing = Measured(blocks=[], partner_blocks=[], exclusive_s=0.1)
    assert timer.doubts.doubt(saxpy, nothing, SIZES) is None


@pytest.mark.parametrize(
    ("sizes", "fit"),
    [([2**20] * 5, 5), ([2**28] * 3, 2), ([2**29] * 3, 2), ([2**30] * 3, 2), ([2**31] * 2, 1), ([8], 1)],
)
def test_two_sets_of_data_fit_unless_they_are_huge(sizes, fit):
    sets = [SimpleNamespace(arrays={"x": SimpleNamespace(nbytes=size)}) for size in sizes]
    assert gpu_timer._fitting(sets) == fit
