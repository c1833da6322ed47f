"""T8 and T1 on made-up states of a device whose default clock is 1980 MHz."""

import pytest

from regrapht.evaluate.device.nvml import DeviceState
from regrapht.evaluate.device.throttling import BlockGuard, Dropped, Kept, held_back


def state(sm_mhz: int | None = 1980, *reasons: str, default: int | None = 1980, **more: object) -> DeviceState:
    return DeviceState(sm_mhz=sm_mhz, default_sm_mhz=default, reasons=frozenset(reasons), **more)


FULL, SLOW = state(), state(1484)


@pytest.mark.parametrize(
    ("looked", "why"),
    [
        (state(1980), None),
        (state(1485), None),
        (state(1484), "low clock"),
        (state(1980, "hw_thermal"), "hw_thermal"),
        (state(1980, "sw_thermal"), "sw_thermal"),
        (state(1980, "hw_slowdown", "hw_power_brake"), "hw_power_brake and hw_slowdown"),
        (state(1700, "sw_power_cap"), None),
        (state(1300, "sw_power_cap"), "low clock with sw_power_cap"),
        (state(345, "idle"), None),
        (state(345, "idle", "hw_thermal"), "hw_thermal"),
        (state(1000, "set_clocks"), None),
        (state(1000, "set_clocks", "sw_power_cap"), "low clock with sw_power_cap"),
        (state(1000, "sync_boost"), "low clock with sync_boost"),
        (state(1000, default=None, max_sm_mhz=1980), "low clock"),
        (state(1000, default=None), None),
        (state(None, "sw_power_cap"), None),
        (DeviceState(sm_mhz=1000, default_sm_mhz=1980), "low clock"),
        (DeviceState(), None),
    ],
)
def test_what_holds_a_device_back(looked, why):
    assert held_back(looked) == why


def test_a_good_block_is_kept_with_its_clock():
    guard = BlockGuard()
    assert guard.admit(state(345, "idle"), state(1905, "sw_power_cap")) == Kept(sm_mhz=1905)
    assert guard.admit(state(1980), state(1755)) == Kept(sm_mhz=1755)
    assert guard.verdict() is None and guard.labels == () and guard.clocks_mhz == (1755, 1980)


def test_either_side_or_the_middle_of_a_block_can_spoil_it():
    guard = BlockGuard()
    for before, during, after in ((SLOW, (), FULL), (FULL, (), SLOW), (FULL, (FULL, SLOW), FULL)):
        assert isinstance(guard.admit(before, after, during=during), Dropped)


def test_pauses_grow_to_a_bound_and_begin_anew_after_a_good_block():
    guard = BlockGuard()
    pauses = [guard.admit(FULL, SLOW).pause_s for _ in range(8)]
    assert pauses == [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 2.0, 2.0]
    assert isinstance(guard.admit(FULL, FULL), Kept)
    assert guard.admit(FULL, SLOW).pause_s == 0.05


def test_half_dropped_is_believed_and_more_is_not():
    guard = BlockGuard()
    for looked in (FULL, SLOW, FULL, SLOW):
        guard.admit(looked, looked)
    assert guard.verdict() is None
    guard.admit(FULL, state(1980, "hw_thermal"))
    assert guard.verdict() == "the device was held back in 3 of 5 blocks: low clock (2), hw_thermal (1)"


def test_no_block_at_all_is_no_timing():
    assert BlockGuard().verdict() == "the device was held back in 0 of 0 blocks"


def test_a_device_that_tells_nothing_is_labelled_not_trusted_in_silence():
    guard = BlockGuard()
    assert guard.admit(None, None) == Kept(sm_mhz=None)
    assert guard.admit(DeviceState(), DeviceState(temperature_c=50)) == Kept(sm_mhz=None)
    assert guard.verdict() is None and guard.labels == ("throttling_unknown",) and guard.clocks_mhz is None


def test_clocks_that_someone_set_are_a_label():
    guard = BlockGuard()
    assert guard.admit(state(1000, "set_clocks"), state(1000, "set_clocks")) == Kept(sm_mhz=1000)
    assert guard.labels == ("set_clocks",)
