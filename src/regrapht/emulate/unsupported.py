"""What the emulator cannot run, with how each feature is recognised. Said, never guessed.

`FEATURES` is the one table: the rewriter, the compiler's errors and the runtime refuse under its names, and the page
`docs/emulator.md` is made from it (`python -m regrapht.emulate.unsupported docs/emulator.md`).
"""

import re
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from regrapht.source.tokens import Token, TokenKind, even_layout, tokens, without_comments

HEADERS = Path(__file__).resolve().parent / "runtime" / "include"


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """Something of CUDA that is not emulated, and what gives it away in a program's tokens.

    Names that the program declares itself never count, nor do members (`x.name`).
    """

    name: str
    headers: str = ""
    """Regular expression over the names of included headers, matched at their start."""
    names: str = ""
    """Regular expression over whole words."""
    calls: str = ""
    """Regular expression over whole words that are followed by `(` or `<`."""
    spaces: tuple[str, ...] = ()
    """Namespaces: `name::` or `using namespace name`."""
    otherwise: str = ""
    """In words, how it is recognised where tokens do not tell."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """One unsupported feature that a program uses, and where."""

    feature: str
    line: int


MACRO_LAUNCH = "a launch hidden in a macro"
MACRO_QUOTE = "a macro that makes text of a launch"
MACRO_SHARED = "a __shared__ object hidden in a macro"
DYNAMIC_PARALLELISM = "dynamic parallelism"
DEVICE_ALLOCATION = "allocation in device code"
FILE_SCOPE_SHARED = "a __shared__ variable outside a function"
INITIALISED_SHARED = "an initialised __shared__ variable"
ODD_DYNAMIC_SHARED = "this form of extern __shared__"
MISSING_HEADER = "a CUDA header that is not emulated"
UNKNOWN_NAME = "a CUDA name that is not emulated"

FEATURES: tuple[Feature, ...] = (
    Feature(name="inline PTX", otherwise="`asm`, `__asm__` or `__asm` followed by a parenthesis"),
    Feature(name="tensor cores (wmma, mma)", headers=r"(crt/)?mma\.h", spaces=("wmma", "nvcuda")),
    Feature(name="tensor memory accelerator (TMA)", names=r"CUtensorMap\w*|cuTensorMap\w+|cp_async_bulk\w*"),
    Feature(
        name="thread-block clusters",
        names=r"cluster_group|this_cluster|__cluster_dims__|__block_size__|__cluster\w+|cudaOccupancyMaxActiveClusters",
        otherwise="a cluster in the attributes of cudaLaunchKernelEx, when it is called",
    ),
    Feature(
        name="texture objects",
        headers=r"texture_(types|fetch_functions|indirect_functions)\.h",
        names=r"cudaTextureObject_t|cudaCreateTextureObject|cudaTextureDesc|cudaResourceDesc|cudaBindTexture\w*",
        calls=r"texture|tex[123]D\w*|texCubemap\w*",
    ),
    Feature(
        name="surface objects",
        headers=r"surface_\w+\.h",
        names=r"cudaSurfaceObject_t|cudaCreateSurfaceObject",
        calls=r"surface|surf[123]D(Layered)?(read|write)|surfCubemap\w*",
    ),
    Feature(
        name="CUDA arrays",
        names=r"cudaArray(_t)?|cudaMallocArray|cudaMalloc3DArray|cudaMemcpy(2D)?(To|From)Array\w*|cudaMipmappedArray_t",
    ),
    Feature(name=DYNAMIC_PARALLELISM, otherwise="a launch inside a `__global__` or `__device__` function"),
    Feature(
        name=DEVICE_ALLOCATION,
        otherwise="`new` in device code, unless it is given the place; `malloc` and `free` there, when they are called",
    ),
    Feature(name="thrust", headers=r"thrust/", spaces=("thrust",)),
    Feature(name="CUB", headers=r"cub/", spaces=("cub",)),
    Feature(name="CUTLASS and CuTe", headers=r"cutlass/|cute/", spaces=("cutlass", "cute")),
    Feature(
        name="barriers of <cuda/barrier> and split barriers",
        headers=r"cuda/(std/)?(barrier|latch|semaphore)|cuda_awbarrier",
        names=r"__mbarrier_\w+|barrier_arrive|barrier_wait|barrier_tx",
        calls=r"__barrier_sync\w*",
    ),
    Feature(name="cuda::ptx", headers=r"cuda/ptx"),
    Feature(
        name="CUDA graphs built node by node",
        names=r"cudaGraphAdd\w+|cudaGraphCreate|cudaGraphClone|cudaGraphGet\w+|cudaGraphExec\w*(Set|Update)\w*|cudaGraphDebugDotPrint"
        r"|cudaGraph\w*Node\w*(Get|Set)\w+|cudaGraphRemove\w+|cudaGraphConditional\w*|cudaStreamUpdateCaptureDependencies\w*",
    ),
    Feature(
        name="programmatic dependent launches",
        names=r"cudaGridDependencySynchronize|cudaTriggerProgrammaticLaunchCompletion|cudaLaunchAttributeProgrammatic\w+",
    ),
    Feature(
        name="a vendor library",
        headers=r"cublas|cudnn|cufft|curand|cusparse|cusolver|npp|nvjpeg|cudss|cutensor|amgx",
        names=r"(cublas|cudnn|cufft|curand|cusparse|cusolver|npp|nvjpeg|cutensor)[A-Z_]\w*",
    ),
    Feature(
        name="the driver API",
        headers=r"cudaTypedefs\.h",
        calls=r"cu(Init|Ctx|Device|Module|Library|Kernel|Launch|Mem|Func|Stream|Event|Graph|Link|Pointer|Array|Occupancy)[A-Z]?\w*",
    ),
    Feature(name="NVRTC", headers=r"nvrtc\.h", names=r"nvrtc[A-Z]\w*"),
    Feature(name="fp8, fp6 and fp4 types", headers=r"cuda_fp[468]\.h", names=r"__nv_fp[468]\w*|__nv_cvt_\w*fp[468]\w*"),
    Feature(
        name="legacy warp functions without _sync",
        calls=r"__(shfl|shfl_up|shfl_down|shfl_xor|ballot|any|all)",
        otherwise="(CUDA itself has removed them for compute capability 7.0 and newer)",
    ),
    Feature(name="PyTorch extensions", headers=r"torch/|ATen/|c10/"),
    Feature(
        name="several GPUs",
        headers=r"nccl\.h|nvshmem|mpi\.h",
        names=r"cudaDevice(Enable|Disable|CanAccess)Peer\w*|cudaMemcpy(3D)?Peer\w*|nccl[A-Z]\w+|nvshmem\w+",
    ),
    Feature(name="memory shared between processes (IPC)", names=r"cudaIpc\w+"),
    Feature(
        name="memory pools besides the default one",
        names=r"cudaMemPool(Create|Destroy|Export\w*|Import\w*|[GS]etAccess|GetAttribute)|cudaDeviceSetMemPool",
    ),
    Feature(
        name="graphics and external memory",
        headers=r"cuda_(gl|egl|vulkan|d3d\w*)_interop\.h",
        names=r"cudaGraphics\w+|cudaGL\w+|cudaEGL\w+|cuda(Import|Destroy|Signal|Wait)External\w+|cudaExternal\w+",
    ),
    Feature(name="NVTX", headers=r"nvtx3?/|nvToolsExt", names=r"nvtx[A-Z]\w+"),
    Feature(
        name="what the compiler allotted to a kernel (cudaFuncGetAttributes)",
        names=r"cudaFuncGetAttributes|cudaFuncAttributes",
    ),
    Feature(
        name="the type of a pointer that host and device share",
        otherwise="when cudaPointerGetAttributes is asked for it",
    ),
    Feature(
        name=MACRO_LAUNCH,
        otherwise="`<<<` that is left: conditions decide what the macro says, or it comes to name itself",
    ),
    Feature(
        name=MACRO_QUOTE,
        otherwise="`#` before a parameter that is given a launch, a barrier or the like, where conditions decide what the macro says",
    ),
    Feature(name=MACRO_SHARED, otherwise="`__shared__` that is left, as with launches"),
    Feature(name=FILE_SCOPE_SHARED, otherwise="its place"),
    Feature(name=INITIALISED_SHARED, otherwise="its declarator"),
    Feature(name=ODD_DYNAMIC_SHARED, otherwise="anything but `extern __shared__ T name[];`"),
    Feature(name="shuffle of this type", otherwise="a type wider than 8 bytes, while compiling"),
    Feature(name="atomic operation on this type", otherwise="while compiling"),
    Feature(name="tile larger than a warp", otherwise="while compiling"),
    Feature(name="a pipeline with producers apart from consumers", otherwise="while compiling"),
    Feature(
        name="a launch of a kernel whose pointer has lost its type",
        otherwise="when it is launched, if no cast to `void*` names it",
    ),
    Feature(name="a grid of more than 2^32 blocks", otherwise="when it is launched"),
    Feature(name="more than 227 KiB of shared memory in a block", otherwise="when a block uses it"),
    Feature(name="more than 4 000 million synchronisations in one call", otherwise="when it happens"),
    Feature(
        name=MISSING_HEADER,
        otherwise="an include under `cuda/`, `cooperative_groups/` or `crt/` that is not among the emulator's; the header is named",
    ),
    Feature(
        name=UNKNOWN_NAME,
        otherwise="the compiler does not know a word that is formed like CUDA's own; it is named with its line",
    ),
)

_OWN_FOLDERS = ("cuda/", "cooperative_groups/", "crt/", "cuda_", "device_", "sm_")
_CONDITION = re.compile(r"[ \t]*#[ \t]*(if|ifdef|ifndef|else|elif|elifdef|elifndef|endif)\b[ \t]*(.*)")
_NEVER = re.compile(r"(0|false|\(\s*0\s*\))[uUlL]*\s*$")


def unsupported_features(source: str, declared: Collection[str] = ()) -> list[Refusal]:
    """Every feature of the table that the source's tokens give away, at its first line; `declared` are the program's own names."""
    words = list(_words(source))
    spellings = {token.text for token in words if token.kind is TokenKind.NAME}
    headers = [token for token in words if token.kind is TokenKind.DIRECTIVE]
    found = []
    for feature in FEATURES:
        line = _first_line(feature, words, declared) if _may_be_in(feature, spellings, headers) else None
        if line is not None:
            found.append(Refusal(feature.name, line))
    found += [
        Refusal(f"{MISSING_HEADER}: {token.text}", token.line)
        for token in headers
        if is_no_header_of_ours(token.text) and not any(_includes(f, token) for f in FEATURES)
    ]
    return found


def features_table() -> str:
    """The table of the documentation, in Markdown."""
    rows = [f"| {feature.name} | {_in_words(feature)} |" for feature in FEATURES]
    return "\n".join(("| not emulated | recognised by |", "|---|---|", *rows)) + "\n"


def with_table(page: str) -> str:
    """A page with the table between its two marks.

    Raises:
        ValueError: The page has no such marks.
    """
    begin, end = "<!-- features: begin -->\n", "<!-- features: end -->"
    if begin not in page or end not in page:
        raise ValueError("the page has no marks for the table of features")
    head, rest = page.split(begin, 1)
    return head + begin + "\n" + features_table() + "\n" + end + rest.split(end, 1)[1]


def _words(source: str) -> Iterator[Token]:
    """What is neither comment nor string nor inside `#if 0`; an `#include` is one token, of kind DIRECTIVE, with the name of its header."""
    directive: list[Token] = []
    for token in tokens(_without_dead_code(source)):
        if token.kind is TokenKind.DIRECTIVE or directive:
            directive.append(token)
            if token.kind is TokenKind.DIRECTIVE_END:
                yield from _directive_words(directive)
                directive = []
        elif token.kind not in (TokenKind.STRING, TokenKind.CHARACTER):
            yield token


def _directive_words(directive: Sequence[Token]) -> Iterator[Token]:
    inside = [token for token in directive[1:-1] if token.kind is not TokenKind.BLANK]
    if len(inside) > 1 and inside[0].text == "include" and inside[1].text[0] in '<"':
        named = "".join(token.text for token in inside[1:]).strip('"<')
        yield Token(TokenKind.DIRECTIVE, re.split('[>"]', named)[0], directive[0].line)
    else:
        yield from (token for token in inside if token.kind not in (TokenKind.STRING, TokenKind.CHARACTER))


def _without_dead_code(source: str) -> str:
    """The source with blanks between `#if 0` and what ends that part, the conditions within included; lines stay."""
    out, inside = [], 0  # inside: how many conditions are open from the `#if 0` on; 0 where the text counts
    for line in without_comments(even_layout(source)).splitlines(keepends=True):
        found = _CONDITION.match(line)
        word = found[1] if found else ""
        is_end = (inside == 1 and word.startswith("el")) or word == "endif"
        if inside and is_end:
            inside -= 1
        elif inside and word.startswith("if"):
            inside += 1
        out.append(re.sub(r"[^\r\n]", " ", line) if inside else line)
        if found and not inside and word in ("if", "elif") and _NEVER.match(found[2]):
            inside = 1
    return "".join(out)


def _may_be_in(feature: Feature, spellings: Collection[str], headers: Sequence[Token]) -> bool:
    """Whether any word of a text could give a feature away: most texts have none of most features, and their words are looked at once."""
    if feature.name == "inline PTX" or any(_includes(feature, token) for token in headers):
        return True
    either = re.compile(f"(?:{feature.names or '(?!)'})|(?:{feature.calls or '(?!)'})")
    return any(word in feature.spaces or either.fullmatch(word) for word in spellings)


def _first_line(feature: Feature, words: Sequence[Token], declared: Collection[str]) -> int | None:
    if feature.name == "inline PTX":
        return _inline_assembly(words)
    names, calls = re.compile(feature.names or r"(?!)"), re.compile(feature.calls or r"(?!)")
    for at, token in enumerate(words):
        if token.kind is TokenKind.DIRECTIVE:
            if _includes(feature, token):
                return token.line
            continue
        if token.kind is not TokenKind.NAME or token.text in declared or (at and words[at - 1].text in (".", "->")):
            continue
        after = words[at + 1].text if at + 1 < len(words) else ""
        if names.fullmatch(token.text) or (after in ("(", "<") and calls.fullmatch(token.text)):
            return token.line
        if token.text in feature.spaces and (after == "::" or (at and words[at - 1].text == "namespace")):
            return token.line
    return None


def _inline_assembly(words: Sequence[Token]) -> int | None:
    for at, token in enumerate(words):
        if token.kind is not TokenKind.NAME or token.text not in ("asm", "__asm__", "__asm"):
            continue
        rest = at + 1
        while rest < len(words) and words[rest].text in ("volatile", "__volatile__", "goto"):
            rest += 1
        if rest < len(words) and words[rest].text == "(":
            return token.line
    return None


def _includes(feature: Feature, token: Token) -> bool:
    return bool(feature.headers) and re.match(feature.headers, token.text) is not None


def is_no_header_of_ours(header: str) -> bool:
    """Whether a header is one of CUDA's that the emulator does not have."""
    return header.startswith(_OWN_FOLDERS) and not (HEADERS / header).is_file()


def _in_words(feature: Feature) -> str:
    parts = []
    if feature.headers:
        parts.append(f"includes `{_readable(feature.headers)}`")
    if feature.spaces:
        parts.append("namespace " + ", ".join(f"`{space}`" for space in feature.spaces))
    if feature.names:
        parts.append(f"names `{_readable(feature.names)}`")
    if feature.calls:
        parts.append(f"calls of `{_readable(feature.calls)}`")
    if feature.otherwise:
        parts.append(feature.otherwise)
    return "; ".join(parts)


def _readable(pattern: str) -> str:
    """A pattern for people: `*` for any ending, and bars that do not end a table's cell."""
    pattern = re.sub(r"(\[A-Z_?\]\??|\[A-Z\]\??)?\\w[*+]", "*", pattern)
    return pattern.replace("\\.", ".").replace("|", "\\|")


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.write_text(with_table(target.read_text()))
