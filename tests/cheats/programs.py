"""Small tasks, and files with many programs for them: what the tests of kinds and of honest programs read.

A program begins with a line `//// name | task | STATUS ... [| gpu STATUS ...]`; everything down to the next such line is its text.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from regrapht.records.element import SCALAR_TYPES
from regrapht.records.expression import Expression
from regrapht.records.task import (
    Arg,
    ArgKind,
    Compare,
    Contract,
    Init,
    Reference,
    Role,
    SourceFile,
    Task,
    Tolerance,
    Work,
)
from regrapht.records.verdict import Status

_HEAD = re.compile(
    r"^//// (?P<name>[^|]+) \| (?P<task>\w+) \| (?P<expect>[A-Z_ ]+?)(?: \| gpu (?P<gpu>[A-Z_ ]+))?$", re.MULTILINE
)
_UNIT = Init(kind="uniform", parameters={"low": -1.0, "high": 1.0})


@dataclass(frozen=True, kw_only=True)
class Program:
    """One program, and what either judge has to say of it."""

    name: str
    task: str
    expect: tuple[Status, ...]
    gpu: tuple[Status, ...]
    source: str


def programs_in(folder: Path) -> list[Program]:
    """The programs of all files of a folder, by file and place."""
    found = []
    for file in sorted(folder.glob("*.cu")):
        text = file.read_text()
        heads = [*_HEAD.finditer(text)]
        assert len(heads) == len(re.findall("^////", text, re.MULTILINE)), f"{file.name} has a head that is none"
        for head, end in zip(heads, [*(each.start() for each in heads[1:]), len(text)], strict=True):
            expect = tuple(Status(word) for word in head["expect"].split())
            gpu = tuple(Status(word) for word in head["gpu"].split()) if head["gpu"] else expect
            if Status.RACE in gpu:
                gpu += (Status.NONDETERMINISTIC,)  # what a device's order of threads shows first
            name = f"{file.stem}-{head['name'].strip().replace(' ', '_')}"
            source = text[head.end() : end].strip() + "\n"
            found.append(Program(name=name, task=head["task"], expect=expect, gpu=gpu, source=source))
    return found


def _argument(text: str) -> Arg:
    """`n`, `a:float32=uniform -1 1`, `in x:float32[n]=uniform -1 1`: a size, a scalar, an array, with its init."""
    said, _, drawn = text.partition("=")
    words, _, shape = said.strip().removesuffix("]").partition("[")
    role, _, name = words.rpartition(" ")
    name, _, dtype = name.partition(":")
    init = _UNIT if dtype.startswith(("float", "half")) else None
    if drawn:
        kind, *values = drawn.split()
        numbers = [
            float(value) if "." in value else int(value) if value.lstrip("-").isdigit() else Expression(value)
            for value in values
        ]
        names = {"normal": ("mean", "std"), "csr_row_ptr": ("nnz",), "csr_col_idx": ("cols",)}.get(
            kind, ("low", "high")
        )
        init = Init(kind=kind, parameters=dict(zip(names, numbers, strict=True)))
    if not dtype:
        return Arg(name=name, kind=ArgKind.SIZE, dtype=SCALAR_TYPES["int32"])
    if not shape:
        return Arg(name=name, kind=ArgKind.SCALAR, dtype=SCALAR_TYPES[dtype], init=init)
    return Arg(
        name=name,
        kind=ArgKind.ARRAY,
        dtype=SCALAR_TYPES[dtype],
        shape=tuple(Expression(part) for part in shape.split(",")),
        role=Role(role),
        init=None if role == "out" else init,
    )


def _task(
    entry: str,
    arguments: str,
    body: str,
    sizes: str,
    *,
    bench: str = "",
    length: str = "1",
    exact: bool = False,
    returns: str | None = None,
    deterministic: bool = True,
    libraries: tuple[str, ...] = (),
) -> Task:
    args = tuple(_argument(part) for part in arguments.split("; "))

    def shapes(text: str) -> tuple[dict[str, int], ...]:
        names = [arg.name for arg in args if arg.kind is ArgKind.SIZE]
        return tuple(dict(zip(names, map(int, each.split("x")), strict=True)) for each in text.split())

    def parameter(arg: Arg) -> str:
        if arg.kind is not ArgKind.ARRAY:
            return f"{arg.dtype.c_name} {arg.name}"
        return f"{'const ' if arg.role is Role.IN else ''}{arg.dtype.c_name}* {arg.name}"

    result = SCALAR_TYPES[returns].c_name if returns else "void"
    text = f"#include <cmath>\n{result} {entry}({', '.join(map(parameter, args))}) {{\n{body}\n}}\n"
    return Task(
        id=entry,
        title=entry,
        description=entry,
        entry=entry,
        reference=Reference(source=SourceFile(name="reference.cpp", text=text)),
        args=args,
        check_sizes=shapes(sizes),
        bench_sizes=shapes(bench or sizes.split()[-1]),  # programs may rest on limits that the listed sizes keep
        tolerance=Tolerance(
            kind=Compare.EXACT if exact else Compare.FLOAT,
            reduction_length=Expression(length),
            deterministic=deterministic,
        ),
        contract=Contract(allow_libraries=libraries),
        returns=SCALAR_TYPES[returns] if returns else None,
        work=Work(bytes=Expression("8")),
    )


TASKS = {
    task.entry: task
    for task in (
        _task(
            "affine",
            "n; a:float32=uniform 0.5 2.0; in x:float32[n]; in y:float32[n]; out z:float32[n]",
            "for (int i = 0; i < n; ++i) z[i] = a * x[i] + y[i];",
            "256 1000 4096",
        ),
        _task(
            "wave",
            "n; in x:float32[n]=normal 0.0 1.0; out y:float32[n]",
            "for (int i = 0; i < n; ++i) y[i] = std::sin(x[i]) * std::exp(-0.5f * std::fabs(x[i])) + x[i];",
            "33 1024 3000",
        ),
        _task(
            "decay",
            "n; in x:float32[n]=uniform 0.0 4.0; out y:float32[n]",
            "for (int i = 0; i < n; ++i) y[i] = std::exp(-8.0f * x[i]);",
            "33 1024",
            bench="65536",
        ),
        _task(
            "rowsum",
            "rows; cols; in x:float32[rows,cols]; out y:float32[rows]",
            "for (int r = 0; r < rows; ++r) {\n    float sum = 0;\n    for (int c = 0; c < cols; ++c) sum += x[r * cols + c];\n"
            "    y[r] = sum;\n}",
            "1x1 7x33 40x128",
            length="cols",
            deterministic=False,  # floats may be added by atomics
            libraries=("libcu++",),
        ),
        _task(
            "total",
            "n; in x:float32[n]",
            "float sum = 0;\nfor (int i = 0; i < n; ++i) sum += x[i];\nreturn sum;",
            "1 1000 5000",
            length="n",
            returns="float32",
            deterministic=False,
        ),
        _task(
            "count",
            "n; bins; in keys:int32[n]=integers 0 bins; out counts:int32[bins]",
            "for (int b = 0; b < bins; ++b) counts[b] = 0;\nfor (int i = 0; i < n; ++i) counts[keys[i]]++;",
            "1x1 1000x16 5000x64",
            exact=True,
            libraries=("libcu++",),
        ),
        _task(  # those of large bench shapes
            "tally",
            "n; bins; in keys:int32[n]=integers 0 bins; out counts:int32[bins]",
            "for (int b = 0; b < bins; ++b) counts[b] = 0;\nfor (int i = 0; i < n; ++i) counts[keys[i]]++;",
            "1x1 1000x16 5000x256",
            bench="262144x256",
            exact=True,
        ),
        _task(
            "longsum",
            "n; in x:int32[n]=integers -20000 20000; out y:int64[1]",
            "y[0] = 0;\nfor (int i = 0; i < n; ++i) y[0] += x[i];",
            "1 1000 5000",
            bench="262144",
            exact=True,
        ),
        _task(
            "longest",
            "n; in x:int32[n]=integers 0 8; out y:int32[1]",
            "int most = 0;\nfor (int i = 0, run = 0; i < n; ++i) {\n    run = i > 0 && x[i] == x[i - 1] ? run + 1 : 1;\n"
            "    if (run > most) most = run;\n}\ny[0] = most;",
            "1 1000 5000",
            bench="262144",
            exact=True,
        ),
        _task(
            "bias",
            "n; in x:float32[n]; out y:float32[4]",
            "for (int s = 0; s < 4; ++s) y[s] = 0;\nfor (int i = 0; i < n; ++i) y[i % 4] += x[i];",
            "8 1000",
            bench="524288",
            length="n / 4",
        ),
        _task(
            "prefix",
            "n; in x:int32[n]=integers -100 100; out y:int32[n]",
            "int sum = 0;\nfor (int i = 0; i < n; ++i) y[i] = sum += x[i];",
            "1 100 1000",
            exact=True,
        ),
        _task(
            "sortk",
            "n; in keys:int32[n]=integers 0 100000; out sorted:int32[n]",
            "for (int i = 0; i < n; ++i) {\n    int k = keys[i], j = i;\n"
            "    for (; j > 0 && sorted[j - 1] > k; --j) sorted[j] = sorted[j - 1];\n    sorted[j] = k;\n}",
            "1 100 600",
            exact=True,
        ),
        _task(
            "matmul",
            "m; n; k; in a:float32[m,k]; in b:float32[k,n]; out c:float32[m,n]",
            "for (int i = 0; i < m; ++i)\n    for (int j = 0; j < n; ++j) {\n        float sum = 0;\n"
            "        for (int t = 0; t < k; ++t) sum += a[i * k + t] * b[t * n + j];\n        c[i * n + j] = sum;\n    }",
            "1x1x1 17x9x33 32x32x32",
            length="k",
        ),
        _task(
            "blur",
            "h; w; in x:float32[h,w]; out y:float32[h,w]",
            "for (int i = 0; i < h; ++i)\n    for (int j = 0; j < w; ++j) {\n"
            "        float left = j > 0 ? x[i * w + j - 1] : 0, right = j + 1 < w ? x[i * w + j + 1] : 0;\n"
            "        float up = i > 0 ? x[(i - 1) * w + j] : 0, down = i + 1 < h ? x[(i + 1) * w + j] : 0;\n"
            "        y[i * w + j] = 0.5f * x[i * w + j] + 0.125f * (left + right + up + down);\n    }",
            "1x1 7x33 40x48",
            length="5",
        ),
        _task(
            "transpose",
            "rows; cols; in x:float32[rows,cols]; out y:float32[cols,rows]",
            "for (int r = 0; r < rows; ++r)\n    for (int c = 0; c < cols; ++c) y[c * rows + r] = x[r * cols + c];",
            "1x1 7x33 40x64",
        ),
        _task(
            "gather",
            "n; m; in at:int32[n]=integers 0 m; in x:float32[m]; out y:float32[n]",
            "for (int i = 0; i < n; ++i) y[i] = 2 * x[at[i]];",
            "1x1 500x33 3000x256",
        ),
        _task(
            "first",
            "n; in x:float32[n]; out y:int32[1]",
            "int b = 0;\nfor (int i = 1; i < n; ++i) if (x[i] > x[b]) b = i;\ny[0] = b;",
            "1 100 1000",
            exact=True,
        ),
        _task(
            "recip",
            "n; in x:float32[n]; out y:float32[n]",
            "for (int i = 0; i < n; ++i) y[i] = 1.0f / x[i];",
            "1 100 1000",
        ),
        _task(
            "halves",
            "n; in x:float16[n]=uniform -1.0 1.0; out y:float16[n]",
            "for (int i = 0; i < n; ++i) y[i] = 2 * x[i];",
            "1 100 1000",
        ),
        _task(  # doubles, whose answers hang on comparisons
            "firstd",
            "n; in x:float64[n]=uniform -1.0 1.0; out y:int32[1]",
            "int b = 0;\nfor (int i = 1; i < n; ++i) if (x[i] > x[b]) b = i;\ny[0] = b;",
            "1 100 1000",
            exact=True,
        ),
        _task(
            "bind",
            "n; in x:float64[n]=uniform 0.0 1.0; out y:int32[n]",
            "for (int i = 0; i < n; ++i) y[i] = (int)(x[i] * 10.0);",
            "1 100 1000",
            exact=True,
        ),
        _task(
            "kept",
            "n; t:float32=uniform 0.2 0.9; in x:float32[n]=normal 0.0 1.0; out y:float32[n]",
            "for (int i = 0; i < n; ++i) y[i] = x[i] >= t ? x[i] : 0;",
            "1 100 1000",
        ),
        _task(
            "above",
            "n; t:int32=integers 0 1000000000; in x:int32[n]=integers 0 1000000000; out y:int32[1]",
            "y[0] = 0;\nfor (int i = 0; i < n; ++i) y[0] += x[i] >= t;",
            "1 100 1000",
            exact=True,
        ),
        _task(  # floats that are rounded to whole numbers
            "rounded",
            "n; s:float32=uniform 0.5 8.0; in x:float32[n]=uniform -1000.0 1000.0; out y:int32[n]",
            "for (int i = 0; i < n; ++i) y[i] = (int)std::rint(x[i] * s);",
            "1 100 1000",
            exact=True,
        ),
        _task(
            "thirds",
            "n; in x:float32[n]=uniform -1000.0 1000.0; out y:int32[n]",
            "for (int i = 0; i < n; ++i) y[i] = (int)std::rint(x[i] / 3.0f);",
            "1 100 1000",
            exact=True,
        ),
        _task(
            "softmax",
            "rows; cols; in x:float32[rows,cols]=normal 0.0 1.0; out y:float32[rows,cols]",
            "for (int r = 0; r < rows; ++r) {\n    float most = x[r * cols], sum = 0;\n"
            "    for (int c = 1; c < cols; ++c) if (x[r * cols + c] > most) most = x[r * cols + c];\n"
            "    for (int c = 0; c < cols; ++c) sum += y[r * cols + c] = std::exp(x[r * cols + c] - most);\n"
            "    for (int c = 0; c < cols; ++c) y[r * cols + c] /= sum;\n}",
            "1x1 7x33 40x128",
            length="cols",
        ),
        _task(
            "rowmax",
            "rows; cols; in x:float32[rows,cols]=normal 0.0 1.0; out at:int32[rows]",
            "for (int r = 0; r < rows; ++r) {\n    int best = 0;\n"
            "    for (int c = 1; c < cols; ++c) if (x[r * cols + c] > x[r * cols + best]) best = c;\n    at[r] = best;\n}",
            "1x1 7x33 40x128",
            exact=True,
        ),
        _task(
            "axpby",
            "n; alpha:float32=uniform -2.0 2.0; beta:float32=uniform -2.0 2.0; in x:float32[n]; inout y:float32[n]",
            "for (int i = 0; i < n; ++i) y[i] = alpha * x[i] + beta * y[i];",
            "1 100 1000",
        ),
        _task(
            "hashed",
            "n; seed:uint32=integers 0 4000000000; in x:uint32[n]=integers 0 4000000000; out y:uint32[n]",
            "for (int i = 0; i < n; ++i) y[i] = ((x[i] ^ seed) * 2654435761u) % 1000003u;",
            "1 100 1000",
            exact=True,
        ),
        _task(
            "saturated",
            "n; in x:uint8[n]=integers 0 256; in y:uint8[n]=integers 0 256; out z:uint8[n]",
            "for (int i = 0; i < n; ++i) z[i] = x[i] + y[i] > 255 ? 255 : x[i] + y[i];",
            "1 100 1000",
            exact=True,
        ),
        _task(
            "lower",
            "n; m; in keys:int32[n]=sorted 0 10000; in q:int32[m]=integers -5 10005; out at:int32[m]",
            "for (int i = 0; i < m; ++i) {\n    int k = 0;\n    while (k < n && keys[k] < q[i]) ++k;\n    at[i] = k;\n}",
            "1x1 100x33 1000x500",
            exact=True,
        ),
        _task(
            "window",
            "n; w; in x:int32[n]=integers -1000 1000; out y:int32[n]",
            "for (int i = 0; i < n; ++i) {\n    y[i] = 0;\n    for (int j = i - w + 1; j <= i; ++j) if (j >= 0) y[i] += x[j];\n}",
            "1x1 100x7 1000x33",
            exact=True,
        ),
        _task(
            "spmv",
            "rows; nnz; in start:int32[rows + 1]=csr_row_ptr nnz; in col:int32[nnz]=csr_col_idx rows; in v:float32[nnz]; "
            "in x:float32[rows]; out y:float32[rows]",
            "for (int r = 0; r < rows; ++r) {\n    float sum = 0;\n"
            "    for (int e = start[r]; e < start[r + 1]; ++e) sum += v[e] * x[col[e]];\n    y[r] = sum;\n}",
            "1x1 33x100 200x1000",
            length="nnz",
            deterministic=False,
        ),
        _task(
            "floormod",
            "n; d:int64=integers 1 1000; in x:int64[n]=integers -1000000000000 1000000000000; out y:int64[n]",
            "for (int i = 0; i < n; ++i) {\n    const long long r = x[i] % d;\n    y[i] = r < 0 ? r + d : r;\n}",
            "1 100 1000",
            exact=True,
        ),
        _task(
            "dot8",
            "rows; cols; in x:int8[rows,cols]=integers -128 128; in w:int8[cols]=integers -128 128; out y:int32[rows]",
            "for (int r = 0; r < rows; ++r) {\n    y[r] = 0;\n    for (int c = 0; c < cols; ++c) y[r] += x[r * cols + c] * w[c];\n}",
            "1x1 7x33 40x128",
            exact=True,
        ),
        _task(
            "rowsumd",
            "rows; cols; in x:float64[rows,cols]=uniform -1.0 1.0; out y:float64[rows]",
            "for (int r = 0; r < rows; ++r) {\n    double sum = 0;\n    for (int c = 0; c < cols; ++c) sum += x[r * cols + c];\n"
            "    y[r] = sum;\n}",
            "1x1 7x33 40x128",
            length="cols",
        ),
    )
}
