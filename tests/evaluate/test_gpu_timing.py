"""Clocks that disagree are asked again: by chance they disagree once, for a program that hides work each time."""

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest

from regrapht.evaluate import gpu_timing
from regrapht.evaluate.gpu_timing import GpuTimer
from regrapht.evaluate.lease import MACHINE
from regrapht.evaluate.paired_timing import Measured
from regrapht.evaluate.partners import Partner
from regrapht.evaluate.timing import Block

SIZES = {"n": 5000}
PARTNER = Block(
    pairs=((100.0, 105.0),) * 8, wall_us=8 * 135.0, seen_us=8 * 135.0
)  # 30 us of ordinary work around each call


def session(hidden_us: float) -> Measured:
    """A session whose candidate's repetitions take that much longer outside than its clocks say."""
    wall_us = 8 * (115.0 + hidden_us)
    own = Block(pairs=((80.0, 85.0),) * 8, wall_us=wall_us, seen_us=wall_us)
    return Measured(blocks=[own], partner_blocks=[PARTNER], exclusive_s=0.1)


@pytest.fixture
def timer():
    timer = object.__new__(GpuTimer)  # no device: only what is made of blocks is looked at
    timer._lock, timer._ordinary_lock, timer._ordinary = threading.RLock(), threading.Lock(), {}
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
    monkeypatch.setattr(gpu_timing, "exclusive", lambda name: contextlib.nullcontext(alone.append(name)))
    sessions = iter([session(us) for us in hidden])
    measured = timer._until_explained(saxpy, SIZES, lambda: next(sessions))
    assert len(list(sessions)) == len(hidden) - looks
    assert (timer._doubt(saxpy, measured, SIZES) is None) is believed
    assert measured.exclusive_s == pytest.approx(0.1 * looks)
    assert alone == [MACHINE] * (looks == 3), "the last time nobody on the machine starts a process"


def test_a_partner_comes_back_when_the_candidates_process_cannot_start(timer, saxpy, monkeypatch):
    lent = SimpleNamespace(child=SimpleNamespace(exchange=None), backs=[])
    lent.give_back = lambda: lent.backs.append("back")
    timer.gpu = SimpleNamespace(uuid="GPU-of-a-test")
    timer.partners = SimpleNamespace(lend=lambda *args, **kwargs: lent)
    monkeypatch.setattr(gpu_timing, "shared", contextlib.nullcontext)

    def no_room(*args):
        raise OSError("no room for the exchange")

    timer._child = no_room
    sets = [SimpleNamespace(arrays={"x": np.zeros(4, np.float32)})]
    with pytest.raises(OSError, match="no room"):
        timer.open(saxpy, sets, Partner(program=None, baseline="naive"))
    assert lent.backs == ["back"]


def test_clocks_are_looked_at_while_another_thread_measures_a_baseline(timer, saxpy):
    """Who measures a baseline keeps others from doing the same and waits for the device; who looks at clocks holds the device."""
    with timer._lock, ThreadPoolExecutor(1) as pool:
        assert pool.submit(timer._doubt, saxpy, session(0.0), SIZES).result(timeout=30) is None


def test_where_no_round_counted_there_are_no_clocks_to_doubt(timer, saxpy):
    nothing = Measured(blocks=[], partner_blocks=[], exclusive_s=0.1)
    assert timer._doubt(saxpy, nothing, SIZES) is None


@pytest.mark.parametrize(
    ("sizes", "fit"),
    [([2**20] * 5, 5), ([2**28] * 3, 2), ([2**29] * 3, 2), ([2**30] * 3, 2), ([2**31] * 2, 1), ([8], 1)],
)
def test_two_sets_of_data_fit_unless_they_are_huge(sizes, fit):
    sets = [SimpleNamespace(arrays={"x": SimpleNamespace(nbytes=size)}) for size in sizes]
    assert gpu_timing._fitting(sets) == fit
