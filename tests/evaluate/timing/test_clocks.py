"""What is believed of clocks."""

import numpy as np
import pytest

from regrapht.evaluate.device.harness_process import Block
from regrapht.evaluate.timing.clocks import around_us, clocks_agree, hidden_us, ordinary_us

SEED = 20


@pytest.mark.parametrize(
    ("event", "host", "agree"),
    [
        *[(5.0, 15.0, True), (100.0, 115.0, True), (10_000.0, 10_500.0, True), (1e6, 1.02e6, True)],
        *[(0.1, 2000.0, False), (100.0, 160.0, False), (10_000.0, 12_000.0, False)],
    ],
)
def test_work_that_events_do_not_see(event, host, agree):
    assert clocks_agree([(event, host)] * 10) is agree


def test_a_busy_host_blames_nobody():
    samples = [(100.0, 190.0)] * 10
    assert not clocks_agree(samples) and clocks_agree(samples, ordinary_gap_us=80.0)


def blocks(host_us, outside_us, *, count=8, number=12, jitter=5.0, seed=SEED, latency_us=0.0):
    """Blocks of a child that claims `host_us` a call and spends `outside_us` around each, and `latency_us` on each command."""
    rng = np.random.default_rng(seed)
    walls = [
        latency_us + count * (host_us + outside_us) + count * jitter * rng.standard_normal() for _ in range(number)
    ]
    return [Block(pairs=((host_us - 3, host_us),) * count, wall_us=wall + 10, seen_us=wall - 90) for wall in walls]


@pytest.mark.parametrize("host_us", [5.0, 100.0, 10_000.0, 1e6])
def test_honest_blocks_hide_nothing(host_us):
    ordinary = ordinary_us(blocks(200.0, 150.0))
    assert hidden_us(blocks(host_us, 155.0, seed=1), ordinary) == 0.0


@pytest.mark.parametrize(("claimed", "true"), [(0.1, 200.0), (5.0, 60.0), (100.0, 150.0), (1000.0, 1400.0)])
def test_a_forged_clock_is_found_by_the_parents(claimed, true):
    ordinary = ordinary_us(blocks(200.0, 150.0))
    hidden = hidden_us(blocks(claimed, 150.0 + true - claimed, seed=1), ordinary)
    assert hidden == pytest.approx(true - claimed, abs=15)


def test_a_repetition_without_its_ordinary_work_is_found():
    ordinary = ordinary_us(blocks(200.0, 150.0))
    assert hidden_us(blocks(200.0, 20.0, seed=1), ordinary) < -100
    assert hidden_us(blocks(200.0, 120.0, seed=1), ordinary) == 0.0


def test_a_partner_of_few_repetitions_a_block_blames_no_faster_program():
    """On a busy machine a command by itself takes longer than the work around a call: shared by two repetitions of a slow partner it looked
    as if the eight of a fast candidate left something out."""
    busy = {"latency_us": 500.0}
    slow, fast = blocks(5600.0, 40.0, count=2, **busy), blocks(1100.0, 40.0, seed=1, **busy)
    assert hidden_us(fast, ordinary_us(slow)) < -100, "without what a command takes"
    ordinary = ordinary_us(slow, 410.0)
    assert hidden_us(fast, ordinary, 410.0) == 0.0
    assert hidden_us(blocks(1100.0, -80.0, seed=1, **busy), ordinary, 410.0) < -50, "something is left out"
    assert hidden_us(blocks(60.0, 240.0, seed=1, **busy), ordinary, 410.0) == pytest.approx(200, abs=30)
    tiny, alike = blocks(20.0, 40.0, seed=1, **busy), blocks(200.0, 40.0, **busy)
    assert hidden_us(tiny, ordinary_us(alike, 410.0), 410.0) == 0.0


def test_a_slow_partner_whose_ordinary_work_takes_longer_blames_no_faster_program():
    """Made-up figures of the kind that was seen: 330 us around the only call of a slow partner's block, 110 around each of eight, as
    repetitions of the partner without its call have it."""
    slow, fast = blocks(24_000.0, 330.0, count=1), blocks(45.0, 110.0, seed=1)
    ordinary, around = ordinary_us(slow), around_us(blocks(8.0, 110.0, number=3, seed=2), 0.0)
    assert hidden_us(fast, ordinary) < -100, "by its ordinary work alone"
    assert hidden_us(fast, ordinary, around_us=around) == 0.0
    assert hidden_us(blocks(45.0, 20.0, seed=1), ordinary, around_us=around) < -50, "nothing was restored or flushed"
    assert hidden_us(blocks(45.0, 700.0, seed=1), ordinary, around_us=around) > 300, "work is hidden"


def test_there_is_no_work_around_of_no_block():
    assert around_us([], 50.0) is None


def test_an_interrupted_parent_blames_nobody():
    ordinary = ordinary_us(blocks(200.0, 150.0))
    several = blocks(100.0, 150.0, seed=1)
    interrupted = [Block(pairs=b.pairs, wall_us=b.wall_us + 30_000, seen_us=b.seen_us + 30_000) for b in several[:4]]
    assert hidden_us(interrupted + several[4:], ordinary) == 0.0


def test_a_parent_that_cannot_look_blames_nobody():
    """Other threads of its process keep it from looking, each time: what it saw last says less than what was, and its clock says more."""
    ordinary, honest = ordinary_us(blocks(200.0, 150.0)), blocks(100.0, 150.0, seed=1)
    starved = [Block(pairs=b.pairs, wall_us=b.wall_us + 20_000, seen_us=0.3 * b.seen_us) for b in honest]
    assert hidden_us(starved, ordinary) == 0.0
    few = [*blocks(200.0, 150.0), *(Block(pairs=b.pairs, wall_us=b.wall_us + 20_000, seen_us=0.0) for b in honest)]
    assert ordinary_us(few) == pytest.approx(150.0, abs=30)
