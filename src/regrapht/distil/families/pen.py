"""What a family writes a function with: names, types and styles by seed, loops, and the task around it."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from regrapht.records.element import SCALAR_TYPES, ScalarType
from regrapht.records.expression import Expression
from regrapht.records.task import Arg, ArgKind, Compare, Init, Reference, Role, Sizes, SourceFile, Task, Tolerance, Work
from regrapht.tasks.defaults import default_bytes

LICENCE = "Apache-2.0"

ARRAYS = [
    "a",
    "b",
    "c",
    "u",
    "v",
    "w",
    "in",
    "src",
    "data",
    "field",
    "grid",
    "values",
    "samples",
    "signal",
    "input",
    "left",
    "right",
    "first",
    "second",
    "weight",
    "weights",
    "mass",
    "price",
    "level",
    "rate",
    "temp",
    "pressure",
    "height",
    "depth",
    "image",
    "pixels",
    "feature",
    "table",
    "source",
    "base",
    "delta",
    "gain_of",
    "speed",
    "current",
    "previous",
    "load",
    "stock",
    "dose",
    "flux",
    "score",
]
RESULTS = [
    "out",
    "dst",
    "result",
    "res",
    "output",
    "target",
    "next",
    "updated",
    "answer",
    "y_out",
    "z_out",
    "filled",
    "mapped",
    "produced",
    "r",
    "o",
    "to",
]
COUNTS = ["n", "len", "count", "total_n", "size", "num", "length", "items", "points", "m", "nn"]
ROWS = ["rows", "h", "height_n", "ny", "m", "n_rows", "lines", "batch", "samples_n", "nr", "groups"]
COLUMNS = ["cols", "w", "width_n", "nx", "n", "n_cols", "columns", "channels", "features_n", "nc", "dim"]
DEEPS = ["depth_n", "nz", "planes", "d", "layers", "k_n", "slices", "frames"]
INNERS = ["k", "kk", "inner", "depth_k", "shared_n", "common", "p_n", "taps"]
FACTORS = [
    "alpha",
    "beta",
    "scale",
    "factor",
    "gain",
    "bias",
    "offset",
    "coeff",
    "rate_of",
    "dt",
    "step_of",
    "weight_of",
    "c0",
    "c1",
    "shift",
    "tau",
]
_VARIABLES = {
    "1": ["i", "j", "idx", "e", "p", "q", "t"],
    "2": ["r", "row", "y_at", "i", "a_row", "b", "yy"],
    "3": ["c", "col", "x_at", "j", "cc", "xx"],
}
_INNER_VARIABLES = ["k", "s", "t", "l", "kk", "m_at", "u_at", "step", "pos", "q_at", "tap", "dd"]
_WORDS = [
    "apply",
    "update",
    "blend",
    "mix",
    "smooth",
    "map",
    "make",
    "compute",
    "shift",
    "scale",
    "fold",
    "fill",
    "filter",
    "merge",
    "count",
    "tally",
    "mark",
    "relax",
    "advance",
    "pack",
    "rank",
    "weigh",
    "trace",
    "adjust",
    "damp",
    "sharpen",
    "project",
    "accumulate",
    "combine",
    "sweep",
    "reduce",
    "gather",
    "build",
    "clean",
    "estimate",
    "resample",
    "quantise",
    "normalise",
    "correct",
]
_THINGS = [
    "field",
    "rows",
    "cells",
    "grid",
    "levels",
    "signal",
    "pixels",
    "image",
    "weights",
    "prices",
    "samples",
    "scores",
    "wave",
    "heat",
    "charge",
    "tiles",
    "batch",
    "channels",
    "energy",
    "loads",
    "rates",
    "depths",
    "paths",
    "bands",
    "doses",
    "flows",
    "orbits",
    "masks",
    "tracks",
    "votes",
    "spans",
    "notes",
    "leaves",
    "tides",
    "beams",
    "coins",
]


TURNINGS = {"up": 60, "down": 8, "until": 3, "to": 7, "not": 4, "while": 6, "typed": 12}
"""Ways to count -> how often each is taken."""
FALLING = ("down", "until")
"""Those from the last to the first."""
_FROM_ZERO = ("not", "until", "while")
"""Those for loops that begin at 0 alone: from elsewhere a fall to 0 is another loop, and bounds of a `while` are not read for a thread."""
_HEADERS = {
    "cstddef": re.compile(r"\b(?:std::)?size_t\b"),
    "cmath": re.compile(
        r"\b(?:sqrt|exp|log|sin|cos|tan|tanh|atan2|pow|fabs|floor|ceil|fmax|fmin|fma|rint|hypot|cbrt|log1p|expm1)f?\("
    ),
    "algorithm": re.compile(r"std::(?:min|max|swap)\b"),
}
_HOST_WORDS = (
    (re.compile(r"\bfmaxf?\("), "std::max("),
    (re.compile(r"\bfminf?\("), "std::min("),
    (re.compile(r"\b(sqrt|exp|log|sin|cos|tanh|fabs|floor)f?\("), r"std::\1("),
)
"""What device code calls -> what a host function calls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """One drawn function as a task."""

    task: Task
    family: str
    outer: tuple[str, ...] = ()
    """Variables of the loops over the output's elements, the outermost first; empty where they are not all parallel."""
    body: tuple[str, ...] = ()
    """What one turn of those loops does, in words that device code has too."""


class Pen:
    """Draws names and styles from one seed, and collects a task's arguments."""

    def __init__(self, seed: str) -> None:
        self.chance = random.Random(seed)
        self.taken: set[str] = set()
        self.args: list[Arg] = []
        self.sizes: list[str] = []
        self.real = "double" if self.chance.random() < 0.2 else "float"
        self.step = self.chance.choice(["++{v}", "{v}++", "++{v}", "{v} += 1"])
        self.opening = "int {v} = 0"
        self.brace_all = self.chance.random() < 0.7
        self.std = self.chance.random() < 0.4
        """Whether the host's text calls `std::max` where device code calls `fmaxf`."""
        self.turning = self.chance.choices(list(TURNINGS), weights=list(TURNINGS.values()))[0]
        """How the loops over the output count."""

    # ---- names

    def pick(self, *options: Any) -> Any:
        """One of the options."""
        return self.chance.choice(options)

    def maybe(self, share: float) -> bool:
        return self.chance.random() < share

    def name(self, pool: Sequence[str]) -> str:
        """A name that nothing has yet."""
        free = [one for one in pool if one not in self.taken]
        found = self.chance.choice(free) if free else f"{self.chance.choice(list(pool))}_{len(self.taken)}"
        self.taken.add(found)
        return found

    def variable(self, place: int = 0) -> str:
        """A loop's variable: 1 for a lone loop, 2 and 3 for rows and columns, 0 for an inner one."""
        return self.name(_VARIABLES.get(str(place), _INNER_VARIABLES))

    def value(self, low: float = 0.1, high: float = 3.0) -> str:
        """A constant of the real type."""
        text = f"{self.chance.uniform(low, high):.{self.chance.choice([2, 2, 3] if low < 0.1 else [1, 2, 2, 3])}f}"
        return text if self.real == "double" else text + "f"

    @property
    def zero(self) -> str:
        return "0.0" if self.real == "double" else "0.0f"

    def call(self, function: str) -> str:
        """A function of math.h for the real type: `sqrt` or `sqrtf`."""
        return function if self.real == "double" else f"{function}f"

    # ---- arguments

    def size(self, pool: Sequence[str]) -> str:
        name = self.name(pool)
        self.sizes.append(name)
        self.args.append(Arg(name=name, kind=ArgKind.SIZE, dtype=SCALAR_TYPES["int32"]))
        return name

    def scalar(self, pool: Sequence[str] = FACTORS, *, low: float = 0.2, high: float = 1.8) -> str:
        name = self.name(pool)
        init = Init(kind="uniform", parameters={"low": low, "high": high})
        self.args.append(Arg(name=name, kind=ArgKind.SCALAR, dtype=self.scalar_type(self.real), init=init))
        return name

    def array(
        self,
        shape: Sequence[str],
        *,
        role: Role = Role.IN,
        c_type: str = "",
        pool: Sequence[str] = (),
        init: Init | None = None,
    ) -> str:
        """One more array; its name."""
        name = self.name(pool or (ARRAYS if role is Role.IN else RESULTS))
        dtype = self.scalar_type(c_type or self.real)
        if init is None and role is not Role.OUT:
            init = self._init(dtype)
        extents = tuple(map(Expression, shape))
        self.args.append(Arg(name=name, kind=ArgKind.ARRAY, dtype=dtype, shape=extents, role=role, init=init))
        return name

    def _init(self, dtype: ScalarType) -> Init:
        if dtype.is_float:
            return self.chance.choice(
                [
                    Init(kind="normal", parameters={"mean": 0.0, "std": 1.0}),
                    Init(kind="uniform", parameters={"low": -2.0, "high": 2.0}),
                ]
            )
        return integers("0" if dtype.kind == "uint" else "-100", "100")

    @staticmethod
    def scalar_type(c_name: str) -> ScalarType:
        return next(one for one in SCALAR_TYPES.values() if one.c_name == c_name)

    def shuffle_arguments(self) -> None:
        """Sizes first, last or where they fall, as people have it."""
        if self.maybe(0.3):
            self.args.sort(key=lambda arg: arg.kind is not ArgKind.ARRAY)
        elif self.maybe(0.2):
            self.args.sort(key=lambda arg: arg.kind is ArgKind.SIZE)

    # ---- text

    def loop(
        self, variable: str, end: str, body: Sequence[str], *, start: str = "0", op: str = "<", also: str = ""
    ) -> list[str]:
        """A counted loop, in this function's style; `also` is what its head does besides counting."""
        opening = self.opening.format(v=variable) if start == "0" else f"int {variable} = {start}"
        head = f"for ({opening}; {variable} {op} {end}; {self.step.format(v=variable)}{also})"
        alone = len(body) == 1 and not self.brace_all and not body[0].startswith(("for", "if"))
        if alone:
            return [head, f"    {body[0]}"]
        return [f"{head} {{", *(f"    {line}" for line in body), "}"]

    def outer_loop(
        self, variable: str, end: str, body: Sequence[str], *, start: str = "0", also: str = ""
    ) -> list[str]:
        """A loop over the output: from 0 up as a rule, or as some people count. A thread's code is the same for all of them."""
        last = f"{end[:-4]} - 2" if end.endswith(" - 1") else f"{end} - 1"
        kind, count = self.counting_type(), self.step.format(v=variable)
        if also or self.turning == "up" or (start != "0" and self.turning in _FROM_ZERO):
            return self.loop(variable, end, body, start=start, also=also)
        if self.turning == "while" and not any("continue;" in line for line in body):
            return [
                f"int {variable} = {start};",
                f"while ({variable} < {end}) {{",
                *(f"    {line}" for line in body),
                f"    {count};",
                "}",
            ]
        head = {
            "down": f"int {variable} = {last}; {variable} >= {start}; --{variable}",
            "until": f"int {variable} = {end}; {variable}-- > 0;",
            "to": f"int {variable} = {start}; {variable} <= {last}; {count}",
            "not": f"int {variable} = {start}; {variable} != {end}; {count}",
        }.get(self.turning, f"{kind} {variable} = {start}; {variable} < {end}; {count}")
        return [f"for ({head}) {{", *(f"    {line}" for line in body), "}"]

    def counting_type(self) -> str:
        """A type that people count with besides `int`."""
        return self.chance.choice(["size_t", "long", "long long", "unsigned int", "std::size_t"])

    def host(self, line: str) -> str:
        """A line of device code in the words of this function's host text."""
        if self.std:
            for pattern, word in _HOST_WORDS:
                line = pattern.sub(word, line)
        return line

    def entry(self) -> str:
        """The function's name."""
        first, second = self.chance.choice(_WORDS), self.chance.choice(_THINGS)
        name = self.chance.choice(
            [f"{first}_{second}", f"{second}_{first}", f"{first}_{second}_{self.chance.randint(1, 9)}"]
        )
        if self.maybe(0.15):
            head, *rest = name.split("_")
            name = head + "".join(part.capitalize() for part in rest)
        return name

    def check_sizes(self, most: int, fixed: Sizes | None = None) -> tuple[Sizes, ...]:
        """Sizes of the checks: 1, small odd ones, some that are no multiple of a block."""
        found = [dict.fromkeys(self.sizes, 1)]
        for top in (5, 37, most):
            found.append({name: self.chance.randint(max(1, top // 2), top) for name in self.sizes})
        return tuple({**one, **(fixed or {})} for one in found)

    def task(
        self,
        family: str,
        text: str,
        entry: str,
        *,
        most: int,
        about: str = "",
        reduction: str = "",
        checks: tuple[Sizes, ...] = (),
        require: tuple[str, ...] = (),
        returns: str = "",
        bench: int = 0,
    ) -> Task:
        """The task of a function that is written now."""
        outputs = [arg for arg in self.args if arg.is_output]
        result = self.scalar_type(returns) if returns else None
        is_float = any(arg.dtype.is_float for arg in outputs) or bool(result and result.is_float)
        args = tuple(
            replace(arg, compare=Compare.EXACT) if is_float and arg.is_output and not arg.dtype.is_float else arg
            for arg in self.args
        )
        large = bench or {1: 1 << 22, 2: 2048, 3: 192}[min(3, max(1, len(self.sizes)))]
        return Task(
            id=f"drawn_{entry.lower()}",
            title=" ".join(re.findall(r"[A-Za-z][a-z]*|\d+", entry)).capitalize(),
            description=about if self.maybe(0.6) else "",
            entry=entry,
            reference=Reference(source=SourceFile(name=f"{entry}.cpp", text=text)),
            args=args,
            check_sizes=checks or self.check_sizes(most),
            bench_sizes=(dict.fromkeys(self.sizes, large),) if not require else (),
            require=require,
            tolerance=Tolerance(
                kind=Compare.FLOAT if is_float else Compare.EXACT, reduction_length=Expression(reduction or "1")
            ),
            work=Work(bytes=default_bytes(args, result_bytes=result.size_bytes if result else 0)),
            returns=result,
            family=family,
            licence=LICENCE,
            origin="drawn by seed",
        )


def integers(low: str, high: str) -> Init:
    """Whole numbers from `low` to below `high`, each a number or an expression over the sizes."""
    values = {
        name: int(text) if text.lstrip("-").isdigit() else Expression(text)
        for name, text in (("low", low), ("high", high))
    }
    return Init(kind="integers", parameters=values)


def whole(
    pen: Pen,
    family: str,
    lines: Sequence[str],
    *,
    most: int,
    about: str = "",
    returns: str = "",
    headers: Sequence[str] = (),
    reduction: str = "",
    checks: tuple[Sizes, ...] = (),
    bench: int = 0,
) -> Drawn:
    """A function of which threads must share the work in another way."""
    pen.shuffle_arguments()
    entry = pen.entry()
    text = file_text(pen, returns or "void", entry, lines, headers=headers, helper=())
    task = pen.task(
        family, text, entry, most=most, about=about, returns=returns, reduction=reduction, checks=checks, bench=bench
    )
    return Drawn(task=task, family=family)


def file_text(
    pen: Pen, kind: str, entry: str, lines: Sequence[str], *, headers: Sequence[str], helper: Sequence[str]
) -> str:
    words = []
    for arg in pen.args:
        const = "const " if arg.role is Role.IN else ""
        star = "* " if arg.kind is ArgKind.ARRAY else " "
        words.append(f"{const}{arg.dtype.c_name}{star}{arg.name}")
    head = f"{kind} {entry}({', '.join(words)}) {{"
    inner = [f"    {line}" for line in lines]
    said = "\n".join([*helper, *lines])
    found = [name for name, words in _HEADERS.items() if words.search(said)]
    includes = [f"#include <{name}>" for name in dict.fromkeys([*found, *headers])]
    parts = [*includes, "" if includes else None, *helper, "" if helper else None, head, *inner, "}"]
    return "\n".join(part for part in parts if part is not None) + "\n"
