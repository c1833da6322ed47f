"""Where a barrier belongs, by the source alone."""

import pytest

from regrapht.emulate.barrier_places import BarrierPlaces, Function, Gap

SOURCE = """__device__ float total(float* part) {
    part[threadIdx.x] = 1;
    return part[0];
}
__global__ void k(float* a, int n) {
    __shared__ float tile[64];
    tile[threadIdx.x] = a[0];
    for (int t = 0; t < n; t++) {
        if (t < 3) {
            tile[1] = 0;
        } else {
            tile[2] = 0;
        }
        for (int j = 0; j < 4; j++)
            a[j] += tile[j];  // __syncthreads() in a comment
    }
    while (n-- > 0) { tile[0] = 1; a[n] = tile[1]; }
    do {
        a[1] = tile[0];
        __syncthreads();
    } while (tile[3] > 0);
}
"""


@pytest.fixture(scope="module")
def places():
    return BarrierPlaces(SOURCE)


@pytest.mark.parametrize(
    ("first", "second", "after", "before"),
    [
        (7, 10, 7, 8),  # before the loop, not in it
        (7, 15, 7, 8),
        (10, 15, 13, 14),  # behind the branch, before the inner loop
        (15, 19, 16, 18),
        (2, 3, 2, 3),
    ],
)
def test_between_statements_that_all_threads_pass(places, first, second, after, before):
    gap = places.gap(first, second)
    assert gap is not None and (gap.after, gap.before) == (after, before)


@pytest.mark.parametrize(("first", "second"), [(10, 12), (17, 17), (14, 15), (3, 7), (900, 901)])
def test_no_place_in_one_statement_or_across_functions(places, first, second):
    assert places.gap(first, second) is None


def test_gaps_of_one_list_are_known_as_such(places):
    assert places.gap(7, 10).block == places.gap(7, 19).block != places.gap(10, 15).block
    assert Gap(1, 2, 3) == Gap(1, 2, 3)


@pytest.mark.parametrize(
    ("first", "second", "line", "after", "has_barrier"),
    [
        (10, 15, 8, 15, False),
        (10, 12, 8, 13, False),
        (15, 15, 14, 15, False),
        (17, 17, 17, 17, False),
        (19, 19, 18, 19, True),
    ],
)
def test_the_innermost_loop_around_both(places, first, second, line, after, has_barrier):
    loop = places.loop(first, second)
    assert (loop.line, loop.after, loop.has_barrier) == (line, after, has_barrier)


def test_no_loop_around_both(places):
    assert places.loop(7, 10) is None and places.loop(15, 19) is None


def test_functions(places):
    assert places.function(3) == Function("total", 1, False)
    assert places.function(15) == Function("k", 5, True)
    assert places.function(100) is None


@pytest.mark.parametrize("source", ["", "}}}} not ( a program", "\x00" * 50, "for (;;) { x"])
def test_what_is_no_program_has_no_places(source):
    places = BarrierPlaces(source)
    assert places.function(1) is None and places.gap(1, 2) is None
