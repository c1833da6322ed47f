"""A scan in kernels: for each stage what each block adds and where each block starts, and then the iterations with their running values."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from regrapht.errors import CannotTransform
from regrapht.transform.codegen import arithmetic, state_maps
from regrapht.transform.codegen.geometry import operand
from regrapht.transform.codegen.nest_writer import NestWriter
from regrapht.transform.codegen.points import Points
from regrapht.transform.codegen.printer import Printer
from regrapht.transform.codegen.writer import Scratch
from regrapht.transform.ir.expressions import Element, Variable, place_name
from regrapht.transform.plan.contributions import Family, RunningValue, StateMap
from regrapht.transform.plan.scans import Scan, Stage, scan_of


def write_scan(nest: NestWriter) -> list[str]:
    """Lines that launch the three kernels.

    Raises:
        CannotTransform: The nest is no scan.
    """
    scan = scan_of(nest.nest, nest.writer.scop)
    if isinstance(scan, str):
        raise CannotTransform(scan, line=nest.nest.line)
    return _Kernels(nest, scan).lines()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Names:
    """What stands for one running value in the kernels, or for the map of some."""

    values: tuple[RunningValue, ...]
    map: StateMap | None
    """Of values that turns map; None where they add to one value."""
    type: str
    parts: str
    """What the iterations of each block add, and then the value before each block."""
    added: str
    here: str
    carry: str
    total: str
    start: str
    before: str
    neutral: str
    function: str
    """Combines the values of the threads before each."""

    def with_(self, left: str, right: str) -> str:
        """The text of two values combined."""
        if self.map is not None:
            return f"{self.type}_then({left}, {right})"
        return arithmetic.combined(left, self.values[0].operator, right, self.type)

    def as_added(self) -> dict[Variable | Element, str]:
        """What the statements of a contribution set."""
        if self.map is None:
            return {self.values[0].place: self.added}
        pairs = zip(self.map.entries, state_maps.fields(self.map), strict=False)
        return {
            Variable(entry): f"{self.added}.{field}"
            for entries, fields in pairs
            for entry, field in zip(entries, fields, strict=True)
        }

    def value(self, row: int, of: str) -> str:
        """A running value, from what it is after all that came before."""
        return of if self.map is None else state_maps.value_of(self.map, row, of)


class _Kernels:
    def __init__(self, nest: NestWriter, scan: Scan) -> None:
        self.nest, self.scan = nest, scan
        self.points = Points(nest.geometry, nest.schedule.loops, nest.writer)
        self.stages = [self._names_of(stage) for stage in scan.stages]
        fresh = nest.writer.fresh
        self.first, self.end, self.strip = fresh("first"), fresh("end"), fresh("strip")

    def _names_of(self, stage: Stage) -> list[_Names]:
        if stage.map is not None:
            return [self._names(stage.values, stage.map)]
        return [self._names((value,), None) for value in stage.values]

    def _names(self, values: tuple[RunningValue, ...], found: StateMap | None) -> _Names:
        writer, name, threads = self.nest.writer, place_name(values[0].place), self.nest.schedule.threads
        own = f"{name}_" if len(self.scan.values) > 1 else ""
        if found is not None:
            kind, function = writer.map_scan(found, threads)
            neutral = f"{kind}_none()"
        else:
            kind, operator = values[0].type, values[0].operator
            function, neutral = writer.block_scan(operator, kind, threads), arithmetic.identity(operator, kind)
        return _Names(
            values=values,
            map=found,
            type=kind,
            parts=writer.fresh(f"{name}_parts_{self.nest.nest.number}"),
            added=writer.fresh(f"{name}_added"),
            here=writer.fresh(f"{name}_here"),
            carry=writer.fresh(f"{own}carry"),
            total=writer.fresh(f"{own}total"),
            start=writer.fresh(f"{own}start"),
            before=writer.fresh(f"{own}before"),
            neutral=neutral,
            function=function,
        )

    def lines(self) -> list[str]:
        writer, fresh, threads = self.nest.writer, self.nest.writer.fresh, self.nest.schedule.threads
        for name in self._before(len(self.stages)):
            writer.scratch[name.parts] = Scratch(name.type, str(threads))
        blocks, left = fresh("blocks"), fresh("parts_left")
        launch, block = self.nest.launch, self.nest.schedule.block
        lines = [f"const int {blocks} = {self.points.blocks_at_most(threads, threads)};"]
        for stage in range(len(self.stages)):
            lines += writer.kernel("block_sums", self._sums(stage), launch(blocks, block, condition=None))
            if stage == 0:
                lines.append(f"const int {left} = {blocks};")
            starts = [line for name in self.stages[stage] for line in self._starts(name, left)]
            lines += writer.kernel("block_starts", starts, launch("1", block, condition=None, counts=(left,)))
        lines += writer.kernel("scan", self._scan(), launch(blocks, block, condition=None))
        return [f"if ({self.nest.condition}) {{" if self.nest.condition else "{", *lines, "}"]

    def _before(self, stage: int) -> list[_Names]:
        """The running values of the stages before this one."""
        return [name for names in self.stages[:stage] for name in names]

    def _printer(self, names: Mapping[Variable | Element, str]) -> Printer:
        """Prints the iteration with running values under other names."""
        plain = self.nest.printer()
        variables = {place.name: name for place, name in names.items() if isinstance(place, Variable)}

        def access(element: Element, _: Printer) -> str | None:
            return names.get(element)

        printer = replace(plain, replaced={**plain.replaced, **variables})
        if len(variables) < len(names):
            printer = replace(printer, access=access)
        return printer.at(self.scan.leaf, {dim: dim for dim in self.scan.leaf.dims})

    def _chunk(self) -> list[str]:
        """The iterations of a block, in strips of as many as it has threads."""
        threads, count = self.nest.schedule.threads, operand(self.points.axes[0].count)
        strips = self.nest.writer.fresh("strips")
        return [
            f"const long long {strips} = ({count} - 1) / {threads} / gridDim.x + 1;",
            f"const long long {self.first} = blockIdx.x * {strips} * {threads};",
            f"const long long {self.end} = min({self.first} + {strips} * {threads}, (long long){count});",
        ]

    def _coordinate(self, number: str) -> str:
        axis = self.points.axes[0]
        if self.scan.step < 0:
            return f"const {axis.type} {axis.variable} = {self._last()} - ({number});"
        value = number if axis.low == "0" else f"{operand(axis.low)} + {number}"
        return f"const {axis.type} {axis.variable} = {value};"

    def _last(self) -> str:
        """The greatest value of the loop's variable."""
        axis = self.points.axes[0]
        return f"{operand(axis.low)} + {operand(axis.count)} - 1"

    def _contribution(self, stage: int) -> list[str]:
        """What an iteration adds to the values of a stage, from those of earlier ones as they are before it."""
        names: dict[Variable | Element, str] = {}
        for name in self.stages[stage]:
            names |= name.as_added()
        copies = self._copies(self._before(stage), names)
        table = self.stages[stage][0].map
        if table is not None and table.family is Family.TABLE:
            return [*copies, *self._table(stage, table, names)]
        return [*copies, *self._printer(names).statements(list(self.scan.stages[stage].contribution))]

    def _copies(self, known: list[_Names], names: dict[Variable | Element, str]) -> list[str]:
        """Running values that an iteration begins with, under names of their own."""
        copies = []
        for name in known:
            for row, value in enumerate(name.values):
                names[value.place] = now = self.nest.writer.fresh(f"{place_name(value.place)}_now")
                copies.append(f"{value.type} {now} = {name.value(row, name.here)};")
        return copies

    def _table(self, stage: int, table: StateMap, names: dict[Variable | Element, str]) -> list[str]:
        """What becomes of each value that there is."""
        (value,), (name,) = table.values, self.stages[stage]
        fresh = self.nest.writer.fresh
        before, names[value.place] = fresh("state"), fresh(f"{place_name(value.place)}_now")
        now = names[value.place]
        return [
            f"{name.added}.to = 0;",
            f"for (int {before} = 0; {before} < {table.size}; ++{before}) {{",
            f"{value.type} {now} = {before};",
            *self._printer(names).statements(list(self.scan.stages[stage].contribution)),
            f"{name.added}.to |= (unsigned long long){now} << 4 * {before};",
            "}",
        ]

    def _sums(self, stage: int) -> list[str]:
        """What the iterations of each block add to the values of a stage, all together."""
        threads, point = self.nest.schedule.threads, self.points.name
        if self.scan.stages[stage].map is not None:
            (name,) = self.stages[stage]
            return [
                *self._chunk(),
                *self._strips(stage + 1, [], starts={name.carry: name.neutral}),
                *self._stored(name, name.carry),
            ]
        neutral = [f"{name.type} {name.added} = {name.neutral};" for name in self.stages[stage]]
        if stage == 0:
            head = (
                f"for (long long {point} = {self.first} + threadIdx.x; {point} < {self.end}; {point} += {threads}) {{"
            )
            loop = [*neutral, head, self._coordinate(point), *self._contribution(0), "}"]
        else:
            loop = [*neutral, *self._strips(stage, self._contribution(stage))]
        return [*self._chunk(), *loop, *(line for name in self.stages[stage] for line in self._kept(name))]

    def _kept(self, name: _Names) -> list[str]:
        writer, threads = self.nest.writer, self.nest.schedule.threads
        total = writer.block_function(name.values[0].operator, name.type, threads, shuffle=True)
        return [f"{name.added} = {total}({name.added});", *self._stored(name, name.added)]

    def _stored(self, name: _Names, value: str) -> list[str]:
        return ["if (threadIdx.x == 0) {", f"{name.parts}[blockIdx.x] = {value};", "}"]

    def _starts(self, name: _Names, left: str) -> list[str]:
        """The value before each block; where the running value outlives the loop, what it ends with."""
        scan, start, before = self.scan, name.start, name.before
        plain, axis = self.nest.printer(), self.points.axes[0]
        at_first = plain.at(scan.leaf, {axis.variable: axis.low if scan.step > 0 else f"({self._last()})"})
        places = [
            at_first.expression(scan.start) if scan.start is not None else plain.expression(value.place)
            for value in name.values
        ]
        begun = places[0] if name.map is None else f"{name.type}_fixed({', '.join(places)})"
        lines = [
            f"const {name.type} {start} = {begun};",
            f"const {name.type} {name.added} = (int)threadIdx.x < {left} ? {name.parts}[threadIdx.x] : {name.neutral};",
            f"{name.type} {name.total};",
            f"const {name.type} {before} = {name.function}({name.added}, {name.total});",
            f"if ((int)threadIdx.x < {left}) {{",
            f"{name.parts}[threadIdx.x] = {name.with_(start, before)};",
            "}",
        ]
        if scan.start is None:
            last = name.with_(start, name.total)
            stores = [f"{place} = {name.value(row, last)};" for row, place in enumerate(places)]
            lines += ["if (threadIdx.x == 0) {", *stores, "}"]
        return lines

    def _scan(self) -> list[str]:
        """All iterations, each with the running values that it starts from."""
        names: dict[Variable | Element, str] = {}
        known = self._before(len(self.stages))
        for name in known:
            if name.map is None:
                names[name.values[0].place] = name.here
        copies = self._copies([name for name in known if name.map is not None], names)
        body = self._printer(names).statements(list(self.scan.statements))
        return [*self._chunk(), *self._strips(len(self.stages), [*copies, *body])]

    def _strips(self, stage: int, body: list[str], starts: Mapping[str, str] | None = None) -> list[str]:
        """A loop over the block's strips that runs `body` with the values of the stages before this one as they are before an iteration.

        `starts` are what carried values begin with where that is not the value before the block.
        """
        threads, known, own = self.nest.schedule.threads, self._before(stage), starts or {}
        inside = f"if ({self.strip} + threadIdx.x < {self.end}) {{"
        lines = [
            *(f"{name.type} {name.carry} = {own.get(name.carry, f'{name.parts}[blockIdx.x]')};" for name in known),
            f"for (long long {self.strip} = {self.first}; {self.strip} < {self.end}; {self.strip} += {threads}) {{",
            self._coordinate(f"{self.strip} + threadIdx.x"),
        ]
        for earlier in range(stage):
            names = self.stages[earlier]
            lines += [f"{name.type} {name.added} = {name.neutral};" for name in names]
            lines += [inside, *self._contribution(earlier), "}"]
            for name in names:
                lines.append(f"{name.type} {name.total};")
                before = f"{name.function}({name.added}, {name.total})"
                is_read = body or earlier + 1 < stage
                lines.append(
                    f"{name.type} {name.here} = {name.with_(name.carry, before)};" if is_read else f"{before};"
                )
        lines += [inside, *body, "}"] if body else []
        lines += [f"{name.carry} = {name.with_(name.carry, name.total)};" for name in known]
        return [*lines, "}"]
