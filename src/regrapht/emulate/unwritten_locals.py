"""Local variables of a program that begin without a value, and what is put behind their declarations so that they begin with a chosen one.

No access to them can be watched: most live in registers, and of what nobody gave a value the compiler makes what it likes. So in the build
for a program's own arrays they are given one, another in each call (`runtime/include/emulated/unwritten.h`), and where the outputs follow
it, something was read that nobody wrote.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from regrapht.source.syntax import declarators, declared_name, text_of, walk

_WITH_VALUE = frozenset(("init_declarator", "reference_declarator", "function_declarator"))
_KEPT = frozenset(
    ("static", "extern", "constexpr", "thread_local", "__shared__", "__constant__", "const", "__managed__")
)
_BLOCKS = ("compound_statement", "case_statement")


@dataclass(frozen=True, slots=True)
class UnwrittenLocals:
    """One declaration of such variables."""

    end: int
    """The byte behind it."""
    line: int
    names: tuple[str, ...]

    @property
    def filling(self) -> str:
        """The statements that give them their value."""
        return "".join(f" emulated::unwritten({name});" for name in self.names)


def unwritten_locals(root: Any) -> list[UnwrittenLocals]:
    """The declarations inside of functions of variables that get no value there. What has a constructor is told apart by the compiler."""
    found = []
    for node in walk(root):
        if node.type != "declaration" or node.parent is None or node.parent.type not in _BLOCKS:
            continue
        words = text_of(node).partition("(")[0].partition("=")[0].split()
        if not _KEPT.isdisjoint(words):
            continue
        names = tuple(_names_without_value(declarators(node)))
        if names and not _is_of_the_compiler(node):
            found.append(UnwrittenLocals(node.end_byte, node.start_point[0] + 1, names))
    return found


def _names_without_value(declared: Sequence[Any]) -> Iterator[str]:
    """Not those that a declarator further on has in its value, as `int all, own = sum(x, all);` does: it may have written them."""
    for place, declarator in enumerate(declared):
        name = declared_name(declarator)
        behind = {text_of(part) for each in declared[place + 1 :] for part in walk(each) if part.type == "identifier"}
        if name.type == "identifier" and not _has_value(declarator) and text_of(name) not in behind:
            yield text_of(name)


def _has_value(declarator: Any) -> bool:
    """Whether a declarator is of what begins with a value, or of no variable."""
    return any(part.type in _WITH_VALUE for part in walk(declarator))


def _is_of_the_compiler(node: Any) -> bool:
    """Whether a declaration stands in a function that the compiler may run itself."""
    while node is not None and node.type != "function_definition":
        node = node.parent
    return node is not None and "constexpr" in text_of(node).partition("(")[0].split()
