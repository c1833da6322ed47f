"""The timed protocol with made-up children: who is asked for how much, when it ends, and what it can tell apart."""

from dataclasses import replace

import numpy as np
import pytest

from regrapht.evaluate.device.harness_process import Block
from regrapht.evaluate.timing import paired_timing
from regrapht.evaluate.timing.paired_timing import NoWatch, TimingPlan, measure
from regrapht.evaluate.timing.ratios import paired_ratio
from regrapht.records.measurement import Comparison
from regrapht.sandbox.wire import CommandKind

PLAN = TimingPlan(least=30, rounds=4, warm_s=0.0, sample_s=0.5, further=True)
SEED = 7


class MadeUpChild:
    """Answers at once with times around `centre_us`; both children of a pair share a `machine` that drifts."""

    def __init__(self, centre_us, machine, log, *, spread=0.01):
        self._centre, self._machine, self._log, self._spread = centre_us, machine, log, spread
        self.kept, self.stored = [], []

    def block(self, kind, count, *, limit_s):
        self._log.append((self, kind, count))
        speed = self._machine.speed()
        times = self._centre * speed * np.exp(self._spread * self._machine.rng.standard_normal(count))
        wall_us = float(times.sum()) + 100 * count
        return Block(pairs=tuple((float(t), float(t) + 4) for t in times), wall_us=wall_us, seen_us=wall_us)

    def latency_us(self, *, limit_s):
        return 50.0

    def keep(self, data_set, *, limit_s):
        self.kept.append(data_set)

    def store(self, data_set, *, limit_s):
        assert self.kept[-1] == data_set
        self.stored.append(data_set)


class DriftingMachine:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self._speed = 1.0

    def speed(self):
        self._speed += 0.005 * self.rng.standard_normal() - 0.1 * (self._speed - 1)
        return self._speed


def pair(candidate_us, partner_us, seed, **more):
    machine, log = DriftingMachine(seed), []
    return MadeUpChild(candidate_us, machine, log, **more), MadeUpChild(partner_us, machine, log, **more), log


def test_blocks_go_abba_and_everything_is_kept():
    candidate, partner, log = pair(100, 200, SEED)
    looked = []
    measured = measure(candidate, partner, PLAN, watch=NoWatch(), looks=looked.append, sets=3)
    order = "".join(
        "A" if who is candidate else "B" for who, kind, count in log if kind is CommandKind.SAMPLE and count > 2
    )
    assert order.endswith("ABBA" * PLAN.rounds), order
    assert len(measured.rounds) >= PLAN.rounds and len(measured.pairs) >= PLAN.least
    assert candidate.kept[-3:] == [0, 1, 2] and looked, "each set at the end, and one at least in between"
    assert candidate.stored == looked, "the last ones are stored when the device need not be held alone"
    assert len(measured.kernel_us) >= 3 and len(measured.with_transfers_us) >= 2 and measured.first_call_us > 0


def test_large_outputs_are_not_stored_meanwhile():
    candidate, partner, _ = pair(100, 200, SEED)
    measure(candidate, partner, PLAN, watch=NoWatch(), looks=None, sets=2)
    assert candidate.kept == [0, 1] and not candidate.stored


def test_the_work_around_a_call_is_that_of_the_trusted_program_in_blocks_as_long_as_a_quick_candidates():
    candidate, partner, log = pair(100, 3e5, SEED)
    measured = measure(candidate, partner, PLAN, watch=NoWatch())
    around = [(who, count) for who, kind, count in log if kind is CommandKind.AROUND]
    assert around == [(partner, len(measured.blocks[0].pairs))] * len(measured.around_blocks) and around[0][1] == 8
    assert len(measured.partner_blocks[0].pairs) == 1


def test_kernel_time_is_measured_of_both():
    candidate, partner, log = pair(100, 200, SEED)
    measured = measure(candidate, partner, PLAN, watch=NoWatch())
    assert [who for who, kind, _ in log if kind is CommandKind.QUEUED] == [candidate, partner]
    assert np.median(measured.kernel_us) == pytest.approx(100, rel=0.1)
    assert np.median(measured.partner_kernel_us) == pytest.approx(200, rel=0.1)


def test_sets_that_nobody_has_seen_are_asked_for_once():
    candidate, partner, _ = pair(100, 200, SEED)
    unseen = [2, 3]
    for _ in range(2):  # clocks that disagree are asked again
        measure(candidate, partner, PLAN, watch=NoWatch(), sets=2, unseen=unseen)
    assert not unseen and [candidate.kept.count(data_set) for data_set in (2, 3)] == [1, 1]


def test_a_program_against_itself_is_same_and_a_slower_one_slow():
    print("seed", SEED)

    def outcomes(candidate_us):
        found = []
        for i in range(40):
            candidate, partner, _ = pair(candidate_us, 100, SEED + i)
            measured = measure(candidate, partner, PLAN, watch=NoWatch())
            found.append(paired_ratio("naive", measured.rounds).comparison)
        return found

    assert outcomes(100).count(Comparison.SAME) >= 38
    assert outcomes(105).count(Comparison.SLOW) >= 38


def test_slow_programs_are_asked_for_one_repetition_at_a_time():
    candidate, partner, log = pair(3e5, 9e5, SEED)
    measure(candidate, partner, TimingPlan(least=5, rounds=1, warm_s=0, sample_s=0.01), watch=NoWatch())
    assert {count for _, kind, count in log[4:] if kind is CommandKind.SAMPLE} == {1}


@pytest.mark.parametrize(("further", "calls"), [(False, 5), (True, 8)])
def test_a_program_of_seconds_holds_the_device_for_few_calls(further, calls):
    """In a plan that asks for thirty samples: where the time for them is over at once, as it is after the first of them."""
    candidate, partner, log = pair(3e6, 4e6, SEED)
    plan = TimingPlan(least=30, rounds=4, warm_s=0.2, sample_s=0.0, further=further)
    looked = []
    measured = measure(candidate, partner, plan, watch=NoWatch(), looks=looked.append, sets=1)
    assert len(measured.pairs) == 2 and candidate.kept == [0] and not looked, (
        "outputs are kept and compared all the same"
    )
    for child in (candidate, partner):
        called = sum(count for who, kind, count in log if who is child and kind is not CommandKind.AROUND)
        assert called + len(child.kept) <= calls
    if further:
        assert len(measured.kernel_us) == len(measured.with_transfers_us) == 1


def test_a_program_that_only_begins_slowly_is_looked_at_like_any_other():
    candidate, _, log = pair(100, 100, SEED)
    plain = candidate.block

    def slow_at_first(kind, count, *, limit_s):
        block = plain(kind, count, limit_s=limit_s)
        return replace(block, wall_us=3e6) if len(log) == 1 else block

    candidate.block, looked = slow_at_first, []
    plan = TimingPlan(least=30, rounds=4, warm_s=0.0, sample_s=0.0)
    measured = measure(candidate, None, plan, watch=NoWatch(), looks=looked.append)
    assert looked and len(measured.pairs) >= 3 and not measured.is_slow


def test_noisy_programs_end_with_the_time():
    candidate, _, _ = pair(100, 100, SEED, spread=0.5)
    plan = TimingPlan(least=30, rounds=4, warm_s=0.0, sample_s=0.05, most=100_000)
    measured = measure(candidate, None, plan, watch=NoWatch())
    assert len(measured.pairs) >= 30 and measured.exclusive_s < 5 and not measured.partner_blocks


def test_the_number_of_samples_is_capped():
    candidate, _, _ = pair(100, 100, SEED, spread=0.9)
    plan = TimingPlan(least=30, rounds=4, warm_s=0.0, sample_s=60, most=200)
    assert 200 <= len(measure(candidate, None, plan, watch=NoWatch()).pairs) < 250


class EveryOther:
    """A watch that drops every other round."""

    def __init__(self):
        self.asked = self.dropped = 0

    def before(self):
        self.asked += 1

    def keeps(self):
        self.dropped += self.asked % 2
        return self.asked % 2 == 0


def test_dropped_rounds_do_not_count():
    candidate, partner, _ = pair(100, 200, SEED)
    watch = EveryOther()
    measured = measure(candidate, partner, PLAN, watch=watch)
    assert watch.dropped >= PLAN.rounds and len(measured.rounds) == watch.asked - watch.dropped


def test_where_every_round_is_dropped_nothing_is_measured(monkeypatch):
    class Never(EveryOther):
        def keeps(self):
            return False

    monkeypatch.setattr(paired_timing, "_BLOCK_LIMIT_S", 0.2)
    candidate, partner, _ = pair(100, 200, SEED)
    measured = measure(candidate, partner, replace(PLAN, further=True), watch=Never())
    assert not measured.rounds and not measured.pairs and not measured.kernel_us


@pytest.mark.parametrize("sleeper_us", [100_000])
def test_slow_first_calls_do_not_reach_the_median(sleeper_us):
    candidate, _, _ = pair(100, 100, SEED)
    plain, calls = candidate.block, []

    def slow_at_first(kind, count, *, limit_s):
        calls.append(count)
        block = plain(kind, count, limit_s=limit_s)
        if sum(calls) > 5:
            return block
        wall_us = sleeper_us * count
        return Block(pairs=tuple((sleeper_us, sleeper_us + 4.0) for _ in block.pairs), wall_us=wall_us, seen_us=wall_us)

    candidate.block = slow_at_first
    measured = measure(candidate, None, TimingPlan(least=30, rounds=4, warm_s=0.02, sample_s=0.5), watch=NoWatch())
    assert 80 < measured.samples.median_us < 120 and len(measured.pairs) >= 30
    assert measured.first_call_us > 50_000, "reported apart"
