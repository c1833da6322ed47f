"""A small landscape made by hand: two techniques whose orders meet, a second setting, a program that fails."""

import hashlib
from dataclasses import replace

import pytest

from regrapht.bench.landscape.records import Extent, Landscape, RecordedProgram, RecordedTransition, Step
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.records.measurement import Scale, Yardstick
from regrapht.records.technique import Area, Technique
from regrapht.records.verdict import Status
from regrapht.testing.synthetic import ENVIRONMENT, START_COST, synthetic_task, synthetic_verdict

TILE, UNROLL, PAD = "tile", "unroll", "pad"


def recorded(number, cost, transitions, *, status=Status.PASSED):
    source = f"int program_{number};"
    judged_as = hashlib.sha256(source.encode()).hexdigest()
    verdict = synthetic_verdict(status, cost=cost, candidate_id=judged_as)
    return RecordedProgram(
        source=source,
        program_hash=f"hash-{number}",
        decisions="{}",
        distance=number,
        verdicts=(replace(verdict, task_hash=synthetic_task().content_hash, environment=None),),
        transitions=tuple(
            RecordedTransition(
                technique=slug, steps=tuple(Step(program=child, techniques=added) for child, added in steps)
            )
            for slug, steps in transitions.items()
        ),
    )


@pytest.fixture
def landscape():
    """0 -tile-> 1 or 4; 0 -unroll-> 2; 1 -unroll-> 3; 2 -tile-> 3; 2 -pad-> 5 (wrong); tiling at 2 brings `pad` along."""
    return Landscape(
        task=synthetic_task(),
        evaluator="synthetic",
        protocol="",
        environment=ENVIRONMENT,
        yardstick=Yardstick(scale=Scale.MODELLED, start=START_COST, floor=1.0, start_name="plain"),
        extent=Extent(depth=2, programs=10, attempts=2),
        recorded="2026-01-01",
        first=(Step(program=0, techniques=("map",)),),
        programs=(
            recorded(0, START_COST, {TILE: [(1, (TILE,)), (4, (TILE,))], UNROLL: [(2, (UNROLL,))]}),
            recorded(1, START_COST / 2, {UNROLL: [(3, (UNROLL,))]}),
            recorded(2, START_COST * 2, {TILE: [(3, (PAD, TILE))], PAD: [(5, (PAD,))]}),
            recorded(3, START_COST / 8, {}),
            recorded(4, START_COST / 1.5, {}),
            recorded(5, START_COST, {}, status=Status.WRONG_VALUE),
        ),
    )


@pytest.fixture
def graph():
    return TechniqueGraph(
        techniques={
            slug: Technique(slug=slug, title=slug, area=Area.MEMORY, meaning="Made up.", condition="Always.")
            for slug in (TILE, UNROLL, PAD, "map", "elsewhere")
        }
    )
