"""The parts of a candidate's text as they are made: kernels, device functions, scratch memory, launches."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from regrapht.source.polynomial import words
from regrapht.transform.codegen import arithmetic, state_maps
from regrapht.transform.codegen.printer import Printer
from regrapht.transform.ir.expressions import Cast, Element, Expression, Variable, place_name, walk
from regrapht.transform.ir.scalar_types import is_integer, is_unsigned, signed_index_type, size_bytes
from regrapht.transform.ir.statement_walk import expressions_of
from regrapht.transform.ir.statements import RESULT, Declare, For, every
from regrapht.transform.plan.contributions import StateMap
from regrapht.transform.polyhedral.affine import Affine
from regrapht.transform.polyhedral.loop_tree import READ, leaves
from regrapht.transform.polyhedral.scop import Scop

WORD = re.compile(r"(?<![.\w])[A-Za-z_]\w*")
"""A name, but not a member such as the `x` of `threadIdx.x`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """How a kernel is started: C texts of the grid, the block and the dynamic shared memory."""

    grid: str
    block: str
    shared_bytes: str | None = None
    condition: str | None = None
    restrict: bool = False
    """Pointers do not overlap, and constant ones go through the read-only path."""
    written: frozenset[str] | None = None
    """Arrays that the kernel writes; None: all that the function writes."""
    bounds: int = 0
    """Threads a block that the compiler must leave registers for; 0 where any kernel fits."""
    resident: int = 0
    """Blocks of `bounds` threads that must fit on one multiprocessor; 0: not said."""
    counts: tuple[str, ...] = ()
    """Further `int` parameters, by names that the launcher has too."""


@dataclass(frozen=True, slots=True)
class Scratch:
    """Device memory that lives for one call: C texts of type and element count."""

    type: str
    count: str


@dataclass(slots=True)
class Writer:
    """Collects the text of one candidate."""

    scop: Scop
    extents: dict[str, str] = field(default_factory=dict)
    """C texts of the element counts of arrays, by the task's shapes."""
    kernels: list[str] = field(default_factory=list)
    functions: dict[str, str] = field(default_factory=dict)
    scratch: dict[str, Scratch] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    """Declarations of constant memory, by name."""
    headers: set[str] = field(default_factory=set)
    """Headers that a library or an iterator of ours needs, beside those of every candidate."""
    host_loops: dict[str, str] = field(default_factory=dict)
    """Variables of the launcher's loops, with their types."""
    kernel_count: int = 0
    made: dict[str, str] = field(default_factory=dict)

    # ---- names and types

    def fresh(self, name: str) -> str:
        """`name`, changed where the source has it; always the same for the same name."""
        if name not in self.made:
            chosen = name
            while chosen in self.scop.function.identifiers:
                chosen += "_"
            self.made[name] = chosen
        return self.made[name]

    @property
    def wide(self) -> bool:
        """Whether subscripts may need 64 bits: the source counts elements in them, or has arrays of several dimensions."""
        function = self.scop.function
        if any(not p.is_pointer and size_bytes(p.type) == 8 and "long" in p.type for p in function.parameters):
            return True
        if any(lengths for lengths in self.scop.inner_lengths.values()):
            return True
        if any(size_bytes(self.scop.symbols.types[name]) == 8 for name in self.scop.symbols.values):
            return True  # `const size_t plane = height * width`, which tiles write out
        counted = [e for loop in every(function.body) if isinstance(loop, For) for e in (loop.start, loop.condition)]
        for part in [part for e in expressions_of(function.body) for part in walk(e)]:
            counted += part.subscripts if isinstance(part, Element) else ()
        if any(self._is_long(part) for e in counted for part in walk(e)):
            return True
        return any("long long" in loop.type for leaf in leaves(self.scop.tree) for loop in leaf.loops)

    @property
    def wide_names(self) -> frozenset[str]:
        """Sizes, scalars, loop variables and isl's parameters for products whose C texts are integers of 64 bits."""
        signed = self.resigned
        types = {
            name: signed_index_type(one) if name in signed else one for name, one in self.scop.symbols.types.items()
        }
        wide = {name for name, one in (types | self.host_loops).items() if is_integer(one) and size_bytes(one) == 8}
        products = {
            name for name, text in self.names.items() if "(long long)" in text or not wide.isdisjoint(words(text))
        }
        return frozenset(wide | products)

    def has_wide_name(self, text: str) -> bool:
        """Whether a size, a scalar or a loop variable in a count is of 64 bits, and with it the count."""
        return not self.wide_names.isdisjoint(words(text))

    def _is_long(self, part: Expression) -> bool:
        """Whether an operand makes the arithmetic around it one of 64 bits."""
        if isinstance(part, Cast):
            return "long long" in part.type
        return isinstance(part, Variable) and size_bytes(self.scop.symbols.types.get(part.name, "int")) == 8

    @property
    def names(self) -> dict[str, str]:
        """C texts of isl's parameters: products of sizes."""
        wide = "(long long)" if self.wide else ""
        return {name: "(" + wide + text[1:] for name, text in self.scop.symbols.products.items()}

    @property
    def resigned(self) -> frozenset[str]:
        """Names that the source counts in an unsigned type and the kernels in a signed one."""
        symbols = self.scop.symbols
        loops = {loop.variable for leaf in leaves(self.scop.tree) for loop in leaf.loops}
        return frozenset(name for name in symbols.parameters | loops if is_unsigned(symbols.types.get(name, "int")))

    def printer(self) -> Printer:
        """The printer for code inside kernels: scalars that outlive a kernel are in scratch memory."""
        replaced = {
            name: f"{name}[0]"
            for name in self.scratch
            if name in self.scop.locals and not self.scop.locals[name].lengths
        }
        flat = frozenset(name for name in self.scratch if name in self.scop.locals)
        return Printer(scop=self.scop, replaced=replaced, resigned=self.resigned, wide=self.wide, flat=flat)

    def block_function(self, operator: str, type_name: str, threads: int, *, shuffle: bool) -> str:
        """The name of a device function that combines the values of all threads of a block."""
        group = "warp" if shuffle and threads == 32 else "block"
        short = type_name.replace("unsigned ", "u").replace(" ", "_")
        name = self.fresh(f"{group}_{arithmetic.WORDS[operator]}_{short}")
        text = arithmetic.block_reduction(name, operator, type_name, threads, shuffle=shuffle)
        if self.functions.get(name, text) != text:
            name = self.fresh(f"{name}_of_{threads}_{'shuffle' if shuffle else 'tree'}")
            text = arithmetic.block_reduction(name, operator, type_name, threads, shuffle=shuffle)
        self.functions[name] = text
        return name

    def block_scan(self, operator: str, type_name: str, threads: int) -> str:
        """The name of a device function that combines, for each thread of a block, the values of those before it."""
        short = type_name.replace("unsigned ", "u").replace(" ", "_")
        name = self.fresh(f"block_scan_{arithmetic.WORDS[operator]}_{short}_of_{threads}")
        self.functions[name] = arithmetic.block_scan(name, operator, type_name, threads)
        return name

    def map_scan(self, found: StateMap, threads: int) -> tuple[str, str]:
        """The names of a struct of maps, and of a device function that combines, for each thread of a block, those before its own."""
        own = self.fresh("_".join([*(place_name(value.place) for value in found.values), "map"]))
        self.functions[own] = state_maps.text_of(found, own)
        name = self.fresh(f"block_scan_{own}_of_{threads}")
        self.functions[name] = arithmetic.block_scan_of_maps(name, own, threads)
        return own, name

    def block_extreme(self, operator: str, type_name: str, threads: int) -> str:
        """The name of a device function that finds the best value of a block's threads and its place."""
        short = type_name.replace("unsigned ", "u").replace(" ", "_")
        words = ("first" if len(operator) == 1 else "last") + ("_min" if operator[0] == "<" else "_max")
        name = self.fresh(f"block_{words}_{short}_of_{threads}")
        self.functions[name] = arithmetic.block_extreme(name, operator, type_name, threads)
        return name

    def keep(self, name: str) -> None:
        """Give a local that outlives its kernel scratch memory."""
        local = self.scop.locals[name]
        count = 1
        for length in local.lengths:
            count *= length
        self.scratch[name] = Scratch(local.type, str(count))

    def keep_buffers(self) -> None:
        """Give the buffers that are used scratch memory."""
        printer = Printer(scop=self.scop, resigned=self.resigned)
        used = {access.array for leaf in leaves(self.scop.tree) for access in leaf.accesses}
        for name, buffer in self.scop.buffers.items():
            if name in used:
                count = printer.expression(buffer.length)
                affine = Affine(self.scop.symbols, ())
                length = affine.polynomial(buffer.length)
                if length is None or not affine.is_nonnegative(length):
                    count = f"({count} > 0 ? {count} : 0)"
                self.extents[name] = count
                self.scratch[name] = Scratch(buffer.type, f"size_t({count})")

    # ---- kernels

    def kernel(self, word: str, lines: Sequence[str], launch: Launch) -> list[str]:
        """Add a kernel whose name ends in `word` and whose body is `lines`; return the lines that launch it."""
        self.kernel_count += 1
        name = self.fresh(f"{self.scop.function.name}_{self.kernel_count}_{word}")
        text = "\n".join(lines)
        parameters = self.used_parameters(text, launch)
        parameters += [(n, f"int {n}") for n in launch.counts]
        arguments = ", ".join(n for n, _ in parameters)
        least = f", {launch.resident}" if launch.resident else ""
        bounds = f"__launch_bounds__({launch.bounds}{least}) " if launch.bounds else ""
        head = f"__global__ void {bounds}{name}({', '.join(declared for _, declared in parameters)}) {{"
        self.kernels.append("\n".join([head, text, "}"]))
        configuration = ", ".join(part for part in (launch.grid, launch.block, launch.shared_bytes) if part)
        call = f"{name}<<<{configuration}>>>({arguments});"
        return [f"if ({launch.condition}) {{", call, "}"] if launch.condition else [call]

    def used_parameters(self, text: str, launch: Launch) -> list[tuple[str, str]]:
        """Names that a text uses of what the launcher has, with their declarations."""
        used = set(WORD.findall(text))
        return [(name, declared) for name, declared in self._possible(launch) if name in used]

    def _possible(self, launch: Launch) -> list[tuple[str, str]]:
        """Everything that a kernel may take as a parameter, with its declaration."""
        qualifier = " __restrict__ " if launch.restrict else " "
        fields = self.scop.function.fields
        written = {
            fields[name].parameter if name in fields else name
            for name in (self.written() if launch.written is None else launch.written)
        }
        found = []
        for parameter in self.scop.function.parameters:
            if parameter.is_pointer:
                const = "" if parameter.name in written else "const "
                found.append((parameter.name, f"{const}{parameter.type}*{qualifier}{parameter.name}"))
            else:
                found.append((parameter.name, f"{self.scalar_type(parameter.name)} {parameter.name}"))
        if self.scop.function.returns:
            const = "" if RESULT in written else "const "
            found.append((RESULT, f"{const}{self.scop.function.returns}*{qualifier}{RESULT}"))
        found += [(local.name, f"{self.scalar_type(local.name)} {local.name}") for local in self.scop.host]
        for name, scratch in self.scratch.items():
            own = name in self.scop.locals or name in self.scop.buffers
            const = "const " if own and name not in written else ""
            found.append((name, f"{const}{scratch.type}*{qualifier}{name}"))
        found += [(name, f"{type_name} {name}") for name, type_name in self.host_loops.items()]
        return found

    def written(self) -> set[str]:
        """Arrays that the function writes."""
        return {a.array for leaf in leaves(self.scop.tree) for a in leaf.accesses if a.kind != READ}

    def scalar_type(self, name: str) -> str:
        """The type that kernels take a scalar in: what isl counts with is signed."""
        type_name = self.scop.symbols.types[name]
        is_counted = name in self.scop.symbols.parameters and is_unsigned(type_name)
        return signed_index_type(type_name) if is_counted else type_name

    def host_scalar(self, local: Declare) -> str:
        assert local.value is not None
        value = Printer(scop=self.scop, resigned=self.resigned).expression(local.value)
        return f"const {self.scalar_type(local.name)} {local.name} = {value};"
