"""From a candidate's CUDA text to a shared object that the harness can load, or the reason why not."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from regrapht.emulate.compiler_messages import in_gnu_words, missing_header, unknown_name
from regrapht.emulate.disassembly import Disassembly
from regrapht.emulate.front_end import TooMuch, reads, run_build
from regrapht.emulate.named_arrays import ArrayName, array_names
from regrapht.emulate.rewrite import rewrite
from regrapht.emulate.toolchain import MEMORY_FUNCTIONS, UMBRELLA, Toolchain
from regrapht.emulate.unsupported import UNKNOWN_NAME
from regrapht.emulate.unwritten_locals import UnwrittenLocals
from regrapht.errors import EvaluatorUnavailable
from regrapht.records.task import ArgKind, Residency, Rounding, Task
from regrapht.records.verdict import Status
from regrapht.sandbox.sandbox import Command, Completed, Limits, Sandbox
from regrapht.source.tokens import without_comments

SOURCE_NAME = "candidate.cu"
UNIT_NAME = "unit.cu"
"""What is compiled: our headers, then the rewritten text, whose lines are called those of `SOURCE_NAME`. Beside it lies the text as it was
given, under that name, from which compilers quote what they speak of."""
STUB_NAME = "call stub"
BUILD_LIMITS = Limits(wall_s=60, memory_bytes=4 * 2**30)
_MAX_ERROR_LINES = 12
WIDE_INTEGERS = ("long long", "long")
"""What 64-bit integers may be spelled as, all of an entry alike: a signature's own spelling, and what `int64_t` is on Linux. To the linker
and to a call they are one type, to the compiler they are two."""
_OTHER_SIGNATURE = "the entry must be declared exactly as"
_CANNOT_LOAD = 5
BUILD_OUTPUTS = ("candidate.so", "symbols", "listing", "errors")
# Symbols of a candidate that replace what the process around it relies on.
_REPLACED = re.compile(r"main$|_init$|_fini$|_Zn[wa]|_Zd[la]|__[at]san_|__sanitizer_|emulated_|cuda[A-Z]|__cuda")
# A line of readelf's symbol tables: number, value, size, and what follows.
_SYMBOL = re.compile(
    r"\s*\d+:\s+\w+\s+\w+\s+(?P<kind>\w+)\s+(?P<binding>\w+)\s+\w+.*?\s(?P<section>UND|ABS|COM|\d+) (?P<name>.+)"
)
# Attributes that would keep accesses from the checks, however the preprocessor puts their names together.
_UNCHECKED = ("no_sanitize", "__no_sanitize__", "no_sanitize_thread", "__no_sanitize_thread__")
_POISON = f"#pragma GCC poison {' '.join(_UNCHECKED)}\n"
_OWN_ERROR = re.compile(rf"{re.escape(SOURCE_NAME)}:\d+")
_OURS = re.compile(
    r"precompiled header|everything\.h|internal compiler error|No space left|Killed|cannot execute|Input/output error"
)
SYSTEM_CALL = re.compile(r"\t(syscall|sysenter|int\s+\$0x80)\b")
"""In a listing of objdump's: how a program asks the kernel for what no function of the library does for it."""
_WRAPPED = (*MEMORY_FUNCTIONS, "malloc", "calloc", "realloc", "free")


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRefused:
    """Why a candidate was not built."""

    status: Status
    """BUILD_FAILED, UNSUPPORTED, TIMED_OUT, OUT_OF_MEMORY or POLICY_REJECTED."""
    message: str
    output: str = ""
    """The compiler's first errors, with line numbers of the candidate's own source."""

    @property
    def names_no_line(self) -> bool:
        """Whether a compiler failed without an error in a line of the candidate: that may be the machine's fault."""
        if self.status not in (Status.BUILD_FAILED, Status.UNSUPPORTED) or not self.output:
            return False
        return _OURS.search(self.output) is not None or _OWN_ERROR.search(self.output) is None


@dataclass(frozen=True, slots=True, kw_only=True)
class EmulatedProgram:
    """A built candidate. What is inside is the emulator's business."""

    checked: bool
    stacks: bool = False
    """The program's own arrays alone are checked."""
    source: str
    library: bytes = field(repr=False)
    disassembly: Disassembly = field(repr=False, compare=False)
    constants: tuple[str, ...]
    """Names of its `__constant__` variables."""
    residency: Residency
    arrays: tuple[ArrayName, ...] = ()
    """What its task calls the arguments, for findings."""
    unwritten: tuple[UnwrittenLocals, ...] = ()
    """Of a build for its own arrays: the local variables that begin without a value."""


def build_program(source: str, task: Task, *, sandbox: Sandbox, tools: Toolchain) -> EmulatedProgram | BuildRefused:
    """Rewrite, compile and link in the sandbox; then audit the symbols."""
    rewritten = rewrite(source, fills_locals=tools.stacks)
    if rewritten.refusals:
        said = "; ".join(f"{refusal.feature} (line {refusal.line})" for refusal in rewritten.refusals)
        return BuildRefused(status=Status.UNSUPPORTED, message=f"the emulator cannot run {said}")
    completed = _compiled(source, rewritten.text, task, WIDE_INTEGERS[0], sandbox, tools)
    if (
        isinstance(completed, BuildRefused)
        and completed.message.startswith(_OTHER_SIGNATURE)
        and "long long" in task.signature
    ):
        again = _compiled(source, rewritten.text, task, WIDE_INTEGERS[1], sandbox, tools)
        if not isinstance(again, BuildRefused) or again.message != completed.message:
            completed = again
    if isinstance(completed, BuildRefused):
        return completed
    listing = completed.files.get("listing", b"").decode(errors="replace")
    if (call := SYSTEM_CALL.search(listing)) is not None:
        return BuildRefused(status=Status.POLICY_REJECTED, message=f"the compiled code has the instruction {call[1]}")
    return EmulatedProgram(
        checked=tools.checked,
        stacks=tools.stacks,
        source=source,
        library=completed.files["candidate.so"],
        disassembly=Disassembly(listing, SOURCE_NAME, UNIT_NAME),  # objdump mixes up a unit and the names in its #line
        constants=rewritten.constants,
        residency=task.contract.residency,
        arrays=array_names(task.parameters),
        unwritten=rewritten.unwritten,
    )


def _compiled(
    source: str, text: str, task: Task, wide: str, sandbox: Sandbox, tools: Toolchain
) -> Completed | BuildRefused:
    rounding = ("-ffp-contract=off",) if task.contract.rounding is Rounding.SEPARATE else ()
    flags = (*rounding, told_name_flag(source))
    unit = f'#include "{UMBRELLA}"\n{_POISON}#line 1 "{SOURCE_NAME}"\n{text}\n{_call_stub(task, wide, entry_says(source, task.entry))}'
    command = Command(
        argv=("/bin/sh", "build.sh"),
        files={
            SOURCE_NAME: source.encode(),
            UNIT_NAME: unit.encode(),
            "build.sh": build_script(tools, further=flags).encode(),
        },
        collect=BUILD_OUTPUTS,
        read_only=(tools.folder,),
        environment={"LC_ALL": "C"},
    )
    completed, beyond = run_build(sandbox, command, BUILD_LIMITS, reading=reads(tools, flags, UNIT_NAME))
    return built_or_refused(beyond or completed, task.entry, task.signature)


def build_script(tools: Toolchain, *, whole: bool = False, further: Sequence[str] = ()) -> str:
    """The shell script that compiles `unit.cu` (a `whole` program has a `main`) with `further` flags, tries to load it and lists it."""
    wrap = ",".join(f"--wrap={name}" for name in _WRAPPED)
    link = ("-shared", "-nostdlib", f"-Wl,{wrap},-Bsymbolic,--hash-style=gnu", "-Wl,--build-id=none")
    compile_ = " ".join((tools.compiler, tools.fewer_errors, *tools.flags, *further, *tools.include, *link))
    probe = "--probe --main" if whole else "--probe"
    steps = [
        f"{compile_} -x c++ {UNIT_NAME} -o candidate.so 2>errors || exit 3",
        "readelf -sW candidate.so >symbols || exit 4",  # nm would first load plugins, LLVM among them
        f"{tools.harness} candidate.so {probe} 2>errors || exit {_CANNOT_LOAD}",
    ]
    if tools.checked or tools.stacks:
        steps.append("objdump -d -l --inlines --no-show-raw-insn candidate.so >listing || exit 4")
    return "\n".join(steps) + "\n"


def require_building(sandbox: Sandbox, tools: Toolchain) -> None:
    """See that a program that does nothing is built: otherwise whatever a compiler says is said of this machine.

    Raises:
        EvaluatorUnavailable: It is not.
    """
    unit = f'#include "{UMBRELLA}"\nvoid* __dso_handle = &__dso_handle;\nextern "C" void regrapht_call(void* const*) {{}}\n'
    command = Command(
        argv=("/bin/sh", "build.sh"),
        files={UNIT_NAME: unit.encode(), "build.sh": build_script(tools).encode()},
        collect=("candidate.so", "errors"),
        read_only=(tools.folder,),
        environment={"LC_ALL": "C"},
    )
    done = sandbox.run(command, BUILD_LIMITS)
    if not done.ok or "candidate.so" not in done.files:
        said = (
            done.files.get("errors", b"").decode(errors="replace").strip() or done.stderr.strip() or str(done.stopped)
        )
        raise EvaluatorUnavailable(f"the emulator's compiler builds nothing here: {' '.join(said.split())[:300]}")


def told_name_flag(source: str) -> str:
    """The compiler's flag by which `__FILE__` follows from the text: no candidate knows its judges by its file's name."""
    digest = hashlib.sha256(source.encode()).digest()
    name = "".join(chr(ord("a") + byte % 26) for byte in digest[: 4 + digest[-1] % 8])
    return f"-fmacro-prefix-map={SOURCE_NAME}={name}.cu"


def entry_says(source: str, entry: str) -> str:
    """` noexcept` where the text declares its entry so, which every other declaration has to repeat; else nothing."""
    bare = without_comments(source, without_strings=True)
    return (
        " noexcept"
        if re.search(rf"\b{entry}\s*\([^(){{}};]*\)\s*(?:noexcept\b(?!\s*\(\s*false)|throw\s*\(\s*\))", bare)
        else ""
    )


def _call_stub(task: Task, wide: str, says: str) -> str:
    """C++ that hands the harness's argument pointers to the entry with their types; `wide` spells those of 64-bit integers, and the
    entry's declaration ends with what it `says`."""
    types, values, told = [], [], []
    for index, parameter in enumerate(task.parameters):
        name = parameter.dtype.c_name.replace("long long", wide)
        if parameter.kind is ArgKind.ARRAY:
            types.append(f"{name}*" if parameter.is_output else f"const {name}*")
            values.append(f"({types[-1]})a[{index}]")
            told.append(f"emulated::array_of({values[-1]});")  # of its padding
        else:
            types.append(name)
            values.append(f"*(const {name}*)a[{index}]")
    return (
        f'#line 1 "{STUB_NAME}"\n{without_macros(types, task.entry)}'
        'void* __dso_handle __attribute__((visibility("hidden"))) = &__dso_handle;\n'  # what the omitted start-up files define
        f'extern "C" void {task.entry}({", ".join(types)}){says};\n'
        f'extern "C" void regrapht_call(void* const* a) {{ {" ".join(told)} {task.entry}({", ".join(values)}); }}\n'
    )


def without_macros(types: Iterable[str], entry: str) -> str:
    """Directives before the call stub: no macro of the candidate's has a word in what it says."""
    words = {word for each in types for word in re.findall(r"\w+", each)}
    names = sorted(
        words | {entry, "regrapht_call", "extern", "void", "const", "int", "return", "a", "__attribute__", "visibility"}
    )
    return "".join(
        f"#undef {name}\n" for name in (*names, "emulated", "array_of", "cudaGetLastError", "hidden", "__dso_handle")
    )


def built_or_refused(completed: Completed | TooMuch, entry: str, signature: str) -> Completed | BuildRefused:
    """What `build_script` left, or why it did not lead to a library that defines `entry`."""
    if isinstance(completed, TooMuch):
        return BuildRefused(status=completed.status, message=completed.message)
    refused = _refusal(completed, entry, signature)
    return completed if refused is None else refused


def _refusal(completed: Completed, entry: str, signature: str) -> BuildRefused | None:
    if completed.stopped == "memory":
        return BuildRefused(status=Status.OUT_OF_MEMORY, message="the compiler ran out of memory")
    if completed.stopped is not None:
        return BuildRefused(status=Status.TIMED_OUT, message=f"the build was stopped: {completed.stopped} limit")
    errors = in_gnu_words(completed.files.get("errors", b"").decode(errors="replace"))
    if completed.exit_code == _CANNOT_LOAD:
        return _unresolved(errors, entry, signature)
    if not completed.ok or "candidate.so" not in completed.files:
        return _compile_error(errors or completed.stderr, entry, signature)
    return _audit(completed.files.get("symbols", b"").decode(errors="replace"), entry, signature)


def _compile_error(errors: str, entry: str, signature: str) -> BuildRefused:
    shown = _first_errors(errors)
    assertion = re.search(r"static assertion failed: unsupported: (.*)", errors)
    header, unknown = missing_header(errors), unknown_name(errors)
    if header is not None:
        return BuildRefused(status=Status.BUILD_FAILED, message=header, output=shown)
    name = assertion[1].strip() if assertion else None
    if unknown is not None and name is None:
        name = f"{unknown.feature} (line {unknown.line}): {UNKNOWN_NAME}"
    if name is not None:
        return BuildRefused(status=Status.UNSUPPORTED, message=f"the emulator cannot run {name}", output=shown)
    if f"{entry}(" in errors and ("with 'C' linkage" in errors or "conflicting declaration" in errors):
        message = f"{_OTHER_SIGNATURE}: {signature}"
        return BuildRefused(status=Status.BUILD_FAILED, message=message, output=shown)
    if "attempt to use poisoned" in errors:
        return BuildRefused(status=Status.POLICY_REJECTED, message="every access has to be checked", output=shown)
    first = next((line for line in shown.splitlines() if "error" in line), "the compiler failed")
    return BuildRefused(status=Status.BUILD_FAILED, message=first, output=shown)


def _first_errors(errors: str) -> str:
    """The lines of the first errors, without our own headers' chains of inclusion and instantiation."""
    own = re.compile(rf"{re.escape(SOURCE_NAME)}:\d+:\d+: ((fatal )?error|\s+required)")
    kept: list[str] = []
    for line in errors.splitlines():
        excerpt = bool(kept) and re.match(r"\s+\d*\s*\|", line) is not None
        if own.match(line) or excerpt:
            kept.append(line)
        elif re.match(r"\S+: (fatal )?error", line):
            kept.append(re.sub(r"^\S*/", "", line))
    return "\n".join((kept or errors.splitlines())[:_MAX_ERROR_LINES])[:4000]


def _unresolved(errors: str, entry: str, signature: str) -> BuildRefused:
    found = re.search(r"undefined symbol: (\w+)", errors)
    if found is not None and found.group(1) == entry:
        return _no_entry(signature)
    message = f"nothing defines {found.group(1)}" if found is not None else "the built candidate cannot be loaded"
    return BuildRefused(status=Status.BUILD_FAILED, message=message, output=errors[:4000])


def _no_entry(signature: str) -> BuildRefused:
    return BuildRefused(status=Status.BUILD_FAILED, message=f"the candidate does not define the entry: {signature}")


def _audit(symbols: str, entry: str, signature: str) -> BuildRefused | None:
    """Refuse a candidate without the entry, or one that replaces symbols of the process that it runs in."""
    defined = False
    for line in symbols.splitlines():
        found = _SYMBOL.match(line)
        if found is None or found["section"] == "UND":
            continue
        name = found["name"]
        if name == entry and found["kind"] == "FUNC" and found["binding"] == "GLOBAL":
            defined = True
        elif found["binding"] != "LOCAL" and name != "regrapht_call" and _REPLACED.match(name):
            return BuildRefused(
                status=Status.POLICY_REJECTED, message=f"the candidate defines {name}, which is not its own"
            )
    return None if defined else _no_entry(signature)
