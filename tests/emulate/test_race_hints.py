"""One hint for all that one missing barrier leaves without an order, from what the runtime tells of each pair."""

from regrapht.emulate.race_hints import PLACED, Race, Scope, with_places
from regrapht.records.verdict import Finding, Severity, Status

TILED = """__global__ void k(float* a, float* c, int n) {
    __shared__ float ta[16], tb[16];
    for (int t = 0; t < n; t++) {
        ta[threadIdx.x] = a[t];
        tb[threadIdx.x] = a[t + 1];
        // here
        for (int j = 0; j < 16; j++)
            c[t] += ta[j] * tb[j];
    }
    c[0] = ta[0];
}
"""
BETWEEN = "after line 5 and before line 7"
END = "at the end of the body of the loop in line 3, after line 8"


def race(line, other, *, kind="race_shared_rw", scope=Scope.BLOCK, since=(0,), kernel="k"):
    finding = Finding(
        kind=kind,
        status=Status.RACE,
        severity=Severity.ERROR,
        checker="emulator",
        message="",
        kernel=kernel,
        line=line,
        other_line=other,
        hint="that of the kind",
    )
    return Race(finding, scope, frozenset(since))


def hints(*races, source=TILED):
    return [finding.hint for finding in with_places(races, source)]


def test_pairs_of_a_missing_barrier_share_the_hint_of_the_place_that_mends_all():
    source = TILED.replace("    }\n    c[0]", "        __syncthreads();\n    }\n    c[0]")
    pairs = [race(4, 8), race(5, 8), race(8, 4, kind="race_shared_wr"), race(8, 5, kind="race_shared_wr", since=(0, 9))]
    assert set(hints(*pairs, source=source)) == {f"Put __syncthreads() {BETWEEN}."}


def test_a_barrier_between_in_the_text_leaves_the_end_of_the_loop():
    source = TILED.replace("// here", "__syncthreads();")
    (hint,) = set(hints(race(4, 8, since=(6,)), race(8, 5, since=(6,)), source=source))
    assert END in hint and BETWEEN not in hint and "next turn" in hint


def test_a_loop_without_any_barrier_needs_two():
    (hint,) = set(hints(race(4, 8), race(8, 5)))
    assert BETWEEN in hint and END in hint and "another one" in hint


def test_a_barrier_at_the_end_of_a_loop_also_serves_what_is_behind_it():
    inside, behind = hints(race(4, 8, since=(6,)), race(10, 4, kind="race_shared_wr"))
    assert inside == behind and END in behind
    source = TILED.replace("    c[0]", "    __syncwarp();\n    c[0]")
    assert hints(race(11, 8), source=source) == ["Put __syncthreads() after line 9 and before line 11."]


def test_kernels_are_apart():
    one, other = hints(race(4, 8), race(5, 8, kernel="other"))
    assert "after line 4" in one and "after line 5" in other


def test_a_barrier_in_a_function_leaves_open_which_turn():
    source = TILED.replace("// here", "wait();") + "__device__ void wait() {\n    __syncthreads();\n}\n"
    (hint,) = hints(race(4, 8, since=(13,)), source=source)
    assert "line 4 and line 8" in hint and "one turn of the loop in line 3, or of two" in hint
    assert hints(race(4, 8, since=(-1,)), source=source) == [hint]


def test_one_line_from_turn_to_turn_or_in_one():
    tree = "__global__ void k(float* s, int n) {\n    for (int d = n; d > 0; d /= 2) {\n        s[n] += s[n + d];\n    }\n}\n"
    assert "at the end of the body of the loop in line 2, after line 3" in hints(race(3, 3), source=tree)[0]
    with_barrier = tree.replace("d];", "d];\n        __syncthreads();")
    assert "read into a variable" in hints(race(3, 3, since=(4,)), source=with_barrier)[0]
    assert "read into a variable" in hints(race(2, 2), source="__global__ void k(float* s) {\n    s[0] = s[1];\n}\n")[0]


def test_an_accumulator_wants_an_atomic_operation():
    told = hints(race(10, 10), race(10, 10, kind="race_shared_ww"), race(10, 10, kind="race_shared_wr"))
    assert len(set(told)) == 1 and "atomic" in told[0]


def test_the_barrier_is_that_of_the_threads_that_raced():
    assert "__syncwarp()" in hints(race(4, 8, scope=Scope.WARP))[0]
    assert not any("__syncwarp()" in hint for hint in hints(race(4, 8, scope=Scope.WARP), race(5, 8)))
    assert "grid.sync()" in hints(race(4, 8, kind="race_global_rw", scope=Scope.GRID))[0]
    other_blocks = hints(race(4, 8, kind="race_global_rw", scope=Scope.BLOCKS))[0]
    assert "__sync" not in other_blocks and "two launches" in other_blocks


def test_others_keep_the_hint_of_their_kind():
    for kind in ("race_streams", "atomic_and_plain", "race_unverified_fence", "write_same_value"):
        assert kind not in PLACED and hints(race(4, 8, kind=kind)) == ["that of the kind"]
    assert hints(race(None, 8)) == hints(race(4, 8, scope=Scope.STREAMS)) == ["that of the kind"]
    assert "line 4 and line 8" in hints(race(4, 8), source="")[0]


def test_counts_scopes_and_places_of_copies_add_up():
    both = race(4, 8, scope=Scope.WARP).with_more(race(4, 8, since=(6,)))
    assert (both.finding.count, both.scope, both.since) == (2, Scope.BLOCK, {0, 6})


def test_of_very_many_pairs_the_first_are_placed():
    races = [race(4, 8, kernel=f"k{i}") for i in range(2000)]
    told = hints(*races)
    assert len(told) == 2000 and BETWEEN.split(" and ")[1] in told[0] and told[-1] == "that of the kind"


def test_a_function_that_is_called_again():
    source = "__device__ void f(float* s) {\n    s[1] = 0;\n    __syncthreads();\n    s[2] = s[0];\n}\n"
    hint = hints(race(2, 4, since=(3,)), source=source)[0]
    assert hint.startswith("Put __syncthreads() at the end of f, after line 4: its next call")
    kernel = hints(race(2, 4, since=(3,)), source=source.replace("__device__", "__global__"))[0]
    assert kernel == "Put __syncthreads() between the accesses of line 2 and line 4, where every thread reaches it."
    unnamed = source.replace("void f(float* s)", "void operator()(float* s)")
    assert "the function in line 1" in hints(race(2, 4, since=(3,)), source=unnamed)[0]
