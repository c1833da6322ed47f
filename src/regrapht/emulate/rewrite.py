"""CUDA C++ to plain C++20: launches, `__shared__` objects and barriers are rewritten, everything else stays as it is.

Lines are kept, so that the compiler's errors and our findings name lines of the candidate's own source.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from regrapht.emulate.keywords import keywords_as_attributes
from regrapht.emulate.unsupported import (
    DEVICE_ALLOCATION,
    DYNAMIC_PARALLELISM,
    FILE_SCOPE_SHARED,
    INITIALISED_SHARED,
    MACRO_LAUNCH,
    MACRO_QUOTE,
    MACRO_SHARED,
    ODD_DYNAMIC_SHARED,
    Refusal,
    unsupported_features,
)
from regrapht.emulate.unwritten_locals import UnwrittenLocals, unwritten_locals
from regrapht.source.chosen_arrays import chosen_arrays
from regrapht.source.chosen_macros import quoting_uses, without_macros_of
from regrapht.source.syntax import SourceText, declarators, declared_name, function_declarator, text_of, walk
from regrapht.source.tokens import without_comments

_RUNTIME_SIZED_ALIGNMENT = re.compile(r"__align__\s*\([^)]*\)|alignas\s*\([^)]*\)")
_STAYS_A_LOOP = re.compile(r"pragma\s+(nounroll|unroll\s*\(?\s*1\s*\)?\s*$|GCC)|_Pragma\s*\(")
_UNROLLED = {0: 32, 1: 8, 2: 4}
"""Iterations up to which a loop is unrolled, by how deep loops are nested inside it: at most a thousand copies, for the compiler's sake."""
_MOST_UNROLLED_TEXT = 16_384
"""Characters of all copies of a loop."""
_DECLARING = (
    "declaration",
    "parameter_declaration",
    "optional_parameter_declaration",
    "field_declaration",
    "init_declarator",
    "function_definition",
    "type_definition",
)
_NAMED = (
    "class_specifier",
    "struct_specifier",
    "union_specifier",
    "enum_specifier",
    "enumerator",
    "alias_declaration",
    "namespace_definition",
    "namespace_alias_definition",
    "preproc_def",
    "preproc_function_def",
)
_HIDING = ("<<<", "__shared__")
"""What a macro must not hide from the rewriter."""
_HIDDEN = f'static_assert(false, "unsupported: {MACRO_LAUNCH} whose name is pasted together");'
# Functions of the runtime API whose first argument says where the pointer to new memory goes.
_ALLOCATES = frozenset(
    ("cudaMalloc", "cudaMallocAsync", "cudaMallocManaged", "cudaMallocHost", "cudaHostAlloc", "cudaMallocFromPoolAsync")
)
# Functions of the runtime API that take a kernel first, or after the configuration.
_TAKES_KERNEL = {"cudaLaunchKernel": 0, "cudaLaunchCooperativeKernel": 0, "cudaLaunchKernelEx": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """C++20 text, what of the source cannot be emulated, and the names of its `__constant__` variables."""

    text: str
    refusals: tuple[Refusal, ...]
    constants: tuple[str, ...]
    declared: frozenset[str] = frozenset()
    """Every name that the source declares."""
    quoted: int | None = None
    """The first line on which a macro makes text of something that is rewritten; None where none does."""
    unwritten: tuple[UnwrittenLocals, ...] = ()
    """The variables that were given a value."""


def rewrite(source: str, *, fills_locals: bool = False) -> Rewritten:
    """Rewrite one candidate.

    Args:
        fills_locals: Variables that begin without a value get one, as `unwritten_locals` says.
    """
    written = _Rewriter(source).result(fills_locals)
    if written.quoted is not None:  # those macros are written out first, so that their text is what the source says
        written = _Rewriter(source, words=(*_HIDING, "#")).result(fills_locals)
    if written.quoted is not None:
        written = replace(written, refusals=(*written.refusals, Refusal(MACRO_QUOTE, written.quoted)))
    return written


@dataclass(slots=True)
class _Context:
    """What surrounds a node."""

    kernel: bool = False
    device: bool = False
    template: bool = False
    qualified: bool = False
    """Code that may run on the device: a function with `__global__` or `__device__`, whatever else."""


class _Rewriter:
    def __init__(self, source: str, *, words: tuple[str, ...] = _HIDING) -> None:
        plain = without_macros_of(source, words, instead=_HIDDEN)
        text = SourceText(plain, cuda=True)
        self.data = text.written
        self.edits: list[tuple[int, int, str]] = []
        self.kernels: dict[str, list[bool]] = {}  # name -> is it a template? for each definition
        self.definitions: dict[str, Any] = {}  # of kernels, the last of each name
        self.constants: list[str] = []
        self.shared_count = 0
        self.root = text.root
        self.declared = _declared_names(self.root)
        self.refusals = unsupported_features(source, self.declared)

    def result(self, fills_locals: bool) -> Rewritten:
        root = self.root
        nodes = list(self._walk(root, _Context()))
        for node, context in nodes:
            self._visit(node, context)
        for start, end in chosen_arrays(root):
            self.edits += [(start, start, "emulated::as_pointer("), (end, end, ")")]
        unwritten = unwritten_locals(root) if fills_locals else []
        self.edits += [(each.end, each.end, each.filling) for each in unwritten]
        text = self._applied()
        self._refuse_leftovers(text)
        return Rewritten(
            text=keywords_as_attributes(text),
            refusals=tuple(self.refusals),
            constants=tuple(self.constants),
            declared=self.declared,
            quoted=self._first_quoted(),
            unwritten=tuple(unwritten),
        )

    def _first_quoted(self) -> int | None:
        uses = quoting_uses(self.data.decode("latin-1"))  # a byte a character, as places are counted
        starts = [at for at, end, _ in self.edits if any(start <= at and end <= behind for start, behind in uses)]
        return self.data.count(b"\n", 0, min(starts)) + 1 if starts else None

    def _walk(self, root: Any, outermost: _Context) -> Iterator[tuple[Any, _Context]]:
        """Every node with its surroundings, in source order; notes kernel definitions. No recursion: depth is the candidate's."""
        stack = [(root, outermost)]
        while stack:
            node, context = stack.pop()
            if node.type == "function_definition":
                context = self._entering(node, context)
            yield node, context
            inside = replace(context, template=node.type == "template_declaration")
            stack.extend((child, inside) for child in reversed(node.children))

    def _entering(self, node: Any, context: _Context) -> _Context:
        body = node.child_by_field_name("body")
        head = self.data[node.start_byte : body.start_byte if body else node.end_byte]
        if b"__global__" not in head:
            qualified = b"__device__" in head
            return _Context(False, qualified and b"__host__" not in head, context.template, qualified)
        declarator = function_declarator(node)
        if declarator is not None:
            name = self._declared_name(declarator)
            self.kernels.setdefault(name, []).append(context.template)
            self.definitions[name] = node
        return _Context(True, True, context.template, True)

    def _visit(self, node: Any, context: _Context) -> None:
        if node.type == "call_expression":
            if _child(node, "kernel_call_syntax"):
                self._launch(node, context)
            elif self._text(node) == "__syncthreads()":
                # The byte offset names the barrier; a return address would not, since optimisation duplicates calls.
                self._replace(node, f"__syncthreads({_line(node)}, {node.start_byte})")
            elif context.device and self._text(node) == "clock()":
                self._replace(node, "((clock_t)clock64())")
            else:
                self._kernel_argument(node)
                self._allocation(node)
                self._kernel_without_type(node)
        elif node.type == "cast_expression":
            self._kernel_without_type(node)
        elif node.type in ("for_statement", "for_range_loop") and context.qualified:
            self._loop(node)
        elif node.type == "launch_bounds":
            self._bounds(node)
        elif node.type == "new_expression" and context.device and node.child_by_field_name("placement") is None:
            self.refusals.append(Refusal(DEVICE_ALLOCATION, _line(node)))
        elif node.type in ("declaration", "field_declaration"):
            qualifiers = {self._text(child) for child in node.children if child.type == "type_qualifier"}
            if "__shared__" in qualifiers:
                self._shared(node)
            elif "__constant__" in qualifiers:
                self.constants += [self._text(declared_name(each)) for each in declarators(node)]

    def _bounds(self, node: Any) -> None:
        """`__launch_bounds__(N)`, also of an earlier declaration: the kernel begins by telling them, as only a template's instance can."""
        kernel = node.parent
        if kernel.type != "function_definition":
            declarator = function_declarator(kernel)
            name = self._declared_name(declarator) if declarator is not None else ""
            if self.kernels.get(name) != [False] or _child(self.definitions[name], "launch_bounds"):
                return
            kernel = self.definitions[name]
        body = kernel.child_by_field_name("body")
        said = without_comments(self._text(node), without_strings=True)
        arguments = said.partition("(")[2].rpartition(")")[0].replace("\n", " ")
        if body is not None and not self._parameters(kernel) & set(re.findall(r"[A-Za-z_]\w*", arguments)):
            statement = f" emulated::launch_bounds({arguments});"
            self.edits.append((body.start_byte + 1, body.start_byte + 1, statement))

    def _parameters(self, kernel: Any) -> set[str]:
        declarator = function_declarator(kernel)
        listed = declarator.child_by_field_name("parameters") if declarator is not None else None
        names = (
            declared_name(each)
            for parameter in (listed.named_children if listed else ())
            for each in declarators(parameter)
        )
        return set(map(self._text, names))

    def _loop(self, node: Any) -> None:
        """Let the compiler unroll a loop of few constant iterations, as nvcc does with or without `#pragma unroll`. Evidence depends on it:
        counters of such loops cost nothing, and the arrays that they index are registers."""
        is_endless = node.type == "for_statement" and node.child_by_field_name("condition") is None
        if is_endless or self._keeps_loop(node):  # GCC refuses the pragma before `for (;;)`
            return
        most = min(_UNROLLED.get(_loops_inside(node), 0), _MOST_UNROLLED_TEXT // (node.end_byte - node.start_byte))
        if most > 1:
            self.edits.append((node.start_byte, node.start_byte, f"EMULATED_UNROLL({most}) "))

    def _keeps_loop(self, node: Any) -> bool:
        """Whether the line above asks for a loop that stays one, or speaks to our compiler itself."""
        before = self.data[: node.start_byte].rstrip().rpartition(b"\n")[2].decode(errors="replace")
        return _STAYS_A_LOOP.search(before) is not None

    def _launch(self, node: Any, context: _Context) -> None:
        """`k<T><<<grid, block, shared, stream>>>(args)` becomes a call of the runtime; arguments are evaluated once, as CUDA does."""
        if context.device:
            self.refusals.append(Refusal(DYNAMIC_PARALLELISM, _line(node)))
        name = self._text(node.children[0])
        config = self._text(_child(node, "kernel_call_syntax"))[3:-3]
        arguments = re.sub(r"\bNULL\b", "nullptr", self._text(_child(node, "argument_list")))
        base = re.sub(r"<.*", "", name.split("::")[-1], flags=re.S).strip()
        configured = f"emulated::configure({json.dumps(base)}, {config})"
        if self.kernels.get(base) == [False]:
            self._replace(node, f"emulated::launch_function({configured}, {name}){arguments}")
        else:
            call = f"[=](auto&... parameters) {{ {name}(parameters...); }}"
            self._replace(node, f"emulated::launch_callable({configured}, {call}){arguments}")

    def _kernel_argument(self, node: Any) -> None:
        """`cudaLaunchKernel((void*)k, ...)`: the kernel keeps its type and gets its name, for reports."""
        function, arguments = node.child_by_field_name("function"), _child(node, "argument_list")
        place = _TAKES_KERNEL.get(self._text(function)) if function is not None else None
        if place is None or arguments is None or len(arguments.named_children) <= place:
            return
        given = arguments.named_children[place]
        kernel = self._without_casts(given, "void*")
        name = self._kernel_name(kernel)
        if name in self.kernels:
            self._replace(given, f"emulated::named_kernel({json.dumps(name)}, {self._text(kernel)})")
        elif kernel is not given:  # an element of a table, a variable, a call
            self._replace(given, f"emulated::given_kernel({self._text(kernel)})")

    def _kernel_without_type(self, node: Any) -> None:
        """`(void*)k`, wherever it stands: the runtime is told what the pointer was, and can launch it later."""
        kernel = self._without_casts(node, "void*")
        name = self._kernel_name(kernel)
        if kernel is not node and name in self.kernels:
            told = f"emulated::kernel_without_type({json.dumps(name)}, {self._text(kernel)})"
            self._replace(node, f"((void*){told})")

    def _allocation(self, node: Any) -> None:
        """`cudaMalloc((void**)&p, ...)`: the pointer keeps its type, which tells of the padding of what it points to."""
        function, arguments = node.child_by_field_name("function"), _child(node, "argument_list")
        if function is None or self._text(function) not in _ALLOCATES or not arguments or not arguments.named_children:
            return
        pointer = self._without_casts(arguments.named_children[0], "void**")
        if pointer is not arguments.named_children[0]:
            self._replace(arguments.named_children[0], f"emulated::allocated({self._text(pointer)})")

    def _kernel_name(self, node: Any) -> str:
        return re.sub(r"<.*", "", self._text(node).split("::")[-1], flags=re.S).strip("&() \n")

    def _without_casts(self, node: Any, to: str) -> Any:
        """What `node` casts to the type `to`, by C's form or C++'s; `node` itself where it is no such cast."""
        while True:
            function = node.child_by_field_name("function")
            if node.type == "cast_expression":
                written, value = self._text(node.child_by_field_name("type")), node.child_by_field_name("value")
            elif function is not None and re.match(r"(reinterpret|static|const)_cast\b", self._text(function)):
                arguments = _child(node, "argument_list")
                written, value = self._text(function).partition("<")[2][:-1], arguments and arguments.named_child(0)
            else:
                return node
            if value is None or re.sub(r"\s|\bconst\b", "", written) != to:
                return node
            node = value

    def _shared(self, node: Any) -> None:
        """`__shared__ T a[N], b;` becomes a struct in the block's shared memory and references to its members."""
        external = any(c.type == "storage_class_specifier" and self._text(c) == "extern" for c in node.children)
        body = re.sub(r"\b(extern|static)\b|__shared__", "", self._text(node)).strip()
        declared = declarators(node)
        names = [self._text(declared_name(declarator)) for declarator in declared]
        in_function = any(kind in ("compound_statement", "case_statement") for kind in _around(node))
        if external:
            self._dynamic_shared(node, names[0] if names else "", body, in_function)
        elif not in_function:
            self.refusals.append(Refusal(FILE_SCOPE_SHARED, _line(node)))
        else:
            if any(declarator.type == "init_declarator" for declarator in declared):
                self.refusals.append(Refusal(INITIALISED_SHARED, _line(node)))
            self.shared_count += 1
            struct, whole = f"emulated_struct{self.shared_count}", f"emulated_shared{self.shared_count}"
            references = " ".join(f"auto& {name} = {whole}.{name};" for name in names)
            self._replace(
                node, f"struct {struct} {{ {body} }}; auto& {whole} = emulated::shared_object<{struct}>(); {references}"
            )

    def _dynamic_shared(self, node: Any, name: str, body: str, in_function: bool) -> None:
        match = re.match(r"(.*?)\b" + re.escape(name) + r"\s*\[\s*\]\s*;?$", body, re.S)
        if not name or match is None:
            self.refusals.append(Refusal(ODD_DYNAMIC_SHARED, _line(node)))
            return
        element = _RUNTIME_SIZED_ALIGNMENT.sub("", match.group(1)).strip()
        pointer = f"emulated::dynamic_shared<{element}>()"
        if in_function:
            self._replace(node, f"{element}* const {name} = {pointer};")
        else:  # visible in every kernel below it; a macro keeps the name usable without a definition
            self._replace(node, f"\n#define {name} ({pointer})\n#line {_line(node)}\n")

    def _applied(self) -> str:
        """The source with all edits. Where one lies inside another (a launch in a launch's arguments), the outer one stands."""
        out, end = self.data, len(self.data) + 1
        kept: list[tuple[int, int, str]] = []
        for edit in sorted(self.edits, key=lambda e: (e[0], -e[1])):
            if not kept or edit[0] >= kept[-1][1]:
                kept.append(edit)
        for start, end, replacement in reversed(kept):
            lines = self.data[start:end].count(b"\n") - replacement.count("\n")
            out = out[:start] + (replacement + "\n" * max(0, lines)).encode() + out[end:]
        return out.decode()

    def _refuse_leftovers(self, text: str) -> None:
        left = without_comments(text, without_strings=True)
        for token, feature in (
            ("<<<", MACRO_LAUNCH),
            ("__shared__", MACRO_SHARED),
        ):
            if token in left and not any(token in refusal.feature for refusal in self.refusals):
                self.refusals.append(Refusal(feature, left.count("\n", 0, left.index(token)) + 1))

    def _declared_name(self, declarator: Any) -> str:
        return re.sub(r"<.*", "", self._text(declarator.child_by_field_name("declarator")), flags=re.S)

    def _text(self, node: Any) -> str:
        return self.data[node.start_byte : node.end_byte].decode()

    def _replace(self, node: Any, replacement: str) -> None:
        self.edits.append((node.start_byte, node.end_byte, replacement))


def _declared_names(root: Any) -> frozenset[str]:
    """Every name that the program itself declares: functions, variables, parameters, members, types, namespaces, macros."""
    names: set[str] = set()
    for node in walk(root):
        if node.type in _NAMED:
            named = node.child_by_field_name("name")
            if named is not None and (node.type not in _NAMED[:4] or node.child_by_field_name("body") is not None):
                names.add(text_of(named))
        elif node.type in _DECLARING:
            names.update(text_of(declared_name(declarator)) for declarator in declarators(node))
    return frozenset(names)


def _around(node: Any) -> Iterator[str]:
    """The types of the nodes around one, from the inside out."""
    while (node := node.parent) is not None:
        yield node.type


def _loops_inside(node: Any) -> int:
    """How deep loops are nested inside a loop. No recursion: depth is the candidate's."""
    deepest, stack = 0, [(child, 0) for child in node.children]
    while stack:
        each, depth = stack.pop()
        depth += each.type in ("for_statement", "for_range_loop", "while_statement", "do_statement")
        deepest = max(deepest, depth)
        stack.extend((child, depth) for child in each.children)
    return deepest


def _line(node: Any) -> int:
    return node.start_point[0] + 1


def _child(node: Any, kind: str) -> Any:
    return next((child for child in node.children if child.type == kind), None)
