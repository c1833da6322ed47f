"""What the families draw: tasks that the engine reads, varied, the same for the same seed; and threads' code that the judge accepts."""

import random
import re

import pytest

from regrapht.distil.asked import Asker, Source
from regrapht.distil.families import FAMILIES, draw
from regrapht.distil.families.pen import TURNINGS, Pen
from regrapht.distil.families.surroundings import inside
from regrapht.distil.judged import Bench
from regrapht.graph.shipped import shipped_graph
from regrapht.propose.form.skeleton import HOLE
from regrapht.propose.form.stage_skeleton import kernels_of_stages
from regrapht.propose.transform_engine import TransformProposer
from regrapht.records.verdict import Level
from regrapht.sandbox.choose import choose_sandbox

NAMES = [maker.__name__ for maker, _ in FAMILIES]
MAKERS = [maker for maker, _ in FAMILIES]


@pytest.mark.slow
@pytest.mark.parametrize("maker", MAKERS, ids=NAMES)
def test_the_engine_takes_what_a_family_draws(maker):
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    engine = TransformProposer()
    for number in range(3):
        drawn = maker(Pen(f"{seed}/{number}"))
        assert engine.plain(drawn.task).source, drawn.task.reference.source.text
        assert drawn.task.licence


def test_the_same_seed_draws_the_same():
    assert [draw(3, k).task.content_hash for k in range(9)] == [draw(3, k).task.content_hash for k in range(9)]
    assert draw(3, 1).task.content_hash != draw(4, 1).task.content_hash


def test_functions_differ_beyond_their_names():
    """Of 200 drawn, most stay different where names and numbers count for nothing."""
    shapes = {re.sub(r"\b\w+\b", "w", draw(5, k).task.reference.source.text) for k in range(200)}
    assert len(shapes) > 150


@pytest.mark.slow
@pytest.mark.parametrize("maker", MAKERS, ids=NAMES)
def test_a_threads_code_is_right_in_the_skeleton(maker):
    """Families whose elements are made alone say how; the product reads that as a program, and the judge accepts it."""
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    drawn = maker(Pen(f"{seed}"))
    source = Source(origin="test", licence="Apache-2.0")
    found = Asker(drawn.task, shipped_graph(), source, random.Random(seed), longest=9999).begun(drawn.body, drawn.outer)
    if not drawn.outer and len(kernels_of_stages(drawn.task, HOLE)) == 0:
        assert found is None
        return
    assert found is not None, drawn.task.reference.source.text
    _, program, reply = found
    judged = Bench(drawn.task, choose_sandbox(), Level.SCREEN).judge(program, ())
    assert judged.verdict.passed, f"{judged.verdict.reason}\n{program}"
    assert reply.startswith("```cuda\n") and reply.endswith("```")


@pytest.mark.parametrize("turning", TURNINGS)
def test_no_thread_stands_on_the_rim_however_loops_count(turning):
    """The file with the hole knows the rim from the loops' heads, or has a guard for it; a turn that is put there needs it."""
    for seed in range(3):
        pen = Pen(f"rim {seed}")
        pen.turning = turning
        drawn = inside(pen)
        asker = Asker(
            drawn.task, shipped_graph(), Source(origin="test", licence="x"), random.Random(seed), longest=9999
        )
        _, program, _ = asker.begun(drawn.body, drawn.outer)
        (guard,) = re.findall(r"if \((\w+ >= .*)\) return;", program)
        assert guard.count(" < 1") == guard.count(" - 1") == len(drawn.outer), drawn.task.reference.source.text
