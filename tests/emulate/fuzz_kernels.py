"""Random small kernels with results known from numpy, and for each the faults that one small change plants. Everything is uint32, so exact.

A `Program` is the text of a candidate with its expected output. A `Fault` is a program of which one line was changed; that line, or the
other access of a race with it, must be named by a finding of one of the given kinds.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from hypothesis import strategies as st

Array = np.ndarray
RACES = frozenset({"race_shared_ww", "race_shared_wr", "race_shared_rw", "uninit_read_shared"})
GLOBAL_RACES = frozenset({"race_global_ww", "race_global_wr", "race_global_rw"})
MARK = "  // here"


@dataclass(frozen=True)
class Program:
    """A candidate with arrays x, y (inputs of N elements) and out."""

    source: str
    expected: Callable[[Array, Array], Array]


@dataclass(frozen=True)
class Fault:
    """A candidate with one planted fault, on the lines that carry the mark."""

    name: str
    source: str
    kinds: frozenset[str]

    @property
    def lines(self) -> frozenset[int]:
        return frozenset(i for i, line in enumerate(self.source.splitlines(), start=1) if MARK.strip() in line)


@dataclass(frozen=True)
class Term:
    """An expression: C text, and its value from the values of the names in it."""

    text: str
    value: Callable[[dict[str, Array]], Array]


_BINARY: dict[str, Callable[[Array, Array], Array]] = {
    "({a} + {b})": np.add,
    "({a} - {b})": np.subtract,
    "({a} * {b})": np.multiply,
    "({a} ^ {b})": np.bitwise_xor,
    "({a} & {b})": np.bitwise_and,
    "({a} | {b})": np.bitwise_or,
    "min({a}, {b})": np.minimum,
    "max({a}, {b})": np.maximum,
    "({a} < {b} ? {a} + 3u : {b})": lambda a, b: np.where(a < b, a + np.uint32(3), b),
    "__umulhi({a}, {b})": lambda a, b: ((a.astype(np.uint64) * b.astype(np.uint64)) >> np.uint64(32)).astype(np.uint32),
}
_UNARY: dict[str, Callable[[Array], Array]] = {
    "({a} >> 3)": lambda a: a >> np.uint32(3),
    "({a} << 5)": lambda a: a << np.uint32(5),
    "(~{a})": np.invert,
    "(unsigned)__popc({a})": lambda a: np.array([int(v).bit_count() for v in a], np.uint32),
    "__brev({a})": lambda a: np.array([int(f"{int(v):032b}"[::-1], 2) for v in a], np.uint32),
}


@st.composite
def terms(draw: st.DrawFn, names: Sequence[str], depth: int = 3) -> Term:
    """A random expression over `names`, each an array of uint32 in numpy and an unsigned in C."""
    kind = draw(st.integers(0, 5)) if depth else 0
    if kind <= 1:
        if draw(st.integers(0, 3)) == 0:
            constant = draw(st.integers(0, 2**32 - 1))
            size = names[0]
            return Term(f"{constant}u", lambda known: np.full_like(known[size], constant))
        name = draw(st.sampled_from(list(names)))
        return Term(name, lambda known: known[name])
    if kind == 2:
        text, function = draw(st.sampled_from(list(_UNARY.items())))
        inner = draw(terms(names, depth - 1))
        return Term(text.format(a=inner.text), lambda known: function(inner.value(known)))
    text, operation = draw(st.sampled_from(list(_BINARY.items())))
    left, right = draw(terms(names, depth - 1)), draw(terms(names, depth - 1))
    return Term(text.format(a=left.text, b=right.text), lambda known: operation(left.value(known), right.value(known)))


@st.composite
def whole_terms(draw: st.DrawFn, names: Sequence[str], depth: int = 3) -> Term:
    """As `terms`, with every name in it: what is not used is not read, for the compiler drops it."""
    term = draw(terms(names, depth))
    text = f"({term.text} ^ ({' + '.join(names)}))"
    return Term(text, lambda known: term.value(known) ^ sum((known[name] for name in names[1:]), known[names[0]]))


@st.composite
def index_maps(draw: st.DrawFn, variable: str, count: int) -> tuple[str, Array]:
    """A random permutation of 0 .. count - 1: C text over `variable`, and its values. Never the identity where count > 1."""
    factors = [f for f in range(1, 24) if np.gcd(f, count) == 1]
    factor, shift = draw(st.sampled_from(factors)), draw(st.integers(1, max(1, count - 1)))
    values = (np.arange(count) * factor + shift) % count
    if count > 1 and (values == np.arange(count)).all():
        factor, values = 1, (np.arange(count) + 1) % count
        shift = 1
    return f"(({variable} * {factor} + {shift}) % {count})", values


def program(count: int, outputs: int, kernels: str, launch: str) -> str:
    """A candidate's text with the head that the tests read."""
    return (
        f"// arrays: x in uint32 N; y in uint32 N; out out uint32 {outputs}\n// N: {count}\n{kernels}\n"
        f'extern "C" void run(int n, const unsigned* x, const unsigned* y, unsigned* out) {{\n    {launch}\n}}\n'
    )


Case = tuple[Program, list[Fault]]


def _faults(source: str, changes: Sequence[tuple[str, str, str, frozenset[str]]]) -> list[Fault]:
    """One fault for each (name, text, its replacement, kinds); the text is there exactly once."""
    found = []
    for name, old, new, kinds in changes:
        assert source.count(old) == 1, (name, old, source)
        found.append(Fault(name, source.replace(old, new), kinds))
    return found


@st.composite
def maps(draw: st.DrawFn) -> Case:
    """out[i] = f(x[p(i)], y[q(i)], i), one thread an element or strided over the grid."""
    block = draw(st.sampled_from([1, 7, 32, 33, 64, 100, 128, 256]))
    count = draw(st.integers(2, 600))
    strided = draw(st.booleans())
    blocks = draw(st.integers(1, 3)) if strided else -(-count // block)
    (p, ps), (q, qs) = draw(index_maps("i", count)), draw(index_maps("i", count))
    term = draw(whole_terms(("u", "v", "w")))
    head = "for (int i = I; i < n; i += gridDim.x * blockDim.x) {" if strided else "int i = I; if (i < n) {"
    kernel = f"""__global__ void map(const unsigned* x, const unsigned* y, unsigned* out, int n) {{
    {head.replace("I", "blockIdx.x * blockDim.x + threadIdx.x")}
        unsigned u = x[{p}], w = i;
        unsigned v = y[{q}];
        out[i] = {term.text};
    }}
}}"""
    source = program(count, count, kernel, f"map<<<{blocks}, {block}>>>(x, y, out, n);")
    known = {"w": np.arange(count, dtype=np.uint32)}
    expected = Program(source, lambda x, y: term.value({**known, "u": x[ps], "v": y[qs]}))
    oob = frozenset({"global_oob"})
    changes = [
        ("read one further", f"unsigned v = y[{q}];", f"unsigned v = y[{q} + 1]; v &= v;{MARK}", oob),
        ("write one further", f"out[i] = {term.text};", f"out[i + 1] = {term.text};{MARK}", oob),
    ]
    if not strided and count % block:
        changes.append(("no guard", "if (i < n) {", "{", oob))
    faults = _faults(source, changes)
    if len(faults) == 3:  # without the guard the first access of a surplus thread is the one that shows
        unguarded = faults[2].source.replace(f"out[i] = {term.text};", f"out[i] = {term.text};{MARK}")
        faults[2] = replace(faults[2], source=unguarded)
    return expected, faults


@st.composite
def tiles(draw: st.DrawFn) -> Case:
    """Each block goes through shared memory several times, every thread reading what another one wrote."""
    block = draw(st.sampled_from([2, 31, 32, 48, 64, 96, 160, 256]))
    blocks, rounds = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    count = block * blocks
    steps = [(draw(index_maps("t", block)), draw(whole_terms(("v", "w"), 2))) for _ in range(rounds)]
    body, marks = [], []
    for number, ((p, _), term) in enumerate(steps):
        body += [
            f"        s[t] = v + {number}u;",
            f"        __syncthreads(); /* filled {number} */",
            f"        w = s[{p}]; /* read {number} */",
            f"        __syncthreads(); /* emptied {number} */",
            f"        v = {term.text};",
        ]
        marks.append(p)
    text = "\n".join(body)
    kernel = f"""__global__ void tile(const unsigned* x, unsigned* out) {{
    __shared__ unsigned s[{block}];
    const int t = threadIdx.x, i = blockIdx.x * {block} + t;
    unsigned v = x[i], w = 0;
    {{
{text}
    }}
    out[i] = v;
}}"""
    source = program(count, count, kernel, f"tile<<<{blocks}, {block}>>>(x, out);")

    def result(x: Array, y: Array) -> Array:
        v = x.reshape(blocks, block)
        for number, ((_, ps), term) in enumerate(steps):
            w = (v + np.uint32(number))[:, ps]
            v = term.value({"v": v.ravel(), "w": w.ravel()}).reshape(blocks, block)
        return v.ravel()

    which = draw(st.integers(0, rounds - 1))
    p = marks[which]
    changes = [
        ("no barrier after writing", f"__syncthreads(); /* filled {which} */", "", RACES),
        ("index + 1", f"w = s[{p}]; /* read {which} */", f"w = s[{p} + 1];{MARK}", frozenset({"shared_oob"})),
    ]
    if which == 0:
        changes.append(
            (
                "a word that nobody writes",
                "s[t] = v + 0u;",
                "if (t != 1) s[t] = v + 0u;",
                frozenset({"uninit_read_shared"}),
            )
        )
    if which + 1 < rounds:
        changes.append(("no barrier after reading", f"__syncthreads(); /* emptied {which} */", "", RACES))
    faults = _faults(source, changes)
    read = f"w = s[{p}]; /* read {which} */"
    return Program(source, result), [
        replace(fault, source=fault.source.replace(read, f"w = s[{p}];{MARK}")) for fault in faults
    ]


_REDUCTIONS: dict[str, tuple[str, Callable[..., Array], int]] = {
    "add": ("a + b", np.add.reduce, 0),
    "max": ("max(a, b)", np.maximum.reduce, 0),
    "xor": ("a ^ b", np.bitwise_xor.reduce, 0),
    "and": ("a & b", np.bitwise_and.reduce, 2**32 - 1),
}


@st.composite
def reductions(draw: st.DrawFn) -> Case:
    """A tree in shared memory for each block."""
    name = draw(st.sampled_from(list(_REDUCTIONS)))
    combine, reduce, neutral = _REDUCTIONS[name]
    block = draw(st.sampled_from([4, 32, 64, 128, 256]))
    count = draw(st.integers(2, 900))
    blocks = -(-count // block)
    dynamic = draw(st.booleans())
    term = draw(whole_terms(("u", "v"), 2))
    declared = "extern __shared__ unsigned s[];" if dynamic else f"__shared__ unsigned s[{block}];"
    kernel = f"""__device__ unsigned combined(unsigned a, unsigned b) {{ return {combine}; }}
__global__ void reduce(const unsigned* x, const unsigned* y, unsigned* out, int n) {{
    {declared}
    const int t = threadIdx.x, i = blockIdx.x * {block} + t;
    unsigned part = {neutral}u;
    if (i < n) {{
        const unsigned u = x[i], v = y[i];
        part = {term.text};
    }}
    s[t] = part;
    for (int step = {block // 2}; step > 0; step /= 2) {{
        __syncthreads(); /* every step */
        if (t < step) s[t] = combined(s[t], s[t + step]);
    }}
    if (t == 0) out[blockIdx.x] = s[0];
}}"""
    shared = f", {4 * block}" if dynamic else ""
    source = program(count, blocks, kernel, f"reduce<<<{blocks}, {block}{shared}>>>(x, y, out, n);")

    def result(x: Array, y: Array) -> Array:
        parts = np.full(blocks * block, neutral, np.uint32)
        parts[:count] = term.value({"u": x, "v": y})
        return reduce(parts.reshape(blocks, block), axis=1, dtype=np.uint32)

    line = "if (t < step) s[t] = combined(s[t], s[t + step]);"
    faults = _faults(
        source,
        [
            ("no barrier in the loop", "__syncthreads(); /* every step */", "", RACES),
            ("twice the first step", f"int step = {block // 2}", f"int step = {block}", frozenset({"shared_oob"})),
            (
                "an early return",
                "unsigned part =",
                f"if (t == {block - 1}) return; unsigned part =",
                frozenset({"barrier_after_exit"}),
            ),
        ],
    )
    marked = [replace(f, source=f.source.replace(line, line + MARK)) for f in faults[:2]]
    returned = faults[2].source.replace("__syncthreads(); /* every step */", f"__syncthreads();{MARK}")
    return Program(source, result), [*marked, replace(faults[2], source=returned)]


_ATOMICS: dict[str, tuple[str, Callable[..., Array], int]] = {
    "atomicAdd": ("old + v", np.add, 0),
    "atomicXor": ("old ^ v", np.bitwise_xor, 0),
    "atomicMax": ("max(old, v)", np.maximum, 0),
    "atomicMin": ("min(old, v)", np.minimum, 2**32 - 1),
    "atomicOr": ("old | v", np.bitwise_or, 0),
}


@st.composite
def histograms(draw: st.DrawFn) -> Case:
    """Atomics into few cells, in global memory or by way of shared memory."""
    name = draw(st.sampled_from(list(_ATOMICS)))
    plain, operation, start = _ATOMICS[name]
    bins, block = draw(st.integers(1, 40)), draw(st.sampled_from([32, 64, 96, 128]))
    count = draw(st.integers(block + bins + 1, 800))
    blocks = -(-count // block)
    term = draw(whole_terms(("u", "w"), 2))
    shared = draw(st.booleans())
    update = f"{name}(&TARGET[x[i] % {bins}u], v);"
    if shared:
        inside = f"""    __shared__ unsigned part[{bins}];
    for (int b = threadIdx.x; b < {bins}; b += {block}) part[b] = {start}u; /* first */
    __syncthreads(); /* started */
    if (i < n) {{
        const unsigned u = y[i], w = i, v = {term.text};
        {update.replace("TARGET", "part")}
    }}
    __syncthreads(); /* counted */
    for (int b = threadIdx.x; b < {bins}; b += {block}) {name}(&out[b], part[b]);"""
    else:
        inside = f"""    if (i < n) {{
        const unsigned u = y[i], w = i, v = {term.text};
        {update.replace("TARGET", "out")}
    }}"""
    kernel = f"""__global__ void start(unsigned* out) {{ if (threadIdx.x < {bins}) out[threadIdx.x] = {start}u; }}
__global__ void count(const unsigned* x, const unsigned* y, unsigned* out, int n) {{
    const int i = blockIdx.x * {block} + threadIdx.x;
{inside}
}}"""
    launch = f"start<<<1, 64>>>(out); count<<<{blocks}, {block}>>>(x, y, out, n);"
    source = program(count, bins, kernel, launch)

    def result(x: Array, y: Array) -> Array:
        out = np.full(bins, start, np.uint32)
        operation.at(out, x % bins, term.value({"u": y, "w": np.arange(count, dtype=np.uint32)}))
        return out

    target = "part" if shared else "out"
    atomic = update.replace("TARGET", target)
    cell = f"{target}[x[i] % {bins}u]"
    mixed = frozenset({"atomic_and_plain"})
    changes = [
        (
            "a plain update",
            atomic,
            f"{{ const unsigned old = {cell}; {cell} = {plain}; }}{MARK}",
            RACES if shared else GLOBAL_RACES,
        )
    ]
    if shared:
        counted = f"{name}(&out[b], part[b]);"
        changes += [
            ("no barrier after counting", "__syncthreads(); /* counted */", "", RACES | mixed),
            ("no barrier after the start", "__syncthreads(); /* started */", "", RACES | mixed),
        ]
    faults = _faults(source, changes)
    if shared:
        first = f"part[b] = {start}u; /* first */"
        faults[1] = replace(faults[1], source=faults[1].source.replace(counted, counted + MARK))
        faults[2] = replace(faults[2], source=faults[2].source.replace(first, first + MARK))
    unset = source.replace("start<<<1, 64>>>(out); ", "")
    global_update = f"{name}(&out[b], part[b]);" if shared else atomic
    faults.append(
        Fault(
            "cells that nobody set",
            unset.replace(global_update, global_update + MARK),
            frozenset({"uninit_read_global"}),
        )
    )
    return Program(source, result), faults


@st.composite
def shuffles(draw: st.DrawFn) -> Case:
    """Lanes of a warp exchange values directly."""
    warps, blocks = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    block = 32 * warps
    count = block * blocks
    width = draw(st.sampled_from([8, 16, 32]))
    term = draw(whole_terms(("v", "w"), 2))
    distance = draw(st.integers(1, width - 1))
    kind = draw(st.sampled_from(["index", "up", "down", "xor"]))
    lane, segment = np.arange(32), np.arange(32) // width * width
    inside = lane % width
    if kind == "index":
        p, ps = draw(index_maps("lane", 32))
        call, sources = f"__shfl_sync(0xffffffffu, v, {p}, {width})", segment + ps % width
    elif kind == "up":
        call, sources = (
            f"__shfl_up_sync(0xffffffffu, v, {distance}, {width})",
            np.where(inside >= distance, lane - distance, lane),
        )
    elif kind == "down":
        call = f"__shfl_down_sync(0xffffffffu, v, {distance}, {width})"
        sources = np.where(inside + distance < width, lane + distance, lane)
    else:
        call, sources = f"__shfl_xor_sync(0xffffffffu, v, {distance}, {width})", lane ^ distance
    kernel = f"""__global__ void exchange(const unsigned* x, unsigned* out) {{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    unsigned v = x[i], w = 0;
    w = {call} + lane;
    w += __popc(__ballot_sync(0xffffffffu, v & 1u));
    out[i] = {term.text};
}}"""
    source = program(count, count, kernel, f"exchange<<<{blocks}, {block}>>>(x, out);")

    def result(x: Array, y: Array) -> Array:
        v = x.reshape(-1, 32)
        odd = (v & np.uint32(1)).sum(axis=1, keepdims=True, dtype=np.uint32)
        w = v[:, sources] + lane.astype(np.uint32) + odd
        return term.value({"v": v.ravel(), "w": w.ravel()})

    away = draw(st.integers(1, 31))
    changes = [
        (
            "a source that does not take part",
            f"w = {call} + lane;",
            f"if (lane < {away}) w = __shfl_sync({(1 << away) - 1}u, v, {away}) + lane;{MARK}",
            frozenset({"shuffle_inactive_source"}),
        ),
        (
            "a mask without the caller",
            f"w = {call} + lane;",
            f"w = __shfl_sync({0xFFFFFFFF ^ (1 << away)}u, v, 0) + lane;{MARK}",
            frozenset({"warp_mask_excludes_caller"}),
        ),
    ]
    return Program(source, result), _faults(source, changes)


def cases() -> st.SearchStrategy[Case]:
    """A valid program of any family, with its faults."""
    return st.one_of(maps(), tiles(), reductions(), histograms(), shuffles())
