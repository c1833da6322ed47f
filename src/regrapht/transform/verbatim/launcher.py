"""What stays in the launcher: statements outside of loops, loops that turn after turn launch what is inside, and functions that launch."""

import re
from dataclasses import dataclass, field, replace

from regrapht.errors import CannotTransform
from regrapht.source.syntax import SyntaxNode, declarators, declared_name
from regrapht.transform.verbatim.counting import with_loads
from regrapht.transform.verbatim.effects import reached
from regrapht.transform.verbatim.functors import Functors
from regrapht.transform.verbatim.held_objects import points_elsewhere, refuse_this
from regrapht.transform.verbatim.independence import Independence, Turns
from regrapht.transform.verbatim.kernels import Kernels
from regrapht.transform.verbatim.lent_objects import changed_by_calls, is_lent
from regrapht.transform.verbatim.liveness import is_named_elsewhere
from regrapht.transform.verbatim.rendering import RANGES, Rendering, launcher_text
from regrapht.transform.verbatim.scopes import LOOPS, Scopes, is_constant, walk

_SKIPPED = ("comment", ";")
_READING = ("subscript_expression", "pointer_expression", "field_expression")
_TIMES_WRITTEN = 6
_ALGORITHMS = re.compile(r"^(std::)?(fill|fill_n|copy|memset|memcpy)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class InOneThread:
    """A piece of the reference that one thread runs."""

    line: int
    reason: str
    is_long: bool
    """Whether it is a loop, or an algorithm over a range."""


@dataclass(slots=True)
class Launcher:
    """Renders the entry and the functions that it calls outside of loops."""

    scopes: Scopes
    rendering: Rendering
    kernels: Kernels
    independence: Independence
    launched: list[Turns] = field(default_factory=list)
    serial: list[InOneThread] = field(default_factory=list)
    twins: dict[int, str] = field(default_factory=dict)
    """Functions that launch -> their text, by node."""
    host_only: set[int] = field(default_factory=set)
    """Constructors and methods that launch, where they stand."""
    moved_away: set[int] = field(default_factory=set)
    """Declarators of which each turn has its own."""
    known_moved: set[int] = field(default_factory=set)
    """`moved_away` as the text was written last."""
    left_out: dict[int, str] = field(default_factory=dict)
    """Lambdas that are not declared in the launcher -> their names: kernels that call one have it written out."""
    called_here: set[int] = field(default_factory=set)
    """Those that the launcher calls, as the text was written last."""

    # ---- functions

    def entry(self) -> str:
        """The body of the entry, as the launcher: written anew until what kernels write is known where it is declared, in front of them.

        Raises:
            CannotTransform: What they write goes on changing with what is known of it.
        """
        body = self.scopes.entry.child_by_field_name("body")
        for _ in range(_TIMES_WRITTEN):
            self.left_out = {}
            text = self._function_body(self.scopes.entry, body)
            words = {*re.findall(r"(?<![\w.>])\w+", "\n".join([text, *self.twins.values()]))}
            found = set(self.kernels.boxed), set(self.moved_away)
            called = {id_ for id_, name in self.left_out.items() if name in words}
            if found == (self.kernels.known_boxed, self.known_moved) and not called:
                return text
            self._back_to((0, 0, 0, 0, {}, set(), set(), set()))
            self.kernels.known_boxed, self.known_moved = found
            self.called_here |= called
        why = "what its kernels change and what the launcher needs of it do not settle"
        raise CannotTransform(why, line=self.scopes.line(self.scopes.entry))

    def _function_body(self, function: SyntaxNode, body: SyntaxNode) -> str:
        """The statements of a function, with boxes for those parameters that kernels write."""
        inner = self._block(body)
        boxes = [
            _box(name)
            for parameter in self.scopes.parameters(function)
            for name in self.scopes.declared(parameter)
            if self.kernels.is_boxed(parameter, name)
        ]
        return "{\n" + "\n".join([*boxes, inner]) + "\n}" if boxes else inner

    def _launching(self, function: SyntaxNode) -> str:
        """The name under which the launcher calls a function that launches."""
        name = self.scopes.name_of(function)
        is_member = self.scopes.owner(function) is not None
        new = name if is_member else f"{name}_launcher"
        if function.id in self.twins:
            return new
        self.twins[function.id] = ""
        body = self._function_body(function, function.child_by_field_name("body"))
        if is_member:
            self.host_only.add(function.id)
            self.twins[function.id] = body
            return new
        head = self.rendering.piece(function, {function.child_by_field_name("body").id: ""}).strip()
        head = head.replace(f"{name}(", f"{new}(", 1)
        if function.parent.type == "template_declaration":
            kinds = self.scopes.text(function.parent.child_by_field_name("parameters"))
            head = f"template {kinds}\n{head}"
        del self.twins[function.id]  # behind those that it calls, which were written in the meantime
        self.twins[function.id] = f"{launcher_text(head)} {body}\n"
        return new

    def _does_work(self, function: SyntaxNode) -> bool:
        """Whether a function reads or writes memory that it was given, so that the host may not run it."""
        parameters = "".join(self.scopes.text(p) for p in self.scopes.parameters(function))
        owner = self.scopes.owner(function)
        outside = owner is not None and points_elsewhere(self.scopes, owner)
        handed = (
            "*" in parameters
            or "std::vector" in parameters
            or any(
                name in self.scopes.classes
                and re.search(r"std::vector|\*", self.scopes.text(self.scopes.classes[name]))
                for name in re.findall(r"\w+", parameters)
            )
        )
        if not (handed or outside):
            return False
        body = function.child_by_field_name("body")
        return body is not None and any(n.type in (*LOOPS, *_READING[:2]) or self._is_of_a_range(n) for n in walk(body))

    def _is_short(self, functions: list[SyntaxNode]) -> bool:
        """Whether functions do work, and that without any loop."""
        code = [each for function in functions for each in reached(self.scopes, function)]
        loops = any(self.scopes.loops(each) or any(map(self._is_of_a_range, walk(each))) for each in code)
        return not loops and any(self._does_work(function) for function in functions)

    def _is_of_a_range(self, node: SyntaxNode) -> bool:
        """Whether a node calls an algorithm over a whole range."""
        if node.type != "call_expression":
            return False
        return self.scopes.text(node.child_by_field_name("function")).removeprefix("std::") in RANGES

    # ---- statements

    def _block(self, block: SyntaxNode) -> str:
        return (
            "{\n"
            + "\n".join(self._statement(child) for child in block.named_children if child.type not in _SKIPPED)
            + "\n}"
        )

    def _statement(self, node: SyntaxNode) -> str:
        match node.type:
            case "compound_statement":
                return self._block(node)
            case "for_statement" | "while_statement" | "for_range_loop" | "do_statement":
                return self._loop(node)
            case "declaration":
                return self._declaration(node)
            case "expression_statement":
                return self._expression(node)
            case "if_statement":
                return self._if(node)
            case "return_statement":
                return self._return(node)
            case "break_statement" | "continue_statement" | "comment" | "using_declaration" | "alias_declaration":
                return self.scopes.text(node)
        if node.type.startswith("preproc"):
            return ""
        if node.type in ("struct_specifier", "class_specifier", "union_specifier", "enum_specifier"):
            why = "a type that a function declares with names of its own, which a kernel does not see"
            raise CannotTransform(why, line=self.scopes.line(node))
        raise CannotTransform(f"'{node.type.replace('_', ' ')}' outside of a loop", line=self.scopes.line(node))

    def _loop(self, loop: SyntaxNode) -> str:
        try:
            turns = self.independence.turns(loop)
            return self._launch(turns)
        except CannotTransform as error:
            reason = error
        kept = self._state()
        try:
            return self._around(loop)
        except CannotTransform:
            self._back_to(kept)
        self.serial.append(InOneThread(line=self.scopes.line(loop), reason=reason.reason, is_long=True))
        return self.kernels.once(loop)

    def _launch(self, turns: Turns) -> str:
        for name, declarator in turns.private.items():
            declaration = self.scopes.visible(turns.loop).get(name) or self.scopes.variables.get(name)
            if declaration is not None and not is_named_elsewhere(self.scopes, turns.loop, declaration, name):
                self.moved_away.add(declarator.id)
        seen = self.scopes.visible(turns.loop)
        names = self.kernels.kept_by(turns) | self.kernels.changed_by(turns)
        self.kernels.boxed |= {(seen[n].id, n) for n in names & seen.keys() if not is_lent(self.scopes, seen[n], n)}
        refuse_this(self.scopes, turns.loop)
        text = self.kernels.launch(replace(turns, nest=with_loads(self.scopes, turns.nest, self._is_device_read)))
        self.launched.append(turns)
        return text

    def _state(self) -> tuple[int, int, int, int, dict[int, str], set[int], set[int], set[tuple[int, str]]]:
        return (
            len(self.kernels.texts), len(self.launched), len(self.serial), len(self.kernels.declared),
            dict(self.twins), set(self.host_only), set(self.moved_away), set(self.kernels.boxed),
        )  # fmt: skip

    def _back_to(
        self, kept: tuple[int, int, int, int, dict[int, str], set[int], set[int], set[tuple[int, str]]]
    ) -> None:
        texts, launched, serial, declared, self.twins, self.host_only, self.moved_away, self.kernels.boxed = kept
        del self.kernels.texts[texts:], self.launched[launched:], self.serial[serial:], self.kernels.declared[declared:]

    def _around(self, loop: SyntaxNode) -> str:
        """A loop of the launcher: around launches, or of what the host alone has, such as a power of two above a size.

        Raises:
            CannotTransform: Nothing inside has threads, or the host would need what it does not know.
        """
        before, kernels = len(self.launched), len(self.kernels.texts)
        if loop.type == "for_range_loop":
            raise CannotTransform("a loop over a container stays in one piece", line=self.scopes.line(loop))
        body = loop.child_by_field_name("body")
        inner = self._statement(body)
        if any(one.is_long for one in self.serial[self._serial_before(loop) :]):
            raise CannotTransform("a part of it would run in one thread in every turn", line=self.scopes.line(loop))
        swaps = {body.id: inner}
        for part in ("initializer", "condition", "update"):
            node = loop.child_by_field_name(part)
            if node is not None:
                swaps[node.id] = self._known_on_host(node)
        text = self.rendering.piece(loop, swaps)
        is_the_hosts = len(self.kernels.texts) == kernels and "verbatim::load(" not in text
        if len(self.launched) == before and not is_the_hosts:
            raise CannotTransform("nothing inside of it has threads", line=self.scopes.line(loop))
        if self.launched[before:] and all(turns.is_short for turns in self.launched[before:]):
            raise CannotTransform("what is inside of it never has many turns", line=self.scopes.line(loop))
        return launcher_text(text) if loop.type == "do_statement" else text

    def _serial_before(self, loop: SyntaxNode) -> int:
        return next((k for k, one in enumerate(self.serial) if one.line > self.scopes.line(loop)), len(self.serial))

    def _if(self, node: SyntaxNode) -> str:
        condition = node.child_by_field_name("condition")
        first, other = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
        text = f"if {self._known_on_host(condition)} {{ {self._statement(first)} }}"
        if other is None:
            return text
        chosen = other.named_children[0] if other.type == "else_clause" else other
        return f"{text} else {{ {self._statement(chosen)} }}"

    def _return(self, node: SyntaxNode) -> str:
        if self.scopes.function_around(node).id != self.scopes.entry.id or not node.named_children:
            return f"return {self._known_on_host(node.named_children[0])};" if node.named_children else "return;"
        value = self._known_on_host(node.named_children[0])
        kind = self.scopes.text(self.scopes.entry.child_by_field_name("type"))
        kind = "bool" if self._is_truth(kind) else "std::remove_reference_t<decltype(*result)>"
        return f"{{ verbatim::filled(result, 1, ({kind})({value})); return; }}"

    def _is_truth(self, kind: str) -> bool:
        """Whether a type is `bool`, under whatever name: a result is a byte, which keeps the lowest bits of a number."""
        alias = self.scopes.aliases.get(kind)
        return kind == "bool" or (alias is not None and self.scopes.text(alias.child_by_field_name("type")) == "bool")

    def _declaration(self, node: SyntaxNode) -> str:
        head = (
            self.scopes.source.written[node.start_byte : declarators(node)[0].start_byte].decode()
            if declarators(node)
            else ""
        )
        if not head:
            return launcher_text(self.rendering.piece(node))
        lines = []
        for declarator in declarators(node):
            name = self.scopes.text(declared_name(declarator))
            if declarator.id in self.known_moved or self._is_left_out(declarator):
                continue
            text = self._declarator(node, declarator)
            lines.append(launcher_text(f"{head.strip()} {text};"))
            if self.kernels.is_boxed(node, name):
                lines.append(_box(name))
        return "\n".join(lines)

    def _declarator(self, node: SyntaxNode, declarator: SyntaxNode) -> str:
        kind = next(
            (c for c in self.scopes.classes if re.search(rf"\b{c}\b", self.scopes.text(node).split("=")[0])), None
        )
        if kind is not None:
            for function in self.scopes.by_name.get(kind, ()):
                if self._does_work(function):
                    self._launching(function)
        value = declarator.child_by_field_name("value")
        return self._known_on_host(declarator) if value is not None else self.rendering.piece(declarator)

    def _is_left_out(self, declarator: SyntaxNode) -> bool:
        """Whether a lambda need not be declared here, for all that is known."""
        value = declarator.child_by_field_name("value")
        if value is None or value.type != "lambda_expression" or value.id in self.called_here:
            return False
        self.left_out[value.id] = self.scopes.text(declared_name(declarator))
        return True

    def _expression(self, node: SyntaxNode) -> str:
        expression = node.named_children[0] if node.named_children else None
        if expression is None or self.scopes.text(node).startswith("(void)"):
            return ""
        if expression.type == "call_expression":
            return self._call(node, expression)
        boxed = self.kernels.boxed_at(node)
        if expression.type in ("assignment_expression", "update_expression") and not self.scopes.changed(node) & boxed:
            target = expression.child_by_field_name("left") or expression.child_by_field_name("argument")
            right = expression.child_by_field_name("right")
            chained = right is not None and right.type == "assignment_expression"
            if target.type == "identifier" and not chained and not self._writes_memory(expression):
                kept = self._state()
                try:
                    return self._known_on_host(node)
                except CannotTransform:
                    self._back_to(kept)
                    return self.kernels.once(node)
            if self._is_of_host_object(target) and not chained:
                return self._known_on_host(node)
        return self.kernels.once(node)

    def _writes_memory(self, expression: SyntaxNode) -> bool:
        return any(
            n.type in ("assignment_expression", "update_expression") for n in walk(expression) if n != expression
        )

    def _is_of_host_object(self, target: SyntaxNode) -> bool:
        """Whether a place is a field of an object that the launcher holds, or an element of an array in one."""
        if target.type == "subscript_expression":
            return self._is_array_field(target.child_by_field_name("argument")) and self._is_of_host_object(
                target.child_by_field_name("argument")
            )
        if target.type != "field_expression" or self.scopes.text(target.child_by_field_name("operator")) != ".":
            return False
        base = target.child_by_field_name("argument")
        while base.type in ("field_expression", "subscript_expression"):
            base = base.child_by_field_name("argument")
        return base.type == "identifier" and self._is_host_name(base)

    def _is_array_field(self, node: SyntaxNode) -> bool:
        """Whether a field is an array, not a pointer to one, in every class that has one of its name."""
        if node.type != "field_expression":
            return False
        name, found = self.scopes.text(node.child_by_field_name("field")), []
        for owner in self.scopes.classes.values():
            fields = [f for f in owner.child_by_field_name("body").named_children if f.type == "field_declaration"]
            found += [d.type for f in fields for d in declarators(f) if self.scopes.text(declared_name(d)) == name]
        return bool(found) and set(found) == {"array_declarator"}

    def _call(self, node: SyntaxNode, call: SyntaxNode) -> str:
        callee = call.child_by_field_name("function")
        name = self.scopes.text(callee)
        own = self._local_arrays(call)
        if own and callee.type != "field_expression":
            self.kernels.boxed |= own
            handed = self.scopes.names(call.child_by_field_name("arguments")) - {one for _, one in own}
            is_long = name in self.scopes.by_name and any(self._is_array(node, one) for one in handed)
            reason = f"'{name}' is handed an array of the function's own"
            self.serial.append(InOneThread(line=self.scopes.line(node), reason=reason, is_long=is_long))
            return self.kernels.once(node)
        if functions := self.scopes.functions_of(callee):
            new = self._launching(functions[0])
            return launcher_text(
                self.rendering.piece(
                    node, {callee.id: new, **Functors(self.scopes, self.rendering, self.kernels.texts).of(call)}
                )
            )
        if _ALGORITHMS.match(name) or name in ("std::swap", "swap"):
            return launcher_text(self.rendering.piece(node))
        if callee.type == "field_expression":
            is_changed = self.kernels.boxed_at(node) & changed_by_calls(self.scopes, node)
            is_short = self._is_short(self.scopes.methods_of(callee))
            return self.kernels.once(node) if is_changed or is_short else self._known_on_host(node)
        if name.removeprefix("std::") in RANGES:
            reason = f"'{name}' of a whole range has no threads here"
            self.serial.append(InOneThread(line=self.scopes.line(node), reason=reason, is_long=True))
        return self.kernels.once(node)

    def _local_arrays(self, call: SyntaxNode) -> set[tuple[int, str]]:
        """The arrays of the launcher's own that a call is handed and may change, with their declarations: where it runs, the host's memory
        is not seen."""
        seen, found = self.scopes.visible(call), set[tuple[int, str]]()
        for name in self.scopes.names(call.child_by_field_name("arguments")) & seen.keys():
            text = self.scopes.text(seen[name])
            is_array = self.scopes.is_array(seen[name], name) or "std::array" in text
            if is_array and self.scopes.holds_its_parts(seen[name], name) and not is_constant(text):
                found.add((seen[name].id, name))
        return found

    def _is_array(self, place: SyntaxNode, name: str) -> bool:
        """Whether a name stands for memory whose length is not known here."""
        declaration = self.scopes.visible(place).get(name)
        return declaration is not None and re.search(r"\*|std::vector", self.scopes.text(declaration)) is not None

    # ---- what the host knows

    def _known_on_host(self, node: SyntaxNode) -> str:
        """An expression of the launcher, in which values from device memory are loaded.

        Raises:
            CannotTransform: It writes device memory as well.
        """
        swaps: dict[int, str] = {}
        self._loads(node, swaps)
        return launcher_text(self.rendering.piece(node, swaps))

    def _loads(self, node: SyntaxNode, swaps: dict[int, str]) -> None:
        if node.type == "call_expression":
            callee = node.child_by_field_name("function")
            name = self.scopes.text(callee)
            if self._is_of_a_range(node):
                raise CannotTransform(f"'{name}' of a whole range has no threads here", line=self.scopes.line(node))
            if callee.type == "field_expression":
                for function in self.scopes.methods_of(callee):
                    if self._does_work(function):
                        self._launching(function)
            functions = self.scopes.functions_of(callee)
            if functions and self._does_work(functions[0]):
                swaps[callee.id] = self._launching(functions[0])
                swaps |= Functors(self.scopes, self.rendering, self.kernels.texts).of(node)
        if node.type == "pointer_expression" and self.scopes.text(node.child_by_field_name("operator")) == "&":
            for child in walk(node.child_by_field_name("argument")):
                if child.type == "subscript_expression":
                    self._loads(child.child_by_field_name("indices"), swaps)
            return
        self._refuse_write(node)
        if self._is_device_read(node):
            swaps[node.id] = f"verbatim::load(&({self.rendering.piece(node)}))"
            return
        if node.type == "identifier" and self.scopes.text(node) in self.kernels.boxed_at(node):
            name = self.scopes.text(node)
            if self.scopes.is_array(self.scopes.visible(node)[name], name):
                raise CannotTransform(
                    f"'{name}' is changed in kernels and read between them", line=self.scopes.line(node)
                )
            swaps[node.id] = f"verbatim::load(vb_at_{self.scopes.text(node)})"
            return
        for child in node.children:
            self._loads(child, swaps)

    def _refuse_write(self, node: SyntaxNode) -> None:
        """Raise where a node changes what lies in device memory, which a loaded value would not."""
        target = node.child_by_field_name("left") if node.type == "assignment_expression" else None
        target = node.child_by_field_name("argument") if node.type == "update_expression" else target
        if target is None:
            return
        is_boxed = target.type == "identifier" and self.scopes.text(target) in self.kernels.boxed_at(node)
        if is_boxed or self._is_device_read(target):
            why = f"the launcher would change '{self.scopes.text(target)}', which kernels change too"
            raise CannotTransform(why, line=self.scopes.line(node))

    def _is_device_read(self, node: SyntaxNode) -> bool:
        through = node.type in ("subscript_expression", "pointer_expression")
        through |= node.type == "field_expression" and self.scopes.text(node.child_by_field_name("operator")) == "->"
        if not through:
            return False
        base = node.child_by_field_name("argument")
        while base.type in ("field_expression", "subscript_expression", "parenthesized_expression"):
            base = base.child_by_field_name("argument") or base.named_children[0]
        return not (base.type == "identifier" and self._is_host_name(base))

    def _is_host_name(self, name: SyntaxNode) -> bool:
        """Whether what a name stands for lies in the host's memory: a local object or array, no pointer and no vector of plain elements."""
        declaration = self.scopes.visible(name).get(self.scopes.text(name))
        if declaration is None:
            return True
        text = self.scopes.text(declaration).split("=")[0]
        if "*" in text or declaration.type.endswith("specifier"):
            return False
        if "std::vector" in text:
            return any(
                re.search(rf"\b{c}\b", text) and "std::vector" in self.scopes.text(n)
                for c, n in self.scopes.classes.items()
            )
        return True


def _box(name: str) -> str:
    return f"verbatim::Box<decltype({name})> vb_box_{name}({name}); auto* const vb_at_{name} = vb_box_{name}.at;"
