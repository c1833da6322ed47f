import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from regrapht.graph.vocabulary import load_vocabulary
from regrapht.propose.applicability import cannot_apply, is_taken_again
from regrapht.records.candidate import Candidate, NoSource, Origin

MAPPED = "__global__ void k(float* y) { y[blockIdx.x * blockDim.x + threadIdx.x] = 0; }"
SHARED = "__global__ void k(float* y) { __shared__ float s[32]; s[threadIdx.x] = 0; atomicAdd(y, s[0]); }"
ONE_THREAD = "__global__ void k(float* y) { y[0] = 0; }"
ROWS = "__global__ void k(int n, float* y) { for (int i = 0; i < n; ++i) y[threadIdx.x] += i; }"
WHOLE_NUMBERS = "__global__ void k(int* y) { y[threadIdx.x] = 0; }  // no float, and no loop for this"
ONCE = ROWS + ' extern "C" void f(int n, float* y) { k<<<1, 32>>>(n, y); }'
TWICE = ROWS + ' extern "C" void f(int n, float* y) { k<<<1, 32>>>(n, y); k<<<1, 32>>>(n, y); }'
CLEARED = ROWS + ' extern "C" void f(int n, float* y) { cudaMemset(y, 0, 4 * n); k<<<1, 32>>>(n, y); }'
STEPS = ROWS + ' extern "C" void f(int n, float* y) { while (n--) k<<<1, 32>>>(n, y); }'
TRAJECTORIES = Path(__file__).parents[2] / "trajectories"
BY_THEIR_CONDITION = ("warp_aggregated_atomics", "loop_invariant_hoisting")
"""Two experts each went there from programs without atomics, or loops, which the technique's condition asks for."""


SLUGS_OF_LOOPS = (
    "loop_unrolling",
    "loop_invariant_hoisting",
    "load_balancing",
    "register_tiling",
    "warp_per_row",
    "double_buffering",
)


def program(source):
    return Candidate(source=source, program_hash=source, origin=Origin(proposer="t", seconds=0.0))


@pytest.mark.parametrize(
    ("source", "technique", "cannot"),
    [
        *((MAPPED, slug, True) for slug in ("map_to_threads", "map_2d", "map_3d")),
        *((ONE_THREAD, slug, False) for slug in ("map_to_threads", "map_2d", "map_3d")),
        (MAPPED, "shared_memory_padding", True),
        (SHARED, "shared_memory_padding", False),
        (MAPPED, "asynchronous_copy", True),
        (SHARED, "asynchronous_copy", False),
        (MAPPED, "warp_aggregated_atomics", True),
        (SHARED, "warp_aggregated_atomics", False),
        (MAPPED, "shared_memory_tiling", False),
        *((MAPPED, slug, True) for slug in SLUGS_OF_LOOPS),
        *((ROWS, slug, False) for slug in SLUGS_OF_LOOPS),
        *((MAPPED, slug, True) for slug in ("block_reduction", "block_scan", "shared_memory_histogram")),
        *((ROWS, slug, False) for slug in ("block_reduction", "block_scan", "shared_memory_histogram")),
        *((SHARED, slug, False) for slug in ("block_reduction", "block_scan", "shared_memory_histogram")),
        (WHOLE_NUMBERS, "fast_math_intrinsics", True),
        (WHOLE_NUMBERS, "loop_unrolling", True),
        (MAPPED, "fast_math_intrinsics", False),
        *((ONCE, slug, True) for slug in ("launch_reduction", "cuda_graph")),
        *((several, "launch_reduction", False) for several in (TWICE, CLEARED, STEPS)),
        *((several, "cuda_graph", False) for several in (TWICE, CLEARED, STEPS)),
        (MAPPED, "a technique of tomorrow", False),
    ],
)
def test_only_what_the_text_shows_is_sure(source, technique, cannot):
    assert cannot_apply(program(source), technique) is cannot


@pytest.mark.parametrize(
    ("slug", "again"),
    [("vectorised_access", True), ("kernel_fusion", False), ("loop_unrolling", False)],
)
def test_what_a_program_has_is_taken_again_where_experts_do(slug, again):
    made = replace(program(ROWS), techniques=("map_to_threads", "vectorised_access", "kernel_fusion"))
    assert is_taken_again(made, slug) is again


def test_nothing_applies_to_no_program():
    origin = Origin(proposer="t", seconds=0.0)
    nothing = Candidate(source=None, program_hash=None, origin=origin, no_source=NoSource.UNPARSABLE, reason="prose")
    assert cannot_apply(nothing, "loop_unrolling")


def test_most_techniques_stay_open_at_a_mapped_program():
    slugs = load_vocabulary().techniques
    assert sum(cannot_apply(program(ROWS), slug) for slug in slugs) <= 8
    assert sum(cannot_apply(program(MAPPED), slug) for slug in slugs) < 0.4 * len(slugs)


def refused_steps(folders):
    """Steps that experts took and the text is said to forbid, and how many were looked at."""
    refused, steps = [], 0
    for folder in folders:
        files = sorted(folder.glob("[0-9][0-9]_*.cu"))
        for before, after in itertools.pairwise(files):
            technique = after.stem[3:]
            if not technique.startswith("map_") and technique not in BY_THEIR_CONDITION:
                steps += 1
                refused += [str(after)] if cannot_apply(program(before.read_text()), technique) else []
    return refused, steps


def folders():
    return sorted({path.parent for path in TRAJECTORIES.rglob("01_*.cu")})


def test_no_step_of_an_expert_is_refused_in_one_trajectory_of_eight():
    refused, steps = refused_steps(folders()[::8])
    assert refused == [] and steps > 150


@pytest.mark.slow
def test_no_step_of_an_expert_is_refused():
    refused, steps = refused_steps(folders())
    assert refused == [] and steps > 1500
