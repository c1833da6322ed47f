"""What an expert notices of a CUDA program: how lanes meet memory, what loops and launches there are, and what was left undone.

Every index into memory is read as a form (`graph.lane_forms`): how it grows with `threadIdx.x` and with the innermost loop, and whether it
was itself loaded. So `a[row * n + c]` with a row a thread and `c` counted by a loop is a *row walk*, which wants coalescing, and the same
with `c` counted from `threadIdx.x` is not. Names in the traits say what the code looks like: `guards` is a test before a return, `records`
an index times a small number. A device function is read with what its callers behind it in the text give it.
Traits that need no values are found in `syntax_traits`.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from regrapht.graph.lane_forms import DEEPEST, Form, Values, declared_name
from regrapht.graph.syntax_traits import LOOPS, host_traits, loop_step, loop_traits
from regrapht.source.syntax import parse, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

TRAITS = (
    *("loads_unit", "loads_strided", "loads_uniform", "loads_shared_by_all", "loads_gathered", "row_walks"),
    *("column_walks", "stores_unit", "stores_strided", "stores_scattered", "records", "neighbours", "narrow_arrays"),
    *("wide_arrays", "on_chip", "on_chip_strided", "on_chip_padded", "private_arrays", "atomics_scattered"),
    *("atomics_uniform", "atomics_in_loop", "atomics_on_chip", "tree_loops", "shuffle_loops", "scan_loops"),
    "tile_loops",
    *("one_item_kernels", "looping_kernels", "host_launches", "launches_in_loop", "scratch_arrays", "copies_in_loop"),
    *("guards", "data_branches_in_loop", "parity_branches", "breaks", "continues", "remainders", "searches"),
    *("fixed_loops", "unrolled_loops", "nested_loops", "float_maths", "reciprocals", "vector_casts", "strides_of_grid"),
    *("ballots", "rounds_of_lanes", "row_sums", "stores_in_loop", "fixed_maths", "table_maths", "best_so_far"),
    *("index_divisions", "flags_tested", "carried_values", "several_launches"),
)
_PLACE = {name: place for place, name in enumerate(TRAITS)}
_MATHS = ("exp", "log", "sin", "cos", "tan", "sqrt", "pow", "tanh", "erf", "rsqrt", "cbrt", "hypot", "atan2")
_NARROW = {"char", "uint8_t", "int8_t", "uint16_t", "int16_t", "short", "bool", "half", "__half"}
_WIDE = {"double", "int64_t", "uint64_t"}

_Calls = dict[str, list[tuple[Form, str]]]
"""For each function called so far, the form and the place of each argument, joined over the calls."""


@lru_cache(maxsize=4096)
def access_traits(source: str) -> np.ndarray:
    """One number a name of `TRAITS`: log2(1 + count). Never fails, any text."""
    counts = np.zeros(len(TRAITS))
    functions = [node for node in walk(parse(source, cuda=True)) if node.type == "function_definition"]
    calls: _Calls = {}
    for function in reversed(functions):  # callers stand behind what they call, and say what it is given
        _Reader(function, counts, calls).read()
    counts[_PLACE["several_launches"]] = max(0.0, counts[_PLACE["host_launches"]] - 1)
    found: np.ndarray = np.log2(1 + counts)
    found.setflags(write=False)
    return found


class _Reader:
    """One function, read in the order of its text."""

    def __init__(self, function: "Node", counts: np.ndarray, calls: _Calls) -> None:
        self._function, self._counts, self._calls = function, counts, calls
        self._is_kernel = any(child.type == "__global__" for child in function.children)
        self._values, self._depth = Values(), 0
        self._written: set[int] = set()
        self._unrolled = False

    def read(self) -> None:
        """Count everything in the function."""
        body = self._function.child_by_field_name("body")
        if body is None:
            return
        self._parameters()
        on_device = self._is_kernel or any(child.type == "__device__" for child in self._function.children)
        if self._is_kernel:
            loops = [node for node in walk(body) if node.type in LOOPS]
            self._add("looping_kernels" if loops else "one_item_kernels")
        if on_device:
            self._statement(body)
        else:
            for name in host_traits(body):
                self._add(name)

    def _add(self, name: str, amount: float = 1.0) -> None:
        self._counts[_PLACE[name]] += amount

    def _parameters(self) -> None:
        declared = self._function.child_by_field_name("declarator") or self._function
        given = self._calls.get(declared_name(declared), [])
        parameters = [node for node in walk(declared) if node.type == "parameter_declaration"]
        for number, node in enumerate(parameters):
            declarator, kind = node.child_by_field_name("declarator"), node.child_by_field_name("type")
            name = declared_name(declarator)
            if declarator is None or not name:
                continue
            form, place = given[number] if number < len(given) else (Form(), "")
            self._values.forms[name] = form
            if declarator.type in ("pointer_declarator", "reference_declarator"):
                self._values.places[name] = place or "global"
                words = text_of(kind).split() if kind is not None else []
                if self._is_kernel:
                    self._add("narrow_arrays", float(bool(_NARROW.intersection(words))))
                    self._add("wide_arrays", float(bool(_WIDE.intersection(words) or words.count("long") > 1)))

    # ---------------------------------------------------------------- statements

    def _statement(self, node: "Node") -> None:
        if self._depth < DEEPEST:
            self._depth += 1
            self._read_statement(node)
            self._depth -= 1

    def _read_statement(self, node: "Node") -> None:
        kind = node.type
        if kind in LOOPS:
            self._loop(node)
        elif kind == "preproc_call":
            self._unrolled = "unroll" in text_of(node)
        elif kind == "declaration":
            self._declaration(node)
        elif kind in ("assignment_expression", "update_expression"):
            self._assignment(node)
        elif kind == "if_statement":
            self._branch(node)
        elif kind == "subscript_expression":
            self._access(node)
        elif kind == "call_expression":
            self._call(node)
        else:
            if kind in ("break_statement", "continue_statement") and self._values.loops:
                self._add("breaks" if kind == "break_statement" else "continues")
            elif kind == "binary_expression":
                self._arithmetic(node)
            self._children(node)

    def _children(self, node: "Node") -> None:
        for child in node.children:
            if child.is_named:
                self._statement(child)

    def _loop(self, node: "Node") -> None:
        start, step = node.child_by_field_name("initializer"), loop_step(node)
        for trait in loop_traits(node, is_unrolled=self._unrolled, is_nested=bool(self._values.loops)):
            self._add(trait)
        self._unrolled = False
        if start is not None:
            self._statement(start)
            for declarator in walk(start):
                if declarator.type == "init_declarator":
                    name = declared_name(declarator.child_by_field_name("declarator"))
                    before = self._values.forms.get(name, Form())
                    by_team = before.lane == 1 and not ("++" in step or "+= 1" in step)
                    self._values.forms[name] = before if by_team else Form(before.lane, 1, before.loaded)
                    self._add("rounds_of_lanes", float(by_team))
                    self._values.counters[name] = node
        self._values.loops.append(node)
        for child in node.children:
            if child.is_named and child != start:
                self._statement(child)
        self._values.loops.pop()

    def _declaration(self, node: "Node") -> None:
        head = [
            child for child in node.children if not child.is_named or child.type.endswith(("specifier", "qualifier"))
        ]
        shared = any("__shared__" in text_of(child) for child in head)
        for child in node.children:
            target, value = child, None
            if child.type == "init_declarator":
                target, value = (
                    child.child_by_field_name("declarator") or child,
                    child.child_by_field_name("value"),
                )
            name = declared_name(target)
            if not name or not (child.type.endswith("declarator") or child.type == "identifier"):
                continue
            self._values.forms[name] = self._values.form(value) if value is not None else Form()
            if target.type == "array_declarator":
                self._values.places[name] = "shared" if shared else "private"
                self._add("on_chip" if shared else "private_arrays")
                if shared and "+ 1]" in text_of(target):
                    self._add("on_chip_padded")
            elif target.type in ("pointer_declarator", "reference_declarator") and value is not None:
                self._values.places[name] = self._values.place(value)
            if value is not None:
                self._statement(value)

    def _assignment(self, node: "Node") -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        left = left or node.child_by_field_name("argument")
        if left is not None and left.type == "subscript_expression":
            self._written.add(left.id)
        if left is not None and left.type == "identifier" and right is not None:
            name, form = text_of(left), self._values.form(right)
            plain = (node.child_by_field_name("operator") or left).type == "="
            old = self._values.forms.get(name, Form())
            if self._values.loops and not plain:
                self._add("row_sums", float(self._walks_rows(right)))
            elif self._values.loops and any(
                text_of(inner) == name for inner in walk(right) if inner.type == "identifier"
            ):
                self._add("carried_values")
            self._values.forms[name] = form if plain else old.joined(form)
        self._children(node)

    def _branch(self, node: "Node") -> None:
        condition = node.child_by_field_name("condition")
        if condition is not None:
            text, form = text_of(condition), self._values.form(condition)
            if "% 2" in text or "& 1" in text:
                self._add("parity_branches")
            names = {text_of(one) for one in walk(condition) if one.type == "identifier"}
            if self._values.loops and "<" in text and any(f"{name} = " in text_of(node) for name in names):
                self._add("best_so_far")
            self._add("flags_tested", float(form.loaded and not any(mark in text for mark in "<>=")))
            if self._values.loops and (form.loaded or form.loop):
                self._add("data_branches_in_loop")
            elif "return" in text_of(node)[len(text) : len(text) + 16]:
                self._add("guards")
        self._children(node)

    def _arithmetic(self, node: "Node") -> None:
        operator = (node.child_by_field_name("operator") or node).type
        left_form = self._values.form(node.child_by_field_name("left"))
        right = text_of(node.child_by_field_name("right") or node)
        if operator in ("%", "/") and left_form.lane and not right.isdigit():
            self._add("index_divisions")
        if operator == "/" and self._values.loops:
            self._maths(node)
        if operator == "%":
            self._add("remainders")
        elif operator == "/":
            left = text_of(node.child_by_field_name("left") or node)
            self._add("reciprocals", float(left.rstrip("f").replace(".", "").isdigit() or bool(self._values.loops)))

    def _call(self, node: "Node") -> None:
        name = text_of(node.child_by_field_name("function") or node)
        if name.startswith("atomic"):
            arguments = node.child_by_field_name("arguments")
            target = arguments.named_children[0] if arguments is not None and arguments.named_children else None
            form = self._values.address(target)
            if self._values.place(target) == "shared":
                self._add("atomics_on_chip")
            else:
                self._add("atomics_scattered" if form.loaded or form.lane else "atomics_uniform")
                self._add("atomics_in_loop", float(bool(self._values.loops)))
        elif name.removeprefix("std::").rstrip("f") in _MATHS:
            self._add("float_maths")
            self._maths(node)
        elif name.startswith("reinterpret_cast") and any(f"{n}*" in name.replace(" ", "") for n in "24"):
            self._add("vector_casts")
        elif name.startswith(("__ballot", "__popc", "__match", "__ffs")):
            self._add("ballots")
        elif (given := node.child_by_field_name("arguments")) is not None:
            self._remember(name, given.named_children)
        self._children(node)

    def _maths(self, node: "Node") -> None:
        """Costly arithmetic inside a loop that need not be there: the same in every round, or the same for all data."""
        form = self._values.form(node)
        if self._values.loops and not form.loaded:
            self._add("table_maths" if form.loop else "fixed_maths")

    def _walks_rows(self, node: "Node") -> bool:
        reads = [
            one for one in walk(node) if one.type == "subscript_expression" and self._values.place(one) == "global"
        ]
        return any(form.lane == 2 and form.loop == 1 for form in map(self._values.address, reads))

    def _remember(self, name: str, arguments: "list[Node]") -> None:
        old = self._calls.get(name, [])
        new = [(self._values.address(argument), self._values.place(argument)) for argument in arguments]
        joined = [(a[0].joined(b[0]), a[1] or b[1]) for a, b in zip(old, new, strict=False)]
        self._calls[name] = joined + new[len(joined) :]

    def _access(self, node: "Node") -> None:
        """Count one access by where it goes and how its index grows."""
        form, place = self._values.address(node), self._values.place(node)
        if place == "shared":
            self._add("on_chip_strided", float(form.lane == 2))
        elif place == "global":
            self._global(form, node, written=node.id in self._written)
        for child in node.children[1:]:
            self._statement(child)
        base = node.children[0]
        if base.type == "call_expression":
            self._call(base)
        elif base.type != "identifier":  # of several indices, all are one access
            self._children(base)

    def _global(self, form: Form, node: "Node", *, written: bool) -> None:
        if written:
            kind = "stores_scattered" if form.loaded else "stores_strided" if form.lane == 2 else "stores_unit"
            self._add(kind)
            self._add("stores_in_loop", float(bool(self._values.loops)))
            return
        if form.loaded:
            self._add("loads_gathered")
        elif form.lane == 0:
            self._add("loads_shared_by_all" if form.loop else "loads_uniform")
        else:
            self._add("loads_strided" if form.lane == 2 else "loads_unit")
        if form.lane == 2 and form.loop == 1:
            self._add("row_walks")
        elif form.lane < 2 and form.loop == 2:
            self._add("column_walks")
        text = text_of(node)
        self._add("records", float(any(f"{n} *" in text for n in (2, 3, 4, 5, 6))))
        self._add("neighbours", float(any(f"{sign} 1" in text for sign in "+-")))
