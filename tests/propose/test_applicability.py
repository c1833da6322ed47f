import pytest

from regrapht.graph.vocabulary import load_vocabulary
from regrapht.propose.applicability import cannot_apply
from regrapht.records.candidate import Candidate, NoSource, Origin

MAPPED = "__global__ void k(float* y) { y[blockIdx.x * blockDim.x + threadIdx.x] = 0; }"
SHARED = "__global__ void k(float* y) { __shared__ float s[32]; s[threadIdx.x] = 0; atomicAdd(y, s[0]); }"
ONE_THREAD = "__global__ void k(float* y) { y[0] = 0; }"


def program(source):
    return Candidate(source=source, program_hash=source, origin=Origin(proposer="t", seconds=0.0))


@pytest.mark.parametrize(
    ("source", "technique", "cannot"),
    [
        *((MAPPED, slug, True) for slug in ("map_to_threads", "map_2d", "map_3d")),
        *((ONE_THREAD, slug, False) for slug in ("map_to_threads", "map_2d", "map_3d")),
        (MAPPED, "shared_memory_padding", True),
        (SHARED, "shared_memory_padding", False),
        (MAPPED, "warp_aggregated_atomics", True),
        (SHARED, "warp_aggregated_atomics", False),
        (MAPPED, "shared_memory_tiling", False),
        (MAPPED, "a technique of tomorrow", False),
    ],
)
def test_only_what_the_text_shows_is_sure(source, technique, cannot):
    assert cannot_apply(program(source), technique) is cannot


def test_nothing_applies_to_no_program():
    origin = Origin(proposer="t", seconds=0.0)
    nothing = Candidate(source=None, program_hash=None, origin=origin, no_source=NoSource.UNPARSABLE, reason="prose")
    assert cannot_apply(nothing, "loop_unrolling")


def test_most_techniques_stay_open_at_a_mapped_program():
    slugs = load_vocabulary().techniques
    assert sum(cannot_apply(program(MAPPED), slug) for slug in slugs) <= 6
