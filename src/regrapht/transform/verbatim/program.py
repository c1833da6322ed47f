"""The verbatim program of a task: the file with its bodies as they are, its loops as launches, and what these need before it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from regrapht.errors import CannotTransform
from regrapht.records.element import ScalarType
from regrapht.records.task import ArgKind, Task
from regrapht.source.expand import expand_macros
from regrapht.source.syntax import SyntaxNode, declarators, declared_name, function_declarator
from regrapht.transform.verbatim.cells import with_cells_as_locals
from regrapht.transform.verbatim.counting import TURN
from regrapht.transform.verbatim.effects import refuse_effects
from regrapht.transform.verbatim.held_objects import as_view, is_made, refuse_references, viewing, with_parts
from regrapht.transform.verbatim.independence import DEPENDENT, Independence, Label, Turns
from regrapht.transform.verbatim.instrument import instrumented, watchable
from regrapht.transform.verbatim.kernels import Kernels
from regrapht.transform.verbatim.launcher import InOneThread, Launcher
from regrapht.transform.verbatim.local_types import before_their_functions
from regrapht.transform.verbatim.observations import Observations, Observer
from regrapht.transform.verbatim.own_memory import with_memory_as_vectors
from regrapht.transform.verbatim.rendering import CONTAINERS, Rendering, launcher_text, member_text
from regrapht.transform.verbatim.runtime_parts import used_of
from regrapht.transform.verbatim.scopes import Scopes, elements, is_constant, walk
from regrapht.transform.verbatim.second_names import with_one_name_each
from regrapht.transform.verbatim.spelling import spelled_out
from regrapht.transform.verbatim.steps import Launches

_SCALARS = ("primitive_type", "sized_type_specifier")
_LEFT_OUT = re.compile(
    r'#\s*include\s*[<"](atomic|barrier|condition_variable|execution|filesystem|fstream|future|latch|mutex|semaphore|shared_mutex|stop_token|thread'
    r'|c?signal(\.h)?|c?setjmp(\.h)?|omp\.h|openacc\.h|pthread\.h|unistd\.h|sys/[\w/]+\.h|\w*intrin\.h|arm_neon\.h)[>"]'
)
"""Headers of threads, files and the machine: programs have no use for them, and may not have them."""
_INCLUDED = {"cuda_fp16.h": r"\b__half2?\b", "cuda_bf16.h": r"\b__nv_bfloat162?\b"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Verbatim:
    """One program: what was found of its loops, and its text by the decisions of `steps`."""

    task: Task
    launched: list[Turns]
    serial: list[InOneThread]
    observations: Observations | None
    source: Callable[[bool], str]
    """The text without its first comment and with the usual launches, given whether arrays are said not to overlap."""

    def text(self, notes: Sequence[str], launches: Launches) -> str:
        """The program."""
        text = self.source(launches.restrict)
        for name, before, value in (
            ("int kBlock", 128, launches.block),
            ("long long kMost", 4194304, launches.threads),
            ("long long kPoints", 1, launches.points),
        ):
            text = text.replace(f"constexpr {name} = {before};", f"constexpr {name} = {value};", 1)
        return "\n".join(f"// {note}".rstrip() for note in notes) + "\n" + text

    def line(self, node: SyntaxNode) -> int:
        """Where a node begins in the reference."""
        return int(node.start_point[0]) + 1

    @property
    def label(self) -> Label:
        """The weakest of what is known of its loops."""
        return max((turns.label for turns in self.launched), key=list(Label).index)

    @property
    def independence(self) -> str:
        """How independence is known, in a line."""
        if self.label is Label.PROVED:
            return "proved by its subscripts, with bodies as they are written"
        if self.observations is None:
            return "promised by pragmas"
        turns = max((t.seen.most_turns for t in self.launched if t.seen is not None), default=0)
        seen = self.observations
        shapes = len(dict.fromkeys(seen.sizes))
        looked = f"observed on {seen.inputs} inputs of {shapes} sizes, up to {turns} turns a loop, not proved"
        return looked if self.label is Label.OBSERVED else f"promised by pragmas; {looked}"

    @property
    def serial_share(self) -> float | None:
        """The part of the accesses to memory that one thread makes; None where nothing was observed."""
        if self.observations is None or not self.observations.accesses:
            return None
        if not any(one.is_long for one in self.serial):
            return 0.0  # what else was seen, such as a table that the host fills, does not grow with the arrays
        own = sum(turns.seen.accesses for turns in self.launched if turns.seen is not None)
        return max(0.0, 1.0 - own / self.observations.accesses)


def _text(task: Task) -> str:
    text = expand_macros(task.reference.source.text)  # what a macro does, and the loops that it makes, are then seen
    return with_memory_as_vectors(with_one_name_each(spelled_out(before_their_functions(text))))


def verbatim(task: Task, observer: Observer | None) -> Verbatim:
    """The program of the task's reference.

    Raises:
        CannotTransform: No loop of it may be launched as it stands; says the first reason, with its line.
    """
    text = _text(task)
    with_locals = with_cells_as_locals(text, task)
    try:
        found = _program(task, observer, text)
    except CannotTransform:
        if with_locals == text:
            raise
        found = None
    if with_locals == text or (found is not None and not any(one.is_long for one in found.serial)):
        assert found is not None
        return found
    try:
        return _program(task, observer, with_locals)
    except CannotTransform:
        if found is None:
            raise
        return found


def _program(task: Task, observer: Observer | None, reference: str) -> Verbatim:
    scopes = Scopes(reference, task.entry)
    refuse_effects(scopes)
    marks = instrumented(scopes, task)
    observations = observer(task, marks.text) if observer is not None else None
    independence = Independence(scopes=scopes, task=task, marks=marks, observations=observations)
    launcher, text = _written(independence, restrict=False)
    if not launcher.launched:
        first = launcher.serial[0] if launcher.serial else None
        line = first.line if first else scopes.line(scopes.entry)
        raise CannotTransform(first.reason if first else "it has no loop", line=line)
    return Verbatim(
        task=task, launched=launcher.launched, serial=launcher.serial, observations=observations,
        source=lambda restrict: _written(independence, restrict=True)[1] if restrict else text,
    )  # fmt: skip


def meetings(task: Task, observer: Observer) -> dict[int, str]:
    """Line of a loop -> which two of its turns met where, or what else ties them; loops whose turns did not meet are left out.

    Raises:
        CannotTransform: The reference cannot be watched.
    """
    scopes = Scopes(_text(task), task.entry)
    marks = instrumented(scopes, task)
    independence = Independence(scopes=scopes, task=task, marks=marks, observations=observer(task, marks.text))
    found: dict[int, str] = {}
    for loop, _ in watchable(scopes):
        try:
            independence.turns(loop)
        except CannotTransform as error:
            found.setdefault(scopes.line(loop), error.reason.removeprefix(DEPENDENT))
    return found


def _written(independence: Independence, *, restrict: bool) -> tuple[Launcher, str]:
    for before_the_file in (False, True):
        rendering = Rendering(independence.scopes)
        kernels = Kernels(independence.scopes, independence.task, rendering, restrict, before_the_file)
        launcher = Launcher(independence.scopes, rendering, kernels, independence)
        body = launcher.entry()
        if not launcher.host_only:
            break
    for function in independence.scopes.functions if launcher.host_only else ():
        name = independence.scopes.name_of(function)
        if function.id in launcher.host_only and any(re.search(rf"\b{name}\(", text) for text in kernels.texts):
            why = f"'{name}' is needed by the launcher, with launches, and in a kernel"
            raise CannotTransform(why, line=independence.scopes.line(function))
    return launcher, _assembled(independence.scopes, independence.task, rendering, kernels, launcher, body)


def _assembled(
    scopes: Scopes, task: Task, rendering: Rendering, kernels: Kernels, launcher: Launcher, body: str
) -> str:
    file = _file(scopes, rendering, launcher)
    signature, body = task.signature, _with_own_types(scopes, task, body)
    declared = kernels.declared if kernels.before_the_file else []
    program = "\n".join(
        [*declared, file, *kernels.texts, *(text for id_, text in launcher.twins.items() if text and id_ not in launcher.host_only),
         f"{signature} {body}"]
    )  # fmt: skip
    if "verbatim::Scratch" in program:
        program = f"{program.removesuffix(body)}{{ verbatim::given_bytes = {_given_bytes(task)};\n{body} }}"
    runtime_includes, definitions = used_of(program)
    includes = [scopes.text(n).strip() for n in scopes.source.root.children if n.type == "preproc_include"]
    includes = [line for line in includes if not _LEFT_OUT.match(line)]
    includes += [f"#include <{name}>" for name, marks in _INCLUDED.items() if re.search(marks, program)]
    return (
        "\n".join([*dict.fromkeys([*includes, *runtime_includes]), "", definitions, _with_plain_names(program)]) + "\n"
    )


_PLAIN_NAMES = {TURN: "turn", "vb_count": "turn_count"}
"""What a person would call them, where the file has no such names."""


def _with_plain_names(program: str) -> str:
    words = {*re.findall(r"\w+", program)}
    for name, plain in _PLAIN_NAMES.items():
        if plain not in words:
            program = re.sub(rf"\b{name}\b", plain, program)
    return program


def _with_own_types(scopes: Scopes, task: Task, body: str) -> str:
    """The launcher's body, whose pointers have the types that the reference gives them: `char` and `signed char` are two, and so are `long`
    and `long long`."""
    types = {arg.name: arg.dtype.c_name for arg in task.args if isinstance(arg.dtype, ScalarType)}
    before, inner = "", ""
    for parameter in scopes.parameters(scopes.entry):
        kind = parameter.child_by_field_name("type")
        own = scopes.text(kind) if kind is not None else ""
        alias = scopes.aliases.get(own)
        meant = own if alias is None else scopes.text(alias.child_by_field_name("type"))
        for name in scopes.declared(parameter):
            if (
                "*" in scopes.text(parameter)
                and _plain_type(meant) != _plain_type(types.get(name, ""))
                and _plain_type(meant) <= _PLAIN
            ):
                const = "const " if any(scopes.text(c) == "const" for c in parameter.children) else ""
                before += f"{const}{own}* const vb_g_{name} = ({const}{own}*){name};\n"
                inner += f"{const}{own}* {name} = vb_g_{name};\n"
    return f"{{ {before}{{ {inner}{body} }} }}" if before else body


def _plain_type(text: str) -> frozenset[str]:
    """What tells C++'s own types apart, where `long` has 64 bits."""
    name = text.removeprefix("std::")
    fixed = re.fullmatch(r"(u?)int(8|16|32|64)_t", name)
    words = (
        f"{'unsigned' if fixed[1] else 'signed'} {_WIDTHS[fixed[2]]}".split()
        if fixed
        else _NAMED.get(name, name).split()
    )
    silent = {"int"} if "char" in words else {"int", "signed"}
    return frozenset(f"{word}{words.count(word)}" for word in words if word not in silent)


_PLAIN = frozenset({"bool1", "char1", "short1", "long1", "long2", "unsigned1", "signed1"})
_WIDTHS = {"8": "char", "16": "short", "32": "int", "64": "long"}
_NAMED = {"size_t": "unsigned long", "ptrdiff_t": "long", "uintptr_t": "unsigned long", "intptr_t": "long"}


def _given_bytes(task: Task) -> str:
    """How many bytes the arrays of a call have."""
    arrays = [arg for arg in task.args if arg.kind is ArgKind.ARRAY]
    return " + ".join(f"(long long)sizeof(*{a.name}) * {elements(a.shape, 'verbatim')}" for a in arrays) or "0"


def _file(scopes: Scopes, rendering: Rendering, launcher: Launcher) -> str:
    """The file's own text: qualified functions, types, constants; without the entry and without its includes."""
    shared = _shared_types(scopes, launcher)
    swaps: dict[int, str] = dict(rendering.replaced)
    dropped = {scopes.entry.id}
    dropped |= {n.id for n in scopes.source.root.children if n.type == "preproc_include"}
    entry = scopes.text(declared_name(scopes.entry))
    dropped |= {n.id for n in walk(scopes.source.root) if _declares(scopes, n, entry)}
    return _Edited(scopes, rendering, launcher, swaps, dropped, shared).text()


def _declares(scopes: Scopes, node: SyntaxNode, entry: str) -> bool:
    """Whether a node declares the entry, as its project's header does: the one that is written is a function of C."""
    inside = node.parent.type if node.parent is not None else ""
    if node.type != "declaration" or inside not in ("translation_unit", "declaration_list", "linkage_specification"):
        return False
    declarator = function_declarator(node)
    return declarator is not None and scopes.text(declared_name(declarator)) == entry


def _shared_types(scopes: Scopes, launcher: Launcher) -> set[str]:
    """Types of objects that the launcher holds, and of those in them: their vectors are in memory of its own.

    Raises:
        CannotTransform: Turns make objects of such a type too, whose vectors would be in theirs.
    """
    private = {
        name
        for name in scopes.classes
        for turns in launcher.launched
        for d in turns.private.values()
        if re.search(rf"\b{name}\b", scopes.text(d.parent))
    }
    outside, inside = set[str](), dict[str, SyntaxNode]()
    functions = [scopes.entry, *(f for f in scopes.functions if f.id in launcher.twins)]
    loops = [(t.loop.start_byte, t.loop.end_byte) for t in launcher.launched]
    for function in functions:
        for node in walk(function):
            if node.type == "type_identifier" or (node.type == "identifier" and scopes.text(node) in scopes.classes):
                if not any(a <= node.start_byte < b for a, b in loops):
                    outside.add(scopes.text(node))
                elif node.parent.type == "declaration":
                    inside.setdefault(scopes.text(node), node.parent)
    shared = with_parts(scopes, (outside & scopes.classes.keys()) - private)
    for name in sorted(shared & inside.keys()):
        makes = any(is_made(declarator) for declarator in declarators(inside[name]))
        if makes and "std::vector" in scopes.text(scopes.classes[name]):
            why = f"turns make a '{name}', whose vectors would lie in the launcher's memory, for it holds one too"
            raise CannotTransform(why, line=scopes.line(inside[name]))
    refuse_references(scopes, shared)
    return shared


@dataclass
class _Edited:
    scopes: Scopes
    rendering: Rendering
    launcher: Launcher
    swaps: dict[int, str]
    dropped: set[int]
    shared: set[str]

    @cached_property
    def _device_only(self) -> set[str]:
        """Names of functions and types that need a turn's scratch memory or atomic updates, themselves or in what they name."""
        texts = {
            name: " ".join(
                member_text(self.rendering.piece(f, viewing(self.scopes, f)), shared=False) for f in functions
            )
            for name, functions in self.scopes.by_name.items()
            if name and not any(f.id in self.launcher.twins or f.id == self.scopes.entry.id for f in functions)
        }
        for node in self.scopes.source.walk():
            if node.type == "alias_declaration":
                name, kind = (self.scopes.text(node.child_by_field_name(f)) for f in ("name", "type"))
                texts[name] = member_text(kind, shared=False)
        for name, node in self.scopes.classes.items():
            if name not in self.shared:
                fields = [c for c in node.child_by_field_name("body").named_children if c.type == "field_declaration"]
                texts[name] = " ".join(member_text(as_view(self.scopes.text(field)), shared=False) for field in fields)
        everything = "\n".join(texts.values())
        found = {"local_vector", *(name for name in CONTAINERS if f"verbatim::{name}" in everything)}
        if "verbatim::add(" in everything:
            found.add("add")
        while more := {
            name for name, text in texts.items() if name not in found and set(re.findall(r"\w+", text)) & found
        }:
            found |= more
        return found

    def text(self) -> str:
        return member_text(self._node(self.scopes.source.root), shared=False)

    def _node(self, node: SyntaxNode) -> str:
        if node.id in self.dropped:
            return ""
        if node.id in self.swaps:
            return self.swaps[node.id]
        match node.type:
            case "function_definition":
                return self._function(node)
            case "class_specifier" | "struct_specifier":
                return self._class(node)
            case "access_specifier":
                return "public"
            case "namespace_definition":
                return self._namespace(node)
            case "declaration" if node.parent.type in ("translation_unit", "declaration_list"):
                return self._variable(node)
        return self._children(node) if node.children else self.rendering.piece(node)

    def _children(self, node: SyntaxNode) -> str:
        out, at, data = [], node.start_byte, self.scopes.source.written
        for child in node.children:
            out.append(data[at : child.start_byte].decode())
            out.append(self._node(child))
            at = child.end_byte
        out.append(data[at : node.end_byte].decode())
        return "".join(out)

    def _function(self, node: SyntaxNode) -> str:
        if node.id in self.launcher.host_only:
            body = node.child_by_field_name("body")
            return launcher_text(self.rendering.piece(node, {body.id: self.launcher.twins[node.id]}))
        if node.child_by_field_name("body") is None:
            return self.rendering.piece(node)
        kinds = self._vectors_given(node)
        head = f"template <{', '.join(f'class {name}' for name in kinds.values())}> " if kinds else ""
        text = member_text(self.rendering.piece(node, kinds | viewing(self.scopes, node)), shared=False)
        names = {self.scopes.name_of(node)} | set(re.findall(r"\w+", text))
        owner = self.scopes.owner(node)
        if owner is not None and owner.child_by_field_name("name") is not None:
            names.add(self.scopes.text(owner.child_by_field_name("name")))
        where = "__device__ " if names & self._device_only else "__host__ __device__ "
        twin = self.rendering.counted.get(node.id)
        counted = (
            f"\n{head}{where}{member_text(self.rendering.piece(node, kinds | twin), shared=False)}" if twin else ""
        )
        return f"{head}{where}{text}{counted}"

    def _vectors_given(self, node: SyntaxNode) -> dict[int, str]:
        """The types of references to vectors that a function takes, each with a parameter in its place: it is given vectors of a turn's own
        as well as those that all turns share."""
        name = self.scopes.name_of(node)
        is_one = len(self.scopes.by_name.get(name, ())) == 1 and self.scopes.owner(node) is None
        if not is_one or node.parent.type == "template_declaration" or self._is_declared_apart(name):
            return {}
        kinds = [
            parameter.child_by_field_name("type")
            for parameter in self.scopes.parameters(node)
            if any(child.type == "reference_declarator" for child in parameter.children)
        ]
        found = [kind for kind in kinds if kind is not None and self.scopes.text(kind).startswith("std::vector")]
        return {kind.id: f"VbVector{number}" for number, kind in enumerate(found)}

    def _is_declared_apart(self, name: str) -> bool:
        """Whether a function has a declaration besides its definition."""
        declared = [d for node in self.scopes.source.walk() if node.type == "declaration" for d in declarators(node)]
        return any(
            d.type == "function_declarator" and self.scopes.text(d.child_by_field_name("declarator")) == name
            for d in declared
        )

    def _class(self, node: SyntaxNode) -> str:
        body, name = node.child_by_field_name("body"), node.child_by_field_name("name")
        if body is None:
            return self.scopes.text(node)
        own = self.scopes.text(name) if name is not None else ""
        fields = []
        for child in body.children:
            is_field = child.type == "field_declaration"
            text = self.rendering.piece(child) if is_field else self._node(child)
            fields.append(member_text(as_view(text), shared=own in self.shared) if is_field else text)
        head = self.scopes.source.written[node.start_byte : body.start_byte].decode()
        return re.sub(r"^class\b", "struct", head) + "\n".join(fields)

    def _namespace(self, node: SyntaxNode) -> str:
        if node.child_by_field_name("name") is not None:
            return self._children(node)
        return f"namespace own {self._node(node.child_by_field_name('body'))}\nusing namespace own;"

    def _variable(self, node: SyntaxNode) -> str:
        text = self.scopes.text(node)
        if any(d.id in self.launcher.moved_away for d in declarators(node)):
            return ""
        if any(d.type == "function_declarator" for d in declarators(node)):
            return "__host__ __device__ " + member_text(text, shared=False)
        has_array = any(n.type == "array_declarator" for n in walk(node)) or "std::array" in text
        has_array = has_array or ("constexpr" in text and node.child_by_field_name("type").type not in _SCALARS)
        if has_array and is_constant(text):
            return "__device__ " + member_text(text, shared=False)
        return member_text(text, shared=False)


__all__ = ["Label", "Verbatim", "verbatim"]
