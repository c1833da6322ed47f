"""Device code as C++, and every reason for refusing that, by name."""

import pytest

from regrapht.bench.harvest.cuda_names import REFUSED
from regrapht.bench.harvest.outcomes import Dropped
from regrapht.bench.harvest.plain_cpp import own_functions, refuse_cuda, to_cpp

REFUSALS = [
    ("__shared__ float s[3];", "shared_memory"),
    ("extern __shared__ float s[];", "shared_memory"),
    ("__syncthreads();", "barrier"),
    ("x[0] = __shfl_down_sync(~0u, x[0], 1);", "warp_intrinsic"),
    ("x[0] = warpSize;", "warp_intrinsic"),
    ("cg::sync(g);", "cooperative_groups"),
    ("__threadfence();", "fence"),
    ("x[0] = tex2D(t, 1, 2);", "texture"),
    ('asm("nop;");', "inline_ptx"),
    ("x[0] = curand_uniform(s);", "library"),
    ('printf("%d", n);', "device_only"),
    ("float* p = new float[3];", "device_allocation"),
    ("x[0] = malloc(3) != 0;", "device_allocation"),
    ("float4 v = make_float4(0, 0, 0, 0);", "vector_type"),
    ("x[0] = __half2float(h);", "half_type"),
    ("other<<<1, 2>>>(x);", "dynamic_parallelism"),
    ("atomicCAS(a, 1, 2);", "atomic"),
    ("atomicExch(a, 2);", "atomic"),
    ("x[0] = atomicAdd(a, 1);", "atomic_result"),
]


def refuse(body, *, allow_places=True, defined=frozenset()):
    refuse_cuda(f"void f(float* x, int* a, int n) {{ {body} }}", defined=defined, allow_places=allow_places)


@pytest.mark.parametrize(("body", "reason"), REFUSALS)
def test_refusals_by_name(body, reason):
    with pytest.raises(Dropped) as dropped:
        refuse(body)
    assert dropped.value.reason == reason


def test_every_reason_by_name_is_tried():
    assert {reason for reason, _ in REFUSED} <= {reason for _, reason in REFUSALS}


def test_a_name_of_the_file_means_what_the_file_says():
    refuse("int cg = 1; x[0] = cg;")
    refuse("x[0] = clock(n);", defined=frozenset({"clock"}))
    refuse("x[0] = threadIdx.x;")
    with pytest.raises(Dropped) as dropped:
        refuse("x[0] = threadIdx.x;", allow_places=False)
    assert dropped.value.reason == "place_in_helper"


@pytest.mark.parametrize(
    ("cuda", "cpp"),
    [
        ("atomicAdd(&a[i], 2);", "a[i] += 2;"),
        ("atomicSub(a + i, v);", "a[i] -= v;"),
        ("atomicOr(a, 1);", "a[0] |= 1;"),
        ("atomicMax(&a[i], v);", "a[i] = (v) > a[i] ? (v) : a[i];"),
        ("atomicMin(&s.low, v);", "s.low = (v) < s.low ? (v) : s.low;"),
        ("y = __ldg(&a[i]) + __ldg(a + i);", "y = a[i] + a[i];"),
        ("y = __expf(__fdividef(a, __ldg(b)));", "y = expf(((a) / (b[0])));"),
        ("y = __fmul_rn(a, b + c);", "y = ((a) * (b + c));"),
        ("y = __popc(v);", "y = __builtin_popcount(v);"),
    ],
)
def test_calls_of_cuda(cuda, cpp):
    assert to_cpp(f"void f() {{ {cuda} }}") == f"void f() {{ {cpp} }}"


def test_qualifiers_and_pragmas_go():
    text = "__device__ __forceinline__ float f(const float* __restrict__ a) {\n#pragma unroll\nreturn a[0]; }"
    assert " ".join(to_cpp(text).split()) == "float f(const float* a) { return a[0]; }"


def test_functions_that_cpp_lacks_are_brought_along_once():
    own = own_functions("float f(float x) { return rsqrtf(max(x, 1.0f)) + rsqrtf(x); }")
    assert [line.split("(")[0].split()[-1] for line in own] == ["max", "rsqrtf"]
    assert own_functions("float max(float a, float b) { return a; } float g() { return max(1, 2); }") == []
