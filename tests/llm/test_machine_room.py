"""How many threads a model may write with beside what else runs here."""

import os

import pytest

from regrapht.llm import machine_room


@pytest.mark.parametrize(
    ("usable", "machine", "load", "idle"),
    [(8, 8, 0.2, 8), (8, 8, 3.6, 4), (2, 2, 1.7, 1), (2, 2, 9.0, 1), (2, 64, 40.0, 2), (1, 1, 0.0, 1)],
)
def test_threads_that_write_leave_busy_cores_alone(monkeypatch, usable, machine, load, idle):
    monkeypatch.setattr(machine_room, "usable_cores", lambda: usable)
    monkeypatch.setattr(os, "cpu_count", lambda: machine)
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 0.0, 0.0))
    assert machine_room.idle_cores() == idle
