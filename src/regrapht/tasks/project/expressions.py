"""Questions about single expressions and functions in Clang's tree."""

import re

from regrapht.records.expression import Expression
from regrapht.tasks.project.clang_unit import Cursor
from regrapht.tasks.project.places import is_scalar

SIMPLE = re.compile(r"[\w.]+|\w+\[\w+\]")
"""Text that needs no brackets around it."""
_LOOKING_THROUGH = {"UNEXPOSED_EXPR", "PAREN_EXPR"}
_ENDING = {"__assert_fail", "__assert_rtn", "__assert", "_assert", "_wassert", "abort", "terminate"}
"""What an assertion calls where it does not hold."""
_CHANGING = {"COMPOUND_ASSIGNMENT_OPERATOR", "CXX_THROW_EXPR", "CXX_NEW_EXPR", "CXX_DELETE_EXPR"}


def span(cursor: Cursor) -> tuple[int, int]:
    return int(cursor.extent.start.offset), int(cursor.extent.end.offset)


def bracketed(text: str) -> str:
    return text if SIMPLE.fullmatch(text) else f"({text})"


def is_zero(text: str) -> bool:
    """Whether an index is 0 whatever its names are: a sum of products that each have a factor 0."""
    text = re.sub(
        r"static_cast<[\w:\s]+>|\((?:(?:std::)?size_t|unsigned|signed|int|short|long|\s)+\)(?=\s*[\w(])", "", text
    )
    if not re.fullmatch(r"[\w\s+*()]*", text):
        return False
    names = re.findall(r"[A-Za-z_]\w*", text)
    try:
        value = Expression(text)
        return all(
            value.evaluate({name: seed * 7919 + place * 104729 + 3 for place, name in enumerate(names)}) == 0
            for seed in (1, 2)
        )
    except ValueError:
        return False


def receiver_of(call: Cursor) -> Cursor | None:
    """The object of a method's call, where it is written."""
    first = next(iter(call.get_children()), None)
    member = through(first) if first is not None else None
    if member is None or member.kind.name != "MEMBER_REF_EXPR" or member.spelling != call.spelling:
        return None
    return next((one for one in member.get_children() if one.kind.is_expression()), None)


def is_chosen_at_run_time(call: Cursor) -> bool:
    """Whether which function a call runs depends on what its object is: not where the function or the class is final, the call names the
    class, or the object is a variable or a field itself."""
    meant = call.referenced
    if meant is None or meant.kind.name != "CXX_METHOD" or not meant.is_virtual_method():
        return False
    if any(
        child.kind.name == "CXX_FINAL_ATTR" for one in (meant, meant.semantic_parent) for child in one.get_children()
    ):
        return False
    callee = next(call.get_children(), None)
    if callee is not None and any(part.kind.name == "TYPE_REF" for part in callee.get_children()):
        return False
    receiver = receiver_of(call)
    held = receiver.referenced if receiver is not None else None
    if held is None or held.kind.name not in ("VAR_DECL", "FIELD_DECL", "PARM_DECL"):
        return True
    return held.type.get_canonical().kind.name in ("POINTER", "LVALUEREFERENCE", "RVALUEREFERENCE")


def only_return(function: Cursor) -> Cursor | None:
    """What a function returns whose body does no more: behind assertions, and constants that it only names (`constants_before_return`)."""
    statements = _statements(function)
    if not statements or statements[-1].kind.name != "RETURN_STMT":
        return None
    if not all(_is_assertion(one) or _is_constant_number(one) for one in statements[:-1]):
        return None
    return next(iter(statements[-1].get_children()), None)


def constants_before_return(function: Cursor) -> list[tuple[Cursor, Cursor]]:
    """Each constant number that a function names before its `return`, and what it is."""
    declared = (one for one in _statements(function) if one.kind.name == "DECL_STMT")
    variables = [variable for one in declared for variable in one.get_children()]
    return [(one, list(one.get_children())[-1]) for one in variables]


def _statements(function: Cursor) -> list[Cursor]:
    meant = function.get_definition()
    parts = meant.get_children() if meant is not None else ()
    body = next((one for one in parts if one.kind.name == "COMPOUND_STMT"), None)
    return list(body.get_children()) if body is not None else []


def _is_assertion(statement: Cursor) -> bool:
    """Whether a statement only says what holds in a program that is right: `assert(...)`, or what is left of it with NDEBUG."""
    if statement.kind.name == "NULL_STMT":
        return True
    if statement.type.get_canonical().kind.name != "VOID":
        return False
    parts = list(statement.walk_preorder())
    calls = {one.spelling for one in parts if one.kind.name == "CALL_EXPR"}
    return (not calls or bool(calls & _ENDING)) and not any(
        one.kind.name in _CHANGING or one.spelling == "=" for one in parts
    )


def _is_constant_number(statement: Cursor) -> bool:
    variables = list(statement.get_children()) if statement.kind.name == "DECL_STMT" else []
    return bool(variables) and all(
        one.kind.name == "VAR_DECL"
        and one.type.is_const_qualified()
        and is_scalar(one.type)
        and any(each.kind.is_expression() for each in one.get_children())
        for one in variables
    )


def overloads(reference: Cursor) -> list[Cursor]:
    """The functions that a name in a template may mean, which its instance chooses from."""
    from clang.cindex import conf

    count = conf.lib.clang_getNumOverloadedDecls(reference)
    found = [conf.lib.clang_getOverloadedDecl(reference, number) for number in range(count)]
    for one in found:
        one._tu = reference._tu  # the binding leaves it out here, and asks for it
    return found


def number_of(expression: Cursor) -> int | None:
    """The value of a whole number that is written as such."""
    node = through(expression)
    tokens = [one.spelling for one in node.get_tokens()] if node.kind.name == "INTEGER_LITERAL" else []
    return int(tokens[0]) if tokens and tokens[0].isdecimal() else None


def chosen(returned: Cursor, meant: Cursor, given: list[Cursor]) -> Cursor:
    """What `d == 0 ? rows : columns` comes to where the call gives `d` as a number."""
    node = through(returned)
    parts = list(node.get_children()) if node.kind.name == "CONDITIONAL_OPERATOR" else []
    sides = [through(one) for one in through(parts[0]).get_children()] if len(parts) == 3 else []
    if len(sides) != 2 or sides[0].kind.name != "DECL_REF_EXPR" or not _compares_equal(parts[0], sides):
        return returned
    names = [one.get_usr() for one in meant.get_arguments()]
    right, usr = number_of(sides[1]), sides[0].referenced.get_usr()
    left = number_of(given[names.index(usr)]) if usr in names and len(given) == len(names) else None
    if left is None or right is None:
        return returned
    return chosen(parts[1] if left == right else parts[2], meant, given)


def _compares_equal(test: Cursor, sides: list[Cursor]) -> bool:
    start, end = span(sides[0])[1], span(sides[1])[0]
    return [one.spelling for one in test.get_tokens() if start <= one.extent.start.offset < end] == ["=="]


def is_constant(variable: Cursor) -> bool:
    """Whether a variable is const and the file says its value, here or where it is defined."""
    variable = variable.get_definition() or variable
    kind = variable.type.get_canonical()
    is_array, is_const = kind.kind.name == "CONSTANTARRAY", bool(kind.is_const_qualified())
    while kind.kind.name == "CONSTANTARRAY":  # const is the whole, or its elements are
        kind = kind.element_type.get_canonical()
        is_const |= bool(kind.is_const_qualified())
    values = [one for one in variable.get_children() if one.kind.is_expression()]
    if is_array:  # a number is its length
        values = [one for one in values if one.kind.name in ("INIT_LIST_EXPR", "STRING_LITERAL")]
    return is_const and bool(values)


def is_std(cursor: Cursor) -> bool:
    return str(cursor.spelling) == "std"


def through(cursor: Cursor) -> Cursor:
    """The expression inside of brackets and conversions that are not written."""
    while cursor.kind.name in _LOOKING_THROUGH:
        children = list(cursor.get_children())
        if len(children) != 1:
            return cursor
        cursor = children[0]
    return cursor


def is_named(expression: Cursor) -> bool:
    return through(expression).kind.name in ("DECL_REF_EXPR", "MEMBER_REF_EXPR")


def operands(call: Cursor) -> list[Cursor]:
    """The operands of an operator's call: without the operator itself."""
    found = []
    for child in call.get_children():
        inner = through(child)
        if inner.kind.name == "DECL_REF_EXPR" and inner.spelling.startswith("operator"):
            continue
        found.append(child)
    return found


def copied(argument: Cursor) -> Cursor:
    """What is inside of conversions, copies, and the making of a `std::function`."""
    node = through(argument)
    while node.kind.name in ("CALL_EXPR", "CXX_FUNCTIONAL_CAST_EXPR", "UNEXPOSED_EXPR"):
        inner = list(node.get_children())
        if len(inner) != 1:
            return node
        node = through(inner[0])
    return node


def is_lambda(argument: Cursor) -> bool:
    """Whether an argument is a lambda, written there or by its name."""
    node = copied(argument)
    if node.kind.name == "LAMBDA_EXPR":
        return True
    named = node.referenced if node.kind.name == "DECL_REF_EXPR" else None
    return named is not None and "(lambda at " in named.type.get_canonical().spelling
