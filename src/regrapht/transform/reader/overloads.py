"""Which function a call means: those of its name that the file has, and the one of them that fits the arguments."""

from regrapht.transform.ir.expressions import Expression
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.scalar_types import canonical
from regrapht.transform.reader.callees import Callee, called_name
from regrapht.transform.reader.context import Context
from regrapht.transform.reader.scope import Binding, Pointer, Record, Scope
from regrapht.transform.reader.syntax import SyntaxNode


def callees_of(context: Context, call: SyntaxNode, scope: Scope) -> tuple[Callee, ...]:
    """The functions or the lambda that a call may mean, if calls of it are written out."""
    function = call.child_by_field_name("function")
    named = function.type in ("identifier", "template_function", "qualified_identifier")
    name = called_name(context.source, function)[0] if named else ""
    if named and (found := scope.find_lambda(name)) is not None:
        return (found,)
    return _method_callees(context, call, scope) or (context.callees.get(name, ()) if named else ())


def _method_callees(context: Context, call: SyntaxNode, scope: Scope) -> tuple[Callee, ...]:
    """The functions of structs that a call may mean: `v.f(...)`, `p->f(...)`, `S(...)`, `v(...)`, or `f(...)` inside of one."""
    source, structs = context.source, context.structs
    function = call.child_by_field_name("function")
    if function.type == "field_expression":
        held, name = function.child_by_field_name("argument"), source.text(function.child_by_field_name("field"))
        known = scope.find(source.text(held)) if held.type == "identifier" else None
        if isinstance(known, Record):
            return structs.functions(known.struct, name)
        if isinstance(known, Pointer) and structs.of(known.array) is None:
            return ()
        return tuple(one for struct in structs.by_name for one in structs.functions(struct, name))
    if function.type not in ("identifier", "type_identifier"):
        return ()
    name = source.text(function)
    known, own = scope.find(name), scope.find("this")
    if isinstance(known, Record):
        return structs.functions(known.struct, "operator()")
    struct = structs.named(name, context.aliases)
    if struct is not None:
        return structs.functions(struct.name, struct.name)
    return structs.functions(own.struct, name) if known is None and isinstance(own, Record) else ()


def chosen_overload(
    context: Context, callees: tuple[Callee, ...], given: list[Binding | None], explicit: list[str], line: int
) -> Callee:
    """The function that a call means: the only one, the one of so many arguments, or the one of just these types.

    Raises:
        CannotTransform: None takes so many arguments, or several could be meant.
    """
    fitting = [one for one in callees if one.takes(len(given))]
    if len(fitting) > 1:
        fitting = [one for one in fitting if _takes_types(context, one, given)]
    if len(fitting) > 1 and any(not one.template for one in fitting) and not explicit:
        fitting = [one for one in fitting if not one.template]
    if len({(one.source.text(one.body), *map(one.source.text, one.parameters)) for one in fitting}) == 1:
        fitting = fitting[:1]  # `float& at(int i)` and `const float& at(int i) const`
    name = callees[0].name
    if len(fitting) != 1:
        several = len(callees) > 1
        what = f"'{name}' is defined more than once" if several else f"call of '{name}' with {len(given)} arguments"
        raise refuse(what, line, "give each function a name of its own" if several else "give it what it declares")
    return fitting[0]


def _takes_types(context: Context, callee: Callee, given: list[Binding | None]) -> bool:
    """Whether the parameters have the types of the arguments; what a template or `auto` leaves open takes any."""
    names = {
        callee.source.text(n)
        for one in callee.template
        for n in callee.source.walk(one)
        if n.type.endswith("identifier")
    }
    for parameter, one in zip(callee.parameters, given, strict=False):
        written = callee.source.text(parameter.child_by_field_name("type"))
        if written in names | {"auto"} or not isinstance(one, Binding):
            continue
        struct = context.structs.named(written)
        wanted = struct.name if struct is not None else canonical(written, context.aliases)
        places = ("pointer_declarator", "array_declarator")
        is_pointer = any(n.type in places for n in callee.source.walk(parameter))
        if type_text(context, one, 0) != wanted or (isinstance(one, Pointer) and one.length is None) != is_pointer:
            return False
    return True


def type_text(context: Context, bound: Binding, line: int) -> str:
    """The type of an argument as C++ writes it; of a pointer, that of its elements."""
    if isinstance(bound, Record):
        return bound.struct
    if isinstance(bound, Pointer):
        struct = context.structs.of(bound.array)
        elements = struct.name if struct is not None else context.types[bound.array]
        return elements if bound.length is None else f"std::vector<{elements}>"
    assert isinstance(bound, Expression)
    return context.type_of(bound, line)
