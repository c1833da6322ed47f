"""Statements of the engine's own small syntax tree, and the function that holds them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from regrapht.records.element import places, struct_members
from regrapht.transform.ir.expressions import Element, Expression, Number, Unary, Variable

ALWAYS = Number("true", 1)
"""The condition of a loop that nothing but a `break` ends."""
RESULT = "result"
"""The array of one element that a returned value is written to."""


BIT_OPERATORS = ("&", "|", "^")


@dataclass(frozen=True, slots=True)
class Assign:
    target: Variable | Element
    value: Expression
    line: int


@dataclass(frozen=True, slots=True)
class Update:
    """`target = target (operator) value` with an associative and commutative operator: `+ * max min`, of integers `& | ^` too."""

    target: Variable | Element
    operator: str
    value: Expression
    line: int
    test: str = ""
    """Of a `max` or `min` of floats, how the source chooses, which tells for a NaN: `<` takes the value if `target < value`, `!>` takes it
    unless `target > value`. Empty for `fmax` and `fmin`, which drop a NaN, and for integers."""


@dataclass(frozen=True, slots=True)
class Declare:
    """A local; `lengths` are the constant sizes of a local array, `values` its initialiser."""

    type: str
    name: str
    value: Expression | None
    line: int
    lengths: tuple[int, ...] = ()
    values: tuple[Expression, ...] | None = None


@dataclass(frozen=True, slots=True)
class Allocate:
    """A local array whose length is known when the function begins: device memory for the whole call. What it holds is set by other
    statements, each time that it comes into being."""

    type: str
    name: str
    length: Expression
    line: int


@dataclass(frozen=True, slots=True)
class If:
    condition: Expression
    then: "list[Statement]"
    otherwise: "list[Statement]"
    line: int


@dataclass(frozen=True, slots=True)
class For:
    """`for (type variable = start; condition; advance)`; step is None where `advance` adds no constant."""

    variable: str
    type: str
    start: Expression
    condition: Expression
    step: int | None
    advance: Assign | Update
    body: "list[Statement]"
    line: int
    left_by_flag: bool = False
    """The launcher runs it, and leaves it at a way out (`is_way_out`) in its own list of statements."""
    launched: bool = False
    """The launcher runs it as it is written, whatever moves its variable."""
    known: tuple[Expression, ...] = ()
    """What holds in every turn, besides what start and condition say."""
    unrolled: bool = False
    """The compiler is told to unroll all of it: its variable is a constant in each turn then."""


@dataclass(frozen=True, slots=True)
class While:
    condition: Expression
    body: "list[Statement]"
    line: int


@dataclass(frozen=True, slots=True)
class Return:
    value: Expression | None
    line: int


@dataclass(frozen=True, slots=True)
class Continue:
    line: int


@dataclass(frozen=True, slots=True)
class Break:
    line: int


Statement = Assign | Update | Declare | Allocate | If | For | While | Return | Continue | Break


def blocks(statement: Statement) -> "tuple[list[Statement], ...]":
    """The statement lists directly inside a statement."""
    match statement:
        case If(then=then, otherwise=otherwise):
            return (then, otherwise)
        case For(body=body) | While(body=body):
            return (body,)
    return ()


def every(statements: "list[Statement]") -> Iterator[Statement]:
    """All statements, those inside others included, in order."""
    for statement in statements:
        yield statement
        for block in blocks(statement):
            yield from every(block)


def is_way_out(statement: Statement) -> bool:
    """Whether a statement leaves the loop around it by a flag, and does nothing else: `if (flag) break;` or `if (!flag) break;`."""
    match statement:
        case If(Variable() | Unary("!", Variable()), [Break()], []):
            return True
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """`lengths` are the inner dimensions of a declaration such as `float a[][64]`."""

    name: str
    """Its name in generated code."""
    written: str
    """Its name in the source, and in the task."""
    type: str
    is_pointer: bool
    is_reference: bool = False
    """Of a helper: another name for what it is given."""
    is_const: bool = False
    is_array: bool = False
    """Of a helper: a `std::array` of these lengths."""
    lengths: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant:
    """A constant or macro of the file, printed as it was written. `values` are those of a table."""

    name: str
    text: str
    type: str | None
    lengths: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    type: str
    lengths: tuple[int, ...] = ()
    is_pointer: bool = False


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct of scalars, of arrays of constant length, and, where it is a local, of pointers to scalars."""

    name: str
    fields: tuple[Field, ...]
    """Those of a member that is a struct have paths: `position.x`."""
    inner: tuple[tuple[str, str], ...] = ()
    """Path and struct of each member that is one, in it too."""

    @property
    def text(self) -> str:
        """Its definition, for generated code."""
        inside = struct_members(self.numbers)
        return "\n".join([f"struct {self.name} {{", inside, "};"])

    @property
    def numbers(self) -> list[tuple[str, str]]:
        """Path and type of each number in it, those of an array one by one."""
        declared = ((f, f.name + "".join(f"[{length}]" for length in f.lengths)) for f in self.fields)
        return [(place, f.type) for f, whole in declared for place in places(whole)]

    def member(self, name: str) -> str | None:
        """The struct that a member is; None for a number, an array, a pointer."""
        return dict(self.inner).get(name)

    @property
    def members(self) -> tuple[str, ...]:
        """Its members by name, in order."""
        return tuple(dict.fromkeys(one.name.partition(".")[0] for one in self.fields))

    def field(self, name: str) -> Field | None:
        return next((one for one in self.fields if one.name == name), None)


@dataclass(frozen=True, slots=True)
class FieldArray:
    """One field of an array of structs, which analysis takes for an array of its own."""

    parameter: str
    field: str
    type: str
    lengths: tuple[int, ...] = ()
    """Of a field that is an array itself."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A buffer that has one part for each turn of some loops: its subscripts are `start + inner`, with an `inner` from 0 on below `length`.

    There is a `start` for each of these `loops`, the outermost first: `start + (start + inner)` for two of them.
    """

    length: Expression
    outermost: tuple[str, int]
    """The variable and line of the outermost of these loops."""
    loops: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    name: str
    returns: str | None
    parameters: tuple[Parameter, ...]
    body: list[Statement]
    line: int
    helpers: "tuple[Function, ...]" = ()
    constants: tuple[Constant, ...] = ()
    identifiers: frozenset[str] = field(default=frozenset())
    """Every identifier of the file, and every name the reader made: no generated name may be one of them."""
    structs: tuple[Struct, ...] = ()
    """Those of the parameters."""
    fields: Mapping[str, FieldArray] = field(default_factory=dict)
    """Arrays that stand for fields, by name."""
    parts: Mapping[str, Parts] = field(default_factory=dict)
    """Buffers of which each turn of a loop has a part of its own, by name."""

    @property
    def tables(self) -> dict[str, Constant]:
        """Constant arrays of the file."""
        return {constant.name: constant for constant in self.constants if constant.lengths}
