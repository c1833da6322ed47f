"""Arrays that the reference's entry allocates, `std::vector<float> gain(height * width)`: what device memory in their place would be."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regrapht.propose.form.reference_helpers import helpers_of
from regrapht.propose.form.reference_locals import locals_of
from regrapht.propose.form.reference_loops import counting
from regrapht.records.task import ArgKind, Residency, Task
from regrapht.source.functions import read_unit
from regrapht.source.listed import parts_of
from regrapht.source.syntax import LOOPS, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

OF_THREADS = "_of_threads"
"""What the memory is called of which each thread has a part under the array's own name."""
_VECTOR = re.compile(r"(?:const )?(?:std::)?vector ?< ?(?P<element>[\w: ]+?) ?> (?P<rest>.+)")
_OWNED = re.compile(
    r"(?:(?:const )?(?:std::)?unique_ptr ?< ?[\w: ]+ ?\[ ?\] ?>|(?:const )?auto|[\w: ]+?) ?\*? ?(?:const )?(?P<name>\w+) ?(?:=|\() ?"
    r"(?:\( ?[\w: ]+ ?\* ?\) ?|static_cast< ?[\w: ]+ ?\* ?>\( ?)?"
    r"(?:(?:std::)?make_unique ?< ?(?P<made>[\w: ]+?) ?\[ ?\] ?> ?\( ?(?P<made_length>.+?) ?\)"
    r"|new (?P<new>[\w: ]+?) ?\[ ?(?P<new_length>.+?) ?\](?P<zeroed> ?(?:\( ?\)|\{ ?\}))?) ?\)?"
)
_ELEMENT = re.compile(
    r"(?:unsigned |signed )?(?:int|long|long long|short|char|float|double|bool|unsigned)|(?:std::)?(?:size_t|u?int\d+_t)"
)
_LENGTH = re.compile(r"[\w\s+\-*/%():<>,]+")
_ANEW = r"{name}\.assign\(|(?:std::)?(?:fill|iota)\({name}\.begin\(\)|(?:std::)?copy\([^;]*, {name}\.begin\(\)\)|(?:std::)?fill_n\({name}\."
_CALLED = frozenset({"std", "max", "min", "size_t", "ptrdiff_t", "static_cast", "int", "long", "unsigned"})
_TYPE = re.compile(r"u?int\d+_t|float|double|char|short|true|false")


@dataclass(frozen=True, slots=True)
class ReferenceArray:
    """One such array."""

    name: str
    element: str
    length: str
    """Elements, as the reference has it."""
    needs: frozenset[str]
    """Names that the length is made of."""
    fill: str | None
    """What each element is at first; None where nothing is said."""
    turns_of: tuple[str, ...]
    """Counters of the loops of which each turn has the array to itself, the outermost first; a thread for each such turn has its own."""


def arrays_of(task: Task) -> dict[str, ReferenceArray]:
    """Name -> array, in the reference's order, of those that device memory can stand for; none where a program may not allocate.

    Their elements are numbers or types of the reference's, their lengths come from sizes, scalars, constants and names for these.
    """
    unit = read_unit(task.reference.source.text)
    entries = unit.named(task.entry)
    if len(entries) != 1 or not task.contract.may_allocate or task.contract.residency is not Residency.DEVICE:
        return {}
    body, helpers = entries[0].body, helpers_of(task).keys()
    known = {arg.name for arg in task.parameters if arg.kind is not ArgKind.ARRAY} | locals_of(task).keys() | helpers
    found: dict[str, ReferenceArray | None] = {}
    for node in walk(body):
        for name, element, length, fill in (
            declared_arrays(text_of(node), unit.aliases) if node.type == "declaration" else ()
        ):
            needs = names_of(length)
            fits = _ELEMENT.fullmatch(element) is not None or element in helpers
            fits = fits and needs <= known and _LENGTH.fullmatch(length) is not None and names_of(fill or "") <= known
            made = ReferenceArray(name, element, length, needs, fill, _turns(name, node, body)) if fits else None
            found[name] = made if name not in found else None
    return {name: one for name, one in found.items() if one is not None}


def memory_names(task: Task) -> set[str]:
    """What a kernel's parameters are called that hold such arrays: their own names, or that of the memory of all threads' parts."""
    names = arrays_of(task).keys()
    return {*names, *(name + OF_THREADS for name in names)}


def declared_arrays(
    declaration: str, aliases: Mapping[str, str] | None = None
) -> Iterator[tuple[str, str, str, str | None]]:
    """Name, type of an element, length, and what each element is at first, of the arrays in a declaration that are no arrays of C's.

    Args:
        declaration: Its text.
        aliases: Names for types, `Plane` of `using Plane = std::vector<float>;`.
    """
    text = " ".join(declaration.rstrip("; \n").split())
    text = re.sub(r"^(const )?(\w+)\b", lambda found: (found[1] or "") + (aliases or {}).get(found[2], found[2]), text)
    if (vector := _VECTOR.fullmatch(text)) is not None:
        element = vector["element"]
        for part in parts_of(vector["rest"]):
            name, _, given = part.partition("(")
            arguments = parts_of(given[:-1]) if given.endswith(")") else []
            if name.strip().isidentifier() and 1 <= len(arguments) <= 2 and "begin()" not in given:
                zero = "0" if _ELEMENT.fullmatch(element) else f"{element}{{}}"
                yield name.strip(), element, arguments[0], arguments[1] if len(arguments) == 2 else zero
    elif (owned := _OWNED.fullmatch(text)) is not None:
        element = owned["made"] or owned["new"]
        is_filled = owned["made"] is not None or owned["zeroed"] is not None
        yield owned["name"], element, owned["made_length"] or owned["new_length"], "0" if is_filled else None


def names_of(expression: str) -> frozenset[str]:
    """The names that an expression is made of, but for types and the standard library's."""
    names = frozenset(re.findall(r"(?<![\w.])[A-Za-z_]\w*", expression)) - _CALLED
    return frozenset(name for name in names if not _TYPE.fullmatch(name))


def _turns(name: str, declaration: "Node", body: "Node") -> tuple[str, ...]:
    """Counters of the loops around all uses whose turns share nothing by the array: declared there, or never added to."""
    uses = [
        one for one in walk(body) if one.type == "identifier" and text_of(one) == name and not _within(one, declaration)
    ]
    uses = [one for one in uses if _loops_around(one)] or uses
    around = [loop for loop in _loops_around(uses[0]) if all(_within(one, loop) for one in uses)] if uses else []
    is_own = bool(uses) and (_writes_anew(uses[0]) or (any(map(_sets, uses)) and not any(map(_adds_to, uses))))
    shared = around if is_own else _loops_around(declaration)
    return tuple(loop.name for node in shared[::-1] if (loop := counting(node)) is not None)


def _within(node: "Node", outer: "Node") -> bool:
    return outer.start_byte <= node.start_byte < outer.end_byte


def _loops_around(node: "Node") -> list["Node"]:
    """The loops in which a node stands, the innermost first."""
    found, at = [], node.parent
    while at is not None and at.type != "function_definition":
        if at.type in LOOPS:
            found.append(at)
        at = at.parent
    return found


def _writes_anew(use: "Node") -> bool:
    """Whether a use gives elements new values whatever they were: `a[i] = x`, `a.assign(n, 0)`, `std::fill(a.begin(), ...`."""
    if use.parent is not None and use.parent.type == "subscript_expression":
        return _sets(use)
    at = use.parent
    while at is not None and at.type not in ("expression_statement", "compound_statement"):
        at = at.parent
    return at is not None and re.match(_ANEW.format(name=re.escape(text_of(use))), text_of(at)) is not None


def _sets(use: "Node") -> bool:
    """Whether a use gives an element a value, or hands the whole array to somebody who may."""
    around = use.parent.parent if use.parent is not None else None
    if around is None or use.parent is None:
        return False
    if use.parent.type == "subscript_expression":
        is_target = around.type == "assignment_expression" and around.child_by_field_name("left") == use.parent
        return is_target and text_of(around.child_by_field_name("operator")) == "="  # type: ignore[arg-type]
    return text_of(around).endswith(".data()")


def _adds_to(use: "Node") -> bool:
    """Whether a use changes an element by what it was: `a[i] += x`, `++a[i]`."""
    element = use.parent
    around = element.parent if element is not None and element.type == "subscript_expression" else None
    if around is None or around.type == "update_expression":
        return around is not None
    return around.type == "assignment_expression" and around.child_by_field_name("left") == element and not _sets(use)
