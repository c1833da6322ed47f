import numpy as np
import pytest

from regrapht.graph.access_traits import TRAITS, access_traits


def traits(body, *, signature="int n, const float* a, const int* at, float* b", around=""):
    text = f"{around}\n__global__ void k({signature}) {{\n int i = blockIdx.x * blockDim.x + threadIdx.x;\n{body}\n}}\n"
    return {name for name, number in zip(TRAITS, access_traits(text), strict=True) if number > 0}


@pytest.mark.parametrize(
    ("body", "there", "absent"),
    [
        ("b[i] = a[i];", {"loads_unit", "stores_unit", "one_item_kernels"}, {"loads_strided", "looping_kernels"}),
        ("for (int c = 0; c < n; ++c) b[i] += a[i * n + c];", {"row_walks", "loads_strided"}, {"column_walks"}),
        ("const float* row = a + i * n; for (int c = 0; c < n; ++c) b[i] += row[c];", {"row_walks"}, {"loads_unit"}),
        ("for (int c = threadIdx.x; c < n; c += 32) b[c] = a[blockIdx.x * n + c];", {"rounds_of_lanes"}, {"row_walks"}),
        ("for (int c = 0; c < n; ++c) b[i] += a[c * n + i];", {"column_walks"}, {"row_walks", "loads_strided"}),
        ("float s = 0; for (int c = 0; c < n; ++c) s += a[c]; b[i] = s;", {"loads_shared_by_all"}, {"loads_gathered"}),
        ("b[i] = a[at[i]];", {"loads_gathered"}, {"stores_scattered"}),
        ("b[at[i]] = 1;", {"stores_scattered"}, set()),
        ("b[i * n] = 1;", {"stores_strided"}, {"stores_unit"}),
        ("atomicAdd(&b[at[i]], 1.0f);", {"atomics_scattered"}, {"atomics_uniform", "atomics_in_loop"}),
        ("for (int c = 0; c < n; ++c) atomicAdd(b, a[c]);", {"atomics_uniform", "atomics_in_loop"}, set()),
        ("__shared__ float t[64]; atomicAdd(&t[at[i]], 1);", {"atomics_on_chip", "on_chip"}, {"atomics_scattered"}),
        ("__shared__ float t[32][33]; b[i] = t[threadIdx.x][0];", {"on_chip_strided"}, {"on_chip_padded"}),
        (
            "__shared__ float t[32][32 + 1]; b[i] = t[threadIdx.y][threadIdx.x];",
            {"on_chip_padded"},
            {"on_chip_strided"},
        ),
        ("for (int h = 64; h > 0; h /= 2) { b[i] += b[i + h]; __syncthreads(); }", {"tree_loops"}, {"shuffle_loops"}),
        ("for (int h = 16; h > 0; h /= 2) x += __shfl_down_sync(~0u, x, h);", {"shuffle_loops"}, {"tree_loops"}),
        ("if ((i + n) % 2) return; b[i] = a[i];", {"parity_branches", "guards", "remainders"}, set()),
        ("#pragma unroll\nfor (int j = 0; j < 4; ++j) b[i] += j;", {"unrolled_loops"}, {"fixed_loops"}),
        ("for (int j = 0; j < 4; ++j) b[i] += j;", {"fixed_loops"}, {"unrolled_loops"}),
        ("for (int j = 0; j < n; ++j) b[i] += a[j] * expf(2.0f * n);", {"float_maths", "fixed_maths"}, {"table_maths"}),
        ("for (int j = 0; j < n; ++j) b[i] += cosf(0.1f * j);", {"table_maths"}, {"fixed_maths"}),
        ("float4 v = reinterpret_cast<const float4*>(a)[i];", {"vector_casts"}, set()),
        ("int x = i % n, y = i / n; b[y] = a[x];", {"index_divisions"}, set()),
    ],
)
def test_a_trait_is_seen_where_it_is(body, there, absent):
    found = traits(body)
    assert there <= found
    assert not absent & found


def test_the_counter_of_an_outer_loop_stands_still_in_the_inner_one():
    found = traits("for (int r = 0; r < n; ++r) for (int c = 0; c < n; ++c) b[i] += a[i * n * n + r * n + c];")
    assert {"row_walks", "nested_loops"} <= found


def test_a_device_function_is_read_with_what_it_is_given():
    sum_of = "__device__ float sum_of(const float* x, int n) { float s = 0; for (int c = 0; c < n; ++c) s += x[c]; return s; }"
    assert "row_walks" in traits("b[i] = sum_of(a + i * n, n);", around=sum_of)
    assert "row_walks" not in traits("b[i] = sum_of(a, n);", around=sum_of)
    staged = traits("__shared__ float t[64]; b[i] = sum_of(t, n);", around=sum_of)
    assert not {"loads_shared_by_all", "row_walks"} & staged


def test_host_code_is_read_for_its_launches():
    host = """extern "C" void f(int n, float* a) {
        float* t;
        cudaMalloc(&t, n);
        for (int s = 0; s < n; ++s) {
            k<<<1, 32>>>(n, a);
            g<<<1, 2>>>(t);
        }
    }"""
    found = {name for name, number in zip(TRAITS, access_traits(host), strict=True) if number > 0}
    assert {"host_launches", "several_launches", "launches_in_loop", "scratch_arrays"} <= found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no code at all",
        "\udc80 é",
        "(" * 5000,
        "__global__ void k(int n) {" + "{" * 3000,
        "__global__ void k(float* a) { a" + "[a" * 2000 + "]" * 2000 + " = 1; }",
        "__global__ void k(int n, float* a) { a[0] = " + "+".join(["a[1]"] * 3000) + "; }",
    ],
)
def test_any_text_has_finite_traits(text):
    found = access_traits(text)
    assert found.shape == (len(TRAITS),)
    assert np.isfinite(found).all() and (found >= 0).all()


def test_names_are_distinct_from_those_of_features():
    from regrapht.graph.code_features import FEATURES

    assert len({*TRAITS, *FEATURES}) == len(TRAITS) + len(FEATURES)
