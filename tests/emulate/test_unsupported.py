"""What cannot be emulated is said by name and line; words of the program's own are not mistaken for it; the page tells the same."""

import re
from pathlib import Path

import pytest

from regrapht.emulate.compiler_messages import missing_header, unknown_name
from regrapht.emulate.rewrite import rewrite
from regrapht.emulate.unsupported import (
    FEATURES,
    MISSING_HEADER,
    features_table,
    unsupported_features,
    with_table,
)

ROOT = Path(__file__).parents[2]
RUNTIME = ROOT / "src" / "regrapht" / "emulate" / "runtime"
USES = {
    "inline PTX": 'asm volatile("membar.gl;");',
    "tensor cores (wmma, mma)": "nvcuda::wmma::fill_fragment(f, 0.0f);",
    "tensor memory accelerator (TMA)": "const CUtensorMap* map;",
    "thread-block clusters": "auto c = cg::this_cluster();",
    "texture objects": "float v = tex2D<float>(t, 1, 2);",
    "surface objects": "surf2Dwrite(v, s, 4, 5);",
    "CUDA arrays": "cudaMallocArray(&a, &d, 4, 4);",
    "thrust": "using namespace thrust;",
    "CUB": "cub::BlockReduce<float, 128> r;",
    "CUTLASS and CuTe": "#include <cute/tensor.hpp>",
    "barriers of <cuda/barrier> and split barriers": "#include <cuda/barrier>",
    "cuda::ptx": "#include <cuda/ptx>",
    "CUDA graphs built node by node": "cudaGraphAddKernelNode(&n, g, nullptr, 0, &p);",
    "programmatic dependent launches": "cudaGridDependencySynchronize();",
    "a vendor library": "cublasSgemm(h);",
    "the driver API": "cuModuleLoad(&m, name);",
    "NVRTC": "nvrtcCompileProgram(p, 0, nullptr);",
    "fp8, fp6 and fp4 types": "__nv_fp8_e4m3 x;",
    "legacy warp functions without _sync": "int v = __shfl(x, 0);",
    "PyTorch extensions": "#include <torch/extension.h>",
    "several GPUs": "cudaMemcpyPeer(a, 0, b, 1, 4);",
    "memory shared between processes (IPC)": "cudaIpcMemHandle_t h;",
    "memory pools besides the default one": "cudaMemPoolCreate(&p, &q);",
    "graphics and external memory": "cudaGraphicsMapResources(1, &r, 0);",
    "NVTX": "#include <nvtx3/nvtx3.hpp>",
    "what the compiler allotted to a kernel (cudaFuncGetAttributes)": "cudaFuncAttributes a;",
}


def test_names_are_unique():
    assert len({feature.name for feature in FEATURES}) == len(FEATURES)


@pytest.mark.parametrize(
    "name", [f.name for f in FEATURES if f.headers or f.names or f.calls or f.spaces or f.name == "inline PTX"]
)
def test_each_feature_is_found_at_its_line(name):
    assert [(found.feature, found.line) for found in rewrite(f"\n{USES[name]}\n").refusals] == [(name, 2)]


@pytest.mark.parametrize(
    "source",
    [
        '// asm("x")\n/* thrust:: */ const char* s = "wmma::";\n',
        '#if 0\nasm volatile("exit;");\n#endif\nint x;\n',
        '#if 0\n#ifdef A\n#endif\nasm volatile("exit;");\n#endif\nint x;\n',
        '#if 0\n#if 1\nint y;\n#else\nint z;\n#endif\nasm volatile("exit;");\n#else\nint x;\n#endif\n',
        '#if 0\nint y;\n#elif 0\nasm volatile("exit;");\n#endif\nint x;\n',
        '# if (0)\n#  if 0\n#  endif\nasm volatile("exit;");\n# endif\n',
        "void f() { int half = 3, thrust = 2; half += thrust; }\n",
        "struct T { int tex2D, cub; };\nint f(T t) { return t.tex2D; }\n",
        "namespace cub { int f(); }\nint g() { return cub::f(); }\n",
        "float tex2D(float x) { return x; }\nfloat g() { return tex2D(1); }\n",
        "#include <cuda/atomic>\n#include <cuda/std/array>\n#include <cooperative_groups/scan.h>\n",
    ],
)
def test_words_of_the_program_are_no_features(source):
    assert rewrite(source).refusals == ()


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("#if 0\n#ifdef A\n#endif\n#else\n{}\n#endif\n", 5),
        ("#if 0\n#ifdef A\n#endif\n#endif\n{}\n", 5),
        ("#if 0\n#elif 1\n{}\n#endif\n", 3),
        ("#if 1\n#if 0\n#endif\n{}\n#endif\n", 4),
    ],
)
def test_what_follows_dead_code_counts(source, line):
    (refusal,) = rewrite(source.format('asm volatile("exit;");')).refusals
    assert refusal.feature == "inline PTX" and refusal.line == line


def test_a_header_that_is_not_there_is_named():
    (refusal,) = unsupported_features("#include <vector>\n#include <cuda/mdspan>\n")
    assert refusal.feature == f"{MISSING_HEADER}: cuda/mdspan" and refusal.line == 2


def test_unknown_names_are_told_from_the_candidates_own():
    error = "candidate.cu:7:9: error: '{}' was not declared in this scope"
    assert (unknown_name(error.format("__vfancy4_sync")).feature, unknown_name(error.format("cudaFancy")).line) == (
        "__vfancy4_sync",
        7,
    )
    assert unknown_name(error.format("helper")) is None
    member = "candidate.cu:3:5: error: 'struct emulated_groups::thread_block' has no member named 'spin'"
    assert unknown_name(member).feature == "spin"


def test_a_missing_include_is_named():
    error = "candidate.cu:4:2: error: '__half' was not declared in this scope; did you mean 'emulated_fp16::__half'?"
    assert missing_header(error) == "line 4: __half needs #include <cuda_fp16.h>"
    assert missing_header("candidate.cu:4:2: error: 'half' was not declared in this scope") is None


def test_every_refusal_of_headers_and_runtime_is_in_the_table():
    names = {feature.name for feature in FEATURES}
    headers = "\n".join(path.read_text() for path in RUNTIME.rglob("*") if path.is_file())
    said = re.findall(r'"unsupported: ([^"]+)"', headers) + re.findall(
        r'(?:report|emulated)_unsupported\("([^"]+)"\)', headers
    )
    assert said and {text for text in said if text not in names} == set()


def test_the_page_has_the_table():
    page = (ROOT / "docs" / "emulator.md").read_text()
    assert features_table() in page and with_table(page) == page
