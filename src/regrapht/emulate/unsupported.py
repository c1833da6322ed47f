"""What the emulator cannot run, with how each feature is recognised. Said, never guessed."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Feature:
    """Something of CUDA that is not emulated; `pattern` finds it in source without comments."""

    name: str
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Refusal:
    """One unsupported feature that a program uses, and where."""

    feature: str
    line: int


def _feature(name: str, pattern: str) -> Feature:
    return Feature(name, re.compile(pattern))


FEATURES: tuple[Feature, ...] = (
    _feature("inline PTX", r"\b(asm|__asm__|__asm)\s*(volatile|__volatile__)?\s*\("),
    _feature("tensor cores (wmma, mma)", r"\bwmma\s*::|\bmma_sync\b|<mma\.h>"),
    _feature(
        "texture objects",
        r"\btex(1Dfetch|1D|2D|3D|CubeMap)\b|\btexture\s*<|cudaTextureObject_t|cudaCreateTextureObject",
    ),
    _feature("surface objects", r"\bsurf[123]D(read|write)|cudaSurfaceObject_t"),
    _feature("thrust", r"\bthrust\s*::|#\s*include\s*<thrust/"),
    _feature("CUB", r"\bcub\s*::|#\s*include\s*<cub/"),
    _feature("libcu++ (cuda::)", r"\bcuda\s*::\s*\w+|#\s*include\s*<cuda/"),
    _feature("asynchronous copies", r"\b__pipeline_\w+|<cuda_pipeline|\bmemcpy_async\b"),
    _feature("CUDA graphs", r"\bcudaGraph\w+|cudaStreamBeginCapture"),
    _feature("thread-block clusters", r"\bcluster_group|__cluster_dims__|this_cluster"),
    _feature("a vendor library", r"\b(cublas|cudnn|cufft|curand|cusparse|cusolver)\w+|\bcutlass\b"),
    _feature("the driver API or NVRTC", r"\bnvrtc[A-Z]\w*|\bcu(Module|LaunchKernel|Mem|Ctx|Init)\w*\s*\("),
    _feature("fp8 and fp4 types", r"\b__nv_fp[48]\w*|<cuda_fp[48]\.h>"),
    _feature("legacy warp functions without _sync", r"\b__(shfl|shfl_up|shfl_down|shfl_xor|ballot|any|all)\s*\("),
    _feature("PyTorch extensions", r"#\s*include\s*<(torch|ATen|c10)/"),
    _feature("several GPUs", r"\bcudaDeviceEnablePeerAccess|\bcudaMemcpyPeer\w*|\bcudaIpc\w+|\bnccl[A-Z]\w+"),
    _feature("host functions in streams", r"\bcudaLaunchHostFunc|\bcudaStreamAddCallback"),
)

_NEEDED_HEADERS = (
    (
        re.compile(r"\b(__half2?|half2|__float2half\w*|__half2float)\b"),
        "cuda_fp16.h",
        re.compile(r"cuda_fp16\.h|cuda_bf16\.h|mma\.h"),
    ),
    (re.compile(r"\b__nv_bfloat16\w*\b"), "cuda_bf16.h", re.compile(r"cuda_bf16\.h|mma\.h")),
    (re.compile(r"\bcooperative_groups\b(?!\.h|/)"), "cooperative_groups.h", re.compile(r"cooperative_groups(\.h|/)")),
)

# Names that CUDA defines and our headers may lack: an error about one of them is our gap, not the candidate's fault.
_INTRINSIC = re.compile(
    r"__(v(add|sub|abs|max|min|cmp|set|avg|neg|had|sad)\w*|dp[24]a\w*|nv_\w+|[a-z]+2[a-z]+_r[nzud]\w*|[fd](add|sub|mul|div|fma|ma|rcp|sqrt)\w*_r[nzud]"
    r"|ld[a-z]{2}|st[a-z]{2}|h\w+2?|half\w*|bfloat16\w*|float\w*2half\w*|\w+_sync|sad|usad|u?rhadd|u?hadd|byte_perm|funnelshift_\w+|u?mul24|u?mul(64)?hi"
    r"|reduce_\w+|match_\w+|nanosleep|prof_trigger|isGlobal|isShared|cvta_\w+|mem\w*_async)$"
    r"|^(atomic\w+|cuda[A-Z]\w+|make_\w+|norm[34]?d?f?|rnorm\w*|sinpif?|cospif?|sincos\w*|erfc?inv\w*|normcdf\w*|cyl_bessel\w*)$"
)


def without_comments(source: str) -> str:
    """The source with comments and the insides of string literals blanked, every line kept."""

    def blank(match: re.Match[str]) -> str:
        text = match.group(0)
        kept = '"' if text[0] == '"' else ""
        inside = text[1:-1] if kept else text
        return kept + re.sub(r"[^\n]", " ", inside) + kept

    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', blank, source, flags=re.S)


def unsupported_features(source: str) -> list[Refusal]:
    """Every feature of the table that the source uses, at its first line."""
    clean = without_comments(source)
    found = []
    for feature in FEATURES:
        hit = feature.pattern.search(clean)
        if hit is not None:
            found.append(Refusal(feature.name, clean.count("\n", 0, hit.start()) + 1))
    return found


def missing_header(source: str) -> str | None:
    """What to say when the source uses a CUDA header that it does not include; our precompiled header would hide that."""
    clean = without_comments(source)
    included = " ".join(re.findall(r'#\s*include\s*[<"]([^>"\n]+)', source))
    for use, header, known in _NEEDED_HEADERS:
        hit = use.search(clean)
        if hit is not None and not known.search(included):
            line = clean.count("\n", 0, hit.start()) + 1
            return f"line {line}: {hit.group(0)} needs #include <{header}>"
    return None


def unknown_intrinsic(errors: str) -> str | None:
    """The CUDA function that a compiler's errors say is not declared, if it is one."""
    for name in re.findall(r"'(\w+)' (?:was not declared|is not a member|has not been declared)", errors):
        if _INTRINSIC.search(name):
            return f"{name} (not among the CUDA functions emulated)"
    return None
