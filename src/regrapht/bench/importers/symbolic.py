"""Sizes that keep their name while Python computes with them, and tensors that are C++ text of one element until they must be stored.

Running a model's `forward` on these gives loops in C++ instead of numbers. A tensor is a shape and a function from indices to an
expression; what sums, multiplies or scans fills an array of its own first.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

Indices = tuple[str, ...]
_TAKEN = frozenset(
    "s c r best out result auto bool case char const default delete do double enum extern float goto inline int long new "  # noqa: SIM905
    "operator private public register short signed sizeof static struct switch template this throw typedef union unsigned using virtual "
    "void volatile min max abs".split()
)


class Untranslatable(Exception):
    """Something has no translation; the message says what, `kind` is a short name to count by."""

    def __init__(self, message: str, *, kind: str = "operation") -> None:
        self.kind = kind
        super().__init__(message)


class Dim(int):
    """A whole number that is a size, or follows from sizes: its value in the source, and its text over the sizes' names."""

    core: str
    offset: int

    def __new__(cls, value: int, core: str, offset: int = 0) -> Dim:
        made = super().__new__(cls, value)
        made.core, made.offset = core, offset
        return made

    @property
    def text(self) -> str:
        """In the grammar of the task format's expressions."""
        return f"{self.core} {'+' if self.offset > 0 else '-'} {abs(self.offset)}" if self.offset else self.core

    def __add__(self, other: int) -> Dim:
        if isinstance(other, Dim):
            return Dim(int(self) + int(other), f"{self.core} + {_factor(other)}", self.offset)
        return Dim(int(self) + other, self.core, self.offset + other)

    __radd__ = __add__

    def __sub__(self, other: int) -> Dim:
        if isinstance(other, Dim):
            return Dim(int(self) - int(other), f"{self.core} - {_factor(other)}", self.offset)
        return self + -other

    def __rsub__(self, other: int) -> Dim:
        return Dim(other - int(self), f"{other} - {_factor(self)}")

    def __mul__(self, other: int) -> Dim:
        if not isinstance(other, Dim) and other == 1:
            return self
        return Dim(int(self) * int(other), f"{_factor(self)} * {_factor(other)}")

    __rmul__ = __mul__

    def __floordiv__(self, other: int) -> Dim:
        if not isinstance(other, Dim) and other == 1:
            return self
        if isinstance(other, Dim) and other.text == self.text:
            return Dim(1, "1")
        return Dim(int(self) // int(other), f"{_factor(self)} // {_factor(other)}")

    def __rfloordiv__(self, other: int) -> Dim:
        return Dim(other // int(self), f"{other} // {_factor(self)}")

    def __neg__(self) -> Dim:
        return Dim(-int(self), f"0 - {_factor(self)}")

    def _without_a_name(self, *_: object) -> NoReturn:
        raise Untranslatable(f"arithmetic on the size {self.text} other than + - * //")

    __truediv__ = __rtruediv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __divmod__ = _without_a_name


def text_of(size: int) -> str:
    """A size or a plain number as an expression."""
    return size.text if isinstance(size, Dim) else str(size)


def c_text(size: int) -> str:
    """A size or a plain number as C++."""
    return text_of(size).replace("//", "/")


def same(a: int, b: int) -> bool:
    """Whether two extents are equal at every size, not by chance at the source's."""
    return text_of(a) == text_of(b)


def names_in(size: int) -> set[str]:
    """The sizes that an extent depends on."""
    return set(re.findall(r"[A-Za-z_]\w*", text_of(size)))


def is_one(size: int) -> bool:
    """Whether an extent is 1 at every size."""
    return text_of(size) == "1"


def plain_name(name: str) -> str:
    """A name that no local variable of a reference, and no word of C++, has."""
    taken = keyword.iskeyword(name) or name in _TAKEN or re.fullmatch(r"[ikrtyz]\d+|r_\w|k_", name)
    return f"{name}_" if taken else name


def _factor(size: int) -> str:
    text = text_of(size)
    return text if re.fullmatch(r"\w+", text) else f"({text})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """One array that the judge draws: an input of `forward`, or a parameter of the model."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    kind: str
    """How it is drawn: `normal`, or `choice` and `integers` with `values`."""
    values: tuple[int | str, ...] = ()
    parameter: str | None = None
    """The model's own name for it, such as `conv.weight`."""
    half: str | None = None
    """`triu` or `tril`: what lies outside that triangle counts as zero."""
    uniform: bool = False
    """The source draws it from [0, 1)."""


@dataclass(slots=True)
class Tensor:
    """A tensor not yet computed."""

    shape: tuple[int, ...]
    element: Callable[[Indices], str]
    """Indices, as C++ text -> the element there."""
    c_type: str = "float"
    fill: Callable[[str], None] | None = None
    """Emits the loops that store the whole tensor in an array of that name; None where `element` needs none."""
    drawn: Drawn | None = None
    """What it is, where it is nothing but a drawn array."""

    @property
    def rank(self) -> int:
        return len(self.shape)

    def at(self, indices: Sequence[str]) -> str:
        """The element at `indices`."""
        return self.element(tuple(indices))

    def axis(self, dim: object) -> int:
        """A dimension counted from the front.

        Raises:
            Untranslatable: There is no such one.
        """
        if not isinstance(dim, int) or isinstance(dim, (bool, Dim)) or not -self.rank <= dim < self.rank:
            raise Untranslatable(f"dimension {dim!r} of a tensor with {self.rank}")
        return dim % self.rank


@dataclass(slots=True)
class Program:
    """The body of the reference while it is being written."""

    lines: list[str] = field(default_factory=list)
    drawn: list[Drawn] = field(default_factory=list)
    require: list[str] = field(default_factory=list)
    """Comparisons that sizes must satisfy."""
    iterations: list[str] = field(default_factory=list)
    """How often each innermost loop body runs, as expressions: their sum is the sequential work."""
    longest_sum: list[str] = field(default_factory=list)
    """How many terms each sum has."""
    near_one: bool = False
    """Long products are taken: inputs must lie near 1, or everything is 0 or infinite."""
    _arrays: int = 0

    def needs(self, requirement: str) -> None:
        """Note what sizes must satisfy, where it says anything of a size."""
        if re.search(r"(?<!\w)[A-Za-z_]", requirement) and requirement not in self.require:
            self.require.append(requirement)

    def divides(self, part: int, whole: int) -> None:
        """Note that one extent is a multiple of another."""
        if not is_one(part) and not same(part, whole):
            self.needs(f"{text_of(whole)} % {_factor(part)} == 0")

    def loops(self, shape: Sequence[int], body: Callable[[Indices], list[str]], *, inner: Sequence[int] = ()) -> None:
        """Emit a nest of loops over `shape`; `body` gives the innermost lines. `inner` are extents of loops that the body has itself."""
        indices = tuple(f"i{depth}" for depth in range(len(shape)))
        innermost = body(indices)  # first: it may emit loops of its own, which come before these
        self.iterations.append(" * ".join(_factor(size) for size in (*shape, *inner)) or "1")
        for depth, size in enumerate(shape):
            self.lines.append(f"{'    ' * depth}for (int i{depth} = 0; i{depth} < {c_text(size)}; ++i{depth}) {{")
        self.lines += ["    " * len(shape) + line for line in innermost]
        self.lines += ["    " * depth + "}" for depth in reversed(range(len(shape)))]

    def stored(self, shape: tuple[int, ...], fill: Callable[[str], None], *, c_type: str = "float") -> Tensor:
        """A tensor that fills an array: the output itself where it is the last one, else one of its own when it is first read."""
        name: list[str] = []

        def element(indices: Indices) -> str:
            if not name:
                self._arrays += 1
                name.append(f"t{self._arrays}")
                count = " * ".join(f"(size_t)({c_text(size)})" for size in shape if not is_one(size)) or "1"
                made = len(self.lines)
                fill(name[0])
                self.lines.insert(made, f"std::vector<{c_type}> {name[0]}({count});")
            return f"{name[0]}[{flat_index(shape, indices)}]"

        return Tensor(shape=shape, element=element, c_type=c_type, fill=fill)

    def store(self, tensor: Tensor, target: str) -> None:
        """Emit what computes `tensor` into the array `target`."""
        if tensor.fill is not None:
            tensor.fill(target)
        else:
            self.loops(tensor.shape, lambda at: [f"{target}[{flat_index(tensor.shape, at)}] = {tensor.at(at)};"])

    def draw(self, drawn: Drawn) -> Tensor:
        """An array of the interface as a tensor."""
        self.drawn.append(drawn)
        c_type = {"float32": "float", "int32": "int", "uint8": "unsigned char"}[drawn.dtype]

        def element(indices: Indices) -> str:
            read = f"{drawn.name}[{flat_index(drawn.shape, indices)}]"
            if drawn.half is None:
                return read
            row, column = indices[-2], indices[-1]
            return f"({column} {'>=' if drawn.half == 'triu' else '<='} {row} ? {read} : 0.0f)"

        return Tensor(shape=drawn.shape, element=element, c_type=c_type, drawn=drawn)


def flat_index(shape: Sequence[int], indices: Sequence[str]) -> str:
    """Row-major; dimensions of extent 1 count for nothing."""
    pairs = [(size, index) for size, index in zip(shape, indices, strict=True) if not is_one(size)]
    if not pairs:
        return "0"
    text = pairs[0][1]
    for size, index in pairs[1:]:
        text = f"({text}) * {_c_factor(size)} + {index}" if " " in text else f"{text} * {_c_factor(size)} + {index}"
    return text


def _c_factor(size: int) -> str:
    text = c_text(size)
    return text if re.fullmatch(r"\w+", text) else f"({text})"
