"""A text that can tell its compilers apart is refused or labelled; one that asks what all of them answer alike is not."""

import re
import subprocess

import pytest

from regrapht.emulate.toolchain import RUNTIME
from regrapht.evaluate.build.nvcc import find_nvcc
from regrapht.evaluate.build.toolchain_names import (
    CONDITION,
    HOST_LINES,
    _depends_on_outside,
    refuse_names_of_checkers,
    toolchain_labels,
)
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.records.verdict import Status

KERNEL = "__global__ void k(float* y) { y[threadIdx.x] = 1; }\n"


@pytest.mark.parametrize(
    "text",
    [
        "#ifdef EMULATED_INLINE\n#endif\n",
        "#ifdef EMULATED_UNROLL\n#endif\n",
        "#if defined(__SANITIZE_THREAD__) || 0\n#endif\n",
        "#if __has_feature(thread_sanitizer) && !defined __SANITIZE_ADDRESS__\n#endif\n",
        'extern "C" void __tsan_read4(void*);\n',
        'extern "C" int emulated_space(const void*);\n',
        "namespace emulated { struct Mine; }\n",
        "using Extent = EmulatedExtent;\n",
        "#define regrapht_call other\n",
        "static void _GLOBAL__sub_I_mine() {}\n",
        'extern "C" void* __wrap_memcpy(void*, const void*, unsigned long);\n',
    ],
)
def test_names_of_the_checkers_are_refused(text):
    with pytest.raises(Rejected) as refused:
        refuse_names_of_checkers(text + KERNEL)
    assert refused.value.status is Status.POLICY_REJECTED and "line 1" in refused.value.reason


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("#ifdef __AVX2__\n#define SYNC()\n#endif\n", f"{CONDITION} __AVX2__"),
        ("#if defined(__FMA__)\n#endif\n", f"{CONDITION} __FMA__"),
        ("#ifdef __OPTIMIZE__\n#endif\n", f"{CONDITION} __OPTIMIZE__"),
        ("#if __has_include(<cuda/barrier>)\n#endif\n", f"{CONDITION} __has_include"),
        ("#ifdef __COMMON_FUNCTIONS_H__\n#endif\n", f"{CONDITION} __COMMON_FUNCTIONS_H__"),
        ("#ifdef CUDARTAPI\n#endif\n", f"{CONDITION} CUDARTAPI"),
        ("#ifdef cudaHostAllocDefault\n#endif\n", f"{CONDITION} cudaHostAllocDefault"),
        ("#ifdef FLT_MAX\n#endif\n", f"{CONDITION} FLT_MAX"),
        ("#ifndef FE_UPWARD\n#define FE_UPWARD 1\n#endif\n", f"{CONDITION} FE_UPWARD"),
        ("#if 1\n#elif defined(_STL_VECTOR_H)\n#endif\n", f"{CONDITION} _STL_VECTOR_H"),
        ("__device__ int key() { return __cpp_concepts; }\n", f"{CONDITION} __cpp_concepts"),
        ("#define KEY __VERSION__\n", f"{CONDITION} __VERSION__"),
        ("const char* when = __TIME__;\n", f"{CONDITION} __TIME__"),
        ("__device__ int key() { return __COUNTER__; }\n", f"{CONDITION} __COUNTER__"),
        (
            "template <class T> __device__ int key() { return sizeof(__PRETTY_FUNCTION__); }\n",
            f"{CONDITION} __PRETTY_FUNCTION__",
        ),
        ("__device__ int key(int i) { return __builtin_constant_p(i); }\n", f"{CONDITION} __builtin_constant_p"),
        ("#ifdef __CUDA_ARCH__\n#define ROUNDS 8\n#else\n#define ROUNDS 1\n#endif\n", HOST_LINES),
        ("#define ON_GPU defined(__CUDA_ARCH__)\nint f() {\n#if ON_GPU\nreturn 1;\n#endif\nreturn 0; }\n", HOST_LINES),
        ("__host__ __device__ int f() {\n#ifdef __CUDA_ARCH__\nreturn 1;\n#else\nreturn 0;\n#endif\n}\n", HOST_LINES),
    ],
)
def test_what_compilers_may_answer_differently_is_a_label(text, label):
    refuse_names_of_checkers(text + KERNEL)
    assert label in toolchain_labels(text + KERNEL)


@pytest.mark.parametrize(
    "text",
    [
        "__device__ float f(float x) {\n#if __CUDA_ARCH__ >= 800\nreturn x;\n#else\nreturn -x;\n#endif\n}\n",
        "__global__ void g(float* y) {\n#ifdef __CUDA_ARCH__\ny[0] = 1;\n#endif\n}\n",
        "#ifndef BLOCK\n#define BLOCK 256\n#endif\n",
        "#define STAGES 3\n#if STAGES > 2\n#endif\n",
        "#ifdef USE_FAST_PATH\n#endif\n#ifdef DEBUG\n#endif\n",
        "#if __cplusplus >= 201703L\n#endif\n",
        "#if defined(__CUDACC__) && CUDART_VERSION >= 11000\n#endif\n",
        "#if __CUDACC_VER_MAJOR__ >= 12\n#endif\n",
        "#if 0\n#endif\n#if defined(_MSC_VER) || defined(_WIN32)\n#endif\n",
        '#define CHECK(x) if (x) fprintf(stderr, "%s:%d", __FILE__, __LINE__)\n',
        "const float largest = FLT_MAX, pi = M_PI;\n",
        '// EMULATED_INLINE\nconst char* s = "emulated::x";\n',
        "int emulate(int emulation) { return emulation; }\n",
    ],
)
def test_honest_conditions_have_no_label(text):
    refuse_names_of_checkers(text + KERNEL)
    assert toolchain_labels(text + KERNEL) == ()


def macros(argv, source):
    said = subprocess.run(
        [*argv, "-E", "-dM", "-x", "c++", "-"], input=source, capture_output=True, text=True, check=True
    )
    return dict(re.findall(r"^#define (\w+)(?:\([^)]*\))? ?(.*)$", said.stdout, re.MULTILINE))


def test_every_macro_that_differs_is_known_to():
    """Of nvcc's device pass and the emulator's headers: what only one has, or both differently, counts as outside a program."""
    nvcc = find_nvcc()
    if nvcc is None:
        pytest.skip("no CUDA toolkit")
    include = next(path.parent for path in nvcc.root.rglob("cuda_runtime.h"))
    device = [
        "g++",
        "-std=c++17",
        "-O3",
        f"-I{include}",
        f"-I{include}/cccl",
        "-D__CUDACC__",
        "-D__NVCC__",
        "-D__CUDA_ARCH__=900",
    ]
    told = ["-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=0", "-D__CUDA_API_VER_MAJOR__=13"]
    real = macros([*device, *told], "#include <cuda_runtime.h>\n")
    flags = [
        "-std=c++17",
        "-fconcepts",
        "-O2",
        "-mfma",
        "-mf16c",
        "-mavx2",
        "-fsanitize=thread",
        f"-I{RUNTIME / 'include'}",
    ]
    ours = macros(["g++", *flags], '#include "emulated/everything.h"\n')
    assert ours["__cplusplus"] == real["__cplusplus"] and "__SANITIZE_THREAD__" not in ours and "__AVX__" not in ours
    differing = {name for name in {*real, *ours} if real.get(name) != ours.get(name)}
    qualifiers = {"__device__", "__global__", "__host__", "__constant__", "__managed__", "__shared__"}
    unknown = {n for n in differing - qualifiers if not n.startswith("EMULATED") and not _depends_on_outside(n)}
    assert unknown - {"__CUDACC_VER_MINOR__", "__CUDACC__", "__NVCC__"} == set()
