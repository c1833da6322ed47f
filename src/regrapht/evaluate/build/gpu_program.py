"""A candidate as an object on a GPU: built by nvcc in the sandbox, its symbols audited, run by the harness call by call."""

import hashlib
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from regrapht.emulate.build import SYSTEM_CALL, WIDE_INTEGERS, entry_says, told_name_flag, without_macros
from regrapht.errors import EvaluatorUnavailable
from regrapht.evaluate.build import libraries
from regrapht.evaluate.build.code_hash import code_hash
from regrapht.evaluate.build.compile import COMPILE_LIMITS, cached_program
from regrapht.evaluate.build.compiler_evidence import refuse_preprocessed
from regrapht.evaluate.build.nvcc import (
    SOURCE_NAME,
    Nvcc,
    code_flag,
    kernel_resources,
    require_building,
    rounding_flags,
    target,
)
from regrapht.evaluate.build.object_policy import (
    LISTINGS,
    LoadCode,
    audit,
    listing_script,
    listings_of,
    load_code,
    refuse_definitions,
    refuse_imports,
)
from regrapht.evaluate.build.start_code import refuse_start_code, refuse_strange_code
from regrapht.evaluate.judgement.feedback import build_errors
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.records.task import ArgKind, Residency, Task
from regrapht.records.verdict import KernelResources, Status
from regrapht.sandbox.sandbox import Command, Sandbox

_STUB_LINE = "call stub"
_OBJECT_FLAGS = (
    *(
        "-std=c++17",
        "--expt-relaxed-constexpr",  # `std::max` and all else that is constexpr may be called on the device
        "-O3",
        "--keep",
        "-Xptxas=-v",
        "-w",
        "-DCCCL_DISABLE_NVTX",  # CUB marks its calls for a profiler that is not here, with functions that load libraries
        "-DNVTX_DISABLE",
        "-lineinfo",
        "-shared",
        "-Xcompiler=-fPIC,-fvisibility=hidden",
    ),
    "-Xlinker=-z,relro,-z,now,-z,defs,--exclude-libs,ALL",
)
_PREPROCESSED = ("unit.cpp1.ii", "unit.cpp4.ii")
_STREAMS = re.compile(r"cu(da)?(Stream|Graph)|Stream_t|per_?thread", re.IGNORECASE)
_ORDINARY = (
    b"__global__ void kernel() {}\n"
    b'extern "C" __attribute__((visibility("default"))) int regrapht_call(void* const*) { kernel<<<1, 1>>>(); return 0; }\n'
)
_ordinary: dict[tuple[Path, str], LoadCode] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuProgram:
    """A built candidate."""

    library: bytes
    resources: tuple[KernelResources, ...]
    residency: Residency
    source_hash: str
    queues: int | None = None
    """As `queues_for` its text."""
    ptx: str | None = None
    """What its device code was assembled from, by which memory checkers are chosen; None where it is not known."""
    labels: tuple[str, ...] = ()
    """What a reader of its verdict must know of the object, such as code that runs when it is loaded."""
    code_hash: str | None = None
    """As a verdict's."""
    library_folders: tuple[Path, ...] = ()
    """Where the loader finds the libraries that it is linked with."""
    libraries: tuple[str, ...] = ()
    """The libraries that it is linked with, by file names with all of their version."""

    @property
    def identity(self) -> str:
        """What its times hang on, besides the machine: the text and the libraries."""
        return " ".join((self.source_hash, *self.libraries))


def build_gpu_program(source: str, task: Task, sandbox: Sandbox, nvcc: Nvcc, *, architecture: str) -> GpuProgram:
    """Compile, link and audit a candidate.

    Raises:
        Rejected: It is not CUDA, lacks the entry, exports or needs what it must not, or includes a library that this machine lacks.
    """
    linked = libraries.needed(source, task, nvcc)
    wanted = target(sandbox, nvcc, architecture)
    rounding = rounding_flags(task.contract.rounding)
    told = f"-Xcompiler={told_name_flag(source)}"
    compile_it = shlex.join((*_object_command(nvcc, wanted), told, *rounding, *libraries.link_flags(linked)))
    cubins = ("unit.cubin", f"unit.{wanted}.cubin")  # the first is what nvcc 13 calls it
    texts = ("unit.ptx", f"unit.{wanted.replace('sm_', 'compute_')}.ptx")
    listed = f"objdump -d --no-show-raw-insn unit.o >code && {listing_script('candidate.so')}"
    script = f"{compile_it} >said 2>&1 || exit 3\n{listed} || exit 4\n"
    for wide in WIDE_INTEGERS:
        unit = f'#line 1 "{SOURCE_NAME}"\n{source}\n{call_stub(task, wide, entry_says(source, task.entry))}'
        command = Command(
            argv=("/bin/sh", "build.sh"),
            files={"unit.cu": unit.encode(), "build.sh": script.encode()},
            collect=("candidate.so", "unit.o", "code", *cubins, *texts, "said", *_PREPROCESSED, *LISTINGS),
            read_only=(nvcc.root, *libraries.folders_of(linked)),
        )
        done = sandbox.run(command, COMPILE_LIMITS)
        said = done.files.get("said", b"").decode(errors="replace")
        if done.ok or _STUB_LINE not in said or "long long" not in task.signature:
            break
    for name in _PREPROCESSED:  # of the device's code and of the host's
        if text := done.files.get(name):
            ours = ("unit.cu", _STUB_LINE)
            refuse_preprocessed(text.decode(errors="replace"), task, ours=ours, roots=(str(nvcc.root / "include"),))
        elif done.ok:
            raise EvaluatorUnavailable(f"{nvcc.path} left no {name}: what a program includes cannot be known with it")
    library = done.files.get("candidate.so")
    if done.stopped is not None:
        status = Status.OUT_OF_MEMORY if done.stopped == "memory" else Status.TIMED_OUT
        raise Rejected(status, f"the build was stopped: {done.stopped} limit")
    if compiled := done.files.get("unit.o"):
        if (call := SYSTEM_CALL.search(done.files.get("code", b"").decode(errors="replace"))) is not None:
            raise Rejected(Status.POLICY_REJECTED, f"the compiled code has the instruction {call[1]}")
        refuse_strange_code(compiled)
        refuse_start_code(compiled)  # of the candidate's own; static objects are a label, by what is loaded in the end
        refuse_imports(compiled, task)  # before the runtime is linked in, its symbols are the candidate's
        refuse_definitions(compiled, nvcc.api)
    if not done.ok or library is None:
        require_building(sandbox, nvcc, said or done.stderr)
        raise _build_failure(said or done.stderr, task)
    device_code = next((done.files[name] for name in cubins if name in done.files), b"")
    ptx = next((done.files[name].decode(errors="replace") for name in texts if name in done.files), None)
    ordinary = ordinary_load_code(sandbox, nvcc, architecture=architecture)
    labels = audit(listings_of(done.files), task, ordinary=ordinary)
    return GpuProgram(
        library=library,
        resources=kernel_resources(said),
        residency=task.contract.residency,
        source_hash=hashlib.sha256(source.encode()).hexdigest(),
        queues=queues_for(source),
        ptx=ptx,
        labels=labels,
        code_hash=code_hash(done.files.get("unit.o", b""), device_code),
        library_folders=libraries.folders_of(linked),
        libraries=tuple(file.resolve().name for file in linked),
    )


def ordinary_load_code(sandbox: Sandbox, nvcc: Nvcc, *, architecture: str) -> LoadCode:
    """What runs when an object with one plain kernel is loaded: what this toolkit itself puts there.

    Raises:
        EvaluatorUnavailable: The toolkit does not build it.
    """
    key = (nvcc.path, architecture)
    if key in _ordinary:
        return _ordinary[key]
    argv = _object_command(nvcc, target(sandbox, nvcc, architecture))
    library = cached_program(sandbox, argv, {"unit.cu": _ORDINARY}, output="candidate.so", read_only=(nvcc.root,))
    argv = ("/bin/sh", "-c", listing_script("candidate.so"))
    done = sandbox.run(Command(argv=argv, files={"candidate.so": library}, collect=LISTINGS), COMPILE_LIMITS)
    if not done.ok:
        raise EvaluatorUnavailable(f"the judge's own object cannot be listed: {done.stderr.strip()[:300]}")
    _ordinary[key] = load_code(listings_of(done.files))
    return _ordinary[key]


def queues_for(source: str) -> int | None:
    """As `gpu_environment`'s: one where all of a program's work is in order anyway, all where it makes streams or graphs, or a library may.

    Read from the text. A program that hides its streams from this reader only has them follow each other.
    """
    return None if _STREAMS.search(source) or libraries.included(source) else 1


def _object_command(nvcc: Nvcc, wanted: str) -> tuple[str, ...]:
    return (str(nvcc.path), *_OBJECT_FLAGS, code_flag(wanted), "-o", "candidate.so", "unit.cu")


def call_stub(task: Task, wide: str = WIDE_INTEGERS[0], says: str = "") -> str:
    """C++ that hands the harness's argument pointers to the entry with their types: the only symbol that the object exports.

    Args:
        wide: How the entry spells 64-bit integers.
        says: What the entry's declaration ends with.
    """
    types, values = [], []
    for index, parameter in enumerate(task.parameters):
        name = parameter.dtype.c_name.replace("long long", wide)
        if parameter.kind is ArgKind.ARRAY:
            types.append(f"{name}*" if parameter.is_output else f"const {name}*")
            values.append(f"({types[-1]})a[{index}]")
        else:
            types.append(name)
            values.append(f"*(const {name}*)a[{index}]")
    return (
        f'#line 1 "{_STUB_LINE}"\n{without_macros(types, task.entry)}'
        f'extern "C" void {task.entry}({", ".join(types)}){says};\n'
        f'extern "C" __attribute__((visibility("default"))) int regrapht_call(void* const* a) {{\n'
        f"    {task.entry}({', '.join(values)});\n    return (int)cudaGetLastError();\n}}\n"
    )


def _build_failure(said: str, task: Task) -> Rejected:
    errors = "\n".join(line for line in said.splitlines() if not re.match(r"ptxas info|\s+\d+ bytes stack frame", line))
    if re.search(rf"undefined reference to [`']{re.escape(task.entry)}'", errors):
        reason = f"the candidate does not define the entry: {task.signature}"
    elif _STUB_LINE in errors:
        reason = f"the entry must be declared exactly as: {task.signature}"
    else:
        lines = [
            line.split("unit.cu:")[-1]
            for line in errors.splitlines()
            if "error" in line or "undefined reference" in line
        ]
        reason = lines[0] if lines else "the build failed"
    return Rejected(Status.BUILD_FAILED, reason, feedback=build_errors(f"{reason}\n{errors}"), output=errors)
