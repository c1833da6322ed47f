"""What kernels call: what C++ has too, what it spells otherwise, and what has no sequential meaning of its own.

The last are reasons to drop a kernel, by name. Whatever is in none of the three has to be defined by the file.
"""

import re

REFUSED: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("shared_memory", re.compile(r"__shared__")),
    ("barrier", re.compile(r"__syncthreads\w*|__barrier_sync\w*")),
    (
        "warp_intrinsic",
        re.compile(
            r"__syncwarp|__(shfl|ballot|any|all|match|reduce|activemask|lanemask)\w*|warpSize|__nv_isClusterShared\w*"
        ),
    ),
    (
        "cooperative_groups",
        re.compile(r"cooperative_groups|cg|this_thread_block|this_grid|thread_block|tiled_partition|grid_group"),
    ),
    ("fence", re.compile(r"__threadfence\w*")),
    (
        "texture",
        re.compile(r"tex[123]D\w*|texCubemap\w*|surf[123]D\w*|texture|surface|cudaTextureObject_t|cudaSurfaceObject_t"),
    ),
    ("inline_ptx", re.compile(r"asm|__asm__|__asm")),
    ("library", re.compile(r"curand\w*|cub|thrust|wmma|nvcuda|cutlass|cute|at|torch|cuda")),
    (
        "device_only",
        re.compile(
            r"printf|clock|clock64|globaltimer|__nanosleep|__trap|__brkpt|assert|__prof_trigger|__isShared|__isGlobal"
        ),
    ),
    ("device_allocation", re.compile(r"malloc|free|new|delete")),
    ("vector_type", re.compile(r"(make_)?(u?char|u?short|u?int|u?long|u?longlong|float|double)[1-4]|dim3|uint3")),
    (
        "half_type",
        re.compile(
            r"__?half2?|half2?|__nv_bfloat162?|nv_bfloat162?|__h\w+|__float2half\w*|__half2float|h(exp|log|sqrt|max|min)\w*"
        ),
    ),
)
"""Reason -> the whole words that give it away, the most telling first."""

UPDATES = {
    "atomicAdd": "+=",
    "atomicSub": "-=",
    "atomicAnd": "&=",
    "atomicOr": "|=",
    "atomicXor": "^=",
}
"""Atomics whose order does not matter, as plain updates. `atomicMin` and `atomicMax` become a comparison."""
EXTREMES = {"atomicMin": "<", "atomicMax": ">"}

SAME_CALL = {
    "__expf": "expf",
    "__exp10f": "exp10f",
    "__logf": "logf",
    "__log2f": "log2f",
    "__log10f": "log10f",
    "__sinf": "sinf",
    "__cosf": "cosf",
    "__tanf": "tanf",
    "__powf": "powf",
    "__sincosf": "sincosf",
    "__fsqrt_rn": "sqrtf",
    "__dsqrt_rn": "sqrt",
    "__fmaf_rn": "fmaf",
    "__fma_rn": "fma",
    "__popc": "__builtin_popcount",
    "__popcll": "__builtin_popcountll",
    "__ffs": "__builtin_ffs",
    "__ffsll": "__builtin_ffsll",
    "umin": "min",
    "umax": "max",
}
"""Calls that C++ has under another name."""

OPERATORS = {
    "__fdividef": "/",
    "fdividef": "/",
    **{f"__{kind}div_{mode}": "/" for kind in "fd" for mode in ("rn", "rz", "ru", "rd")},
    **{f"__{kind}mul_rn": "*" for kind in "fd"},
    **{f"__{kind}add_rn": "+" for kind in "fd"},
    **{f"__{kind}sub_rn": "-" for kind in "fd"},
    "__mul24": "*",
    "__umul24": "*",
}
"""Calls that are an operator in C++."""

OWN = {
    "min": "template <class A, class B> static inline auto min(A a, B b) { return b < a ? b : a; }",
    "max": "template <class A, class B> static inline auto max(A a, B b) { return a < b ? b : a; }",
    "rsqrtf": "static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }",
    "rsqrt": "template <class A> static inline A rsqrt(A x) { return 1 / sqrt(x); }",
    "__frsqrt_rn": "static inline float __frsqrt_rn(float x) { return 1.0f / sqrtf(x); }",
    "__frcp_rn": "static inline float __frcp_rn(float x) { return 1.0f / x; }",
    "__saturatef": "static inline float __saturatef(float x) { return x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x; }",
    "__clz": "static inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }",
    "__clzll": "static inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }",
    "__brev": "static inline unsigned __brev(unsigned x) {\n  unsigned y = 0;\n"
    "  for (int k = 0; k < 32; ++k) y |= (x >> k & 1u) << (31 - k);\n  return y;\n}",
    "__float2int_rn": "static inline int __float2int_rn(float x) { return (int)rintf(x); }",
    "__float2int_rz": "static inline int __float2int_rz(float x) { return (int)x; }",
    "__float2int_rd": "static inline int __float2int_rd(float x) { return (int)floorf(x); }",
    "__int2float_rn": "static inline float __int2float_rn(int x) { return (float)x; }",
    "__umulhi": "static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a * b) >> 32); }",
    **{
        name: f"static inline {to} {name}({of} x) {{ {to} y; memcpy(&y, &x, sizeof y); return y; }}"
        for name, to, of in (
            ("__float_as_int", "int", "float"),
            ("__float_as_uint", "unsigned", "float"),
            ("__int_as_float", "float", "int"),
            ("__uint_as_float", "float", "unsigned"),
            ("__double_as_longlong", "long long", "double"),
            ("__longlong_as_double", "double", "long long"),
        )
    },
    "sinpif": "static inline float sinpif(float x) { return sinf(3.14159265358979f * x); }",
    "cospif": "static inline float cospif(float x) { return cosf(3.14159265358979f * x); }",
    "sinpi": "static inline double sinpi(double x) { return sin(3.141592653589793 * x); }",
    "cospi": "static inline double cospi(double x) { return cos(3.141592653589793 * x); }",
    "norm3df": "static inline float norm3df(float x, float y, float z) { return sqrtf(x * x + y * y + z * z); }",
}
"""Functions of CUDA that C++ lacks, as we write them; put into the sequential version where it calls them."""

_MATHS = """
    abs labs llabs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 exp10 expm1 fabs fdim floor fma
    fmax fmin fmod frexp hypot ilogb ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf nearbyint nextafter pow
    remainder rint round scalbn sin sincos sinh sqrt tan tanh tgamma trunc j0 j1 y0 y1
"""
_KNOWN = """
    isnan isinf isfinite signbit memcpy memset size_t ptrdiff_t uint32_t int32_t uint64_t int64_t uint16_t int16_t uint8_t int8_t
    uintptr_t intptr_t true false nullptr NULL this sizeof static_cast reinterpret_cast const_cast defined
    INT_MAX INT_MIN UINT_MAX LONG_MAX LONG_MIN LLONG_MAX LLONG_MIN ULLONG_MAX CHAR_BIT SCHAR_MAX UCHAR_MAX SHRT_MAX USHRT_MAX
    FLT_MAX FLT_MIN FLT_EPSILON DBL_MAX DBL_MIN DBL_EPSILON HUGE_VAL HUGE_VALF INFINITY NAN
    M_PI M_PI_2 M_PI_4 M_E M_SQRT2 M_SQRT1_2 M_1_PI M_2_PI M_LN2 M_LN10 M_LOG2E M_LOG10E M_2_SQRTPI
    INT8_C INT16_C INT32_C INT64_C UINT8_C UINT16_C UINT32_C UINT64_C
    INT8_MAX INT16_MAX INT32_MAX INT64_MAX UINT8_MAX UINT16_MAX UINT32_MAX UINT64_MAX
    threadIdx blockIdx blockDim gridDim __restrict__ __restrict __ldg std uint ushort ulong uchar
    __global__ __device__ __host__ __forceinline__ __noinline__ __launch_bounds__ __inline__ __constant__ __align__ __managed__
    __LINE__ __FILE__ __func__ override final
"""
KNOWN = frozenset(
    {name for word in _MATHS.split() for name in (word, word + "f")}
    | set(_KNOWN.split())
    | set(UPDATES)
    | set(EXTREMES)
    | set(SAME_CALL)
    | set(OPERATORS)
    | set(OWN)
)
"""Names that need no definition in the file."""

QUALIFIERS = frozenset(
    (
        "__device__",
        "__host__",
        "__forceinline__",
        "__noinline__",
        "__inline__",
        "__constant__",
        "__managed__",
        "__global__",
    )
)
RESTRICT = frozenset(("__restrict__", "__restrict"))
HEADERS = ("math.h", "float.h", "limits.h", "stddef.h", "stdint.h", "stdlib.h", "string.h")
"""What every sequential version includes; of the C++ library they bring the overloads for float too."""


def refusal(name: str) -> str | None:
    """The reason to drop a kernel that uses `name`; None for a name that is no reason."""
    return next((reason for reason, pattern in REFUSED if pattern.fullmatch(name)), None)


def is_atomic(name: str) -> bool:
    """Whether `name` is one of CUDA's atomics."""
    return re.fullmatch(r"atomic[A-Z]\w*", name) is not None
