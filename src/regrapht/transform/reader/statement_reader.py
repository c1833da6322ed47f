"""Statements of tree-sitter's C++ syntax tree to the engine's own."""

from collections.abc import Callable
from dataclasses import replace

from regrapht.transform.ir.buffers import without_useless_fills
from regrapht.transform.ir.expressions import (
    Call,
    Element,
    Expression,
    Number,
    Variable,
    integer,
    mentions,
    place_name,
    walk,
)
from regrapht.transform.ir.idioms import assignment, conditional_extreme, written_out
from regrapht.transform.ir.scalar_types import holds_all, is_float
from regrapht.transform.ir.scope import Binding, Names, Pointer, Record, Scope, refuse
from regrapht.transform.ir.statement_walk import assigned_variables
from regrapht.transform.ir.statements import (
    Assign,
    Break,
    Constant,
    Continue,
    Declare,
    If,
    Return,
    Statement,
    Update,
)
from regrapht.transform.reader.bound_values import operated_assignment
from regrapht.transform.reader.byte_counts import Bytes, is_of_bytes
from regrapht.transform.reader.call_statements import call_statement
from regrapht.transform.reader.callees import Callee, called_name
from regrapht.transform.reader.control import do_loop, for_loop, switch, while_loop
from regrapht.transform.reader.effects import ONE, ZERO, Effects, settled
from regrapht.transform.reader.enumerations import read_enumeration
from regrapht.transform.reader.expression_reader import ExpressionReader
from regrapht.transform.reader.heap import heap_local, is_free, variable_array
from regrapht.transform.reader.initial_values import filled_array
from regrapht.transform.reader.inline import Inliner
from regrapht.transform.reader.lambdas import lambda_local
from regrapht.transform.reader.library_calls import effect_refusal, statement_refusal
from regrapht.transform.reader.methods import method_callees
from regrapht.transform.reader.pointers import (
    Changes,
    Fork,
    pointer_assignment,
    pointer_local,
    reference_local,
    require_same,
)
from regrapht.transform.reader.returns import without_continue
from regrapht.transform.reader.std_arrays import array_local
from regrapht.transform.reader.structs import (
    Struct,
    assign_record,
    constructed_local,
    declare_record,
    deduced_return,
    returned_record,
)
from regrapht.transform.reader.syntax import SourceText, SyntaxNode
from regrapht.transform.reader.vectors import range_loop, vector_local


class StatementReader:
    """Reads the body of one function. Locals get names that are unique in the whole function."""

    def __init__(self, expressions: ExpressionReader, names: Names, inliner: Inliner | None = None) -> None:
        self.expressions, self.names, self.inliner = expressions, names, inliner
        self.effects = Effects(self)
        expressions.effects = self.effects
        self.changes = Changes(frozenset(), frozenset())
        self.open_loops: list[str] = []
        """Variables of the loops that are being read, callers of a helper that is written out included."""
        self.mutable: set[str] = set()
        """Locals that are changed after their declaration, by unique name."""
        self.source = expressions.source
        self.bytes: dict[str, Bytes] = {}
        """Locals that count bytes, by unique name."""
        self.tables: list[Constant] = []
        self.types: dict[str, str] = {}
        """Types of what was declared, by unique name."""
        self.returned: Record | None = None
        """Where the fields of what is returned go, in the body of a function that returns a struct."""
        self.deduced: Callable[[Struct], Record] | None = None
        """Gives these places, in the body of a function whose `return` says what it returns."""
        self.fork: Fork | None = None
        """Set by a loop whose buffers change places: what follows depends on how often it ran."""

    def within(self, source: SourceText) -> "StatementReader":
        """A reader for another piece of text that goes on with what this one has."""
        inner = StatementReader(self.expressions.within(source), self.names, self.inliner)
        inner.open_loops, inner.mutable, inner.changes = self.open_loops, self.mutable, self.changes
        inner.types, inner.tables, inner.returned = self.types, self.tables, self.returned
        inner.bytes = self.bytes
        inner.effects.pending = self.effects.pending
        return inner

    def inlines(self, name: str) -> bool:
        """Whether calls of this helper are written out."""
        return self.inliner is not None and name in self.inliner.callees

    def callees(self, call: SyntaxNode, scope: Scope) -> tuple[Callee, ...]:
        """The functions or the lambda that a call may mean, if calls of it are written out."""
        function = call.child_by_field_name("function")
        if self.inliner is None:
            return ()
        named = function.type in ("identifier", "template_function", "qualified_identifier")
        name = called_name(self.source, function)[0] if named else ""
        if named and (found := scope.find_lambda(name)) is not None:
            return (found,)
        return method_callees(self, call, scope) or (self.inliner.callees.get(name, ()) if named else ())

    def inlined_value(self, node: SyntaxNode, scope: Scope) -> Binding:
        """The value of a call that is written out before the expression."""
        assert self.inliner is not None
        statements, value = self.inliner.called(self, node, scope)
        if value is None:
            raise refuse(f"'{self.source.text(node)}' has no value", self.source.line(node))
        self.effects.add(statements, node)
        return value

    def block(self, node: SyntaxNode | None, scope: Scope) -> list[Statement]:
        """The statements of a block, or of the one statement that stands where a block could."""
        if node is None:
            return []
        parts = node.named_children if node.type == "compound_statement" else [node]
        return self._in_order(list(parts), scope.inner())

    def loop_body(self, node: SyntaxNode, scope: Scope) -> list[Statement]:
        """The body of a loop statement, without `continue`."""
        return without_continue(self.block(node.child_by_field_name("body"), scope), self)

    def _in_order(self, nodes: list[SyntaxNode], scope: Scope) -> list[Statement]:
        """The statements of a block; what follows buffers that change places is read once for each place that they may have."""
        out: list[Statement] = []
        waiting, self.fork = list(nodes), None
        while waiting:
            out += self.statement(waiting.pop(0), scope)
            if self.fork is not None:
                fork, self.fork = self.fork, None
                return out + fork.rest(self, lambda: self._in_order(waiting, scope), scope)
        return without_useless_fills(out)

    def statement(self, node: SyntaxNode, scope: Scope) -> list[Statement]:
        """One statement, as none, one or several of the engine's.

        Raises:
            CannotTransform: It is of a kind that the engine does not take.
        """
        if node.type in ("comment", "preproc_call", "empty_statement", "static_assert_declaration", ";"):
            return []
        reader = _READERS.get(node.type)
        if reader is None:
            raise statement_refusal(self.source, node)
        return reader(self, node, scope)

    # ---- declarations

    def _declaration(self, node: SyntaxNode, scope: Scope) -> list[Statement]:
        words = {self.source.text(c) for c in node.children if c.type in ("type_qualifier", "storage_class_specifier")}
        if "static" in words and not words & {"const", "constexpr"}:
            raise refuse("a static local keeps its value between calls", self.source.line(node), "make it a parameter")
        out: list[Statement] = []
        for declarator in node.children_by_field_name("declarator"):
            out += self._one_declaration(node, declarator, scope)
        return out

    def _one_declaration(self, node: SyntaxNode, declarator: SyntaxNode, scope: Scope) -> list[Statement]:
        line, value = self.source.line(node), None
        if declarator.type == "init_declarator":
            value = declarator.child_by_field_name("value")
            declarator = declarator.child_by_field_name("declarator")
        type_text = self.source.text(node.child_by_field_name("type"))
        if value is not None and value.type == "lambda_expression":
            return lambda_local(self, declarator, value, scope)
        if (vector := vector_local(self, type_text, declarator, value, scope)) is not None:
            return vector
        if (array := array_local(self, node, declarator, value, scope)) is not None:
            return array
        if (memory := heap_local(self, node, declarator, value, scope)) is not None:
            return memory
        is_named = declarator.type == "identifier" and value is not None
        if type_text == "auto" and is_named and self.expressions.begins_with_pointer(value, scope):
            return pointer_local(self, type_text, declarator, value, scope)
        if declarator.type == "pointer_declarator":
            return pointer_local(self, type_text, declarator, value, scope)
        if declarator.type == "reference_declarator":
            return reference_local(self, declarator, value, scope)
        if (buffer := variable_array(self, type_text, declarator, value, scope)) is not None:
            return buffer
        lengths: list[int] = []
        while declarator.type == "array_declarator":
            lengths.insert(0, self._length(declarator.child_by_field_name("size"), scope, line))
            declarator = declarator.child_by_field_name("declarator")
        struct = self.expressions.structs.named(type_text, self.expressions.aliases)
        if declarator.type == "function_declarator" and struct is not None and not lengths:
            return constructed_local(self, declarator, struct, scope, line)
        if declarator.type != "identifier":
            raise refuse(f"declaration '{self.source.text(node)}'", line)
        written = self.source.text(declarator)
        if struct is not None and not lengths:
            return declare_record(self, written, struct, value, scope, line)
        type_name = self._declared_type(node, value, scope, written)
        if lengths:
            return self.local_array(node, Declare(type_name, written, None, line, tuple(lengths)), value, scope)
        if value is not None and value.type in ("initializer_list", "argument_list"):
            if not value.named_children:  # `float s{};`
                return [Declare(type_name, self.declare(written, type_name, scope), ZERO, line)]
            value = value.named_children[0]
        if value is None:
            return [Declare(type_name, self.declare(written, type_name, scope), None, line)]
        before, read = self.value(value, scope)
        name = self.declare(written, type_name, scope)
        if name not in self.mutable and is_of_bytes(self.source, value):
            self.bytes[name] = Bytes(self.source, value, scope)
        return settled(before, [Declare(type_name, name, read, line)])

    def declare(self, written: str, type_name: str, scope: Scope) -> str:
        name = self.names.unique(written)
        scope.names[written] = Variable(name)
        self.types[name] = type_name
        if written in self.changes.assigned:
            self.mutable.add(name)
        return name

    def declare_loop(self, written: str, type_name: str, scope: Scope) -> str:
        found = scope.find(written)
        hidden = (isinstance(found, Variable) and found.name == written) or written in self.open_loops
        name = self.names.of_loop(written, type_name, hidden=hidden)
        scope.names[written] = Variable(name)
        self.types[name] = type_name
        return name

    def _declared_type(self, node: SyntaxNode, value: SyntaxNode | None, scope: Scope, name: str) -> str:
        text, line = self.source.text(node.child_by_field_name("type")), self.source.line(node)
        if text != "auto":
            return self.expressions.type_name(text, line, f"'{name}'")
        if value is None or self.expressions.begins_with_pointer(value, scope):
            raise refuse(f"'auto {name}'", line, "write the type out")
        return self.type_of(self.expressions.read(value, scope), line)

    def type_of(self, expression: Expression, line: int) -> str:
        from regrapht.transform.ir.expression_types import type_of

        return type_of(expression, self.types, line=line)

    def _length(self, node: SyntaxNode | None, scope: Scope, line: int) -> int:
        length = integer(self.expressions.read(node, scope)) if node else None
        if length is None:
            raise refuse("a local array without a constant length", line, "give it a constant length")
        return length

    def local_array(self, node: SyntaxNode, local: Declare, value: SyntaxNode | None, scope: Scope) -> list[Statement]:
        """A local array under its written name; a constant one with an initialiser becomes a table of the program."""
        local = replace(local, name=self.names.unique(written := local.name))
        self.types[local.name] = local.type
        words = {self.source.text(c) for c in node.children if c.type == "type_qualifier"}
        if value is None:
            scope.names[written] = Pointer(local.name, len(local.lengths))
            return [local]
        if value.type != "initializer_list":
            raise refuse(f"local array '{written}' set to '{self.source.text(value)}'", local.line, "fill it in a loop")
        if not words & {"const", "constexpr"} or not self._all_constant(value, scope):
            return filled_array(self, written, local, value, scope)
        scope.names[written] = Pointer(local.name, len(local.lengths))
        inside = "".join(f"[{length}]" for length in local.lengths)
        text = f"__constant__ const {local.type} {local.name}{inside} = {self.source.text(value)};"
        self.tables.append(Constant(name=local.name, text=text, type=local.type, lengths=local.lengths))
        return []

    def _all_constant(self, values: SyntaxNode, scope: Scope) -> bool:
        for value in values.named_children:
            if value.type == "initializer_list":
                if not self._all_constant(value, scope):
                    return False
            elif any(isinstance(part, Variable | Element | Call) for part in walk(self.expressions.read(value, scope))):
                return False
        return True

    # ---- the others

    def value(self, node: SyntaxNode, scope: Scope) -> tuple[list[Statement], Expression]:
        """An expression, and what must run before it."""
        return self.effects.gathered(lambda: self.expressions.read(node, scope))

    def _expression(self, node: SyntaxNode, scope: Scope) -> list[Statement]:
        parts = [child for child in node.named_children if child.type != "comment"]
        return self.effect(parts[0], scope) if parts else []

    def effect(self, node: SyntaxNode, scope: Scope) -> list[Statement]:
        """What an expression that stands as a statement does."""
        line, text = self.source.line(node), self.source.text(node)
        match node.type:
            case "parenthesized_expression":
                return self.effect(node.named_children[0], scope)
            case "comma_expression":
                return [s for part in node.named_children for s in self.effect(part, scope)]
            case "cast_expression" if self.source.text(node.child_by_field_name("type")) == "void":
                unused = node.child_by_field_name("value")
                return [] if unused.type == "identifier" else self.value(unused, scope)[0]
            case "update_expression":
                before, target = self.effects.gathered(lambda: self.target(node.child_by_field_name("argument"), scope))
                return [*before, self.checked(assignment(target, "+=" if "++" in text else "-=", ONE, line))]
            case "assignment_expression":
                return self._assignment(node, scope)
            case "delete_expression" if is_free(self, node, scope):
                return []
            case "call_expression":
                called = call_statement(self, node, scope)
                if called is not None:
                    return called
        raise effect_refusal(self.source, node)

    def _assignment(self, node: SyntaxNode, scope: Scope) -> list[Statement]:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        line, operator = self.source.line(node), self.source.text(node.child_by_field_name("operator"))
        if operator == "=" and (moved := pointer_assignment(self, left, right, scope)) is not None:
            return moved
        if operator == "=" and (copied := assign_record(self, left, right, scope)) is not None:
            return copied
        if operator != "=" and (changed := operated_assignment(self, node, scope)) is not None:
            return changed
        before: list[Statement] = []
        if right.type == "assignment_expression":
            before = self.effect(right, scope)
            value: Expression = self.target(right.child_by_field_name("left"), scope)
        else:
            before, value = self.value(right, scope)
        inside, target = self.effects.gathered(lambda: self.target(left, scope))
        if any(mentions(value, Variable(name)) for name in assigned_variables(inside)):
            raise refuse(f"'{self.source.text(node)}' reads and changes a variable", line, "use two statements")
        return settled([*before, *inside], [self.checked(assignment(target, operator, value, line))])

    def checked(self, statement: Assign | Update) -> Assign | Update:
        """An update as an assignment where collecting parts of it would change its value."""
        if isinstance(statement, Assign):
            return statement
        if not self._keeps_values(statement):
            return Assign(statement.target, written_out(statement), statement.line)
        return statement if is_float(self.type_of(statement.target, statement.line)) else replace(statement, test="")

    def _keeps_values(self, update: Update) -> bool:
        """Whether converting each value to the target's type first gives the same result in any order."""
        name = place_name(update.target)
        target, value = self.types.get(name), self.type_of(update.value, update.line)
        if target is None or is_float(target):
            return target is not None
        if is_float(value) or target == "bool":
            return False
        return update.operator in "+*" or holds_all(target, value)

    def target(self, node: SyntaxNode, scope: Scope) -> Variable | Element:
        """The place that an assignment or a step changes.

        Raises:
            CannotTransform: It is none that the engine knows.
        """
        found = scope.find(self.source.text(node)) if node.type == "identifier" else None
        if isinstance(found, Pointer) and found.counter is not None:
            return Variable(found.counter)
        if isinstance(found, Pointer):
            raise refuse(f"the pointer '{self.source.text(node)}' moves", self.source.line(node), "index it instead")
        before, target = self.effects.gathered(lambda: self.expressions.read(node, scope))
        if not isinstance(target, Variable | Element) or (before and self._is_of_call(node)):
            raise refuse(f"assignment to '{self.source.text(node)}'", self.source.line(node))
        self.effects.add(before, node)
        return target

    @staticmethod
    def _is_of_call(node: SyntaxNode) -> bool:
        """Whether a place is one that a call returns a reference to, which is known only where the call is one expression."""
        inside = ("field_expression", "subscript_expression", "parenthesized_expression")
        while node.type in inside:
            node = node.child_by_field_name("argument") or node.named_children[0]
        return bool(node.type == "call_expression")

    def _if(self, node: SyntaxNode, scope: Scope) -> list[Statement]:
        clause, line = node.child_by_field_name("condition"), self.source.line(node)
        tested = clause.child_by_field_name("value") or clause.named_children[0]
        before, condition = self.effects.gathered(lambda: self.expressions.condition(tested, scope))
        alternative = node.child_by_field_name("alternative")
        if isinstance(condition, Number) and condition.text in ("true", "false"):
            kept = node.child_by_field_name("consequence") if condition.value else None
            kept = kept or (alternative.named_children[-1] if alternative and not condition.value else None)
            return [*before, *self.block(kept, scope)]
        places = scope.pointers()
        then = self.block(node.child_by_field_name("consequence"), scope)
        require_same(places, scope, line)
        otherwise = self.block(alternative.named_children[-1], scope) if alternative else []
        require_same(places, scope, line)
        extreme = conditional_extreme(condition, then, otherwise)
        if extreme and self._keeps_values(extreme):
            return [*before, self.checked(extreme)]
        return [*before, If(condition, then, otherwise, line)]

    def _return(self, node: SyntaxNode, scope: Scope) -> list[Statement]:
        if not node.named_children:
            return [Return(None, self.source.line(node))]
        if self.deduced is not None and self.returned is None and node.named_children[0].type != "initializer_list":
            return deduced_return(self, self.deduced, node.named_children[0], scope)
        if self.returned is not None:
            return returned_record(self, self.returned, node.named_children[0], scope)
        before, value = self.value(node.named_children[0], scope)
        return [*before, Return(value, self.source.line(node))]

    def _continue(self, node: SyntaxNode, scope: Scope) -> list[Statement]:
        return [Continue(self.source.line(node))]

    def _break(self, node: SyntaxNode, scope: Scope) -> list[Statement]:
        return [Break(self.source.line(node))]

    def _compound(self, node: SyntaxNode, scope: Scope) -> list[Statement]:
        return self.block(node, scope)

    def _enumeration(self, node: SyntaxNode, scope: Scope) -> list[Statement]:
        """The constants of a local `enum`."""
        found = read_enumeration(self.source, node, self.expressions, scope)
        if found is None:
            raise refuse(f"'{self.source.text(node)}'", self.source.line(node), "give its constants known values")
        for name in found.values:
            scope.names[f"{found.name}::{name}"] = found.literal(name)
            if not found.is_scoped:
                scope.names[name] = found.literal(name)
        return []


_READERS: dict[str, Callable[[StatementReader, SyntaxNode, Scope], list[Statement]]] = {
    "declaration": StatementReader._declaration,
    "expression_statement": StatementReader._expression,
    "if_statement": StatementReader._if,
    "for_statement": for_loop,
    "for_range_loop": range_loop,
    "while_statement": while_loop,
    "do_statement": do_loop,
    "switch_statement": switch,
    "return_statement": StatementReader._return,
    "continue_statement": StatementReader._continue,
    "break_statement": StatementReader._break,
    "compound_statement": StatementReader._compound,
    "enum_specifier": StatementReader._enumeration,
}
