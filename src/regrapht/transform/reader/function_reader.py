"""A C or C++ file to the function that is to be transformed, with the helpers and constants that it needs."""

import re
from collections.abc import Mapping
from dataclasses import replace

from regrapht.errors import CannotTransform
from regrapht.source.expand import expand_macros
from regrapht.transform.ir.expressions import Element, Number, Variable, integer
from regrapht.transform.ir.math_functions import helper_name
from regrapht.transform.ir.scalar_types import canonical
from regrapht.transform.ir.scope import (
    Binding,
    Names,
    Pointer,
    Scope,
    internal_name,
    refuse,
)
from regrapht.transform.ir.statements import (
    RESULT,
    Allocate,
    Declare,
    FieldArray,
    Function,
    Parameter,
    Statement,
    every,
)
from regrapht.transform.reader.callees import Callee, callee_of
from regrapht.transform.reader.defaults import Defaults, default_arguments
from regrapht.transform.reader.expression_reader import ExpressionReader
from regrapht.transform.reader.file_constants import FileConstants
from regrapht.transform.reader.inline import Inliner
from regrapht.transform.reader.instances import instance_of
from regrapht.transform.reader.members import (
    Method,
    defaults_in,
    is_static,
    methods_in,
    read_structs,
    struct_around,
)
from regrapht.transform.reader.pointers import changes_in, is_changeable_reference
from regrapht.transform.reader.result_alias import merge_result
from regrapht.transform.reader.returns import without_inner_returns
from regrapht.transform.reader.statement_reader import StatementReader
from regrapht.transform.reader.std_arrays import array_parts, array_type
from regrapht.transform.reader.syntax import SourceText, SyntaxNode
from regrapht.transform.reader.vectors import element_type

_PARAMETERS = ("parameter_declaration", "optional_parameter_declaration")
_PLACES = ("pointer_declarator", "array_declarator", "reference_declarator")


def read_function(text: str, entry: str, defines: Mapping[str, str] | None = None) -> Function:
    """The function `entry` of a C or C++ file.

    `defines` are macros given on the compiler's command line.

    Raises:
        CannotTransform: The file does not parse, or the function holds something that the engine does not take.
    """
    lines = "".join(f"#define {name} {value}\n" for name, value in (defines or {}).items())
    source = SourceText(expand_macros(lines + text, keep_values=True), 1 - lines.count("\n"))
    return _FileReader(source).function(entry)


class _FileReader:
    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.names = Names({source.text(n) for n in source.walk() if "identifier" in n.type} | {RESULT})
        self.declarators: dict[str, SyntaxNode] = {}
        self.definitions: dict[str, list[SyntaxNode]] = {}
        self.nodes = self._functions()
        self.by_reference = {name: self._changeable(declarator) for name, declarator in self.declarators.items()}
        self.by_reference |= {name: self._changeable(node) for name, node in self._lambdas().items()}
        self.aliases = self._aliases()
        self.structs = read_structs(source, self.aliases, self.names.identifiers)
        self.names.arrays = self.structs.arrays
        self.methods = methods_in(source, self.definitions, self.structs)
        self._note_methods()
        self.scope = Scope()
        self.callees: dict[str, tuple[Callee, ...]] = {}
        """The helpers whose calls are written out."""
        self.constants = FileConstants(source, self.aliases, self.scope)
        self.types_of: dict[str, str] = {}
        """Element types of the arrays that stand for fields."""

    def _functions(self) -> dict[str, SyntaxNode]:
        found = {}
        for node in self.source.walk():
            if node.type == "function_definition":
                declarator = _function_declarator(node)
                of_object = struct_around(self.source, node) is not None and not is_static(self.source, node)
                if declarator is not None and not of_object:
                    name = re.sub(r"\s+", "", self.source.text(declarator.child_by_field_name("declarator")))
                    self.definitions.setdefault(name, []).append(node)
                    found[name], self.declarators[name] = node, declarator
        for name, nodes in list(self.definitions.items()):
            if len(nodes) > 1 and any(struct_around(self.source, node) is not None for node in nodes):
                del self.definitions[name], found[name], self.declarators[name]  # which one is meant, its struct says
        return found

    def _lambdas(self) -> dict[str, SyntaxNode]:
        """The declarators of lambdas, by the names that they are bound to."""
        bound = [n for n in self.source.walk() if n.type == "init_declarator"]
        pairs = [(n.child_by_field_name("declarator"), n.child_by_field_name("value")) for n in bound]
        found = {self.source.text(name): value for name, value in pairs if value.type == "lambda_expression"}
        declarators = {name: value.child_by_field_name("declarator") for name, value in found.items()}
        return {name: node for name, node in declarators.items() if node is not None}

    def _note_methods(self) -> None:
        """What functions of structs may change of what they are given; a struct whose constructor does is not taken."""
        for struct, methods in self.methods.items():
            if any(self._does_more(struct, method) for method in methods):
                del self.structs.by_name[struct]
            for method in methods:
                places = self._changeable(method.declarator)
                known = self.by_reference.get(f".{method.name}", ())
                self.by_reference[f".{method.name}"] = tuple({*known, *places})

    def _does_more(self, struct: str, method: Method) -> bool:
        """Whether a function of a struct does what no call of it shows: at an object's end, or when one is copied; or a constructor
        changes what it is given."""
        body = method.node.child_by_field_name("body")
        if method.name.startswith("~"):
            return body is not None and any(node.type != "comment" for node in body.named_children)
        if method.name != struct:
            return method.name == "operator="
        listed = method.declarator.child_by_field_name("parameters").named_children
        types = [self.source.text(n.child_by_field_name("type")) for n in listed if n.type in _PARAMETERS]
        return bool(self._changeable(method.declarator)) or types == [struct]

    def _read_methods(self) -> None:
        """Have the functions of structs known, now that the file's names are."""
        self.structs.source, self.structs.scope = self.source, self.scope
        self.structs.defaults = defaults_in(self.source, self.structs)
        for struct, methods in self.methods.items():
            own: dict[str, tuple[Callee, ...]] = {}
            for one in methods if struct in self.structs.by_name else ():
                callee = callee_of(one.name, one.node, one.declarator, self.source, self.scope, struct)
                own[one.name] = (*own.get(one.name, ()), callee)
            self.structs.methods[struct] = own

    def _changeable(self, declarator: SyntaxNode) -> tuple[int, ...]:
        """The places of a helper's parameters that are references through which it may change something."""
        nodes = [n for n in declarator.child_by_field_name("parameters").named_children if n.type != "comment"]
        pairs = [(place, n, n.child_by_field_name("declarator")) for place, n in enumerate(nodes)]
        return tuple(k for k, n, inner in pairs if inner is not None and is_changeable_reference(self.source, n, inner))

    def _aliases(self) -> dict[str, str]:
        """`typedef float real;` and `using real = float;`"""
        found = {}
        for node in self.source.walk():
            if node.type == "type_definition" and node.child_by_field_name("declarator").type == "type_identifier":
                found[self.source.text(node.child_by_field_name("declarator"))] = self.source.text(
                    node.child_by_field_name("type")
                )
            elif node.type == "alias_declaration":
                found[self.source.text(node.child_by_field_name("name"))] = self.source.text(
                    node.child_by_field_name("type")
                )
        return found

    def function(self, entry: str) -> Function:
        if entry not in self.nodes:
            known = ", ".join(self.nodes) or "none"
            raise CannotTransform(f"no function '{entry}' in the reference; it defines: {known}")
        defaults: dict[str, Defaults] = {name: () for name in self.nodes if name != entry}
        expressions = ExpressionReader(self.source, self.aliases, defaults, self.structs)
        self.constants.read(expressions)
        self.names.declared |= dict.fromkeys(one.name for one in self.constants.constants)
        self.names.identifiers |= {one.name for one in self.constants.constants}
        for name in defaults:
            defaults[name] = default_arguments(expressions, name, self.scope)
        self.callees = {
            name: tuple(callee_of(name, node, _function_declarator(node), self.source, self.scope) for node in nodes)
            for name, nodes in self.definitions.items()
            if name != entry and self._is_written_out(name)
        }
        self._read_methods()
        self._read_instance(entry, expressions)
        whole = self._one(self.nodes[entry], entry, expressions, is_entry=True)
        for given in whole.parameters:
            if given.is_reference or (not given.is_pointer and (given.is_array or given.type in self.structs.by_name)):
                remedy = "scalars by value and pointers to plain numbers are taken"
                mark = "&" if given.is_reference else ""
                raise refuse(f"parameter '{given.type}{mark} {given.written}'", whole.line, remedy)
        called = [name for name in self._needed(entry) if name not in self.callees]
        helpers = [self._one(self.nodes[name], name, expressions) for name in called]
        helpers = [replace(helper, name=helper_name(helper.name)) for helper in helpers]
        return Function(
            name=entry,
            returns=whole.returns,
            parameters=whole.parameters,
            body=merge_result(whole),
            line=whole.line,
            helpers=tuple(helpers),
            constants=(*self.constants.constants, *(table for one in (*helpers, whole) for table in one.constants)),
            identifiers=frozenset(self.names.identifiers),
            structs=tuple(dict.fromkeys(self.structs.of_array.values())),
            fields={name: FieldArray(*place, self.types_of[name]) for name, place in self.structs.arrays.items()},
        )

    def _read_instance(self, entry: str, expressions: ExpressionReader) -> None:
        """Have the names of an entry's template parameters known, where it is a template."""
        node, declarator = self.nodes[entry], self.declarators[entry]
        for name, text in (instance_of(self.source, node, declarator, entry) or {}).items():
            if canonical(text, self.aliases) is not None:
                self.aliases[name] = text
                continue
            value = SourceText(f"auto x = {text};", self.source.line(node), self.source)
            given = value.first("init_declarator").child_by_field_name("value")
            self.scope.names[name] = expressions.within(value).read(given, self.scope)

    def _is_written_out(self, name: str) -> bool:
        """Whether calls of a helper are written out.

        It takes pointers, references, arrays or structs, returns a struct or nothing, is a template, or has overloads.
        """
        node = self.nodes[name]
        if len(self.definitions[name]) > 1 or (node.parent is not None and node.parent.type == "template_declaration"):
            return True
        parameters = list(self.declarators[name].child_by_field_name("parameters").named_children)
        returns = node.child_by_field_name("type")  # a constructor has none
        types = [n.child_by_field_name("type") for n in parameters if n.type in _PARAMETERS] + [returns]
        if any(one is not None and self.structs.named(self.source.text(one), self.aliases) for one in types):
            return True
        places = any(part.type in _PLACES or self._is_array(part) for n in parameters for part in self.source.walk(n))
        return places or (returns is not None and self.source.text(returns) in ("void", "auto"))

    def _is_array(self, node: SyntaxNode) -> bool:
        """Whether a parameter is a `std::array` by value."""
        return node.type in _PARAMETERS and self._array_parts(node) is not None

    def _array_parts(self, node: SyntaxNode) -> tuple[str, str] | None:
        return array_parts(self.source.text(node.child_by_field_name("type")), self.aliases)

    def _needed(self, entry: str) -> list[str]:
        """Helpers that the entry calls, directly or not, in the order of the file."""
        found, todo = set(), [entry, *(name for name in self.nodes if name.startswith("operator"))]
        bodies = [method.node for methods in self.methods.values() for method in methods]
        while todo or bodies:
            wholes, bodies = [*bodies, *(self.definitions[todo.pop()] if todo else ())], []
            for node in (part for whole in wholes for part in self.source.walk(whole)):
                name = self.source.text(node) if node.type == "identifier" else ""
                if name in self.nodes and name not in found and name != entry:
                    found.add(name)
                    todo.append(name)
        return [name for name in self.nodes if name in found]

    def _one(self, node: SyntaxNode, name: str, expressions: ExpressionReader, *, is_entry: bool = False) -> Function:
        line, parameters = self.source.line(node), self._parameters(name, expressions, is_entry=is_entry)
        inliner = Inliner(
            callees=self.callees,
            parameter=lambda parameter, scope: self._parameter(parameter, expressions, scope),
            by_reference=self.by_reference,
            types=self.aliases,
        )
        reader = StatementReader(expressions, self.names, inliner)
        reader.changes = changes_in(self.source, node.child_by_field_name("body"), self.by_reference)
        scope, copies = self.scope.inner(), []
        for parameter in parameters:
            self.names.declared[parameter.name] = None
            reader.types[parameter.name] = parameter.type
        reader.types.update(self.constants.types)
        for parameter in parameters:
            copies += self._bind(parameter, reader, scope, line)
        body = copies + reader.block(node.child_by_field_name("body"), scope)
        self.types_of |= {name: reader.types[name] for name in self.structs.arrays if name in reader.types}
        if not is_entry and any(isinstance(statement, Allocate) for statement in every(body)):
            raise refuse(
                f"a vector inside of '{name}', which has a value", line, "give it a pointer to where it may work"
            )
        returned = self.source.text(node.child_by_field_name("type"))
        returns = None if returned == "void" else expressions.type_name(returned, line, f"what '{name}' returns")
        place = Element(RESULT, (Number("0", 0),)) if returns else None
        return Function(
            name=name,
            returns=returns,
            parameters=parameters,
            body=without_inner_returns(body, place, reader) if is_entry else body,
            line=line,
            constants=tuple(reader.tables),
        )

    @staticmethod
    def _bind(parameter: Parameter, reader: StatementReader, scope: Scope, line: int) -> list[Statement]:
        """Give a parameter its meaning; one that the function changes gets a local of its own."""
        name, written = parameter.name, parameter.written
        bound: Binding = Variable(name)
        out: list[Statement] = []
        if parameter.is_pointer:
            bound = Pointer(name, 1 + len(parameter.lengths))
            if written in reader.changes.stepped and not parameter.lengths:
                counter = reader.names.unique(f"{name}_at")
                reader.types[counter] = "long long"
                reader.mutable.add(counter)
                bound = Pointer(name, 1, (), Variable(counter), counter)
                out = [Declare("long long", counter, Number("0", 0), line)]
        elif written in reader.changes.assigned:
            copy = reader.names.unique(f"{name}_now")
            reader.types[copy] = parameter.type
            reader.mutable.add(copy)
            bound, out = Variable(copy), [Declare(parameter.type, copy, Variable(name), line)]
        scope.names[written] = bound
        return out

    def _parameters(self, name: str, expressions: ExpressionReader, *, is_entry: bool) -> tuple[Parameter, ...]:
        node, declarator = self.nodes[name], self.declarators[name]
        line = self.source.line(node)
        if len(self.definitions[name]) > 1:
            raise refuse(f"'{name}' is defined more than once", line, "give each function a name of its own")
        nodes = [p for p in declarator.child_by_field_name("parameters").named_children if p.type != "comment"]
        if any(p.type not in _PARAMETERS for p in nodes):
            raise refuse(f"the parameters of '{name}'", line, "without packs")
        if len(nodes) == 1 and self.source.text(nodes[0]) == "void":
            nodes = []
        return tuple(self._parameter(p, expressions, self.scope, is_entry=is_entry) for p in nodes)

    def _parameter(
        self, node: SyntaxNode, expressions: ExpressionReader, scope: Scope, *, is_entry: bool = False
    ) -> Parameter:
        text, line = self.source.text(node), self.source.line(node)
        declarator, is_pointer, is_reference = node.child_by_field_name("declarator"), False, False
        lengths: list[int | None] = []
        while declarator is not None and declarator.type != "identifier":
            if declarator.type == "pointer_declarator":
                if is_pointer and not lengths:
                    raise refuse(f"pointer to pointer '{text}'", line, "pass one flat array")
                is_pointer = True
            elif declarator.type == "array_declarator":
                size = declarator.child_by_field_name("size")
                length = integer(expressions.read(size, scope)) if size else None
                is_pointer = True
                lengths.insert(0, length)
            elif declarator.type == "reference_declarator":
                is_reference = True
            elif declarator.type != "parenthesized_declarator":
                raise refuse(f"parameter '{text}'", line, "scalars by value and pointers to plain numbers are taken")
            below = declarator.child_by_field_name("declarator")
            declarator = below or next(
                (c for c in declarator.named_children if c.type.endswith(("declarator", "identifier"))), None
            )
        if declarator is None:
            raise refuse(f"parameter '{text}' without a name", line)
        pointer_to_rows = "(" in text
        inner = lengths if pointer_to_rows else lengths[1:]
        inner_lengths = tuple(length for length in inner if length is not None)
        if len(inner_lengths) < len(inner):
            raise refuse(f"parameter '{text}' with a variable inner length", line, "pass one flat array")
        written = self.source.text(declarator)
        name = internal_name(written)
        if name != written and name in self.names.identifiers:
            raise refuse(
                f"a parameter '{written}', which has to become '{name}', beside another '{name}'", line, "rename it"
            )
        const = any(c.type == "type_qualifier" and self.source.text(c) == "const" for c in node.children)
        written_type, is_array = self.source.text(node.child_by_field_name("type")), False
        struct = self.structs.named(written_type, self.aliases)
        if struct is not None and is_pointer and not inner_lengths:
            if any(field.lengths or field.is_pointer for field in struct.fields):
                raise refuse(f"'{written}' is an array of structs with arrays inside", line, "use one array for each")
            if is_entry:
                self.structs.of_array[name] = struct
            type_name = struct.name
        elif struct is not None and not is_pointer:
            type_name = struct.name
        elif not is_pointer and (of := array_type(expressions, written_type, scope, line)) is not None:
            type_name, inner_lengths, is_array = of[0], of[1], True
        else:
            elements = element_type(written_type, self.aliases) if is_reference else None
            type_name = expressions.type_name(elements or written_type, line, f"'{name}'")
        return Parameter(
            name=name,
            written=written,
            type=type_name,
            is_pointer=is_pointer,
            is_reference=is_reference,
            is_const=const,
            is_array=is_array,
            lengths=inner_lengths,
        )


def _function_declarator(node: SyntaxNode) -> SyntaxNode | None:
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "function_declarator":
        inner = [
            n for n in declarator.named_children if n.type.endswith("declarator")
        ]  # that of a reference has no field name
        declarator = declarator.child_by_field_name("declarator") or next(iter(inner), None)
    return declarator
