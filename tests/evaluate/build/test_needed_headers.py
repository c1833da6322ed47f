"""What the emulator's headers have and nvcc's lack: refused with the header's name, as nvcc refuses it, and nothing else is."""

import pytest

from regrapht.emulate.emulator import Emulator
from regrapht.evaluate.build import needed_headers
from regrapht.evaluate.build.needed_headers import require_headers
from regrapht.evaluate.build.nvcc import compiles, find_nvcc
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.records.verdict import Status
from regrapht.sandbox.choose import choose_sandbox

MISSING = {
    '__global__ void k() { printf("a"); }': "line 1: printf needs #include <cstdio>",
    'void h() { fprintf(stderr, "a"); }': "line 1: fprintf needs #include <cstdio>",
    "__global__ void k(int* x) {\n  assert(x[0]); }": "line 2: assert needs #include <cassert>",
    "#define CHECK(x) assert(x)\n__global__ void k(int* x) { CHECK(x[0]); }": "assert needs",
    "__global__ void k(uint32_t* x) { x[0] = 1; }": "line 1: uint32_t needs #include <cstdint>",
    "__global__ void k(::uint8_t* x) { x[0] = 1; }": "uint8_t needs",
    "__device__ float f() { return -FLT_MAX; }": "line 1: FLT_MAX needs #include <cfloat>",
    "__device__ unsigned f() { return UINT32_MAX; }": "UINT32_MAX needs #include <cstdint>",
    "__device__ long long f() { return INT64_C(1); }": "INT64_C needs",
    "#include <cuda_runtime.h>\n__device__ double f() { return DBL_EPSILON; }": "line 2: DBL_EPSILON needs",
    "#include <cuda_fp16.h>\n__global__ void k(uint64_t* x) { x[0] = 1; }": "line 2: uint64_t needs",
    "void h() { std::vector<int> v(3); }": "line 1: std::vector needs #include <vector>",
    "void h(int* a) { std::sort(a, a + 3); }": "std::sort needs #include <algorithm>",
    "__device__ int f(int a) { std::less<int> l; return l(a, 3); }": "std::less needs #include <functional>",
    "void h(char* a) { std::memset(a, 0, 3); }": "std::memset needs #include <cstring>",
    "__device__ std::uint32_t f() { return 1; }": "std::uint32_t needs #include <cstdint>",
    "#include <algorithm>\nvoid h() { std::array<int, 3> v{}; }": "line 2: std::array needs #include <array>",
    "#include <algorithm>\nint h() { return std::less<int>()(1, 2); }": "line 2: std::less needs #include <functional>",
    "#ifndef NO\n__device__ float f() { return FLT_EPSILON; }\n#endif": "line 2: FLT_EPSILON needs",
}
GIVEN = [
    "__device__ int f(int a) { return INT_MAX - std::numeric_limits<int>::min() + CHAR_BIT; }",
    "__device__ float f(float a) { return sqrtf(a) + INFINITY + NAN + M_PI; }",
    "void h(char* a, size_t n) { memcpy(a, a + n, n); memset(a, 0, n); a[strlen(a)] = 0; }",
    "__device__ int64_t f(int32_t a, int8_t b) { return a + b + offsetof(float4, y); }",
    "void h(int a, int b) { std::swap(a, b); std::pair<int, int> p(std::min(a, b), std::max(a, b)); free(malloc(abs(a))); }",
    "template <class T> std::enable_if_t<std::is_same<T, int>::value, T> f(T a) { return std::forward<T>(std::move(a)); }",
    '#include <stdio.h>\nvoid h() { printf("a"); }',
    '#include <iostream>\nvoid h() { printf("a"); fprintf(stderr, "b"); }',
    "#include <vector>\nvoid h() { std::vector<int> v(3); }",
    "#include <string>\nvoid h() { std::string s; s.size(); }",
    "#include <functional>\nvoid h() { std::array<int, 3> v{}; std::vector<int> w; }",
    "#include <random>\n__device__ uint32_t f() { return UINT32_MAX; }",
    "#include <cooperative_groups.h>\n__global__ void k(uint32_t* x) { assert(x[0] < FLT_MAX); printf(\"a\"); }",
    "#include <cuda_pipeline.h>\n__global__ void k(uint32_t* x) { x[0] = SIZE_MAX; }",
    "typedef unsigned int uint32_t;\n__device__ uint32_t f() { return 1; }",
    "using uint8_t = unsigned char;\n__device__ uint8_t f() { return 1; }",
    "#define FLT_MAX 3.4e38f\n__device__ float f() { return FLT_MAX; }",
    "#ifndef FLT_MAX\n#define FLT_MAX 3.4e38f\n#endif\n__device__ float f() { return FLT_MAX; }",
    "#ifdef DEBUG\nvoid h() { printf(\"a\"); assert(0); }\n#endif\nint a;",
    "#define TELL(x) printf(x)\nint a;",
    "#define assert(x)\n__device__ void f(int a) { assert(a); }",
    'extern "C" int printf(const char*, ...);\nvoid h() { printf("a"); }',
    "struct S { int sort, assert_count; void puts(); };\nvoid h(S s) { s.puts(); s.sort = 1; }",
    "namespace mine { struct vector {}; }\nvoid h() { mine::vector v; (void)v; }",
    "// printf(FLT_MAX) and std::vector\nconst char* s = \"assert(uint32_t)\";",
]  # fmt: skip


@pytest.fixture(scope="module")
def sandbox():
    return choose_sandbox()


@pytest.fixture(scope="module")
def emulator(sandbox):
    return Emulator(sandbox)


@pytest.mark.parametrize("source", MISSING)
def test_what_lacks_its_header_is_refused(sandbox, emulator, source):
    with pytest.raises(Rejected) as told:
        require_headers(source + "\n", sandbox=sandbox, emulator=emulator)
    assert told.value.status is Status.BUILD_FAILED and MISSING[source] in told.value.reason


@pytest.mark.parametrize("source", GIVEN)
def test_what_is_given_or_included_is_not(sandbox, emulator, source):
    require_headers(source + "\n", sandbox=sandbox, emulator=emulator)


@pytest.mark.slow
@pytest.mark.parametrize("source", [*MISSING, *GIVEN])
def test_nvcc_says_the_same(sandbox, source):
    nvcc = find_nvcc()
    if nvcc is None:
        pytest.skip("there is no nvcc here")
    built = compiles(source + "\n", sandbox, nvcc)
    assert (built.content is None) == (source in MISSING), built.completed.stderr[:1000]


def test_most_programs_start_no_process(monkeypatch, sandbox, emulator):
    monkeypatch.setattr(needed_headers, "_unknown", lambda *_: pytest.fail("the compiler was asked"))
    source = '#include <cstdio>\n#include <cstdint>\nuint32_t a;\nvoid h() { printf("a"); }\n'
    require_headers(source, sandbox=sandbox, emulator=emulator)
