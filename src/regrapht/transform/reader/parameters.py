"""The parameters of a function."""

from regrapht.transform.ir.expressions import integer
from regrapht.transform.ir.names import internal_name, refuse
from regrapht.transform.ir.statements import Parameter
from regrapht.transform.reader.callees import parameters_of
from regrapht.transform.reader.context import Context
from regrapht.transform.reader.local_arrays import array_type
from regrapht.transform.reader.scope import Scope
from regrapht.transform.reader.syntax import SyntaxNode
from regrapht.transform.reader.vectors import element_type

PARAMETERS = ("parameter_declaration", "optional_parameter_declaration")


def read_parameters(
    context: Context, name: str, declarator: SyntaxNode, scope: Scope, line: int, *, is_entry: bool
) -> tuple[Parameter, ...]:
    """Those of the function `name`.

    Raises:
        CannotTransform: One is none that the engine takes.
    """
    nodes = parameters_of(declarator)
    if any(p.type not in PARAMETERS for p in nodes):
        raise refuse(f"the parameters of '{name}'", line, "without packs")
    if len(nodes) == 1 and context.source.text(nodes[0]) == "void":
        nodes = []
    return tuple(read_parameter(context, p, scope, is_entry=is_entry) for p in nodes)


def read_parameter(context: Context, node: SyntaxNode, scope: Scope, *, is_entry: bool = False) -> Parameter:
    """The declaration of one parameter.

    Raises:
        CannotTransform: It is no scalar, no pointer to plain numbers, and nothing that a helper may be given besides.
    """
    line, (written, is_pointer, is_reference, inner_lengths) = (
        context.source.line(node),
        _declared(context, node, scope),
    )
    name = internal_name(written)
    if name != written and name in context.names.identifiers:
        raise refuse(
            f"a parameter '{written}', which has to become '{name}', beside another '{name}'", line, "rename it"
        )
    const = any(c.type == "type_qualifier" and context.source.text(c) == "const" for c in node.children)
    written_type, is_array = context.source.text(node.child_by_field_name("type")), False
    struct = context.structs.named(written_type, context.aliases)
    if struct is not None and is_pointer and not inner_lengths:
        if any(field.is_pointer for field in struct.fields):
            raise refuse(f"'{written}' is an array of structs with pointers inside", line, "use one array for each")
        if is_entry:
            context.structs.of_array[name] = struct
        type_name = struct.name
    elif struct is not None and not is_pointer:
        type_name = struct.name
    elif not is_pointer and (of := array_type(context, written_type, scope, line)) is not None:
        type_name, inner_lengths, is_array = of[0], of[1], True
    else:
        elements = element_type(written_type, context.aliases) if is_reference else None
        held = context.structs.named(elements, context.aliases) if elements is not None else None
        type_name = held.name if held is not None else context.type_name(elements or written_type, line, f"'{name}'")
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


def _declared(context: Context, node: SyntaxNode, scope: Scope) -> tuple[str, bool, bool, tuple[int, ...]]:
    """The name of a parameter, whether it is a pointer and a reference, and the lengths of the arrays that it points to."""
    text, line = context.source.text(node), context.source.line(node)
    declarator, is_pointer, is_reference = node.child_by_field_name("declarator"), False, False
    lengths: list[int | None] = []
    while declarator is not None and declarator.type != "identifier":
        if declarator.type == "pointer_declarator":
            if is_pointer and not lengths:
                raise refuse(f"pointer to pointer '{text}'", line, "pass one flat array")
            is_pointer = True
        elif declarator.type == "array_declarator":
            size = declarator.child_by_field_name("size")
            length = integer(context.read(size, scope)) if size else None
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
    return context.source.text(declarator), is_pointer, is_reference, inner_lengths
