"""Statements of tree-sitter's C++ syntax tree to the engine's own."""

from collections.abc import Callable
from dataclasses import replace

from regrapht.propose.transform.frontend.expression_reader import ExpressionReader
from regrapht.propose.transform.frontend.expressions import Call, Element, Expression, Number, Variable, integer, walk
from regrapht.propose.transform.frontend.idioms import assignment, conditional_extreme, without_continue, written_out
from regrapht.propose.transform.frontend.loop_header import read_header
from regrapht.propose.transform.frontend.scalar_types import holds_all, is_float
from regrapht.propose.transform.frontend.scope import Names, Pointer, Scope, Spent, refuse
from regrapht.propose.transform.frontend.statements import (
    Assign,
    Break,
    Constant,
    Continue,
    Declare,
    For,
    If,
    Return,
    Statement,
    Update,
    While,
)
from regrapht.propose.transform.frontend.syntax import SyntaxNode


class StatementReader:
    """Reads the body of one function. Locals get names that are unique in the whole function."""

    def __init__(self, expressions: ExpressionReader, names: Names) -> None:
        self.expressions, self.names = expressions, names
        self.source = expressions.source
        self.tables: list[Constant] = []
        self.types: dict[str, str] = {}
        """Types of what was declared, by unique name."""

    def block(self, node: SyntaxNode | None, scope: Scope) -> list[Statement]:
        """The statements of a block, or of the one statement that stands where a block could."""
        if node is None:
            return []
        inside = scope.inner()
        parts = node.named_children if node.type == "compound_statement" else [node]
        return without_continue([statement for part in parts for statement in self.statement(part, inside)])

    def statement(self, node: SyntaxNode, scope: Scope) -> list[Statement]:
        """One statement, as none, one or several of the engine's.

        Raises:
            CannotTransform: It is of a kind that the engine does not take.
        """
        if node.type in ("comment", "preproc_call", "empty_statement", ";"):
            return []
        reader = _READERS.get(node.type)
        if reader is None:
            first = self.source.text(node).split("\n")[0]
            raise refuse(f"statement '{first}' ({node.type.replace('_', ' ')})", self.source.line(node))
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
        if declarator.type == "pointer_declarator":
            self._pointer_local(declarator, value, scope, line)
            return []
        lengths: list[int] = []
        while declarator.type == "array_declarator":
            lengths.insert(0, self._length(declarator.child_by_field_name("size"), scope, line))
            declarator = declarator.child_by_field_name("declarator")
        if declarator.type != "identifier":
            raise refuse(f"declaration '{self.source.text(node)}'", line)
        written = self.source.text(declarator)
        type_name = self._declared_type(node, value, scope, written)
        if lengths:
            return self._local_array(node, Declare(type_name, written, None, line, tuple(lengths)), value, scope)
        if value is not None and value.type in ("initializer_list", "argument_list"):
            value = value.named_children[0] if value.named_children else None
        read = None if value is None else self.expressions.read(value, scope)
        name = self.declare(written, type_name, scope)
        return [Declare(type_name, name, read, line)]

    def declare(self, written: str, type_name: str, scope: Scope) -> str:
        name = self.names.unique(written)
        scope.names[written] = Variable(name)
        self.types[name] = type_name
        return name

    def declare_loop(self, written: str, type_name: str, scope: Scope) -> str:
        found = scope.find(written)
        name = self.names.of_loop(written, type_name, hidden=isinstance(found, Variable) and found.name == written)
        scope.names[written] = Variable(name)
        self.types[name] = type_name
        return name

    def _declared_type(self, node: SyntaxNode, value: SyntaxNode | None, scope: Scope, name: str) -> str:
        text, line = self.source.text(node.child_by_field_name("type")), self.source.line(node)
        if text != "auto":
            return self.expressions.type_name(text, line, f"'{name}'")
        if value is None or self.expressions.pointer(value, scope):
            raise refuse(f"'auto {name}'", line, "write the type out")
        return self.type_of(self.expressions.read(value, scope), line)

    def type_of(self, expression: Expression, line: int) -> str:
        from regrapht.propose.transform.frontend.expression_types import type_of

        return type_of(expression, self.types, line=line)

    def _length(self, node: SyntaxNode | None, scope: Scope, line: int) -> int:
        length = integer(self.expressions.read(node, scope)) if node else None
        if length is None:
            raise refuse("a local array without a constant length", line, "give it a constant length")
        return length

    def _pointer_local(self, declarator: SyntaxNode, value: SyntaxNode | None, scope: Scope, line: int) -> None:
        names = [n for n in self.source.walk(declarator) if n.type == "identifier"]
        place = self.expressions.pointer(value, scope) if value is not None else None
        if place is None or len(names) != 1:
            raise refuse(
                f"pointer '{self.source.text(declarator)}'", line, "set it to a place in an array where it is declared"
            )
        scope.names[self.source.text(names[0])] = place

    def _local_array(self, node: SyntaxNode, local: Declare, value: SyntaxNode | None, scope: Scope) -> list[Statement]:
        """A local array; a constant one with an initialiser becomes a table of the program."""
        local = replace(local, name=self.names.unique(written := local.name))
        self.types[local.name] = local.type
        words = {self.source.text(c) for c in node.children if c.type == "type_qualifier"}
        if value is None:
            scope.names[written] = Pointer(local.name, len(local.lengths))
            return [local]
        if (
            value.type != "initializer_list"
            or not words & {"const", "constexpr"}
            or not self._all_constant(value, scope)
        ):
            raise refuse(
                f"local array '{written}' with an initialiser",
                local.line,
                "make it const with constant values, or fill it in a loop",
            )
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

    def _expression(self, node: SyntaxNode, scope: Scope) -> list[Statement]:
        if not node.named_children:
            return []
        return self.effect(node.named_children[0], scope)

    def effect(self, node: SyntaxNode, scope: Scope) -> list[Statement]:
        """What an expression that stands as a statement does."""
        line, text = self.source.line(node), self.source.text(node)
        if node.type == "parenthesized_expression":
            return self.effect(node.named_children[0], scope)
        if node.type == "comma_expression":
            return [s for part in node.named_children for s in self.effect(part, scope)]
        if node.type == "update_expression":
            target = self._target(node.child_by_field_name("argument"), scope)
            one = Number("1", 1)
            return [self._checked(assignment(target, "+=" if "++" in text else "-=", one, line))]
        if node.type == "assignment_expression":
            target = self._target(node.child_by_field_name("left"), scope)
            operator = self.source.text(node.child_by_field_name("operator"))
            right, before = node.child_by_field_name("right"), []
            if right.type == "assignment_expression":
                before = self.effect(right, scope)
                value: Expression = self._target(right.child_by_field_name("left"), scope)
            else:
                value = self.expressions.read(right, scope)
            return [*before, self._checked(assignment(target, operator, value, line))]
        raise refuse(f"'{text}' has an effect that is not known", line, "assign its value")

    def _checked(self, statement: Assign | Update) -> Assign | Update:
        """An update as an assignment where collecting parts of it would change its value."""
        if isinstance(statement, Assign) or self._keeps_values(statement):
            return statement
        return Assign(statement.target, written_out(statement), statement.line)

    def _keeps_values(self, update: Update) -> bool:
        """Whether converting each value to the target's type first gives the same result in any order."""
        name = update.target.name if isinstance(update.target, Variable) else update.target.array
        target, value = self.types.get(name), self.type_of(update.value, update.line)
        if target is None or is_float(target):
            return target is not None
        if is_float(value) or target == "bool":
            return False
        return update.operator in "+*" or holds_all(target, value)

    def _target(self, node: SyntaxNode, scope: Scope) -> Variable | Element:
        if node.type == "identifier" and isinstance(scope.find(self.source.text(node)), Pointer):
            raise refuse(f"the pointer '{self.source.text(node)}' moves", self.source.line(node), "index it instead")
        target = self.expressions.read(node, scope)
        if not isinstance(target, Variable | Element):
            raise refuse(f"assignment to '{self.source.text(node)}'", self.source.line(node))
        return target

    def _if(self, node: SyntaxNode, scope: Scope) -> list[Statement]:
        clause = node.child_by_field_name("condition")
        condition = self.expressions.read(clause.child_by_field_name("value") or clause.named_children[0], scope)
        then = self.block(node.child_by_field_name("consequence"), scope)
        alternative = node.child_by_field_name("alternative")
        otherwise = self.block(alternative.named_children[-1], scope) if alternative else []
        extreme = conditional_extreme(condition, then, otherwise)
        return (
            [extreme]
            if extreme and self._keeps_values(extreme)
            else [If(condition, then, otherwise, self.source.line(node))]
        )

    def _for(self, node: SyntaxNode, scope: Scope) -> list[Statement]:
        header = read_header(self, node, scope)
        body = self.block(node.child_by_field_name("body"), header.scope)
        if header.outside is not None:
            scope.rebind(header.outside, Spent(header.outside))
        line = self.source.line(node)
        head = (header.variable, header.type, header.start, header.condition, header.step, header.advance)
        return [For(*head, body, line)]

    def _while(self, node: SyntaxNode, scope: Scope) -> list[Statement]:
        clause = node.child_by_field_name("condition")
        condition = self.expressions.read(clause.child_by_field_name("value") or clause.named_children[0], scope)
        return [While(condition, self.block(node.child_by_field_name("body"), scope), self.source.line(node))]

    def _return(self, node: SyntaxNode, scope: Scope) -> list[Statement]:
        value = self.expressions.read(node.named_children[0], scope) if node.named_children else None
        return [Return(value, self.source.line(node))]

    def _continue(self, node: SyntaxNode, scope: Scope) -> list[Statement]:
        return [Continue(self.source.line(node))]

    def _break(self, node: SyntaxNode, scope: Scope) -> list[Statement]:
        return [Break(self.source.line(node))]

    def _compound(self, node: SyntaxNode, scope: Scope) -> list[Statement]:
        return self.block(node, scope)


_READERS: dict[str, Callable[[StatementReader, SyntaxNode, Scope], list[Statement]]] = {
    "declaration": StatementReader._declaration,
    "expression_statement": StatementReader._expression,
    "if_statement": StatementReader._if,
    "for_statement": StatementReader._for,
    "while_statement": StatementReader._while,
    "return_statement": StatementReader._return,
    "continue_statement": StatementReader._continue,
    "break_statement": StatementReader._break,
    "compound_statement": StatementReader._compound,
}
