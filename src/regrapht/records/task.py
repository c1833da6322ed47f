"""What to optimise: a function, the code that defines its right answer, its arguments, sizes and tolerance.

A `Task` holds the text of every file that it names, so whoever has the record needs no folder. `regrapht.tasks` loads one from `task.toml`
or infers one from a bare function; `docs/task-format.md` describes the file.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum

from regrapht.records.element import ElementType, ScalarType
from regrapht.records.expression import Expression, Number
from regrapht.records.user_code import Home

SCHEMA_VERSION = 1
Sizes = Mapping[str, int]
_LATER = {"later": True}
"""Of a field that came after tasks had been judged: at its default it is no part of a content hash, so theirs stay what they were."""


class ArgKind(StrEnum):
    """What a parameter is to the judge."""

    SIZE = "size"
    SCALAR = "scalar"
    ARRAY = "array"


class Role(StrEnum):
    """How the function uses an array."""

    IN = "in"
    OUT = "out"
    INOUT = "inout"


class Residency(StrEnum):
    """Where a candidate's array pointers point, and so whether transfers are timed."""

    DEVICE = "device"
    HOST = "host"


class Rounding(StrEnum):
    """How the products and sums that a candidate writes are rounded by the GPU's compiler."""

    FUSED = "fused"
    """A product and the sum that takes it may be one instruction with one rounding: the compiler's own default."""
    SEPARATE = "separate"
    """Each by itself, as a compiler does for x86-64: results that hang on last bits stay those of the sequential code."""


class Compare(StrEnum):
    """How one output is compared with the reference's."""

    EXACT = "exact"
    FLOAT = "float"
    UNORDERED = "unordered"
    """Exact as a multiset: the order of elements is free."""
    ROUNDED = "rounded"
    """Integers that are rounded from floats: exact, but for a few elements that are off by one."""


INIT_KINDS = [
    "normal",
    "uniform",
    "integers",
    "zeros",
    "ones",
    "arange",
    "permutation",
    "sorted",
    "choice",
    "csr_row_ptr",
    "csr_col_idx",
    "file",
]
_INDEPENDENT = frozenset({"normal", "uniform", "integers", "choice", "zeros", "ones", "csr_col_idx", "permutation"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Init:
    """How the values of an argument are drawn.

    `parameters` holds what the kind needs: numbers, `Expression`s over the sizes, a tuple of values for `choice`, a path for `file`.
    """

    kind: str
    parameters: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.kind not in INIT_KINDS:
            raise ValueError(f"unknown kind of init {self.kind!r}; known: {', '.join(INIT_KINDS)}")

    def number(self, name: str, sizes: Sizes, default: Number | None = None) -> Number:
        """The numeric parameter `name`, evaluated under `sizes`; `default` where it is absent.

        Raises:
            ValueError: It is absent and has no default, or is no number.
        """
        value = self.parameters.get(name, default)
        if isinstance(value, Expression):
            return value.evaluate(sizes)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"init {self.kind!r} needs the number {name!r}")
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Arg:
    """One parameter of the function, in order."""

    name: str
    kind: ArgKind
    dtype: ElementType
    shape: tuple[Expression, ...] = ()
    role: Role | None = None
    init: Init | None = None
    value: Number | None = None
    """A fixed value of a scalar; None when it is drawn by `init`."""
    domain: tuple[float, float] | None = None
    """Values that make sense; the judge widens its value families only inside it. None: all finite values for `normal`, its own range
    for `uniform`."""
    compare: Compare | None = None
    rtol: float | None = None
    atol: float | None = None
    reduction_length: Expression | None = None
    valid_length: str | None = None
    """The output argument of length 1 that says how many leading elements of this one are defined."""

    def __post_init__(self) -> None:
        if self.kind is ArgKind.ARRAY:
            if not self.shape or self.role is None:
                raise ValueError(f"array {self.name!r} needs a shape and a role")
        elif self.role is not None or self.shape:
            raise ValueError(f"{self.kind} {self.name!r} has neither shape nor role")
        if self.kind is ArgKind.SCALAR and (self.value is None) == (self.init is None):
            raise ValueError(f"scalar {self.name!r} needs either a value or an init")

    @property
    def is_input(self) -> bool:
        """True for arrays whose contents the function may read."""
        return self.role in (Role.IN, Role.INOUT)

    @property
    def is_output(self) -> bool:
        """True for arrays that the judge compares."""
        return self.role in (Role.OUT, Role.INOUT)

    @property
    def exchangeable(self) -> bool:
        """True for inputs of which any reordering is an equally good draw: elements drawn independently of each other, permutations."""
        if not self.is_input:
            return False
        return self.init is None or self.init.kind in _INDEPENDENT

    @property
    def ascending(self) -> bool:
        """True for inputs whose elements are in ascending order, duplicates allowed."""
        return self.is_input and self.init is not None and self.init.kind in ("sorted", "csr_row_ptr")

    def dimensions(self, sizes: Sizes) -> tuple[int, ...]:
        """The array's shape under `sizes`."""
        return tuple(expression.length(sizes) for expression in self.shape)

    def element_count(self, sizes: Sizes) -> int:
        """Elements of the array under `sizes`; 1 for a size or a scalar."""
        count = 1
        for length in self.dimensions(sizes):
            count *= length
        return count

    def size_bytes(self, sizes: Sizes) -> int:
        """Bytes of the array under `sizes`."""
        return self.element_count(sizes) * self.dtype.size_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A named piece of code, carried by value."""

    name: str
    text: str

    @property
    def suffix(self) -> str:
        return "." + self.name.rpartition(".")[2]

    @property
    def content_hash(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """The sequential code that defines "right", with what it needs to compile.

    `include` are absolute folders. `fast` is a quicker equivalent that stands in where the reference takes too long.
    """

    source: SourceFile
    language: str = "c++17"
    include: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    fast: SourceFile | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerance:
    """How far a float output may be from the reference's; `reduction_length` is the longest sum behind one element."""

    kind: Compare
    reduction_length: Expression
    rtol: float | None = None
    atol: float | None = None
    deterministic: bool = True
    allow: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What the job costs at least, for the speed-of-light floor. `flops` is None when unknown: the floor is then by bytes alone."""

    bytes: Expression
    flops: Expression | None = None

    def amount(self, sizes: Sizes) -> float:
        """What shapes of one task are ordered by: operations, or bytes where those are unknown."""
        return float((self.bytes if self.flops is None else self.flops).evaluate(sizes))


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """What a candidate may do."""

    residency: Residency = Residency.DEVICE
    may_allocate: bool = True
    allow_libraries: tuple[str, ...] = ()
    rounding: Rounding = field(default=Rounding.FUSED, metadata=_LATER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """A program to compare with: `naive`, `library` or a name of the task's own. The sequential reference always is one."""

    name: str
    source: SourceFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One function to make fast, with everything that says what "right" means."""

    id: str
    title: str
    description: str
    entry: str
    reference: Reference
    args: tuple[Arg, ...]
    check_sizes: tuple[Sizes, ...]
    bench_sizes: tuple[Sizes, ...] = ()
    """Empty: the evaluator scales the largest check shape up."""
    require: tuple[str, ...] = ()
    """Comparisons over sizes that hidden sizes must satisfy, such as `K <= N`."""
    hidden_sizes: bool = True
    tolerance: Tolerance
    work: Work
    contract: Contract = Contract()
    baselines: tuple[Baseline, ...] = ()
    returns: ScalarType | None = None
    """The type that the reference returns; its candidate then has one more parameter, `result`."""
    family: str | None = None
    tier: str | None = None
    licence: str | None = None
    origin: str | None = None
    copies: bool = False
    """The right answer is a copy of an input: said by the author, so that its examination does not take that for a way around the work."""
    folder: str | None = None
    """Where it was loaded from; resolves `file` inits. Not part of the task's identity."""
    home: Home | None = None
    """Where the function stands in its user's project, if it was taken out of one. Not part of the task's identity."""

    def __post_init__(self) -> None:
        names = [arg.name for arg in self.args]
        if len(set(names)) != len(names):
            raise ValueError("two arguments of one name")
        if not self.check_sizes:
            raise ValueError("a task needs at least one check shape")

    @property
    def parameters(self) -> tuple[Arg, ...]:
        """The candidate's parameters in order: `args`, then `result` for a reference that returns a value."""
        if self.returns is None:
            return self.args
        result = Arg(name="result", kind=ArgKind.ARRAY, dtype=self.returns, shape=(Expression("1"),), role=Role.OUT)
        return (*self.args, result)

    @property
    def size_names(self) -> tuple[str, ...]:
        return tuple(arg.name for arg in self.args if arg.kind is ArgKind.SIZE)

    @property
    def inputs(self) -> tuple[Arg, ...]:
        return tuple(arg for arg in self.parameters if arg.is_input)

    @property
    def outputs(self) -> tuple[Arg, ...]:
        return tuple(arg for arg in self.parameters if arg.is_output)

    @property
    def signature(self) -> str:
        """The declaration that a candidate must define, as C++ text without a trailing semicolon."""
        return self._declared([arg.dtype.c_name for arg in self.parameters])

    @property
    def signature_of_plain_names(self) -> str:
        """The same for a file that defines the structs anew, by names of one word."""
        return self._declared([arg.dtype.plain_name for arg in self.parameters])

    def _declared(self, types: list[str]) -> str:
        parts = []
        for arg, written in zip(self.parameters, types, strict=True):
            const = "const " if arg.kind is ArgKind.ARRAY and arg.role is Role.IN else ""
            parts.append(f"{const}{written}{'*' if arg.kind is ArgKind.ARRAY else ''} {arg.name}")
        return f'extern "C" void {self.entry}({", ".join(parts)})'

    @property
    def content_hash(self) -> str:
        """SHA-256 over everything that can change a verdict; title, description, family, tier, licence and origin cannot."""
        silent = {"title", "description", "family", "tier", "licence", "origin", "copies", "folder", "home"}
        named = [(f.name, _stable(getattr(self, f.name))) for f in fields(self) if f.name not in silent]
        return hashlib.sha256(repr(sorted(named)).encode()).hexdigest()


def _stable(value: object) -> str:
    """A text of a record that depends on its contents only, not on the order of mappings or sets."""
    if is_dataclass(value) and not isinstance(value, type):
        told = [
            f for f in fields(value) if f.compare and not (f.metadata == _LATER and getattr(value, f.name) == f.default)
        ]
        inside = ", ".join(f"{f.name}={_stable(getattr(value, f.name))}" for f in told)
        return f"{type(value).__name__}({inside})"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key!r}: {_stable(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, frozenset | set):
        return "{" + ", ".join(sorted(map(repr, value))) + "}"
    if isinstance(value, tuple | list):
        return "(" + ", ".join(map(_stable, value)) + ")"
    return repr(value)
