import numpy as np
import pytest

from regrapht.errors import SchemaError
from regrapht.graph.technique_signs import load_signs, parse_signs, sign_scores
from regrapht.graph.vocabulary import load_vocabulary

SLUGS = tuple(load_vocabulary().techniques)
TREE = """__global__ void sum(int n, const float* x, float* out) {
    __shared__ float part[256];
    part[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(out, part[0]);
}
"""


def best(program, applied=()):
    scores = sign_scores(program, applied, SLUGS)
    return [SLUGS[place] for place in np.argsort(-scores, kind="stable")[:3]]


def test_a_tree_in_shared_memory_asks_for_shuffles():
    assert best(TREE, ("map_to_threads", "block_reduction"))[0] == "warp_shuffle_reduction"


def test_global_atomics_at_loaded_places_ask_for_private_copies():
    text = "__global__ void count(int n, const int* v, int* bins) { int i = threadIdx.x; atomicAdd(&bins[v[i]], 1); }"
    assert best(text)[0] == "shared_memory_histogram"


def test_what_is_done_counts_against_itself():
    plain = "__global__ void k(float* b, const float* a) { b[threadIdx.x] = a[threadIdx.x]; }"
    wide = "__global__ void k(float4* b, const float* a) { b[threadIdx.x] = reinterpret_cast<const float4*>(a)[threadIdx.x]; }"
    place = SLUGS.index("vectorised_access")
    assert sign_scores(plain, (), SLUGS)[place] > 0 > sign_scores(wide, (), SLUGS)[place]


def test_a_technique_without_signs_has_no_score():
    signs = load_signs()
    bare = [place for place, slug in enumerate(SLUGS) if slug not in signs]
    assert bare and not sign_scores(TREE, (), SLUGS)[bare].any()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("schema = 1\n[signs", "not TOML"),
        ("schema = 2\n[signs]\n", "schema = 1"),
        ("schema = 1\n[signs]\nno_such = { loads_unit = 1 }\n", "no such technique"),
        ("schema = 1\n[signs]\nmap_2d = { no_such = 1 }\n", "no trait"),
        ("schema = 1\n[signs]\nmap_2d = { loads_unit = 0 }\n", "weighs 0"),
        ("schema = 1\n[signs]\nmap_2d = { loads_unit = 9 }\n", "weighs 9"),
        ("schema = 1\n[signs]\nmap_2d = { loads_unit = true }\n", "weighs True"),
        ("schema = 1\n[signs]\nmap_2d = 3\n", "no table"),
    ],
)
def test_a_damaged_table_is_refused(text, says):
    with pytest.raises(SchemaError, match=says):
        parse_signs(text)
