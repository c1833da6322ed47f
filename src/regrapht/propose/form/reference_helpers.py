"""The reference's own types, constants and helpers, which a model uses as if they were there."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from regrapht.propose.form.program import Edit, Program, first_function, top_of_code
from regrapht.records.task import Task
from regrapht.source.syntax import declarators, declared_name, parse, text_of, walk
from regrapht.source.tokens import TokenKind, tokens

if TYPE_CHECKING:
    from tree_sitter import Node

OPERATOR = "operator"
_TABLE = re.compile(r"(?:std::)?array<([\w: ]+?), ?(\w+)>")
TYPES = ("struct_specifier", "enum_specifier", "type_definition", "alias_declaration", "class_specifier")


def with_the_references_helpers(program: Program) -> str | None:
    """The text with what it uses of the reference and does not define; None where nothing is missing.

    It goes behind the includes, or, where it uses types or constants of the program's own, before the first function. Functions are marked
    for host and device, tables of constants for the device.
    """
    offered = dict(_offered(program.task.reference.source.text, program.task.entry))
    wanted = missing_names(program, {name: [text] for name, text in offered.items()})
    wanted |= {
        name
        for name in offered
        if name.startswith(OPERATOR) and OPERATOR not in program.text and wanted & set(re.findall(r"\w+", name))
    }
    if not wanted:
        return None
    pieces = [text for name, text in offered.items() if name in wanted]
    own = {name for node in at_file_scope(program.root) for name in names_defined_by(node)}
    uses_own = any(token.text in own for text in pieces for token in tokens(text) if token.kind is TokenKind.NAME)
    at = first_function(program) if uses_own else top_of_code(program)
    return program.edited([Edit(at, at, "\n\n" + "\n\n".join(dict.fromkeys(pieces)) + "\n")])


def missing_names(program: Program, offered: Mapping[str, Sequence[str]]) -> set[str]:
    """Of what is `offered`, by name, what the program uses and does not define itself, and what that uses."""
    own = _defined_names(program) | {program.task.entry}
    wanted: set[str] = set()
    waiting = [program.text]
    while waiting:
        for name in {token.text for token in tokens(waiting.pop()) if token.kind is TokenKind.NAME}:
            if name in offered and name not in own and name not in wanted:
                wanted.add(name)
                waiting += offered[name]
    return wanted


def helpers_of(task: Task) -> dict[str, str]:
    """Name -> text, marked for host and device, of all that the reference defines beside its entry, in its order.

    Names of one enumeration have the same text.
    """
    return dict(_offered(task.reference.source.text, task.entry))


def _defined_names(program: Program) -> set[str]:
    """Names that the program gives a meaning anywhere: functions, types, variables, parameters, macros, namespaces."""
    unit = program.unit
    found = {function.name for function in unit.functions} | set(unit.structs) | set(unit.aliases)
    for node in walk(program.root):
        if node.type in ("preproc_def", "preproc_function_def", "enumerator", "namespace_definition", *TYPES):
            name = node.child_by_field_name("name")
            found |= {text_of(name)} if name is not None else set()
        elif node.type.endswith("declarator") and not node.type.startswith("abstract_"):
            # its name alone: neither the length of an array nor what a variable begins as
            found.add(text_of(declared_name(node)))
        elif node.type in ("declaration", "parameter_declaration", "optional_parameter_declaration"):
            found |= {text_of(one) for one in node.children_by_field_name("declarator") if one.type == "identifier"}
    return found


def _offered(reference: str, entry: str) -> Iterator[tuple[str, str]]:
    """Name -> text of what the reference defines beside its entry, in its order."""
    for node in at_file_scope(parse(reference)):
        text = text_of(node)
        if node.type in ("preproc_def", "preproc_function_def"):
            yield text_of(node.child_by_field_name("name")), text.rstrip()  # type: ignore[arg-type]
        elif node.type in ("function_definition", "template_declaration"):
            name = _function_name(node)
            if name and name != entry:
                yield name, _for_the_device(text, node)
            elif not name and (operator := _operator(node)) is not None:
                yield operator, _for_the_device(text, node)
        elif node.type in TYPES:
            named = node.child_by_field_name("name") or node.child_by_field_name("declarator")
            names = [text_of(named)] if named is not None else []
            yield from ((one, text.rstrip(";") + ";") for one in (*names, *_enumerators(node)))
        elif node.type == "namespace_definition":
            inside = [one for one in walk(node) if one.type == "function_definition" or one.type in TYPES]
            names = [_function_name(one) or text_of(one.child_by_field_name("name") or one) for one in inside]
            space = text_of(node.child_by_field_name("name"))  # type: ignore[arg-type]
            yield from ((name, text) for name in (space, *names) if name.isidentifier())
        elif node.type == "declaration" and re.match(r"(?:static\s+)?(?:inline\s+)?(?:constexpr|const)\b", text):
            yield from _constants(node, reference)


def _constants(node: "Node", reference: str) -> Iterator[tuple[str, str]]:
    """Name -> text of each constant that the declaration defines, tables for the device."""
    declarators = node.children_by_field_name("declarator")
    head = text_of(node)[: declarators[0].start_byte - node.start_byte]
    for one in declarators:
        text = text_of(one)
        named, is_defined, _ = text.partition("=")
        name = re.findall(r"\w+", named.partition("[")[0])[-1] if is_defined else ""
        table = _TABLE.search(head)
        if table is not None and is_defined and f"{name}." not in reference:
            yield name, f"static __device__ const {table[1]} {name}[{table[2]}] ={text.partition('=')[2]};"
        elif is_defined and "array" not in head:
            yield name, f"static __device__ const {_unqualified(head)}{text};" if "[" in named else f"{head}{text};"


def at_file_scope(root: "Node") -> Iterator["Node"]:
    """Definitions at file scope, those inside namespaces without a name included."""
    for node in root.children:
        if node.type == "namespace_definition" and node.child_by_field_name("name") is None:
            body = node.child_by_field_name("body")
            yield from at_file_scope(body) if body is not None else ()
        else:
            yield node


def names_defined_by(node: "Node") -> list[str]:
    """Names of the types, constants, macros or namespace that a node at file scope defines; none for functions."""
    if node.type in ("preproc_def", "preproc_function_def", "namespace_definition", *TYPES):
        named = [node, *(one for one in walk(node) if one.type == "enumerator")]
        return [text_of(name) for one in named if (name := one.child_by_field_name("name")) is not None]
    return [text_of(declared_name(one)) for one in declarators(node)] if node.type == "declaration" else []


def _function_name(node: "Node") -> str:
    for one in walk(node):
        if one.type == "function_declarator":
            name = one.child_by_field_name("declarator")
            return text_of(name) if name is not None and name.type == "identifier" else ""
    return ""


def _operator(node: "Node") -> str | None:
    """What an operator for types of the reference's is called, `operator+ (Vec a, Vec b)`; None for other functions."""
    for one in walk(node):
        if one.type == "function_declarator":
            name = one.child_by_field_name("declarator")
            return " ".join(text_of(one).split()) if name is not None and name.type == "operator_name" else None
    return None


def _for_the_device(text: str, node: "Node") -> str:
    if node.type == "template_declaration":
        head, _, rest = text.partition(">")
        return f"{head}>\n__host__ __device__ {re.sub(r'^static ', '', rest.lstrip())}"
    return f"__host__ __device__ {text}"


def _unqualified(declaration: str) -> str:
    return re.sub(r"^(?:(?:static|inline|constexpr|const)\s+)+", "", declaration)


def _enumerators(node: "Node") -> list[str]:
    return [text_of(one.child_by_field_name("name")) for one in walk(node) if one.type == "enumerator"]  # type: ignore[arg-type]
