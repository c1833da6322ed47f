"""A C or C++ file to the function that is to be transformed, with the helpers and constants that it needs."""

from collections.abc import Mapping
from dataclasses import replace

from regrapht.errors import CannotTransform
from regrapht.source.expand import expand_macros
from regrapht.transform.ir.expressions import ZERO, Element, Variable
from regrapht.transform.ir.math_functions import helper_name
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.scalar_types import canonical
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
from regrapht.transform.reader.bound_values import read_bound
from regrapht.transform.reader.call_expressions import default_arguments
from regrapht.transform.reader.callees import Callee, callee_of, function_declarator
from regrapht.transform.reader.changes import changes_in
from regrapht.transform.reader.context import Context
from regrapht.transform.reader.definitions import Definitions, type_aliases
from regrapht.transform.reader.expressions import read_expression
from regrapht.transform.reader.file_constants import FileConstants
from regrapht.transform.reader.local_arrays import array_parts
from regrapht.transform.reader.members import Method, defaults_in, methods_in, read_structs
from regrapht.transform.reader.methods import constructed
from regrapht.transform.reader.parameters import PARAMETERS, read_parameters
from regrapht.transform.reader.pointer_values import read_pointer
from regrapht.transform.reader.returns import merge_result, without_inner_returns
from regrapht.transform.reader.scope import Binding, Names, Pointer, Scope
from regrapht.transform.reader.statements import read_block, read_effect, read_statement
from regrapht.transform.reader.syntax import SourceText, SyntaxNode
from regrapht.transform.reader.templates import instance_of

_PLACES = ("pointer_declarator", "array_declarator", "reference_declarator")


class _Expressions:
    """Puts together what reads expressions, for modules that lie below it."""

    read = staticmethod(read_expression)
    pointer = staticmethod(read_pointer)
    bound = staticmethod(read_bound)


class _Statements:
    """Puts together what reads statements, for modules that lie below it."""

    statement = staticmethod(read_statement)
    block = staticmethod(read_block)
    effect = staticmethod(read_effect)
    constructed = staticmethod(constructed)


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
        self.source, self.definitions, self.scope = source, Definitions(source), Scope()
        self.names = Names({source.text(n) for n in source.walk() if "identifier" in n.type} | {RESULT})
        aliases = type_aliases(source)
        self.structs = read_structs(source, aliases, self.names.identifiers)
        self.names.arrays = self.structs.arrays
        self.methods = methods_in(source, self.definitions.overloads, self.structs)
        self._note_methods()
        self.context = Context(
            expressions=_Expressions(),
            statements=_Statements(),
            source=source,
            aliases=aliases,
            structs=self.structs,
            names=self.names,
            by_reference=self.definitions.by_reference,
            takes_effects=False,
        )
        """Of what stands outside of functions."""
        self.constants = FileConstants(self.context, self.scope)
        self.types_of: dict[str, str] = {}
        """Element types of the arrays that stand for fields."""

    def _note_methods(self) -> None:
        """What functions of structs may change of what they are given; a struct whose constructor does is not taken."""
        for struct, methods in self.methods.items():
            if any(self._does_more(struct, method) for method in methods):
                self.structs.forget((struct,))
            for method in methods:
                places = self.definitions.changeable(method.declarator)
                known = self.definitions.by_reference.get(f".{method.name}", ())
                self.definitions.by_reference[f".{method.name}"] = tuple({*known, *places})

    def _does_more(self, struct: str, method: Method) -> bool:
        """Whether a function of a struct does what no call of it shows: at an object's end, or when one is copied; or a constructor
        changes what it is given."""
        body = method.node.child_by_field_name("body")
        if method.name.startswith("~"):
            return body is not None and any(node.type != "comment" for node in body.named_children)
        if method.name != struct:
            return method.name == "operator="
        listed = method.declarator.child_by_field_name("parameters").named_children
        types = [self.source.text(n.child_by_field_name("type")) for n in listed if n.type in PARAMETERS]
        return bool(self.definitions.changeable(method.declarator)) or types == [struct]

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

    def function(self, entry: str) -> Function:
        nodes, context = self.definitions.nodes, self.context
        if entry not in nodes:
            known = ", ".join(nodes) or "none"
            raise CannotTransform(f"no function '{entry}' in the reference; it defines: {known}")
        context.helpers |= {name: () for name in nodes if name != entry}
        self.constants.read()
        self.names.declared |= dict.fromkeys(one.name for one in self.constants.constants)
        self.names.identifiers |= {one.name for one in self.constants.constants}
        for name in context.helpers:
            context.helpers[name] = default_arguments(context, name, self.scope)
        context.callees |= {
            name: tuple(callee_of(name, node, function_declarator(node), self.source, self.scope) for node in overloads)
            for name, overloads in self.definitions.overloads.items()
            if name != entry and self._is_written_out(name)
        }
        self._read_methods()
        self._read_instance(entry)
        whole = self._one(entry, is_entry=True)
        for given in whole.parameters:
            if given.is_reference or (not given.is_pointer and (given.is_array or given.type in self.structs.by_name)):
                remedy = "scalars by value and pointers to plain numbers are taken"
                mark = "&" if given.is_reference else ""
                raise refuse(f"parameter '{given.type}{mark} {given.written}'", whole.line, remedy)
        needed = self.definitions.needed(entry, (one for methods in self.methods.values() for one in methods))
        helpers = [self._one(name) for name in needed if name not in context.callees]
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
            fields={name: self._field_array(name, *place) for name, place in self.structs.arrays.items()},
        )

    def _field_array(self, name: str, parameter: str, field: str) -> FieldArray:
        struct = self.structs.of_array[parameter]
        own = struct.field(field)
        return FieldArray(parameter, field, self.types_of[name], own.lengths if own is not None else ())

    def _read_instance(self, entry: str) -> None:
        """Have the names of an entry's template parameters known, where it is a template."""
        node, declarator = self.definitions.nodes[entry], self.definitions.declarators[entry]
        for name, text in (instance_of(self.source, node, declarator, entry) or {}).items():
            if canonical(text, self.context.aliases) is not None:
                self.context.aliases[name] = text
                continue
            self.scope.names[name] = self.context.read_text(text, self.source.line(node), self.scope)

    def _types_of_helpers(self) -> dict[str, str]:
        """What calls of helpers that are not written out are, by their names in generated code."""
        found = {}
        for name in self.context.helpers.keys() - self.context.callees.keys():
            written = self.source.text(self.definitions.nodes[name].child_by_field_name("type"))
            if (type_name := canonical(written, self.context.aliases)) is not None:
                found[helper_name(name)] = type_name
        return found

    def _is_written_out(self, name: str) -> bool:
        """Whether calls of a helper are written out.

        It takes pointers, references, arrays or structs, returns a struct or nothing, is a template, or has overloads.
        """
        node = self.definitions.nodes[name]
        if len(self.definitions.overloads[name]) > 1 or (
            node.parent is not None and node.parent.type == "template_declaration"
        ):
            return True
        parameters = list(self.definitions.declarators[name].child_by_field_name("parameters").named_children)
        returns = node.child_by_field_name("type")  # a constructor has none
        types = [n.child_by_field_name("type") for n in parameters if n.type in PARAMETERS] + [returns]
        if any(one is not None and self.structs.named(self.source.text(one), self.context.aliases) for one in types):
            return True
        places = any(part.type in _PLACES or self._is_array(part) for n in parameters for part in self.source.walk(n))
        return places or (returns is not None and self.source.text(returns) in ("void", "auto"))

    def _is_array(self, node: SyntaxNode) -> bool:
        """Whether a parameter is a `std::array` by value."""
        if node.type not in PARAMETERS:
            return False
        written = self.source.text(node.child_by_field_name("type"))
        return array_parts(written, self.context.aliases) is not None

    def _one(self, name: str, *, is_entry: bool = False) -> Function:
        node, declarator = self.definitions.nodes[name], self.definitions.declarators[name]
        line, whole = self.source.line(node), node.child_by_field_name("body")
        if len(self.definitions.overloads[name]) > 1:
            raise refuse(f"'{name}' is defined more than once", line, "give each function a name of its own")
        if node.child_by_field_name("type") is None:
            raise refuse(f"'{name}' has no type", line, "write what it returns, void where it is nothing")
        context = self.context.of_function(changes_in(self.source, whole, self.definitions.by_reference))
        context.types.update(self._types_of_helpers())
        parameters = read_parameters(context, name, declarator, self.scope, line, is_entry=is_entry)
        scope, copies = self.scope.inner(), []
        for parameter in parameters:
            self.names.declared[parameter.name] = None
            context.types[parameter.name] = parameter.type
        context.types.update(self.constants.types)
        for parameter in parameters:
            copies += self._bind(parameter, context, scope, line)
        body = copies + context.block(whole, scope)
        self.types_of |= {name: context.types[name] for name in self.structs.arrays if name in context.types}
        if not is_entry and any(isinstance(statement, Allocate) for statement in every(body)):
            raise refuse(
                f"a vector inside of '{name}', which has a value", line, "give it a pointer to where it may work"
            )
        returned = self.source.text(node.child_by_field_name("type"))
        returns = None if returned == "void" else context.type_name(returned, line, f"what '{name}' returns")
        place = Element(RESULT, (ZERO,)) if returns else None
        return Function(
            name=name,
            returns=returns,
            parameters=parameters,
            body=without_inner_returns(body, place, context, is_truth=returns == "bool") if is_entry else body,
            line=line,
            constants=tuple(context.tables),
        )

    @staticmethod
    def _bind(parameter: Parameter, context: Context, scope: Scope, line: int) -> list[Statement]:
        """Give a parameter its meaning; one that the function changes gets a local of its own."""
        name, written = parameter.name, parameter.written
        bound: Binding = Variable(name)
        out: list[Statement] = []
        if parameter.is_pointer:
            bound = Pointer(name, 1 + len(parameter.lengths))
            if written in context.changes.stepped and not parameter.lengths:
                counter = context.fresh(f"{name}_at", "long long")
                context.mutable.add(counter)
                bound = Pointer(name, 1, (), Variable(counter), counter)
                out = [Declare("long long", counter, ZERO, line)]
        elif written in context.changes.assigned:
            copy = context.fresh(f"{name}_now", parameter.type)
            context.mutable.add(copy)
            bound, out = Variable(copy), [Declare(parameter.type, copy, Variable(name), line)]
        scope.names[written] = bound
        return out
