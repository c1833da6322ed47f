"""Partners' processes are lent again, replaced when they ended or are old, and few idle ones stay. Real processes in the real sandbox."""

import os
import subprocess
import sys
import textwrap
import time
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from regrapht.evaluate.device.harness_process import TimedChild
from regrapht.evaluate.timing import partner_processes
from regrapht.evaluate.timing.partner_processes import Partner, PartnerProcess, Partners
from regrapht.sandbox.sandbox import Command, Limits
from regrapht.sandbox.wire import CallInput, Exchange

TASK = SimpleNamespace(content_hash="one task")


def some_data(kib=1, shapes=1):
    """One set of data a shape."""
    return [[SimpleNamespace(arrays={"x": np.zeros(256 * kib, np.float32)})] for _ in range(shapes)]


def partner(name="naive"):
    return Partner(program=SimpleNamespace(identity=name), baseline=name)


@pytest.fixture
def lender(sandbox, build):
    """Partners of which each process sleeps, and those started so far."""
    started = []

    def start(task, data, wanted):
        call = CallInput(values={}, arrays={}, array_bytes={"z": 16}, wanted=frozenset({"z"}))
        exchange = Exchange((build.array("z", "4", "out"),), [call], awaits_object=True)
        command = Command(argv=("/bin/sleep", "60"), descriptors=exchange.descriptors)
        started.append(
            PartnerProcess(child=TimedChild(sandbox, command, exchange, Limits(wall_s=60), sets=[1]), shapes=data)
        )
        return started[-1]

    lending = Partners(start)
    yield SimpleNamespace(partners=lending, started=started)
    lending.close()
    assert all(process.child.ended for process in started)


def test_the_same_data_have_the_same_process(lender):
    data = some_data()
    first = lender.partners.lend(TASK, data, partner())
    beside = lender.partners.lend(TASK, list(data), partner())
    assert first.child is beside.child and len(lender.started) == 1
    first.give_back()
    beside.give_back()
    later = lender.partners.lend(TASK, data, partner())
    assert later.child is first.child and not first.child.ended


def test_the_same_data_of_fewer_shapes_are_other_ones(lender):
    data = some_data(shapes=2)
    first = lender.partners.lend(TASK, data, partner())
    assert lender.partners.lend(TASK, data[:1], partner()).child is not first.child


@pytest.mark.parametrize("what", ["data", "program", "task"])
def test_anything_else_has_its_own(lender, what):
    data = some_data()
    first = lender.partners.lend(TASK, data, partner())
    task = SimpleNamespace(content_hash="another") if what == "task" else TASK
    other = lender.partners.lend(
        task, some_data() if what == "data" else data, partner("other" if what == "program" else "naive")
    )
    assert other.child is not first.child


def test_one_that_ended_is_not_lent_again(lender):
    data = some_data()
    first = lender.partners.lend(TASK, data, partner())
    first.child.end()
    assert lender.partners.lend(TASK, data, partner()).child is not first.child


def test_one_that_is_old_is_not_lent_again(lender, monkeypatch):
    data = some_data()
    first = lender.partners.lend(TASK, data, partner())
    first.give_back()
    monkeypatch.setattr(partner_processes, "YOUNG_S", 0.0)
    second = lender.partners.lend(TASK, data, partner())
    assert second.child is not first.child and first.child.ended and not second.child.ended


def test_a_new_one_on_demand_leaves_the_other_to_its_user(lender):
    data = some_data()
    user = lender.partners.lend(TASK, data, partner())
    fresh = lender.partners.lend(TASK, data, partner(), anew=True)
    assert fresh.child is not user.child and not user.child.ended
    user.give_back()
    assert user.child.ended and not fresh.child.ended


def test_one_is_renewed(lender):
    lent = lender.partners.lend(TASK, some_data(), partner())
    ended = lent.child
    ended.end()
    lent.renew()
    assert lent.child is not ended and not lent.child.ended
    lent.give_back()
    assert not lent.child.ended


def test_nothing_is_lost_when_a_new_one_cannot_start(lender, monkeypatch):
    data = some_data()
    lent = lender.partners.lend(TASK, data, partner())

    def no_room(*args):
        raise OSError("no room for the exchange")

    monkeypatch.setattr(lender.partners, "_start", no_room)
    for again in (lent.renew, lambda: lender.partners.lend(TASK, data, partner(), anew=True)):
        with pytest.raises(OSError, match="no room"):
            again()
    assert lender.started[0].users == 1
    lent.give_back()
    assert lender.started[0].users == 0 and not lender.started[0].child.ended
    assert lender.partners.lend(TASK, data, partner()).child is lender.started[0].child


def test_four_idle_ones_stay_the_last_used(lender):
    kept = [some_data() for _ in range(6)]
    lent = [lender.partners.lend(TASK, data, partner()) for data in kept]
    for one in lent:
        assert not one.child.ended
        one.give_back()
        time.sleep(0.002)
    assert [one.child.ended for one in lent] == [True, True, False, False, False, False]


def test_idle_ones_with_too_much_data_do_not_stay(lender, monkeypatch):
    monkeypatch.setattr(partner_processes, "_MOST_IDLE_BYTES", 5000)
    small, large = (lender.partners.lend(TASK, some_data(kib), partner()) for kib in (1, 40))
    large.give_back()
    small.give_back()
    assert large.child.ended and not small.child.ended


def test_an_idle_one_ends_after_a_while(lender, monkeypatch):
    monkeypatch.setattr(partner_processes, "IDLE_S", 0.3)
    idle, used = (lender.partners.lend(TASK, some_data(), partner()) for _ in range(2))
    idle.give_back()
    deadline = time.monotonic() + 60
    while not idle.child.ended and time.monotonic() < deadline:
        time.sleep(0.05)
    assert idle.child.ended and not used.child.ended


def test_they_end_with_the_interpreter(tmp_path):
    """A program that judged and ends does not wait for its idle partners, and leaves none behind."""
    marker = f"7654.{os.getpid()}"
    program = tmp_path / "judge.py"
    program.write_text(
        textwrap.dedent(f"""
        from types import SimpleNamespace
        from regrapht.evaluate.device.harness_process import TimedChild
        from regrapht.evaluate.timing.partner_processes import Partner, PartnerProcess, Partners
        from regrapht.sandbox.choose import choose_sandbox
        from regrapht.sandbox.sandbox import Command, Limits
        from regrapht.sandbox.wire import Exchange

        def start(task, data, partner):
            exchange = Exchange((), [], awaits_object=True)
            command = Command(argv=("/bin/sleep", "{marker}"), descriptors=exchange.descriptors)
            return PartnerProcess(child=TimedChild(choose_sandbox(), command, exchange, Limits(wall_s=60), sets=[]), shapes=[])

        partners = Partners(start)
        wanted = Partner(program=SimpleNamespace(identity="p"), baseline=None)
        lent = partners.lend(SimpleNamespace(content_hash="t"), [], wanted)
        lent.give_back()
        assert not lent.child.ended
        """)
    )
    done = subprocess.run([sys.executable, program], timeout=120, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    commands = list[bytes]()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # another's process may end meanwhile
            commands.append(path.read_bytes())
    assert commands and not any(marker.encode() in command for command in commands)
