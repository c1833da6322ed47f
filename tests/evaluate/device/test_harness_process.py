"""A timed process is commanded block by block; one that ends, hangs or lies is found out. Real processes in the real sandbox."""

import statistics
import subprocess
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

from regrapht.evaluate.build.compile import wire_header
from regrapht.evaluate.device.harness_process import ChildEnded, TimedChild, taken
from regrapht.evaluate.timing.clocks import hidden_us, ordinary_us
from regrapht.sandbox.sandbox import Command, Limits
from regrapht.sandbox.wire import CallInput, CommandKind, Exchange

SETS = [2, 1]
"""Of each shape."""
OBJECT = bytes(range(256)) * 40


@pytest.fixture(scope="module")
def harness(tmp_path_factory):
    folder = tmp_path_factory.mktemp("timed")
    (folder / "wire.h").write_bytes(wire_header())
    source = Path(__file__).with_name("timed_harness.cpp")
    subprocess.run(["g++", "-O1", "-I", str(folder), "-o", str(folder / "harness"), str(source)], check=True)
    return (folder / "harness").read_bytes()


@pytest.fixture
def start(harness, sandbox, build):
    parameters = (build.size("n"), build.array("z", "n", "out"))
    calls = [
        CallInput(
            values={"n": size.to_bytes(4, "little")},
            arrays={},
            array_bytes={"z": 4 * size},
            wanted=frozenset({"z"}),
            samples=50,
            shape=shape,
        )
        for shape, (size, sets) in enumerate(zip((4, 8), SETS, strict=True))
        for _ in range(sets)
    ]

    @contextmanager
    def starting(*arguments):
        with Exchange(parameters, calls, awaits_object=True) as exchange:
            argv = ("./harness", *map(str, arguments))
            command = Command(argv=argv, files={"harness": harness}, descriptors=exchange.descriptors)
            child = TimedChild(sandbox, command, exchange, Limits(wall_s=120), sets=SETS)
            try:
                child.wait_ready()
                child.deliver(OBJECT)
                child.wait_loaded(limit_s=60)
                yield child
            finally:
                child.close()

    return starting


def test_blocks_and_outputs(start):
    with start(100, 110, 50) as child:
        block = child.shapes[0].block(CommandKind.SAMPLE, 7, limit_s=60)
        assert block.pairs == ((100.0, 110.0),) * 7 and block.wall_us > 7 * 160 and 0 < block.seen_us < block.wall_us
        child.shapes[0].keep(1, limit_s=60)
        assert bytes(child.exchange.array(1, "z")) == bytes(16) and not child.exchange.output(1).done
        child.shapes[0].store(1, limit_s=60)
        assert bytes(child.exchange.array(1, "z")) == bytes([41]) * 16
        completed = child.finish()
        assert completed.ok and child.exchange.completed and child.exchange.output(1).done


def test_each_shape_has_its_own_sets(start):
    with start(100, 110, 50) as child:
        first, second = child.shapes
        assert [list(shape.calls) for shape in child.shapes] == [[0, 1], [2]]
        assert len(first.block(CommandKind.SAMPLE, 4, limit_s=60).pairs) == 4
        assert not any(any(pair) for pair in child.exchange.output(2).samples_us), "nothing was repeated at the other"
        assert len(second.block(CommandKind.SAMPLE, 5, limit_s=60).pairs) == 5
        second.keep(0, limit_s=60)
        second.store(0, limit_s=60)
        assert bytes(child.exchange.array(2, "z")) == bytes([42]) * 32 and child.exchange.output(2).done
        assert bytes(child.exchange.array(0, "z")) == bytes(16) and not child.exchange.output(0).done


def test_one_that_had_its_data_was_ready(start):
    with start(100, 110, 50) as child:
        assert child.was_ready


def test_one_that_never_had_was_not(sandbox, build):
    call = CallInput(values={}, arrays={}, array_bytes={"z": 16}, wanted=frozenset({"z"}), samples=1)
    with Exchange((build.array("z", "4", "out"),), [call], awaits_object=True) as exchange:
        command = Command(argv=("/bin/sh", "-c", "exit 71"), descriptors=exchange.descriptors)
        child = TimedChild(sandbox, command, exchange, Limits(wall_s=120), sets=[1])
        with pytest.raises(ChildEnded):
            child.wait_ready()
        assert not child.was_ready
        child.close()


def test_one_that_ends_early(start):
    with start(100, 110, 50, "end_after", 1) as child:
        child.shapes[0].block(CommandKind.SAMPLE, 2, limit_s=60)
        with pytest.raises(ChildEnded) as ended:
            child.shapes[0].block(CommandKind.SAMPLE, 2, limit_s=60)
        assert ended.value.child is child and ended.value.completed.exit_code == 9


def test_one_that_hangs_is_ended(start):
    with start(100, 110, 50, "hang_after", 0) as child:
        with pytest.raises(ChildEnded) as ended:
            child.shapes[0].block(CommandKind.SAMPLE, 2, limit_s=0.3)
        assert ended.value.completed.stopped == "cancelled"


def test_leaving_it_ends_the_process(start):
    with start(100, 110, 50) as child:
        assert not child.exchange.completed
    assert child.end().stopped == "cancelled"


@pytest.mark.slow  # what is measured here is this machine's time
def test_a_parent_that_is_kept_from_looking_blames_nobody(start):
    """Another thread of this process holds the interpreter for tens of milliseconds at a time, as a compiler's library does."""
    stop, numbers = threading.Event(), list(range(1_000_000))

    def hold() -> None:
        while not stop.is_set():
            sorted(numbers, key=int.bit_length)

    with start(290, 300, 200) as child:
        latency_us = child.shapes[0].latency_us(limit_s=60)
        ordinary = ordinary_us([child.shapes[0].block(CommandKind.SAMPLE, 4, limit_s=60) for _ in range(9)], latency_us)
        holder = threading.Thread(target=hold)
        holder.start()
        try:
            blocks = [child.shapes[0].block(CommandKind.SAMPLE, 4, limit_s=60) for _ in range(9)]
        finally:
            stop.set()
            holder.join()
    late_us = [block.wall_us - 4 * 500 for block in blocks]
    print("answers seen late by", [round(us) for us in late_us])
    assert statistics.median(late_us) > 2_000, "the test disturbs nothing"
    assert hidden_us(blocks, ordinary, latency_us) == 0.0


def test_a_command_for_nothing_takes_next_to_nothing(start):
    with start(290, 300, 20_000) as child:
        assert child.shapes[0].latency_us(limit_s=60) > 0
        assert not any(any(pair) for pair in child.exchange.output(0).samples_us), "no repetition was made"
        assert len(child.shapes[0].block(CommandKind.SAMPLE, 4, limit_s=60).pairs) == 4, (
            "and it is there for the next command"
        )


@pytest.mark.slow  # what is measured here is this machine's time
def test_one_that_claims_less_than_it_takes_is_found(start):
    """Two milliseconds hidden in each call: the parent's clock has them, the child's does not."""

    def measured(*arguments):
        with start(*arguments) as child:
            return [child.shapes[0].block(CommandKind.SAMPLE, 4, limit_s=60) for _ in range(9)]

    def found(*arguments):
        """What is found hidden, the times around a call taken on the same processor just before."""
        return hidden_us(measured(*arguments), ordinary_us(measured(290, 300, 200)))

    # A processor that is busy otherwise may hold any one measurement up.
    assert any(found(490, 500, 200) == 0.0 for _ in range(8))
    assert any(found(1, 2, 2200) == pytest.approx(2000, rel=0.5) for _ in range(8))


def test_untaken_repetitions_are_dropped():
    assert taken([(1.0, 2.0), (0.0, 0.0), (float("nan"), 1.0), (3.0, 4.0)]) == [(1.0, 2.0), (3.0, 4.0)]
