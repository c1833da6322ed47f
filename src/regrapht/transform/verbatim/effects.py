"""What a function does besides its arrays and its value, itself or in what it calls: turns side by side would not do the same."""

import re
from collections.abc import Iterator

from regrapht.errors import CannotTransform
from regrapht.source.library_calls import REFUSED_FUNCTIONS
from regrapht.source.syntax import SyntaxNode
from regrapht.transform.verbatim.rendering import STANDARD
from regrapht.transform.verbatim.scopes import Scopes, is_constant, walk

_EFFECTS = ("printf", "fprintf", "puts", "putchar", "rand", "srand", "fopen", "exit", "abort", "std::cout", "std::cerr")
_PRINTED = re.compile(r"%%|%[-0]*\d*(?:hh|h|ll|l|z)?[diuxXocs]")
_LEAVING = ("goto_statement", "throw_statement", "try_statement")


def refuse_effects(scopes: Scopes) -> None:
    """See that the entry and what it may call have no such effect.

    Raises:
        CannotTransform: One has; says which, with its line.
    """
    for function in reached(scopes, scopes.entry):
        for node in walk(function):
            if node.type == "call_expression":
                _refuse_call(scopes, node)
            if node.type in _LEAVING:
                raise CannotTransform(f"'{node.type.split('_')[0]}' has no place in a kernel", line=scopes.line(node))
            if node.type.startswith(("gnu_asm", "asm_")):
                raise CannotTransform("assembly of the host has no place in a kernel", line=scopes.line(node))
            if node.type == "declaration":
                _refuse_kept(scopes, node, function)


def reached(scopes: Scopes, code: SyntaxNode) -> Iterator[SyntaxNode]:
    """A piece of the file and all functions and classes that its names may stand for, and theirs."""
    waiting, known = [code], {code.id}
    while waiting:
        node = waiting.pop()
        yield node
        words = {scopes.text(n) for n in walk(node) if n.type.endswith("identifier")}
        for word in words:
            named = [*scopes.by_name.get(word, ()), *([scopes.classes[word]] if word in scopes.classes else [])]
            for each in named:
                if each.id not in known:
                    known.add(each.id)
                    waiting.append(each)


def _refuse_call(scopes: Scopes, call: SyntaxNode) -> None:
    name = scopes.text(call.child_by_field_name("function"))
    own = name.removeprefix("std::")
    if call.child_by_field_name("function").type == "primitive_type" and call.parent.type == "subscript_expression":
        why = "a declaration of a pointer to arrays is not understood"
        raise CannotTransform(
            why, line=scopes.line(call), remedy="give the array's type a name: using Row = int[4]; Row* rows"
        )
    if own == "snprintf" and _is_simple_print(scopes, call):
        return
    if own in _EFFECTS or name in _EFFECTS:
        raise CannotTransform(f"'{name}' has an effect outside of the arrays", line=scopes.line(call))
    if own in REFUSED_FUNCTIONS and own not in STANDARD and own not in scopes.by_name:
        what, remedy = REFUSED_FUNCTIONS[own]
        why = f"'{name}' {what}, and device code has no such function"
        raise CannotTransform(why, line=scopes.line(call), remedy=remedy)


def _is_simple_print(scopes: Scopes, call: SyntaxNode) -> bool:
    """Whether `snprintf` makes text of whole numbers, characters and words alone, as `runtime/text.h` does."""
    arguments = call.child_by_field_name("arguments").named_children
    if len(arguments) < 3 or arguments[2].type != "string_literal":
        return False
    return "%" not in _PRINTED.sub("", scopes.text(arguments[2]))


def _refuse_kept(scopes: Scopes, declaration: SyntaxNode, function: SyntaxNode) -> None:
    """Locals that outlive a call; those of the entry outside of its loops are told from others by who uses them."""
    words = {scopes.text(c) for c in declaration.children if c.type == "storage_class_specifier"}
    if "thread_local" in words or any(scopes.text(c) == "thread_local" for c in declaration.children):
        raise CannotTransform(
            "a local of a thread is another on each thread of a device", line=scopes.line(declaration)
        )
    if "static" in words and not is_constant(scopes.text(declaration)):
        in_loop = any(scopes.loops(function)) and any(
            loop.start_byte <= declaration.start_byte < loop.end_byte for loop in scopes.loops(function)
        )
        if function.id != scopes.entry.id or in_loop:
            raise CannotTransform("a static local keeps its value between turns", line=scopes.line(declaration))


def refuse_variables(scopes: Scopes, code: SyntaxNode, own: set[str]) -> None:
    """See that code for the device names no variable of the file that lies on the host.

    Args:
        own: Those of which each turn or thread has its own.

    Raises:
        CannotTransform: It does.
    """
    outer = {name.rpartition("::")[2]: name for name in scopes.variables if name not in own}
    for place in reached(scopes, code) if outer else ():
        local = scopes.locals_of(place)
        for node in walk(place):
            name = outer.get(scopes.text(node)) if node.type == "identifier" else None
            if name is None or scopes.text(node) in local:
                continue
            if "::" not in name and scopes.text(node) in scopes.visible(node):
                continue
            why = f"'{name.removeprefix('::')}' is a variable of the host that may change; device code has no such"
            raise CannotTransform(why, line=scopes.line(node), remedy="make it const, or a parameter")
