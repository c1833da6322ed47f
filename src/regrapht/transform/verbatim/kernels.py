"""A loop as a kernel with its body, and the launch that stands where the loop stood."""

import re
from dataclasses import dataclass, field

from regrapht.errors import CannotTransform
from regrapht.records.task import ArgKind, Task
from regrapht.source.syntax import SyntaxNode, declarators
from regrapht.transform.verbatim.appends import Append
from regrapht.transform.verbatim.counted_calls import twin_swaps
from regrapht.transform.verbatim.counting import TURN, Counted
from regrapht.transform.verbatim.device_names import refuse_host_only
from regrapht.transform.verbatim.effects import refuse_variables
from regrapht.transform.verbatim.extremes import extremes_after, extremes_before, extremes_inside
from regrapht.transform.verbatim.held_objects import refuse_this
from regrapht.transform.verbatim.host_memory import HostMemory
from regrapht.transform.verbatim.independence import Turns
from regrapht.transform.verbatim.instrument import update_target
from regrapht.transform.verbatim.lent_objects import (
    SELF,
    changed_by_calls,
    changes_itself,
    is_lent,
    refuse_other_names,
)
from regrapht.transform.verbatim.parameters import (
    Parameter,
    head,
    moved_by_turn,
    number,
    opaque,
    opened_bytes,
    own_type,
)
from regrapht.transform.verbatim.rendering import Rendering, device_text, launcher_text
from regrapht.transform.verbatim.scopes import Scopes, belongs, elements, walk
from regrapht.transform.verbatim.scratch_sizes import ScratchSizes
from regrapht.transform.verbatim.snapshots import copy_name, declared_copy

_NAME = re.compile(r"\b[A-Za-z_]\w*\b")
_LENGTHS = ("push_back", "emplace_back", "pop_back", "resize", "insert", "erase", "assign", "reserve")


@dataclass(slots=True)
class Kernels:
    """Makes the kernels of one program, in the order in which their loops stand."""

    scopes: Scopes
    task: Task
    rendering: Rendering
    restrict: bool = False
    """Whether kernels say that the task's arrays do not overlap."""
    before_the_file: bool = False
    """Whether kernels are declared before the file's own types: methods of these launch them."""
    boxed: set[tuple[int, str]] = field(default_factory=set)
    """(declaration, name) of the launcher's locals that kernels write: they are kept in device memory."""
    known_boxed: set[tuple[int, str]] = field(default_factory=set)
    """`boxed` as the text was written last."""
    texts: list[str] = field(default_factory=list)
    declared: list[str] = field(default_factory=list)

    def launch(self, turns: Turns) -> str:
        """The launch of a loop; its kernels go to `texts`."""
        own = {*turns.private, *turns.sums, *(name for one in turns.extremes for name in one.names)}
        refuse_host_only(self.scopes, turns.loop, own)
        refuse_variables(self.scopes, turns.loop, own)
        swaps = self._swaps(turns)
        if turns.append is None:
            return self._launches(turns, swaps, [])
        append = turns.append
        for call in append.calls:
            self.rendering.counted[call.function.id] = twin_swaps(self.scopes, call)
        counted = self._body_kernel(turns, {**swaps, **append.count_only}, counting=True)
        for path, calls in append.pushes.items():
            for call in calls:
                given = self.rendering.piece(call.child_by_field_name("arguments")).strip()[1:-1]
                is_value = self.scopes.text(call.child_by_field_name("function")).endswith("push_back")
                put = "set" if is_value else "put"
                swaps[call.id] = f"verbatim::{put}({path}[{append.counter_of(path)}++], {given})"
        names = _appended(append)
        between = [f"verbatim::vector<long long> vb_o_{n}((std::size_t)vb_count + 1);" for n in names]
        between.append(counted)
        between += [f"verbatim::scan(vb_o_{n}.data(), vb_count + 1);" for n in names]
        between += [f"const long long vb_t_{n} = verbatim::load(vb_o_{n}.data() + vb_count);" for n in names]
        for path in append.pushes:
            name = append.counter_of(path)
            between.append(
                f"const long long vb_m_{name} = (long long){path}.size(); {path}.resize((std::size_t)(vb_m_{name} + vb_t_{name}));"
            )
        return self._launches(turns, swaps, between)

    def _launches(self, turns: Turns, swaps: dict[int, str], between: list[str]) -> str:
        launch = self._body_kernel(turns, swaps, counting=False)
        counts = [one.count for one in turns.nest]
        if len(counts) > 1:
            lines = [f"const long long vb_n{k} = verbatim::turns({count});" for k, count in enumerate(counts)]
            counts = [f"vb_n{k}" for k in range(len(counts))]
        elif turns.moves:
            lines, counts = [], [f"verbatim::turns({counts[0]})"]
        else:
            lines = []  # what is below zero launches nothing
        lines += [f"const auto vb_m_{n} = {n}; const long long vb_b_{n} = {by};" for n, by in turns.moves.items()]
        counters = sorted(turns.append.counters) if turns.append is not None else []
        lines += [f"const auto vb_m_{n} = {n};" for n in counters]
        lines.append(f"const long long vb_count = {' * '.join(counts)};")
        lines.append("if (vb_count > 0) {")
        lines += map(_lend, sorted(self._lent(turns)))
        lines += [declared_copy(name, self._length(name)) for name in turns.snapshots]
        lines += [*between, launch]
        lines += [f"{name} = verbatim::moved(vb_m_{name}, vb_t_{name});" for name in counters]
        lines.append("}")
        lines += [f"{name} = verbatim::moved({name}, vb_count * vb_b_{name});" for name in turns.moves]
        lines += [one.after for one in turns.nest if one.after]
        return "{ " + launcher_text("\n".join(lines)) + " }"

    def _body_kernel(self, turns: Turns, swaps: dict[int, str], *, counting: bool) -> str:
        """Make the kernel of a loop's turns, or of what of them only counts; gives the lines that launch it."""
        body = self.rendering.piece(turns.body, swaps)
        own = self._own(turns)
        lambdas = self._lambdas(turns.loop, body).values()
        text = "\n".join([*self.scopes.usings(turns.loop), *_starts(turns.nest), *own, *lambdas, body])
        taken = self._captured(turns, text)
        methods = self._method_names(turns.loop)
        if methods & set(_NAME.findall(text)):
            text, taken = _through_self(text, methods), [*taken, SELF]
        HostMemory(self.scopes).refuse(turns.loop, [*taken, *turns.moves])
        makers = [turns.body, *(d.parent for d in turns.private.values())]
        scratch = ScratchSizes(self.scopes).needs_scratch(text, makers)
        inner = ["verbatim::begin_turn();"] if scratch else []
        scratched = ["verbatim::begin_turns();"] if scratch else []
        values = [number(f"vb_n{k}") for k in range(1, len(turns.nest))]
        for name in turns.moves:
            kind = self._own_type(self.scopes.visible(turns.loop).get(name), name)
            inner.append(moved_by_turn(name, kind))
            values += [Parameter(name=f"vb_m_{name}", argument=f"vb_m_{name}", kind=kind), number(f"vb_b_{name}")]
        values += [opaque(copy_name(n), f"{copy_name(n)}.data()") for n in turns.snapshots]
        if turns.append is not None:
            text, more, pointers = _with_counters(turns.append, text, counting=counting)
            inner += more
            values += pointers
        before, given = ([], []) if counting else self._parts(turns)
        before = [*(f"const auto& vb_f_{name} = {name};" for name in turns.copied), *before]
        outer, fields = self._handed(turns.loop, taken, self.boxed_at(turns.loop), self._lent(turns))
        handed = [*outer, *values, *map(opaque, given)]
        kernel = self._kernel(handed, [*fields, *scratched, *before], device_text("\n".join([*inner, text])))
        most = self._most(turns, scratch=scratch) if not counting else ""
        grid = f"verbatim::blocks(vb_count{most and ', '}{most})"
        lines = (
            [f"verbatim::Scratch vb_scratch(vb_count, {ScratchSizes(self.scopes).bytes_of(turns)});"] if scratch else []
        )
        lines += [*self._sums_before(turns), *extremes_before(turns.extremes)] if given else []
        arguments = ", ".join(["vb_count", *(one.argument for one in handed)])
        lines.append(f"{kernel}<<<{grid}, verbatim::kBlock>>>({arguments});")
        lines += [*self._sums_after(turns, grid), *extremes_after(turns.extremes, grid)] if given else []
        return lines[0] if len(lines) == 1 else "{ " + "\n".join(lines) + " }"

    @staticmethod
    def _most(turns: Turns, *, scratch: bool) -> str:
        """How many threads a launch has at most, where that is not `verbatim::kMost`."""
        if turns.sums:
            return "verbatim::kPartThreads"
        if turns.extremes:
            return "verbatim::kBestThreads"
        return "vb_scratch.most" if scratch else ""

    def once(self, statement: SyntaxNode) -> str:
        """A statement as one thread runs it; its kernel goes to `texts`."""
        self._refuse_growth(statement)
        self._refuse_return(statement)
        refuse_this(self.scopes, statement)
        refuse_host_only(self.scopes, statement)
        refuse_variables(self.scopes, statement, set())
        text = self.rendering.piece(statement)
        lambdas = self._lambdas(statement, text)
        text = "\n".join([*self.scopes.usings(statement), *lambdas.values(), text])
        seen = self.scopes.visible(statement)
        names = sorted(set(_NAME.findall(text)) & seen.keys() - self.scopes.locals_of(statement) - lambdas.keys())
        methods = self._method_names(statement)
        if methods & set(_NAME.findall(text)):
            text, names = _through_self(text, methods), [*names, SELF]
        lent = self._changed_in(statement)
        for name in {name for name in lent if name != SELF and not is_lent(self.scopes, seen[name], name)}:
            self.boxed.add((seen[name].id, name))
        boxed = self.boxed_at(statement)
        lent = self._as_lent(statement, lent - boxed)
        refuse_other_names(self.scopes, statement, lent)
        scratch = ScratchSizes(self.scopes).needs_scratch(text, [statement])
        begun = ["verbatim::begin_turns();", "verbatim::begin_turn();"] if scratch else []
        HostMemory(self.scopes).refuse(statement, names)
        handed, fields = self._handed(statement, names, boxed, lent)
        kernel = self._kernel(handed, [*fields, *begun], device_text(text), turns=False)
        before = [_lend(name) for name in sorted(lent)]
        before += ["verbatim::Scratch vb_scratch(1, 4 * verbatim::given_bytes + 65536, 1);"] if scratch else []
        launch = f"{kernel}<<<1, 1>>>({', '.join(one.argument for one in handed)});"
        return f"{{ {' '.join([*before, launch])} }}" if before else launch

    def _changed_in(self, place: SyntaxNode) -> set[str]:
        """The outer names of which a statement changes something that lies in the launcher."""
        found = self.scopes.changed(place) | changed_by_calls(self.scopes, place)
        return found & self.scopes.visible(place).keys() | ({SELF} if changes_itself(self.scopes, place) else set())

    def _as_lent(self, place: SyntaxNode, names: set[str]) -> set[str]:
        """Names that are lent at a place: the whole object for its fields, where other functions of it are called too."""
        seen = self.scopes.visible(place)
        fields = {name for name in names if name != SELF and seen[name].type.endswith("specifier")}
        calls = (node.child_by_field_name("function") for node in walk(place) if node.type == "call_expression")
        is_whole = any(self.scopes.text(callee) in self._method_names(place) for callee in calls)
        return (names - fields) | {SELF} if is_whole and fields else names

    def changed_by(self, turns: Turns) -> set[str]:
        """The outer names of which turns change something that lies in the launcher, and that each has no copy of."""
        own = turns.private.keys() | turns.copied.keys() | turns.moves.keys() | turns.sums.keys()
        own |= {name for one in turns.extremes for name in one.names}
        own |= turns.append.counters if turns.append is not None else set()
        return self._changed_in(turns.loop) - self.scopes.assigned(turns.loop) - own

    def kept_by(self, turns: Turns) -> set[str]:
        """The outer variables of which threads have parts, the sum or the best of which is what turns leave; no arrays by a pointer."""
        seen = self.scopes.visible(turns.loop)
        sums = {n for n in turns.sums if n in seen and not self._is_pointer(seen[n])}
        return sums | {name for one in turns.extremes for name in one.names}

    def _is_pointer(self, declaration: SyntaxNode) -> bool:
        """Whether a declaration is of a parameter that points to elements."""
        return declaration.type != "declaration" and re.search(r"[*\[]", self.scopes.text(declaration)) is not None

    def _lent(self, turns: Turns) -> set[str]:
        """Those of them that are lent to the kernel of the turns.

        Raises:
            CannotTransform: A kernel that counts first would change them as well.
        """
        seen, boxed = self.scopes.visible(turns.loop), self.boxed_at(turns.loop)
        changed = self.changed_by(turns) | (self.kept_by(turns) & seen.keys())
        found = {n for n in changed - boxed if n == SELF or is_lent(self.scopes, seen[n], n)}
        found = self._as_lent(turns.loop, found)
        if found and turns.append is not None:
            why = f"turns append, and change '{min(found)}'"
            raise CannotTransform(why, line=self.scopes.line(turns.loop))
        refuse_other_names(self.scopes, turns.loop, found)
        return found

    def _refuse_return(self, statement: SyntaxNode) -> None:
        """A `return` that would end a kernel, and not the function around it."""
        around = self.scopes.function_around(statement).child_by_field_name("body")
        is_last = around.named_children[-1].id == statement.id
        for node in walk(statement):
            if (
                node.type == "return_statement"
                and belongs(node, statement, ())
                and (node.named_children or not is_last)
            ):
                why = "one thread would run it, and this leaves the function from inside of it"
                raise CannotTransform(why, line=self.scopes.line(node))

    def _refuse_growth(self, statement: SyntaxNode) -> None:
        """Raise where one thread would change the length of a container that the launcher holds, which device code cannot."""
        own = self.scopes.locals_of(statement)
        for node in walk(statement):
            if node.type != "call_expression" or node.child_by_field_name("function").type != "field_expression":
                continue
            callee = node.child_by_field_name("function")
            base = callee.child_by_field_name("argument")
            while base.type in ("field_expression", "subscript_expression"):
                base = base.child_by_field_name("argument")
            name, method = self.scopes.text(base), self.scopes.text(callee.child_by_field_name("field"))
            is_element = statement.type == "for_range_loop" and name in self.scopes.declared(statement)
            declared = statement if is_element else self.scopes.visible(statement).get(name)
            is_outer = declared is not None and (is_element or name not in own)
            if method in _LENGTHS and is_outer and "std::vector" in self.scopes.text(declared):
                why = f"one thread would change the length of '{name}'"
                raise CannotTransform(why, line=self.scopes.line(node))

    def boxed_at(self, place: SyntaxNode) -> set[str]:
        """The names at a place that stand for what is kept in device memory."""
        return {name for name, declaration in self.scopes.visible(place).items() if self.is_boxed(declaration, name)}

    def is_boxed(self, declaration: SyntaxNode, name: str) -> bool:
        """Whether a local is kept in device memory."""
        return (declaration.id, name) in self.boxed | self.known_boxed

    def _kernel(self, handed: list[Parameter], before: list[str], inner: str, *, turns: bool = True) -> str:
        """Make a kernel of a text that runs for each turn, or once; gives its name."""
        name = f"{'turns' if turns else 'once'}_{len(self.texts) + 1}"
        declared = head(name, [*([number("vb_count")] if turns else []), *handed])
        opened = [one.opened for one in handed if one.opened]
        first, stride = "blockIdx.x * (long long)blockDim.x + threadIdx.x", "gridDim.x * (long long)blockDim.x"
        over = f"for (long long {TURN} = {first}; {TURN} < vb_count; {TURN} += {stride}) {{"
        self.declared.append(declared + ";")
        self.texts.append("\n".join([declared + " {", *opened, *before, over if turns else "{", inner, "}", "}"]))
        return name

    def _handed(
        self, place: SyntaxNode, names: list[str], boxed: set[str], lent: set[str]
    ) -> tuple[list[Parameter], list[str]]:
        """How the outer names of a place get into its kernel, and what names the fields of an object that goes there as a whole."""
        seen = self.scopes.visible(place)
        parts = [n for n in names if SELF in names and n in seen and seen[n].type.endswith("specifier")]
        parameters = [self._parameter(name, seen.get(name), boxed, lent) for name in names if name not in parts]
        return parameters, [f"auto& {name} = {SELF}.{name};" for name in parts]

    def _parameter(self, name: str, declaration: SyntaxNode | None, boxed: set[str], lent: set[str]) -> Parameter:
        opaque = f"vb_h_{name}"
        if name in boxed | lent:
            return Parameter(name=opaque, argument=f"vb_at_{name}", opened=f"auto& {name} = *{opaque};")
        if name == SELF:
            return Parameter(name=opaque, argument="verbatim::hold(*this)", opened=opened_bytes(name))
        kind = self._own_type(declaration, name)
        apart = self.restrict and self._is_array(name)
        if kind is not None:
            return Parameter(name=name, argument=name, kind=f"{kind} __restrict__" if apart else kind)
        argument, opened = f"verbatim::hold({name})", opened_bytes(name)
        if apart:
            opened = f"auto* const __restrict__ {name} = {opaque};"
        return Parameter(name=opaque, argument=argument, opened=opened)

    def _own_type(self, declaration: SyntaxNode | None, name: str) -> str | None:
        if declaration is None:
            return None
        return own_type(self.scopes, declaration, name, of_the_file=not self.before_the_file)

    def _captured(self, turns: Turns, text: str) -> list[str]:
        """The outer names that a turn's text needs, but for those that it makes itself."""
        seen = self.scopes.visible(turns.loop)
        own = (
            {v for one in turns.nest for v in one.variables}
            | turns.moves.keys()
            | turns.private.keys()
            | turns.sums.keys()
            | {name for one in turns.extremes for name in one.names}
            | self._lambdas(turns.loop, text).keys()
        )
        own |= turns.append.counters if turns.append is not None else set()
        return sorted(set(_NAME.findall(text)) & seen.keys() - own)

    def _method_names(self, node: SyntaxNode) -> set[str]:
        owner = self.scopes.owner(self.scopes.function_around(node))
        return set() if owner is None else self.scopes.methods(owner) - {""}

    def _own(self, turns: Turns) -> list[str]:
        """Declarations of what each turn has for itself."""
        found = []
        for declarator in turns.private.values():
            declaration = declarator.parent
            kind = self.scopes.source.written[declaration.start_byte : declarators(declaration)[0].start_byte].decode()
            found.append(f"{re.sub(r'^static +', '', kind.strip())} {self.rendering.piece(declarator)};")
        for name in turns.copied:
            found.append(f"verbatim::Copied vb_c_{name}(vb_f_{name}); auto& {name} = vb_c_{name}.own;")
        return found

    def _lambdas(self, place: SyntaxNode, text: str) -> dict[str, str]:
        """Name -> declaration of the function objects from outside that a text calls: a host's cannot be handed to a kernel.

        Raises:
            CannotTransform: One holds a copy of a variable that changes.
        """
        seen, found, words = self.scopes.visible(place), dict[str, str](), set(_NAME.findall(text))
        changing = self.scopes.targets(self.scopes.function_around(place))
        while more := [n for n in words & seen.keys() - found.keys() if self.scopes.lambda_of(seen[n], n) is not None]:
            for name in more:
                closure = self.scopes.lambda_of(seen[name], name)
                captures = self.scopes.text(closure).split("]")[0]
                named = set(_NAME.findall(captures))
                held = named if "=" not in captures.replace("&", "") else named | self.scopes.names(closure)
                if ("&" not in captures or "," in captures) and held & changing:
                    why = f"'{name}' holds a copy of a variable that changes"
                    raise CannotTransform(why, line=self.scopes.line(closure))
                found[name] = f"auto {name} = {self.rendering.piece(closure)};"
                words |= set(_NAME.findall(found[name]))
        return dict(reversed(found.items()))

    def _swaps(self, turns: Turns) -> dict[int, str]:
        """Updates of shared places as atomic ones. Those in functions that a turn calls are replaced for good."""
        swaps = {use.id: copy_name(name) for name, uses in turns.snapshots.items() for use in uses}
        for one in turns.extremes:
            swaps |= one.swaps(self.scopes, self.rendering)
        for site in turns.atomics:
            text = self._atomic(site)
            inside = turns.body.start_byte <= site.start_byte and site.end_byte <= turns.body.end_byte
            (swaps if inside else self.rendering.replaced)[site.id] = text
        return swaps

    def _atomic(self, site: SyntaxNode) -> str:
        node, target = site.named_children[0], update_target(self.scopes, site)
        operator, place = self.scopes.text(node.child_by_field_name("operator")), self.rendering.piece(target)
        if operator in ("++", "--"):
            return f"verbatim::add({place}, {'1' if operator == '++' else '-1'});"
        by = self.rendering.piece(node.child_by_field_name("right"))
        return f"verbatim::add({place}, {by if operator == '+=' else f'-({by})'});"

    # ---- what turns add up

    def _length(self, name: str) -> str:
        """How many elements a sum has: of an array by the task's shape, of a local by its size."""
        arg = next((arg for arg in self.task.args if arg.name == name and arg.kind is ArgKind.ARRAY), None)
        if arg is None:
            return f"verbatim::elements(vb_at_{name})"
        return elements(arg.shape, "verbatim")

    def _is_array(self, name: str) -> bool:
        return any(arg.name == name and arg.kind is ArgKind.ARRAY for arg in self.task.args)

    def _parts(self, turns: Turns) -> tuple[list[str], list[str]]:
        """(what stands before the turns, parameters) of a kernel whose threads have a part each of what is added up or kept."""
        before, given = extremes_inside(turns.extremes)
        for name in turns.sums:
            given += [f"vb_p_{name}", f"vb_l_{name}"]
            if self._is_array(name):
                before.append(f"auto* {name} = vb_p_{name} + verbatim::thread() * vb_l_{name};")
            else:
                before.append(f"auto& {name} = verbatim::part_of(vb_p_{name});")
        return before, given

    def _sums_before(self, turns: Turns) -> list[str]:
        lines = []
        for name in turns.sums:
            at = name if self._is_array(name) else f"vb_at_{name}"
            lines.append(f"const long long vb_l_{name} = {self._length(name)};")
            lines.append(f"verbatim::Parts<decltype(verbatim::element_of({at}))> vb_s_{name}(vb_l_{name});")
            part = "at" if self._is_array(name) else f"as<decltype(*vb_at_{name})>()"
            lines.append(f"auto* const vb_p_{name} = vb_s_{name}.{part};")
        return lines

    def _sums_after(self, turns: Turns, grid: str) -> list[str]:
        lines = []
        for name in turns.sums:
            at = name if self._is_array(name) else f"verbatim::first_of(vb_at_{name})"
            lines.append(f"vb_s_{name}.add_to({at}, {grid} * (long long)verbatim::kBlock);")
        return lines


def _lend(name: str) -> str:
    """What lends an object to the launch behind it, by `vb_at_NAME`."""
    held = "*this" if name == SELF else name
    return f"verbatim::Lent vb_lent_{name}({held}); auto* const vb_at_{name} = vb_lent_{name}.at;"


def _appended(append: Append) -> list[str]:
    """The names of all counters, those of containers too."""
    return [*sorted(append.counters), *map(append.counter_of, append.pushes)]


def _with_counters(append: Append, text: str, *, counting: bool) -> tuple[str, list[str], list[Parameter]]:
    """A turn's text between its counters, declarations of these, and the values that they are made from."""
    names = _appended(append)
    if counting:
        starts = [f"auto {n} = verbatim::moved(vb_m_{n}, 0);" for n in sorted(append.counters)]
        starts += [f"long long {append.counter_of(path)} = 0;" for path in append.pushes]
        ends = [f"vb_o_{n}[{TURN}] = verbatim::between(vb_m_{n}, {n});" for n in sorted(append.counters)]
        ends += [f"vb_o_{n}[{TURN}] = {n};" for n in map(append.counter_of, append.pushes)]
        values = [f"vb_m_{n}" for n in sorted(append.counters)]
    else:
        starts = [f"auto {n} = verbatim::moved(vb_m_{n}, vb_o_{n}[{TURN}]);" for n in names]
        ends, values = [], [f"vb_m_{n}" for n in names]
    places = [Parameter(name=f"vb_o_{n}", argument=f"vb_o_{n}.data()", kind="long long*") for n in names]
    return "\n".join(["do {", text, "} while (false);", *ends]), starts, [*map(opaque, values), *places]


def _starts(nest: list[Counted]) -> list[str]:
    """Declarations of the turn's own variables."""
    lines: list[str] = []
    for k, one in enumerate(nest):
        inner = "".join(f" / vb_n{j}" for j in range(k + 1, len(nest)))
        turn = f"({TURN}{inner}{f' % vb_n{k}' if k else ''})" if len(nest) > 1 else TURN
        lines += [start.replace("{turn}", turn) for start in one.starts]
    return lines


def _through_self(text: str, methods: set[str]) -> str:
    """Calls of an object's own functions as calls through `vb_self`."""
    return re.sub(
        r"(?<![\w.:>])([A-Za-z_]\w*)(?=\s*\()", lambda m: f"vb_self.{m[1]}" if m[1] in methods else m[1], text
    )
