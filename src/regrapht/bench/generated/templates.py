"""Templates of tasks: each draws its data flow, its arithmetic and its names from a seed, and says in words what it computes."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from regrapht.bench.generated.expressions import floats, name, words

WORDS = 'dtype = "uint32"', 'init = { kind = "integers", low = 0, high = 4294967296 }'
FLOATS = 'dtype = "float32"', 'init = { kind = "uniform", low = -2.0, high = 2.0 }'


@dataclass(frozen=True, slots=True, kw_only=True)
class Array:
    """An array parameter."""

    name: str
    element: tuple[str, str]
    """Lines of its type and of how it is drawn."""
    shape: tuple[str, ...]
    role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A task as a template draws it."""

    family: str
    title: str
    description: str
    entry: str
    sizes: tuple[str, ...]
    arrays: tuple[Array, ...]
    reference: str
    check: tuple[tuple[int, ...], ...]
    bench: tuple[int, ...]
    length: str
    """Of the longest sum."""
    is_exact: bool


def _c_type(array: Array) -> str:
    kind = "uint32_t" if array.element is WORDS else "int32_t" if "int32" in array.element[0] else "float"
    return f"{'const ' if array.role == 'in' else ''}{kind}* {array.name}"


def _function(entry: str, sizes: Sequence[str], arrays: Sequence[Array], body: str) -> str:
    parameters = ", ".join((*(f"int {size}" for size in sizes), *map(_c_type, arrays)))
    included = "".join(f"#include <{header}>\n" for header in ("algorithm", "cmath", "cstddef", "cstdint"))
    return f"{included}\nvoid {entry}({parameters})\n{{\n{body}}}\n"


def elementwise(rng: random.Random) -> Drawn:
    """A chain of two expressions over some arrays, element by element."""
    used: set[str] = set()
    entry, n, out = (name(rng, used) for _ in range(3))
    ins = [name(rng, used) for _ in range(rng.randint(2, 4))]
    exact = rng.random() < 0.5
    element, kind = (WORDS, "uint32_t") if exact else (FLOATS, "float")
    draw = words if exact else floats
    first = draw(rng, [f"{each}[i]" for each in ins])
    second = draw(rng, ["t", f"{rng.choice(ins)}[i]"])
    arrays = (
        *(Array(name=each, element=element, shape=(n,), role="in") for each in ins),
        Array(name=out, element=element, shape=(n,), role="out"),
    )
    body = f"    for (int i = 0; i < {n}; ++i) {{\n        const {kind} t = {first};\n        {out}[i] = {second};\n    }}\n"
    return Drawn(
        family="layout",
        title=f"Elements of {len(ins)} arrays by a formula",
        description=f"For every i below {n}: t = {first}, {out}[i] = {second}. {_arithmetic(exact)}",
        entry=entry,
        sizes=(n,),
        arrays=arrays,
        reference=_function(entry, (n,), arrays, body),
        check=((1,), (131,), (1026,)),
        bench=(1 << 24,),
        length="4",
        is_exact=exact,
    )


def row_reduction(rng: random.Random) -> Drawn:
    """Every row's sum, largest or exclusive-or of a formula over two arrays."""
    used: set[str] = set()
    entry, rows, cols, a, b, out = (name(rng, used) for _ in range(6))
    exact = rng.random() < 0.6
    element, kind = (WORDS, "uint32_t") if exact else (FLOATS, "float")
    value = (words if exact else floats)(rng, [f"{a}[at]", f"{b}[c]"])
    how = rng.choice(("sum", "largest", "xor") if exact else ("sum", "largest"))
    start = "0" if exact else "0.0f" if how == "sum" else "-1e30f"
    join = {"sum": "best + v", "largest": "std::max(best, v)", "xor": "best ^ v"}[how]
    arrays = (
        Array(name=a, element=element, shape=(rows, cols), role="in"),
        Array(name=b, element=element, shape=(cols,), role="in"),
        Array(name=out, element=element, shape=(rows,), role="out"),
    )
    body = (
        f"    for (int r = 0; r < {rows}; ++r) {{\n        {kind} best = {start};\n        for (int c = 0; c < {cols}; ++c) {{\n"
        f"            const size_t at = (size_t)r * {cols} + c;\n            const {kind} v = {value};\n            best = {join};\n"
        f"        }}\n        {out}[r] = best;\n    }}\n"
    )
    said = {"sum": "the sum", "largest": "the largest", "xor": "the exclusive or"}[how]
    return Drawn(
        family="reduction",
        title=f"Rows' {said.removeprefix('the ')} of a formula",
        description=f"{out}[r] is {said} over c below {cols} of {value}, with at = r * {cols} + c, "
        f"beginning with {start}. {_arithmetic(exact)}",
        entry=entry,
        sizes=(rows, cols),
        arrays=arrays,
        reference=_function(entry, (rows, cols), arrays, body),
        check=((1, 1), (7, 45), (64, 130)),
        bench=(8192, 2048),
        length=cols,
        is_exact=exact,
    )


def stencil(rng: random.Random) -> Drawn:
    """A weighted sum of some neighbours on a torus, with offsets and weights that are drawn."""
    used: set[str] = set()
    entry, rows, cols, a, out = (name(rng, used) for _ in range(5))
    offsets = [(0, 0)]
    while len(offsets) < rng.randint(4, 9):
        offset = rng.randint(-3, 3), rng.randint(-3, 3)
        if offset not in offsets:
            offsets.append(offset)
    weights = [f"{rng.choice((-1, 1)) * rng.uniform(0.1, 0.9):.3f}f" for _ in offsets]
    terms = [
        f"{weight} * {a}[(size_t)((y + 3 * {rows} + {dy}) % {rows}) * {cols} + (x + 3 * {cols} + {dx}) % {cols}]"
        for weight, (dy, dx) in zip(weights, offsets, strict=True)
    ]
    arrays = (
        Array(name=a, element=FLOATS, shape=(rows, cols), role="in"),
        Array(name=out, element=FLOATS, shape=(rows, cols), role="out"),
    )
    joined = "\n                + ".join(terms)
    body = (
        f"    for (int y = 0; y < {rows}; ++y)\n        for (int x = 0; x < {cols}; ++x)\n"
        f"            {out}[(size_t)y * {cols} + x] = {joined};\n"
    )
    told = ", ".join(f"{weight} at ({dy}, {dx})" for weight, (dy, dx) in zip(weights, offsets, strict=True))
    return Drawn(
        family="stencil",
        title=f"A stencil of {len(offsets)} points on a torus",
        description=f"{out}(y, x) is the sum of weights times {a} at offsets (dy, dx), wrapping at both borders: {told}.",
        entry=entry,
        sizes=(rows, cols),
        arrays=arrays,
        reference=_function(entry, (rows, cols), arrays, body),
        check=((1, 1), (9, 37), (64, 40)),
        bench=(4096, 4096),
        length=str(len(offsets)),
        is_exact=False,
    )


def histogram(rng: random.Random) -> Drawn:
    """Counts and sums by a bin that a formula gives."""
    used: set[str] = set()
    entry, n, bins, a, b, count, total = (name(rng, used) for _ in range(7))
    key, value = words(rng, [f"{a}[i]", f"{b}[i]"]), words(rng, [f"{b}[i]"], 1)
    skip = rng.randint(3, 9)
    arrays = (
        *(Array(name=each, element=WORDS, shape=(n,), role="in") for each in (a, b)),
        *(Array(name=each, element=WORDS, shape=(bins,), role="out") for each in (count, total)),
    )
    body = (
        f"    std::fill_n({count}, {bins}, 0u);\n    std::fill_n({total}, {bins}, 0u);\n    for (int i = 0; i < {n}; ++i) {{\n"
        f"        if ({a}[i] % {skip} == 0) continue;\n        const uint32_t bin = {key} % (uint32_t){bins};\n"
        f"        ++{count}[bin];\n        {total}[bin] += {value};\n    }}\n"
    )
    return Drawn(
        family="histogram",
        title="Counts and sums by a drawn key",
        description=f"Every i with {a}[i] not a multiple of {skip} belongs to the bin {key} mod {bins}; "
        f"{count} has how many belong to a bin, "
        f"{total} their sum of {value}. {_arithmetic(True)}",
        entry=entry,
        sizes=(n, bins),
        arrays=arrays,
        reference=_function(entry, (n, bins), arrays, body),
        check=((1, 1), (333, 7), (3000, 100)),
        bench=(1 << 24, rng.choice((256, 1024, 65536))),
        length="1",
        is_exact=True,
    )


def scan(rng: random.Random) -> Drawn:
    """Running totals of a formula along rows, by an associative operation."""
    used: set[str] = set()
    entry, rows, n, a, out = (name(rng, used) for _ in range(5))
    value = words(rng, [f"{a}[at]"], 2)
    how = rng.choice(("sum", "largest", "xor"))
    join = {"sum": "run + v", "largest": "std::max(run, v)", "xor": "run ^ v"}[how]
    exclusive = rng.random() < 0.5
    arrays = (
        Array(name=a, element=WORDS, shape=(rows, n), role="in"),
        Array(name=out, element=WORDS, shape=(rows, n), role="out"),
    )
    lines = [f"run = {join};", f"{out}[at] = run;"]
    lines = lines[::-1] if exclusive else lines
    body = (
        f"    for (int r = 0; r < {rows}; ++r) {{\n        uint32_t run = 0;\n        for (int i = 0; i < {n}; ++i) {{\n"
        f"            const size_t at = (size_t)r * {n} + i;\n            const uint32_t v = {value};\n"
        + "".join(f"            {line}\n" for line in lines)
        + "        }\n    }\n"
    )
    return Drawn(
        family="scan",
        title=f"Running {how} along rows",
        description=f"{out}[r][i] is the {how} of {value} over the elements of row r {'before' if exclusive else 'up to and with'} i "
        f"(0 of none), with at the element's place. {_arithmetic(True)}",
        entry=entry,
        sizes=(rows, n),
        arrays=arrays,
        reference=_function(entry, (rows, n), arrays, body),
        check=((1, 1), (5, 77), (30, 300)),
        bench=(rng.choice((64, 4096)), 8192),
        length="1",
        is_exact=True,
    )


def gather(rng: random.Random) -> Drawn:
    """Elements fetched from where another array says, joined by a formula."""
    used: set[str] = set()
    entry, n, m, index, a, b, out = (name(rng, used) for _ in range(7))
    value = floats(rng, [f"{a}[k]", f"{b}[i]"])
    places = 'dtype = "int32"', f'init = {{ kind = "integers", low = 0, high = "{m}" }}'
    arrays = (
        Array(name=index, element=places, shape=(n,), role="in"),
        Array(name=a, element=FLOATS, shape=(m,), role="in"),
        Array(name=b, element=FLOATS, shape=(n,), role="in"),
        Array(name=out, element=FLOATS, shape=(n,), role="out"),
    )
    shift = rng.randint(1, 5)
    body = (
        f"    for (int i = 0; i < {n}; ++i) {{\n        const int k = ({index}[i] + {shift}) % {m};\n"
        f"        {out}[i] = {value};\n    }}\n"
    )
    return Drawn(
        family="graph",
        title="Elements fetched by an index",
        description=f"For every i below {n}, with k = ({index}[i] + {shift}) mod {m}: {out}[i] = {value}. {_arithmetic(False)}",
        entry=entry,
        sizes=(n, m),
        arrays=arrays,
        reference=_function(entry, (n, m), arrays, body),
        check=((1, 1), (131, 40), (1000, 700)),
        bench=(1 << 23, 1 << 22),
        length="4",
        is_exact=False,
    )


def product(rng: random.Random) -> Drawn:
    """A matrix product of transposed or straight factors with a formula behind it."""
    used: set[str] = set()
    entry, m, n, k, a, b, bias, out = (name(rng, used) for _ in range(8))
    left, right = rng.random() < 0.5, rng.random() < 0.5
    first = f"{a}[(size_t)p * {m} + i]" if left else f"{a}[(size_t)i * {k} + p]"
    second = f"{b}[(size_t)j * {k} + p]" if right else f"{b}[(size_t)p * {n} + j]"
    after = (
        floats(rng, ["s", f"{bias}[j]"]).replace(" * s * s", " * s").replace("1.0f + s * s", "1.0f + 0.001f * s * s")
    )
    arrays = (
        Array(name=a, element=FLOATS, shape=(k, m) if left else (m, k), role="in"),
        Array(name=b, element=FLOATS, shape=(n, k) if right else (k, n), role="in"),
        Array(name=bias, element=FLOATS, shape=(n,), role="in"),
        Array(name=out, element=FLOATS, shape=(m, n), role="out"),
    )
    body = (
        f"    for (int i = 0; i < {m}; ++i)\n        for (int j = 0; j < {n}; ++j) {{\n            float s = 0.0f;\n"
        f"            for (int p = 0; p < {k}; ++p) s += {first} * {second};\n"
        f"            {out}[(size_t)i * {n} + j] = {after};\n        }}\n"
    )
    return Drawn(
        family="dense_la",
        title="A matrix product with a formula behind it",
        description=f"s(i, j) is the sum over p below {k} of {first} times {second}; {out}(i, j) = {after}. {_arithmetic(False)}",
        entry=entry,
        sizes=(m, n, k),
        arrays=arrays,
        reference=_function(entry, (m, n, k), arrays, body),
        check=((1, 1, 1), (17, 33, 20), (40, 64, 65)),
        bench=(1024, 1024, 512),
        length=k,
        is_exact=False,
    )


def pairs(rng: random.Random) -> Drawn:
    """For every element a count and a digest over all elements of another list that meet a drawn condition."""
    used: set[str] = set()
    entry, n, m, a, b, count, digest = (name(rng, used) for _ in range(7))
    meet, value = words(rng, [f"{a}[i]", f"{b}[j]"], 2), words(rng, [f"{b}[j]"], 1)
    one_in = rng.randint(3, 11)
    arrays = (
        Array(name=a, element=WORDS, shape=(n,), role="in"),
        Array(name=b, element=WORDS, shape=(m,), role="in"),
        Array(name=count, element=WORDS, shape=(n,), role="out"),
        Array(name=digest, element=WORDS, shape=(n,), role="out"),
    )
    body = (
        f"    for (int i = 0; i < {n}; ++i) {{\n        {count}[i] = {digest}[i] = 0;\n        for (int j = 0; j < {m}; ++j) {{\n"
        f"            if ({meet} % {one_in}u != 0) continue;\n"
        f"            ++{count}[i];\n            {digest}[i] += {value};\n        }}\n    }}\n"
    )
    return Drawn(
        family="physics",
        title="Pairs that meet a condition",
        description=f"i and j meet when {meet} is a multiple of {one_in}. {count}[i] is how many j below {m} meet i, "
        f"{digest}[i] their sum of {value}. {_arithmetic(True)}",
        entry=entry,
        sizes=(n, m),
        arrays=arrays,
        reference=_function(entry, (n, m), arrays, body),
        check=((1, 1), (70, 50), (300, 200)),
        bench=(32768, 8192),
        length="1",
        is_exact=True,
    )


def _arithmetic(exact: bool) -> str:
    return "Arithmetic is that of unsigned 32-bit numbers." if exact else "Arithmetic is in single precision."


TEMPLATES: tuple[Callable[[random.Random], Drawn], ...] = (
    elementwise,
    row_reduction,
    stencil,
    histogram,
    scan,
    gather,
    product,
    pairs,
)
