"""A task from a bare function: what `task.toml` would say is read from its signature and its loops."""

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from regrapht.errors import TaskError
from regrapht.records.element import ElementType, ScalarType
from regrapht.records.expression import Expression
from regrapht.records.task import (
    Arg,
    ArgKind,
    Baseline,
    Compare,
    Init,
    Reference,
    Role,
    Sizes,
    SourceFile,
    Task,
    Tolerance,
    Work,
)
from regrapht.records.user_code import NO_FLAGS, BuildFlags
from regrapht.source.c_types import TRUTHS, passed_type, resolve_alias
from regrapht.source.functions import Parameter
from regrapht.source.polynomial import Polynomial
from regrapht.source.syntax import first_error_line, line_of, text_of, walk
from regrapht.tasks.defaults import default_bytes, default_compare, default_reduction_length, with_exact_integers
from regrapht.tasks.function_text import FunctionText, read_function, with_rows_of
from regrapht.tasks.inference.accesses.accesses import Access, read_accesses
from regrapht.tasks.inference.accesses.modes import Mode
from regrapht.tasks.inference.choose_sizes import Loops, SizeChoice, choose_sizes
from regrapht.tasks.inference.effects import side_effect
from regrapht.tasks.inference.element_types import element_type, is_truth, why_no_argument
from regrapht.tasks.inference.plain_values import flag_values, is_threshold, marks
from regrapht.tasks.inference.shapes.array_shapes import ArrayShape, aligned, array_shape, longest_rows, pitch_names
from regrapht.tasks.inference.shapes.index_limits import (
    ENTRIES_A_ROW,
    entries,
    local_lengths,
    local_limits,
    row_starts,
    stored_highest,
)
from regrapht.tasks.inference.shapes.usage import (
    delicate_arrays,
    plain_names,
    reduction_length,
    repetitions,
    searched_arrays,
    size_names,
    symbols_behind,
    windows,
)
from regrapht.tasks.inference.values.bounds import ONE, TooLong, Unbounded
from regrapht.tasks.inference.values.loops import data_walk
from regrapht.tasks.inference.whole_ranges import whole_range
from regrapht.tasks.project.rows import free_widths, width_used
from regrapht.tasks.write import task_toml

TIMED_AT = "Timed at "
_FLOAT_VALUE, _AROUND = 0.5, 0.1
_INTEGERS, _THRESHOLDS = (1, 4), (40, 60)


@dataclass(frozen=True, slots=True, kw_only=True)
class InferredTask:
    """A task that nobody wrote down, the text that would, and what was guessed."""

    task: Task
    toml_text: str
    guesses: tuple[str, ...]
    """Plain sentences, in the order of the parameters."""


def infer_task(path: Path, *, entry: str | None = None, flags: BuildFlags = NO_FLAGS) -> InferredTask:
    """Infer the task of one function in a C++ or CUDA file, bare or of a project.

    Const pointers are inputs, other pointers outputs, integers that bound loops or index arrays sizes; extents come from subscripts and
    loop bounds. Nothing is built or run. Vectors, references, fields and globals become flat parameters.

    Args:
        path: The file.
        entry: The function, where the file has several.
        flags: How the file is compiled, where it needs more than itself.

    Raises:
        TaskError: There are several functions, or something cannot be guessed: the message shows what to write instead.
    """
    return infer_function(read_function(path, entry=entry, flags=flags))


def infer_function(found: FunctionText, *, rows: tuple[Sizes, ...] = ()) -> InferredTask:
    """The task of a function that was read.

    Args:
        rows: Sizes that the function was called with, the largest last. The task is checked at these alone, and an array whose length
            the code does not show is as long as its parameter `NAME_size` says.

    Raises:
        TaskError: As `infer_task`.
    """
    if rows:
        return _Inference(found, rows).task()
    inferred = _Inference(found).task()
    for width in free_widths(found.home) if found.home is not None else ():
        used = width_used(width, inferred.task.args)
        if used is not None:
            found = with_rows_of(found, width, used)
            inferred = _Inference(found).task()
    return inferred


class _Inference:
    """One function on its way to a task."""

    def __init__(self, found: FunctionText, rows: tuple[Sizes, ...] = ()) -> None:
        self.rows = rows
        self.found, self.path, self.unit = found, found.path, found.unit
        function = self.function = found.function
        unit = found.unit
        self.guesses: list[str] = []
        self.floats = 0
        if (broken := first_error_line(function.node)) is not None:
            self._ask("does not parse as C++", broken, remedy="correct that line")
        if (effect := side_effect(function, unit)) is not None:
            remedy = "move that out of the function: compute into arrays, and do it in the caller"
            self._ask(effect[1], effect[0], remedy=remedy)
        self.types = {p.name: self._type_of(p) for p in function.parameters}
        self.truths = frozenset(p.name for p in function.parameters if is_truth(p, unit))
        self.integers = frozenset(
            p.name for p in function.parameters if not p.pointer_depth and not self.types[p.name].is_float
        )
        try:
            self.reading = read_accesses(function, unit, integers=self.integers)
            self.contents = self._index_contents()
            if self.contents:
                self.reading = read_accesses(function, unit, integers=self.integers, contents=self.contents)
            self.pitches = pitch_names(self.reading.accesses, self.reading.symbols, self.integers)
            self.shapes = aligned({p.name: self._known_shape(p) for p in function.parameters if p.pointer_depth})
            self.limits = self._known_limits()
        except TooLong as error:
            self._ask(error.what, error.line, array=error.array)
        except Unbounded as error:
            self._ask(f"the code does not show the range of {error.what.rstrip(',')}", error.line, array=error.array)
        if (endless := data_walk(function.body)) is not None:
            loop, name = endless
            self._ask(
                f"the data decide whether the loop ends, which sets '{name}' to elements of an array", line_of(loop)
            )
        self.sizes = size_names(self.reading, self.shapes.values(), self.integers)

    def task(self) -> InferredTask:
        """The task with all its parts."""
        args = tuple(self._arg(p) for p in self.function.parameters)
        return self._finished(args, self._choose_sizes(args))

    def _finished(self, args: tuple[Arg, ...], choice: SizeChoice) -> InferredTask:
        source = SourceFile(name=self.found.name, text=self.found.text)
        returns = self._returns()
        if returns is None and not any(arg.is_output for arg in args):
            self._ask("the function returns nothing and writes to no array", self.function.line)
        sizes = tuple(arg.name for arg in args if arg.kind is ArgKind.SIZE)
        kind = default_compare(args, returns_float=returns is not None and returns.is_float)
        length = Expression("1")
        if kind is Compare.FLOAT:
            with self._short("the length of the longest sum"):
                length = reduction_length(self.reading) or default_reduction_length(sizes)
            self.guesses.append(f"The longest sum behind one output has {length} terms: the tolerance follows from it.")
        else:
            length = default_reduction_length(sizes)
        with self._short("what all arrays hold together"):
            moved = default_bytes(args, result_bytes=returns.size_bytes if returns else 0)
        name = re.sub(r"[^a-z0-9_-]", "_", self.function.name.lower())[:64]
        task = Task(
            id=name,
            title=self.function.name.replace("_", " ").strip().capitalize() or name,
            description=self._description(),
            entry=self.function.name,
            reference=Reference(source=source, language=self.found.language),
            args=with_exact_integers(args, kind),
            check_sizes=choice.check,
            hidden_sizes=not self.rows,
            bench_sizes=choice.bench,
            require=choice.require,
            tolerance=Tolerance(kind=kind, reduction_length=length),
            work=Work(bytes=moved),
            baselines=(Baseline(name="naive", source=source),) if source.suffix == ".cu" else (),
            returns=returns,
            folder=str(self.path.resolve().parent),
            home=self.found.home,
        )
        return InferredTask(task=task, toml_text=task_toml(task), guesses=tuple(self.guesses))

    def _type_of(self, parameter: Parameter) -> ElementType:
        found = element_type(parameter, self.unit)
        flat = parameter.pointer_depth <= 1 and len(parameter.array_extents) <= 1
        if found is None or parameter.is_reference or not flat or not parameter.name:
            why, remedy = why_no_argument(parameter, self.unit)
            self._ask(why, parameter.line, remedy=remedy)
        return found

    def _returns(self) -> ScalarType | None:
        if self.function.return_type == "void":
            return None
        found = passed_type(self.function.return_type, aliases=self.unit.aliases)
        if found is None:
            self._ask(f"the function returns {self.function.return_type!r}", self.function.line)
        what = f"{found.c_name}: a candidate writes it"
        if resolve_alias(self.function.return_type, self.unit.aliases) in TRUTHS:
            what = f"a truth: a candidate writes it as {found.c_name}, 0 or 1,"
        self.guesses.append(f"The function returns {what} to one more parameter, `result`.")
        return found

    def _known_shape(self, parameter: Parameter) -> ArrayShape:
        """An array's shape; where only a run says how long it is, that length."""
        length = f"{parameter.name}_size"
        try:
            shape = self._shape(parameter)
            if not self._is_refuted(shape, length):
                return shape
        except (Unbounded, TooLong):
            if not self.rows or length not in self.integers:
                raise
        self.guesses.append(f"`{parameter.name}` is as long as it was when it was called.")
        return ArrayShape(extents=(Polynomial.name(length),), data_limits={}, written_whole=False)

    def _is_refuted(self, shape: ArrayShape, length: str) -> bool:
        """Whether a run had fewer elements than the code's bound says: a bound is no length where conditions guard what is read."""
        extents = [Expression(str(extent)) for extent in shape.extents]
        if length not in self.integers:
            return False
        known = [row for row in self.rows if all(name in row for one in extents for name in (*one.names, length))]
        return any(row[length] < math.prod(int(one.evaluate(row)) for one in extents) for row in known)

    def _known_limits(self) -> dict[str, str]:
        """As `_limits`; of arrays that a run filled, nothing has to be known."""
        try:
            return self._limits()
        except (Unbounded, TooLong):
            if not self.rows:
                raise
            self.spans: dict[str, Polynomial] = {}
            return {}

    def _shape(self, parameter: Parameter) -> ArrayShape:
        accesses = [access for access in self.reading.accesses if access.array == parameter.name]
        if not accesses:
            raise Unbounded(f"the array {parameter.name!r}, which the code never uses", parameter.line)
        return array_shape(accesses, self.reading.symbols, extent_of_data=self._extent_of_data, pitches=self.pitches)

    def _index_contents(self) -> dict[str, Polynomial | None]:
        """The largest value in each array that holds row starts, or subscripts that the code stores itself."""
        found = stored_highest(self.reading)
        self.row_starts: dict[str, Polynomial] = {}
        if self.rows:  # the run says how many entries there are
            return found
        for array in sorted(row_starts(self.reading) - set(found)):
            shape = array_shape(
                [access for access in self.reading.accesses if access.array == array], self.reading.symbols
            )
            if len(shape.extents) == 1:
                total, guessed = entries(shape.extents[0] - ONE, self.integers)
                found[array] = self.row_starts[array] = total
                if guessed:
                    self.guesses.append(
                        f"`{array}` holds row starts: {ENTRIES_A_ROW} entries a row on average, {total} in all."
                    )
        return found

    def _limits(self) -> dict[str, str]:
        """What the contents of each index array must stay below."""
        found = {array: high + ONE for array, high in self.contents.items() if high is not None}
        inside = [pair for shape in self.shapes.values() for pair in shape.data_limits.items()]
        for array, limit in (*inside, *local_limits(self.reading)):
            known = found.get(array)
            found[array] = limit if known is None else self.reading.symbols.smallest(known, limit)
        self.spans = {array: limit - ONE for array, limit in found.items()}
        return {array: str(limit) for array, limit in found.items()}

    def _extent_of_data(self, access: Access) -> Polynomial:
        """The extent of an array that only index arrays say the place in: a size that is used for nothing else, else the loop's own."""
        if self.rows:
            raise Unbounded(f"{text_of(access.node)!r}", line_of(access.node), array=access.array)
        bound = size_names(self.reading, [], self.integers)
        spare = [name for name in self._spare_integers() if name not in bound]
        trips = [nest.trips for nest in access.nests if nest.trips is not None and str(nest.trips) in self.integers]
        if len(spare) != 1 and not trips:
            raise Unbounded(
                f"{text_of(access.node)!r}, which depends on the contents of an index array,",
                line_of(access.node),
                array=access.array,
            )
        extent = Polynomial.name(spare[0]) if len(spare) == 1 else trips[0]
        why = "which nothing else uses" if len(spare) == 1 else "as many as there are turns of the loop"
        self.guesses.append(f"`{access.array}` is only reached by subscripts from an array: {extent} elements, {why}.")
        return extent

    def _spare_integers(self) -> list[str]:
        """Integer parameters that the function's text never uses."""
        used = {text_of(node) for node in walk(self.function.body) if node.type == "identifier"}
        return [name for name in self.types if name in self.integers and name not in used]

    def _arg(self, parameter: Parameter) -> Arg:
        name, dtype = parameter.name, self.types[parameter.name]
        if not parameter.pointer_depth:
            return self._value_arg(name, dtype)
        shape = tuple(Expression(str(extent)) for extent in self.shapes[name].extents)
        role = self._role(parameter)
        text = ", ".join(extent.text for extent in shape)
        self.guesses.append(f"`{name}` is {_ROLE_WORDS[role]} of {dtype.name} with shape [{text}].")
        init = None if role is Role.OUT else self._init(name, dtype)
        return Arg(name=name, kind=ArgKind.ARRAY, dtype=dtype, shape=shape, role=role, init=init)

    def _value_arg(self, name: str, dtype: ElementType) -> Arg:
        if name in self.sizes:
            self.guesses.append(f"`{name}` bounds a loop or indexes an array: a size.")
            return Arg(name=name, kind=ArgKind.SIZE, dtype=dtype)
        flags = None if dtype.is_float else flag_values(name, self.function, self.unit)
        if flags is not None:
            listed = ", ".join(map(str, flags))
            self.guesses.append(f"`{name}` only decides between branches: one of {listed}.")
            init = Init(kind="choice", parameters={"values": flags})
            return Arg(name=name, kind=ArgKind.SCALAR, dtype=dtype, init=init)
        init = self._moderate(dtype, threshold=not dtype.is_float and is_threshold(name, self.function))
        low, high = (init.parameters[end] for end in ("low", "high"))
        until = "up to" if dtype.is_float else "below"
        self.guesses.append(f"`{name}` bounds no loop: a scalar, drawn from {low} on and {until} {high}.")
        return Arg(name=name, kind=ArgKind.SCALAR, dtype=dtype, init=init)

    def _moderate(self, dtype: ElementType, *, threshold: bool) -> Init:
        """Values that do no harm in most arithmetic, and another one in every case: a program that has one built in is wrong."""
        if not dtype.is_float:
            low, high = _THRESHOLDS if threshold else _INTEGERS
            return Init(kind="integers", parameters={"low": low, "high": high})
        middle = self._next_float()
        reads_arrays = any(one.pointer_depth and one.is_const for one in self.function.parameters)
        ends = (middle - _AROUND, middle + _AROUND) if reads_arrays else (-middle / 4, middle / 4)
        return Init(kind="uniform", parameters={"low": round(ends[0], 4), "high": round(ends[1], 4)})

    def _next_float(self) -> float:
        """A middle of its own for each float: differences and quotients of two are neither 0 nor 1, and the first is the lowest."""
        self.floats += 1
        return _FLOAT_VALUE + 0.25 * (self.floats - 1)

    def _role(self, parameter: Parameter) -> Role:
        accesses = [access for access in self.reading.accesses if access.array == parameter.name]
        writes = any(access.mode is not Mode.READ for access in accesses)
        if parameter.is_const:
            return Role.IN
        if not writes:
            self.guesses.append(f"`{parameter.name}` is only read, though it is not const: an input.")
            return Role.IN
        return Role.OUT if self.shapes[parameter.name].written_whole else Role.INOUT

    def _init(self, name: str, dtype: ElementType) -> Init:
        if name in self.truths:
            self.guesses.append(f"`{name}` holds truths: 0 or 1.")
            return Init(kind="integers", parameters={"low": 0, "high": 2})
        if name in self.row_starts:
            total = str(self.row_starts[name])
            self.guesses.append(f"`{name}` holds row starts: ascending, from 0 to {total}.")
            return Init(kind="csr_row_ptr", parameters={"nnz": int(total) if total.isdigit() else Expression(total)})
        limit = self.limits.get(name)
        if limit is not None:
            self.guesses.append(f"`{name}` holds subscripts: integers from 0 up to, but not including, {limit}.")
            high = int(limit) if limit.isdigit() else Expression(limit)
            return Init(kind="integers", parameters={"low": 0, "high": high})
        if name in searched_arrays(self.reading):
            self.guesses.append(f"`{name}` is searched by halving: in ascending order.")
            return Init(kind="sorted", parameters={})
        if not dtype.is_float:
            known = marks(name, self.reading, self.unit) or ()
            if values := [value for value in known if value >= 0 or not dtype.name.startswith("u")]:
                low, high = values[0], values[-1] + 1
                if high - low > len(values):
                    listed = ", ".join(map(str, values))
                    self.guesses.append(f"`{name}` is compared with constants: one of {listed}.")
                    return Init(kind="choice", parameters={"values": tuple(values)})
            elif isinstance(dtype, ScalarType):
                low, high = whole_range(name, dtype, self.reading)
            else:
                low, high = 0, 100
            self.guesses.append(f"`{name}` starts with integers from {low} up to, but not including, {high}.")
            return Init(kind="integers", parameters={"low": low, "high": high})
        if name in delicate_arrays(self.reading):
            self.guesses.append(
                f"`{name}` is a divisor or goes into a root or a logarithm: uniform between 0.5 and 1.5."
            )
            return Init(kind="uniform", parameters={"low": 0.5, "high": 1.5})
        return Init(kind="normal", parameters={"mean": 0.0, "std": 1.0})

    def _choose_sizes(self, args: tuple[Arg, ...]) -> SizeChoice:
        names = [arg.name for arg in args if arg.kind is ArgKind.SIZE]
        if self.rows:
            unseen = next((name for name in names if any(name not in row for row in self.rows)), None)
            if unseen is not None:
                raise TaskError(
                    f"the code does not show how long its arrays are, and no call of the run says '{unseen}'",
                    file=str(self.path),
                    remedy="a public method that returns the vector would show it",
                )
            known = tuple({name: row[name] for name in names} for row in self.rows)
            return SizeChoice(check=known, bench=known[-1:], require=())
        small = repetitions(self.reading, frozenset(names), self._extent_names())
        small |= windows(extent for shape in self.shapes.values() for extent in shape.extents) & set(names)
        loops = Loops(
            nests=self.reading.innermost,
            arrays=[arg for arg in args if arg.kind is ArgKind.ARRAY],
            small=small,
            bins=(self._bins() & set(names)) - small,
            row_lengths=longest_rows(self.shapes.values(), local_lengths(self.reading, frozenset(names))),
            never_negative=self._never_negative(),
            scratch=[length for length in self.reading.scratch if plain_names(length) <= set(names)],
            typical=dict.fromkeys(self._row_loops(), ENTRIES_A_ROW),
        )
        try:
            choice = choose_sizes(names, loops)
        except ValueError as error:
            self._ask(f"no sizes suit the code: {error}", self.function.line)
        for text in choice.require:
            self.guesses.append(f"Every loop runs inside its arrays only when {text}: other sizes are not tried.")
        row = ", ".join(f"{name} = {value}" for name, value in choice.bench[0].items())
        self.guesses.append(f"{TIMED_AT}{row}." if row else "There is no size: one shape is checked and timed.")
        return choice

    def _never_negative(self) -> list[Polynomial]:
        """The highest values of what subscripts are made of, which clamps such as `n - 2` put below 0 at small sizes; and limits."""
        symbols, found = self.reading.symbols, list(self.spans.values())
        behind = {name for access in self.reading.accesses for name in symbols_behind(access.index, self.reading)}
        for name in sorted(behind & set(symbols.known)):
            symbol = symbols.known[name]
            if symbol.is_loose and symbol.high is not None:
                found.append(symbols.upper(symbol.high))
            elif symbol.is_kept and symbol.high is not None and symbol.low is not None:
                found.append(symbols.upper(symbol.high - symbol.low))
        return found

    def _extent_names(self) -> frozenset[str]:
        extents = [extent for shape in self.shapes.values() for extent in shape.extents]
        return frozenset(name for extent in extents for name in plain_names(extent))

    def _bins(self) -> frozenset[str]:
        """Sizes of arrays that the code writes where an index array says: bins of a histogram, groups."""
        written = {access.array for access in self.reading.accesses if access.mode is not Mode.READ}
        binned = {array: shape for array, shape in self.shapes.items() if array in written and shape.data_limits}
        others = [shape.extents for array, shape in self.shapes.items() if array not in binned]
        elsewhere = {name for extents in others for extent in extents for name in plain_names(extent)}
        return frozenset(str(limit) for shape in binned.values() for limit in shape.data_limits.values()) - elsewhere

    def _row_loops(self) -> set[str]:
        """The symbols of loops over the entries of one row."""
        known = self.reading.symbols.known
        return {
            name
            for name, symbol in known.items()
            if symbol.low is not None
            and any(inner.data_array in self.row_starts for inner in self.reading.symbols.of(symbol.low))
        }

    def _description(self) -> str:
        above = self.function.node.prev_sibling
        lines: list[str] = []
        while above is not None and above.type == "comment":
            text = (above.text or b"").decode("utf-8", "replace")
            lines.insert(0, re.sub(r"^\s*(//+|/\*+|\*(?!/))\s?|\s*\*+/\s*$", "", text, flags=re.MULTILINE).strip())
            above = above.prev_sibling
        return "\n".join(line for line in lines if line)

    @contextmanager
    def _short(self, what: str) -> Iterator[None]:
        """Say what to write where a formula of the task comes out longer than one may be."""
        try:
            yield
        except ValueError as error:
            self._ask(f"{what} is a formula that no task can hold: {error}", self.function.line)

    def _ask(self, why: str, line: int, *, remedy: str | None = None, array: str | None = None) -> NoReturn:
        """Say what cannot be guessed, and what to write instead."""
        sample = (
            f"regrapht init {self.path.name} writes a task.toml with the rest, and leaves open what to say here: "
            f"{self._example(array)}; docs/task-format.md has all keys"
        )
        file, own = self.found.where(line)
        raise TaskError(why, file=file, key=f"line {own}", remedy=remedy or sample)

    def _example(self, array: str | None) -> str:
        pointer = next((p for p in self.function.parameters if p.pointer_depth and array in (None, p.name)), None)
        name, role = (pointer.name, "in" if pointer.is_const else "inout") if pointer else ("a", "in")
        kind = passed_type(pointer.type_text, aliases=self.unit.aliases) if pointer else None
        dtype = kind.name if kind is not None else "float32"
        return f'[[args]] name = "{name}" kind = "array" dtype = "{dtype}" shape = ["n"] role = "{role}"'


_ROLE_WORDS = {Role.IN: "an input", Role.OUT: "an output", Role.INOUT: "an input and output"}
