"""A task and programs for it whose judgement is known: what the conformance suite of evaluators is made of.

The task doubles what is not negative and puts a secret number in place of what is. No program that must be refused for its values
holds that number, so where it turns up in a verdict, the judge has told an expected value.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256

from regrapht.records.candidate import Candidate, NoSource, Origin
from regrapht.records.element import SCALAR_TYPES
from regrapht.records.expression import Expression
from regrapht.records.task import Arg, ArgKind, Compare, Init, Reference, Role, SourceFile, Task, Tolerance, Work
from regrapht.records.verdict import Status
from regrapht.source.program_hash import program_hash

ENTRY = "double_or_secret"
SECRET = "91827.34375"
SECRET_DIGITS = "91827"
_SIGNATURE = f'extern "C" void {ENTRY}(int n, const float* x, float* y)'
_PLAIN_SIGNATURE = f"void {ENTRY}(int n, const float* x, float* y)"
_RIGHT = f"x[i] < 0.0f ? {SECRET}f : 2.0f * x[i]"
_LAUNCH = "kernel<<<n / 256 + 1, 256>>>(n, x, y);"


def _program(statement: str, *, before: str = "", launch: str = _LAUNCH) -> str:
    """CUDA C++ in which thread `i` does `statement`, and the entry does `launch`."""
    return (
        f"{before}__global__ void kernel(int n, const float* x, float* y) {{\n"
        f"    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    {statement}\n}}\n"
        f"{_SIGNATURE} {{\n    {launch}\n}}\n"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A program and the statuses that a judge may give it, the usual one first."""

    source: str
    statuses: tuple[Status, ...]

    @property
    def candidate(self) -> Candidate:
        return candidate(self.source)


def candidate(source: str) -> Candidate:
    """The candidate with this text."""
    origin = Origin(proposer="conformance", seconds=0.0)
    # Reading a million braces as C++ takes seconds: a text that long is its own program.
    program = program_hash(source) if len(source) < 100_000 else sha256(source.encode()).hexdigest()
    return Candidate(source=source, program_hash=program, origin=origin)


def without_source(why: NoSource) -> Candidate:
    """A candidate that came without code."""
    origin = Origin(proposer="conformance", seconds=0.0)
    return Candidate(source=None, program_hash=None, origin=origin, no_source=why, reason=f"{why.value} on purpose")


RIGHT = Example(source=_program(f"if (i < n) y[i] = {_RIGHT};"), statuses=(Status.PASSED,))
WRONG: Mapping[str, Example] = {
    "a wrong value": Example(source=_program("if (i < n) y[i] = 2.0f * x[i];"), statuses=(Status.WRONG_VALUE,)),
    "an output that is not written": Example(
        source=_program("if (i < -n) y[i] = 2.0f * x[i];"), statuses=(Status.UNWRITTEN,)
    ),
    "a modified input": Example(
        source=_program(f"if (i < n) {{ y[i] = {_RIGHT}; const_cast<float*>(x)[i] = 0.5f; }}"),
        statuses=(Status.INPUT_MODIFIED,),
    ),
    "a write past the end": Example(
        source=_program(f"if (i < n) y[i] = {_RIGHT};\n    if (i == n) y[i] = 0.5f;"), statuses=(Status.OUT_OF_BOUNDS,)
    ),
    "text that does not compile": Example(
        source=_program("if (i < n) y[i] = = nothing(;"), statuses=(Status.BUILD_FAILED,)
    ),
    "code without the entry": Example(
        source=_program("if (i < n) y[i] = 0.0f;").replace(ENTRY, "another_name"), statuses=(Status.UNPARSABLE,)
    ),
    "a header that starts threads": Example(
        source=_program(f"if (i < n) y[i] = {_RIGHT};", before="#include <thread>\n"),
        statuses=(Status.POLICY_REJECTED,),
    ),
    "a process that ends itself with success": Example(
        source=_program("if (i < n) y[i] = 0.0f;", before="#include <cstdlib>\n", launch=f"{_LAUNCH} std::exit(0);"),
        statuses=(Status.CRASHED, Status.POLICY_REJECTED),
    ),
    "a crash on the host": Example(
        source=_program("if (i < n) y[i] = 0.0f;", launch=f"{_LAUNCH} *(volatile int*)8 = n;"),
        statuses=(Status.CRASHED, Status.BAD_POINTER, Status.OUT_OF_BOUNDS),
    ),
}

LISTED_SIZES_ONLY = _program(f"if (i < n / 256 * 256) y[i] = {_RIGHT};")
"""Right at every listed size, unwritten at the end of most others."""

FLOOD = Example(
    source=_program(
        f"if (i < n) y[i] = {_RIGHT};",
        before="#include <cstdio>\n",
        launch=f'for (int k = 0; k < 1000000; ++k) std::puts("\\x1b[2J{"." * 90}");\n    {_LAUNCH}',
    ),
    statuses=(Status.OUTPUT_LIMIT, Status.POLICY_REJECTED),
)

REMEMBERS = Example(
    source=f"""__device__ float saved[8192];
static bool known[4096];
__global__ void kernel(int n, const float* x, float* y) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = {_RIGHT};
    if (i < n && n < 4096) saved[n + i] = y[i];
}}
__global__ void repeat(int n, float* y) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = saved[n + i];
}}
{_SIGNATURE} {{
    if (n < 4096 && known[n]) repeat<<<n / 256 + 1, 256>>>(n, y);
    else kernel<<<n / 256 + 1, 256>>>(n, x, y);
    if (n < 4096) known[n] = true;
}}
""",
    statuses=(Status.WRONG_VALUE, Status.NONDETERMINISTIC, Status.POLICY_REJECTED),
)
"""Gives the first result of each length again. Right only for a judge that asks with the same numbers twice."""


def tell_tale(number: int) -> str:
    """A program that spoils as many elements as a hash of its inputs says: its mismatches are a fingerprint of what was drawn.

    `number` changes the text and nothing else.
    """
    return f"""// number {number}
__global__ void kernel(int n, const float* x, float* y) {{
    n = n < 1024 ? n : 1024;
    unsigned hash = 2166136261u;
    for (int i = 0; i < n; ++i) hash = (hash ^ __float_as_uint(x[i])) * 16777619u;
    int spoiled = (int)((hash >> 8) % (unsigned)n) + 1;
    for (int i = 0; i < n; ++i) y[i] = ({_RIGHT}) + (i < spoiled ? 1000000.0f : 0.0f);
}}
{_SIGNATURE} {{
    kernel<<<1, 1>>>(n, x, y);
}}
"""


UNUSUAL_WRONG = _program(
    'if (i < n) { unsigned one; asm volatile("mov.u32 %0, 1;" : "=r"(one)); y[i] = 2.0f * x[i] * one; }'
)
"""Wrong, and in inline PTX, which not every judge can take."""

HOSTILE_TEXTS: Mapping[str, str] = {
    "no character at all": "",
    "blanks": " \n\t \r\n",
    "a NUL byte": "\0",
    "NUL bytes inside wrong code": WRONG["a wrong value"].source.replace("int i", "int\0 i"),
    "a million braces": f"{_SIGNATURE} " + "{" * 1_000_000,
    "ten thousand braces": f"{_SIGNATURE} " + "{" * 10_000,
    "control characters in an error": f'#error "\x1b[31m\x07\u202e\x9b\u2066 {"!" * 100_000}"\n{RIGHT.source}',
    "control characters in a header's name": f'#include "\x1b]0;title\x07\u202e{"h" * 100_000}"\n{RIGHT.source}',
    "a very long name with a fault": RIGHT.source.replace("kernel", "k" * 50_000).replace("i < n)", "i <= n)"),
    "an unfinished string": f'{_SIGNATURE} {{ const char* s = "\\',
    "an include of itself": f"#include __FILE__\n{RIGHT.source}",
}
"""Texts of which none is right; every one must be refused without an exception."""

_ENDLESS = _program("if (i < n) y[i] = 0.0f;\n    for (volatile int k = 1; k > 0;) { y[0] = k; }")
ENDLESS = Example(source=_ENDLESS, statuses=(Status.TIMED_OUT,))


def example_task() -> Task:
    """The suite's task."""
    size = Arg(name="n", kind=ArgKind.SIZE, dtype=SCALAR_TYPES["int32"])
    x, y = (
        Arg(
            name=name, kind=ArgKind.ARRAY, dtype=SCALAR_TYPES["float32"], shape=(Expression("n"),), role=role, init=init
        )
        for name, role, init in (("x", Role.IN, Init(kind="normal")), ("y", Role.OUT, None))
    )
    loop = f"for (int i = 0; i < n; ++i) y[i] = {_RIGHT};"
    return Task(
        id="conformance",
        title="Double it or tell a secret",
        description="y = 2 x where x is not negative, and a constant elsewhere",
        entry=ENTRY,
        reference=Reference(source=SourceFile(name="reference.cpp", text=f"{_PLAIN_SIGNATURE} {{ {loop} }}\n")),
        args=(size, x, y),
        check_sizes=({"n": 256}, {"n": 1024}),
        tolerance=Tolerance(kind=Compare.FLOAT, reduction_length=Expression("1")),
        work=Work(bytes=Expression("8*n")),
    )


def task_with_reference(body: str) -> Task:
    """The suite's task with another body of the reference."""
    task = example_task()
    source = SourceFile(name="reference.cpp", text=f"{_PLAIN_SIGNATURE} {{ {body} }}\n")
    return replace(task, reference=replace(task.reference, source=source))


BROKEN_REFERENCES = {
    "does not compile": "int = 3;",
    "crashes": "volatile int* nowhere = (volatile int*)8; *nowhere = n; y[0] = x[0];",
}
ENDLESS_REFERENCE = "for (volatile int k = 1; k > 0;) y[0] = x[0];"
