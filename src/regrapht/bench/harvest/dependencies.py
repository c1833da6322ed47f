"""Dependency completion: a kernel with all that it needs of its file, so that it stands by itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from regrapht.bench.harvest.cuda_names import KNOWN, is_atomic, refusal
from regrapht.bench.harvest.definitions import Definition, declared_names, definitions, names_used
from regrapht.bench.harvest.outcomes import Dropped
from regrapht.source.syntax import parse

MAX_DEFINITIONS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Completed:
    """What a kernel needs, in an order in which each comes after what it needs itself."""

    needed: tuple[Definition, ...]
    missing: tuple[str, ...]
    """Names that neither the file nor CUDA defines."""
    uses: frozenset[str]
    """Every name that the kernel or what it needs uses and the file does not define."""

    @property
    def text(self) -> str:
        """The definitions, one after another."""
        return "\n".join(definition.text for definition in self.needed)


def complete(kernel: str, texts: Sequence[str], *, supplied: str = "") -> Completed:
    """The closure of what a kernel's text uses over the definitions of some texts.

    Args:
        kernel: The kernel's definition.
        texts: Headers, then the file.
        supplied: Definitions from elsewhere, which come before those of the file.

    Raises:
        Dropped: `constant_memory`, `device_variable`, `host_variable`: contents that only the host's code knows; `too_many_definitions`.
    """
    stock = definitions([supplied, *texts])
    root = parse(kernel, cuda=True)
    needed: list[Definition] = []
    outside: set[str] = set()
    own = declared_names(root)
    _take(names_used(root) - own, stock, needed, outside)
    if len(needed) > MAX_DEFINITIONS:
        raise Dropped("too_many_definitions", f"{len(needed)}; the limit is {MAX_DEFINITIONS}")
    for definition in needed:
        if definition.refused:
            raise Dropped(definition.refused, definition.names[0])
    missing = sorted(name for name in outside if name not in KNOWN and not is_atomic(name) and refusal(name) is None)
    return Completed(needed=tuple(needed), missing=tuple(missing), uses=frozenset(outside))


def _take(
    names: frozenset[str], stock: Mapping[str, list[Definition]], needed: list[Definition], outside: set[str]
) -> None:
    """Depth first, dependencies before what needs them."""
    begun: set[str] = set()
    waiting: list[tuple[Definition | None, list[str]]] = [(None, sorted(names, reverse=True))]
    while waiting:
        definition, left = waiting[-1]
        if not left:
            waiting.pop()
            if definition is not None and definition not in needed:
                needed.append(definition)
            continue
        name = left.pop()
        if name in begun:
            continue
        begun.add(name)
        if name not in stock:
            outside.add(name)
            continue
        for found in reversed(stock[name]):
            begun |= set(found.names)
            waiting.append((found, sorted(found.uses, reverse=True)))
