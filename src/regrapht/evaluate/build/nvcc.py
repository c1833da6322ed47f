"""The real CUDA compiler, run in the sandbox: whether a text is CUDA at all, and what the compiler says of its kernels."""

import re
import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from regrapht import settings
from regrapht.errors import EvaluatorUnavailable, PrerequisiteMissing
from regrapht.evaluate.build.compile import Built, build
from regrapht.records.task import Rounding
from regrapht.records.verdict import KernelResources
from regrapht.sandbox.sandbox import Command, Limits, Sandbox

SOURCE_NAME = "candidate.cu"
_targets: dict[Path, frozenset[str]] = {}
_LINKER = re.compile(r"undefined reference|multiple definition")
_DECLARED = re.compile(r"\b(?:CUDARTAPI|CUDAAPI)\s+(\w+)\s*\(")
_NAME_LIMIT = 200
"""Letters of a kernel's name: a candidate chooses it."""
_KERNEL = re.compile(r"Compiling entry function '(\w+)' for")
_REGISTERS = re.compile(r"Used (\d+) registers")
_SHARED = re.compile(r"(\d+) bytes smem")
_SPILLS = re.compile(r"(\d+) bytes spill stores, (\d+) bytes spill loads")


@cache
def _declared_functions(headers: Path) -> frozenset[str]:
    files = [path for name in ("cuda_runtime_api.h", "cuda.h") if (path := headers / name).is_file()]
    return frozenset(name for path in files for name in _DECLARED.findall(path.read_text(errors="replace")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Nvcc:
    """A CUDA compiler on this machine."""

    path: Path
    """The compiler itself, not a script that starts it."""
    root: Path
    """The toolkit's folder, which it reads headers and libraries from."""

    @property
    def api(self) -> frozenset[str]:
        """The functions of the runtime and of the driver, as the toolkit's headers declare them."""
        return _declared_functions(self.root / "include")

    @property
    def sanitizer(self) -> Path | None:
        """compute-sanitizer of the same toolkit, else the one on the path, else None."""
        for folder in (self.root / "bin", self.root / "compute-sanitizer"):
            if (folder / "compute-sanitizer").is_file():
                return folder / "compute-sanitizer"
        found = shutil.which("compute-sanitizer")
        return Path(found).resolve() if found else None


def find_nvcc() -> Nvcc | None:
    """The CUDA compiler: the one in `CUDA_HOME`, in the usual folder, or on the path; None when there is none, or when
    `REGRAPHT_NVCC` is `none`.

    Raises:
        PrerequisiteMissing: `REGRAPHT_NVCC` names one that is not there; another is never taken in its place.
    """
    if (named := settings.nvcc()) == "none":
        return None
    if named:
        found = shutil.which(named)
        if found is None:
            raise PrerequisiteMissing(f"REGRAPHT_NVCC names {named}, which is not there: mend or unset it")
        return _toolkit(Path(found))
    home = settings.cuda_home()
    for name in (home and home / "bin" / "nvcc", "/usr/local/cuda/bin/nvcc", shutil.which("nvcc")):
        if name and Path(name).is_file():
            return _toolkit(Path(name))
    return None


def version(sandbox: Sandbox, nvcc: Nvcc) -> str:
    """`13.0.88`."""
    done = sandbox.run(
        Command(argv=(str(nvcc.path), "--version"), read_only=(nvcc.root,)), Limits(wall_s=20, output_bytes=2**16)
    )
    match = re.search(r"V(\d+\.\d+\.\d+)", done.stdout)
    return match[1] if match else "unknown"


def target(sandbox: Sandbox, nvcc: Nvcc, architecture: str) -> str:
    """What to compile for on a device of `architecture`: `sm_90a` for `sm_90`, or the architecture itself where `nvcc` knows no such name.

    Instructions that only one architecture has, such as Hopper's products of a warp group (`wgmma`), are refused for its plain name, whose
    code must run on later ones too. Candidates run on the device that judges them, so nothing is lost. All that is kept on file names the
    plain architecture: it is the device's.

    Raises:
        EvaluatorUnavailable: The compiler does not say what it knows.
    """
    if nvcc.path not in _targets:
        command = Command(argv=(str(nvcc.path), "--help"), read_only=(nvcc.root,))
        done = sandbox.run(command, Limits(wall_s=20, output_bytes=2**18))
        known = frozenset(re.findall(r"\bsm_\d+[a-z]?\b", done.stdout)) if done.ok else frozenset()
        if not known:
            raise EvaluatorUnavailable(f"{nvcc.path} --help names no GPU: {done.stderr.strip()[:300]}")
        _targets[nvcc.path] = known
    own = f"{architecture}a"
    return own if own in _targets[nvcc.path] else architecture


def code_flag(wanted: str) -> str:
    """The option that makes code for one `target`. `-arch=sm_90a` would compile for `sm_90` beside it, as nvcc 13 understands it."""
    return f"-gencode=arch={wanted.replace('sm_', 'compute_')},code={wanted}"


def rounding_flags(rounding: Rounding) -> tuple[str, ...]:
    """What nvcc is told so that it rounds as a task says."""
    return ("-fmad=false",) if rounding is Rounding.SEPARATE else ()


def compiles(source: str, sandbox: Sandbox, nvcc: Nvcc, *, architecture: str = "sm_90") -> Built:
    """Compile, about a second: whether `source` is valid CUDA for Hopper, with its clusters, bulk copies and products of a warp group. What
    is printed to standard error tells of its kernels (`kernel_resources`)."""
    code = code_flag(target(sandbox, nvcc, architecture))
    options = ("-std=c++17", "--expt-relaxed-constexpr", code, "-c", "-w", "-Xptxas=-v", "-o", "candidate.o")
    argv = (str(nvcc.path), *options, SOURCE_NAME)
    return build(sandbox, argv, {SOURCE_NAME: source.encode()}, output="candidate.o", read_only=(nvcc.root,))


def require_building(sandbox: Sandbox, nvcc: Nvcc, said: str) -> None:
    """Where a compiler failed without an error in the candidate's own text, see that it builds an empty kernel: otherwise it speaks of this
    machine.

    Raises:
        EvaluatorUnavailable: It does not.
    """
    if SOURCE_NAME in said or (_LINKER.search(said) is not None and "No space left" not in said):
        return
    built = compiles("__global__ void nothing() {}\n", sandbox, nvcc)
    if built.content is None:
        raise EvaluatorUnavailable(f"{nvcc.path} builds nothing here: {built.first_error[:300]}")


def kernel_resources(ptxas: str) -> tuple[KernelResources, ...]:
    """What `-Xptxas -v` says of each kernel, in the order compiled. Names are demangled as far as the kernel's own name."""
    found, name, spills = [], None, None
    for line in ptxas.splitlines():
        if match := _KERNEL.search(line):
            name, spills = _plain_name(match[1]), None
        elif match := _SPILLS.search(line):
            spills = int(match[1]) + int(match[2])
        elif name is not None and (match := _REGISTERS.search(line)):
            shared = _SHARED.search(line)
            found.append(
                KernelResources(
                    name=name,
                    registers_per_thread=int(match[1]),
                    static_shared_bytes=int(shared[1]) if shared else 0,
                    spill_bytes=spills,
                )
            )
            name = None
    return tuple(found)


def _plain_name(mangled: str) -> str:
    """The last plain name of an Itanium-mangled symbol, capped: `_Z4gemmiPf` is `gemm`."""
    return _last_name(mangled)[:_NAME_LIMIT]


def _last_name(mangled: str) -> str:
    if not mangled.startswith("_Z"):
        return mangled
    names, rest = [], mangled[2:].lstrip("NLK")
    while match := re.match(r"(\d+)", rest):
        length = int(match[1])
        names.append(rest[match.end() : match.end() + length])
        rest = rest[match.end() + length :]
    plain = [name for name in names if not name.startswith("_GLOBAL__N")]
    return plain[-1] if plain else mangled


@cache
@cache
def _toolkit(path: Path) -> Nvcc:
    path = path.resolve()
    if path.stat().st_size < 4096:  # a script that starts the real one elsewhere
        match = re.search(r"(/\S+/bin/nvcc)\b", path.read_text(errors="replace"))
        if match and Path(match[1]).is_file():
            path = Path(match[1]).resolve()
    return Nvcc(path=path, root=path.parent.parent)
