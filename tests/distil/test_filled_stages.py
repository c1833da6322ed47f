"""Files of several holes: the source's own turns in them, and what several threads add to one place by atomics."""

import random

import pytest

from regrapht.distil.asked import Asker, Source
from regrapht.distil.families import shared_work, totals
from regrapht.distil.families.pen import Pen
from regrapht.distil.filled_stages import _turn
from regrapht.graph.shipped import shipped_graph
from regrapht.propose.form.beginning import beginning
from regrapht.propose.form.skeleton import HOLE, skeleton
from regrapht.propose.form.stage_skeleton import Kernel

SEVERAL = [totals.histogram, totals.staged, totals.in_steps, shared_work.columns, shared_work.chain]


@pytest.mark.parametrize("maker", SEVERAL, ids=[one.__name__ for one in SEVERAL])
def test_a_reply_begins_as_the_file_does_and_fills_each_hole(maker):
    drawn = maker(Pen("holes"))
    file = skeleton(drawn.task)
    assert file is not None and file.count(HOLE) > 1
    source = Source(origin="test", licence="Apache-2.0")
    found = Asker(drawn.task, shipped_graph(), source, random.Random(1), longest=9999).begun(drawn.body, drawn.outer)
    assert found is not None, file
    shown, program, reply = found
    assert shown == file and reply.startswith(beginning(file)) and reply.endswith("}\n```")
    assert HOLE not in program and reply.count("__global__") == file.count("__global__") == program.count("__global__")
    assert f"void {drawn.task.entry}(" in program and f"void {drawn.task.entry}(" not in reply


TURNS = {
    "an element": ("out[at[i]] += x[i];", "atomicAdd(&out[at[i]], x[i]);"),
    "a number": ("sum += (double)x[i] * y[i];", "atomicAdd(&sum, (double)x[i] * y[i]);"),
    "a count": ("if (x[i] > 0) ++sum;", "if (x[i] > 0) atomicAdd(&sum, 1);"),
    "a count behind": ("out[i % 3]++;", "atomicAdd(&out[i % 3], 1);"),
    "what else there is": (
        "float part = 0; part += x[i]; sum += part;",
        "float part = 0; part += x[i]; atomicAdd(&sum, part);",
    ),
    "taken away": ("out[at[i]] -= x[i];", None),
    "by a pointer": ("float* row = out + i; row[0] += x[i];", None),
}


@pytest.mark.parametrize("kind", TURNS)
def test_what_several_threads_add_to_is_added_to_at_once(kind, any_task):
    line, wanted = TURNS[kind]
    name = "out" if "out" in line else "sum"
    turn = _turn(Kernel("k", "", (line,), frozenset({name})), any_task)
    assert turn == (None if wanted is None else [wanted])


@pytest.fixture
def any_task():
    return totals.histogram(Pen("any")).task
