"""Every input: the plain version, one candidate a rule that applies, and short chains, each beside the reference on the emulator."""

import random
import re
from pathlib import Path

import pytest

from regrapht.errors import CannotTransform
from regrapht.propose.transform_engine import TransformProposer
from regrapht.transform.engine import Engine
from regrapht.transform.rules import BY_SLUG, RULES
from regrapht.transform.rules.application import choices
from regrapht.transform.rules.decisions import Decision, decisions_from_json

INPUTS = sorted(path.stem for path in (Path(__file__).parent / "inputs").glob("[a-z]*.cpp"))
REFUSED = {"recursive_sum": (7, "call of 'halves'")}
TAKEN = [name for name in INPUTS if name not in REFUSED]
SAMPLE = [  # name, techniques in order: every kind of kernel once
    ("saxpy", ["grid_stride_loop"]),
    ("grey_image", ["thread_coarsening"]),
    ("box_filter", ["map_2d", "shared_memory_halo", "loop_unrolling"]),
    ("gemm_strided_ld", ["map_2d", "shared_memory_tiling", "register_tiling", "restrict_read_only"]),
    ("layer_norm", ["warp_shuffle_reduction"]),
    ("range_and_count", ["block_reduction", "two_stage_reduction"]),
    ("sum_int", ["atomic_reduction"]),
    ("histogram_bytes", ["shared_memory_histogram"]),
    ("transpose_bytes", ["map_2d", "shared_memory_transpose", "shared_memory_padding"]),
    ("permute_axes", ["loop_interchange", "map_3d", "block_size_tuning"]),
    ("power_iteration", []),
    ("unsigned_edges", []),
    ("clip_reserved", ["block_reduction"]),
    ("narrow_types", ["warp_shuffle_reduction"]),
]


def chain(engine: Engine, task, slugs: list[str], setting: int = 0) -> tuple[Decision, ...]:
    """The decisions of applying techniques in order, each with one of its settings, to the plain version."""
    decisions = decisions_from_json(TransformProposer().plain(task).origin.decisions)
    for slug in slugs:
        found = choices(engine.program(task, decisions), BY_SLUG[slug])
        assert found, f"{slug} does not apply after {[d.technique for d in decisions]}"
        decisions = (*decisions, found[setting % len(found)].decision)
    return decisions


@pytest.mark.parametrize(("name", "slugs"), SAMPLE, ids=[name for name, _ in SAMPLE])
def test_sample(name, slugs, bench, read_input):
    engine, task = Engine(), read_input(name)
    source = engine.text(task, chain(engine, task, slugs))
    assert bench.differences(task, source) == [], source


@pytest.mark.parametrize("name", TAKEN)
def test_plain_version_of_every_input_is_written(name, read_input):
    task = read_input(name)
    source = TransformProposer().plain(task).source
    assert parameter_types(source, task.entry) == parameter_types(task.signature, task.entry)


def parameter_types(text: str, entry: str) -> list[str]:
    """The types in the declaration of the entry; names are the program's own affair."""
    inside = re.search(rf'extern "C" void {entry}\((.*?)\)', text, re.S)[1]
    return [re.sub(r"\s*\w+$", "", " ".join(part.split())) for part in inside.split(",")]


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_cannot_be_taken_is_said(name, read_input):
    with pytest.raises(CannotTransform) as refused:
        Engine().analysis(read_input(name))
    line, word = REFUSED[name]
    assert (refused.value.line, word in refused.value.reason) == (line, True)
    assert refused.value.remedy


@pytest.mark.slow
@pytest.mark.parametrize("name", TAKEN)
def test_every_rule(name, bench, read_input):
    engine, task = Engine(), read_input(name)
    start = chain(engine, task, [])
    assert bench.differences(task, engine.text(task, start)) == []
    for rule in RULES:
        found = choices(engine.program(task, start), rule)
        for choice in {0: found[:1], 1: found[-1:]}.values():
            for one in choice:
                source = engine.text(task, (*start, one.decision))
                assert bench.differences(task, source) == [], f"{one.decision}\n{source}"


@pytest.mark.slow
@pytest.mark.parametrize("name", TAKEN)
def test_chains(name, bench, read_input):
    engine, task, chance = Engine(), read_input(name), random.Random(name)
    for _ in range(3):
        decisions = chain(engine, task, [])
        for _ in range(chance.randint(2, 5)):
            fitting = [ways for rule in RULES if (ways := choices(engine.program(task, decisions), rule))]
            if fitting:
                decisions = (*decisions, chance.choice(chance.choice(fitting)).decision)
        source = engine.text(task, decisions)
        assert bench.differences(task, source) == [], f"{[str(d) for d in decisions]}\n{source}"
