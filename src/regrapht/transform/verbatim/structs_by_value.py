"""Structs that a call takes by value from where they lie, or gives to where they shall lie.

GCC's hooks (`-fsanitize=thread`) are at assignments. In `c[i] = blend(c[j], x)` there is one alone where the struct goes through a
register of its own: the compiler reads `c[j]` for the call, and lets the call write `c[i]`, without a hook. So such places say of
themselves that they are read or written, by `watch::read` and `watch::written`, which do nothing for what is no struct.
"""

from collections.abc import Iterator

from regrapht.source.syntax import SyntaxNode, bare, declared_name, plain_text
from regrapht.transform.verbatim.scopes import Scopes, walk

READ, WRITTEN = "watch::read(", "watch::written("
_PLACES = ("identifier", "subscript_expression", "field_expression", "pointer_expression", "qualified_identifier")
_GIVING = (
    "call_expression",
    "binary_expression",
    "unary_expression",
    "pointer_expression",
    "conditional_expression",
    "assignment_expression",
)
_LISTS = ("argument_list", "initializer_list", "parameter_list")
_PLAIN = ("primitive_type", "sized_type_specifier")
_CALLED_OBJECT = "operator()"

Taken = dict[str, list[tuple[bool, ...]]]
"""Name -> for each function of this name, which of its parameters may be structs by value."""


def handed_over(scopes: Scopes) -> Iterator[tuple[SyntaxNode, str]]:
    """Each expression that a call reads or writes so, with what stands before it in parentheses."""
    taken = _taken(scopes)
    odd = _odd_fields(scopes)
    for function in scopes.functions:
        if scopes.is_constexpr(function):
            continue
        for node in walk(function):
            if node.type == "assignment_expression":
                place = node.child_by_field_name("left")
                if _may_be_given(scopes, node) and not _is_odd(scopes, place, odd):
                    yield place, WRITTEN
            for value in _values(scopes, node, taken):
                if _is_place(scopes, value, node) and not _is_odd(scopes, value, odd):
                    yield value, READ


def _taken(scopes: Scopes) -> Taken:
    """Of functions, methods and constructors of the file, and of lambdas that have a name."""
    found: Taken = {}
    for function in scopes.functions:
        name = scopes.name_of(function).replace(" ", "")
        found.setdefault(name, []).append(tuple(_is_by_value(scopes, one) for one in scopes.parameters(function)))
    for node in scopes.source.walk():
        value = node.child_by_field_name("value") if node.type == "init_declarator" else None
        if value is not None and value.type == "lambda_expression":
            declarator = value.child_by_field_name("declarator")
            listed = declarator.child_by_field_name("parameters").named_children if declarator is not None else ()
            name = scopes.text(declared_name(node))
            found.setdefault(name, []).append(tuple(_is_by_value(scopes, one) for one in listed))
    return found


def _is_by_value(scopes: Scopes, parameter: SyntaxNode) -> bool:
    of, declarator = parameter.child_by_field_name("type"), parameter.child_by_field_name("declarator")
    if of is None or of.type in _PLAIN:
        return False
    return declarator is None or not any(sign in scopes.text(declarator).partition("(")[0] for sign in "*&[")


def _values(scopes: Scopes, node: SyntaxNode, taken: Taken) -> list[SyntaxNode]:
    """What this expression hands to functions that may take it by value."""
    kind = node.type
    if kind in ("call_expression", "new_expression", "compound_literal_expression"):
        called = node.child_by_field_name("function") or node.child_by_field_name("type")
        values = node.child_by_field_name("arguments") or node.child_by_field_name("value")
        return _at(taken, _name(called), values)
    if kind == "init_declarator":
        values = node.child_by_field_name("value")
        return _at(taken, _name(node.parent.child_by_field_name("type")), values, only_known=True)
    if kind == "declaration" and (read_as := node.child_by_field_name("declarator")).type == "function_declarator":
        values = read_as.child_by_field_name(
            "parameters"
        )  # `T x(c[i])`, which reads like a function that takes arrays of c
        return _at(taken, _name(node.child_by_field_name("type")), values, only_known=True)
    if kind in ("binary_expression", "unary_expression", "pointer_expression", "assignment_expression"):
        sign = f"operator{scopes.text(node.child_by_field_name('operator'))}"
        operands = [node.child_by_field_name(side) for side in ("left", "right", "argument")]
        return _operands(taken.get(sign, []), [one for one in operands if one is not None])
    return []


def _at(taken: Taken, name: str, values: SyntaxNode | None, *, only_known: bool = False) -> list[SyntaxNode]:
    known = taken.get(name) or ([] if only_known else taken.get(_CALLED_OBJECT, []))
    given = [] if values is None else [values]
    if values is not None and values.type in _LISTS:
        given = [one for one in values.named_children if one.type != "comment"]
    return [value for at, value in enumerate(given) if any(at < len(one) and one[at] for one in known)]


def _operands(known: list[tuple[bool, ...]], operands: list[SyntaxNode]) -> list[SyntaxNode]:
    """A method's own object is no parameter of it: parameters are the last operands."""
    found = []
    for at, operand in enumerate(operands):
        places = [at - (len(operands) - len(one)) for one in known]
        if any(0 <= place < len(one) and one[place] for place, one in zip(places, known, strict=True)):
            found.append(operand)
    return found


def _name(called: SyntaxNode | None) -> str:
    """The last name of `f`, `a.f`, `n::f`, `f<T>`."""
    while called is not None and called.type not in ("identifier", "type_identifier", "field_identifier"):
        called = called.child_by_field_name("field") or called.child_by_field_name("name")
    return "" if called is None else plain_text(called)


def _may_be_given(scopes: Scopes, assignment: SyntaxNode) -> bool:
    """Whether a call may write what is assigned to: the value comes from one, and the place is not of a plain type for all that is seen."""
    place, value = bare(assignment.child_by_field_name("left")), bare(assignment.child_by_field_name("right"))
    if (
        place.type not in _PLACES
        or value.type not in _GIVING
        or scopes.text(assignment.child_by_field_name("operator")) != "="
    ):
        return False
    if place.type != "identifier":
        return True
    declaration = scopes.visible(assignment).get(scopes.text(place))
    of = None if declaration is None else declaration.child_by_field_name("type")
    return of is None or of.type not in _PLAIN


def _is_place(scopes: Scopes, value: SyntaxNode, user: SyntaxNode) -> bool:
    kept = bare(value)
    if kept.type == "conditional_expression":
        return any(_is_place(scopes, kept.child_by_field_name(side), user) for side in ("consequence", "alternative"))
    if kept.type == "parameter_declaration":
        return scopes.text(kept.child_by_field_name("type")) in scopes.visible(user)
    if kept.type == "pointer_expression":
        return scopes.text(kept.child_by_field_name("operator")) == "*"
    return kept.type in _PLACES and scopes.text(kept) not in scopes.by_name


def _odd_fields(scopes: Scopes) -> set[str]:
    """Fields that no reference can be of: some bits alone, or of a packed struct."""
    fields = [node for node in scopes.source.walk() if node.type == "field_declaration"]
    if "packed" not in scopes.source.written.decode():
        fields = [node for node in fields if any(child.type == "bitfield_clause" for child in node.children)]
    return {scopes.text(one) for field in fields for one in walk(field) if one.type == "field_identifier"}


def _is_odd(scopes: Scopes, value: SyntaxNode, odd: set[str]) -> bool:
    return bool(odd) and any(n.type.endswith("identifier") and scopes.text(n) in odd for n in walk(value))
