"""Assembler that a candidate's text hands to the host's assembler: statements, labels, and text in the names of sections and symbols.

Inline PTX in device code is part of CUDA, and stays. Everything else that reaches an assembler could be any instruction, with no name in a
symbol table that tells of it.
"""

import re
from collections.abc import Sequence

from regrapht.source.tokens import Token, TokenKind

_ASM = frozenset(("asm", "__asm__", "__asm"))
_QUALIFIERS = frozenset(("volatile", "__volatile__", "goto", "inline", "__inline__"))
_NAMING = re.compile(r"(__)?(section|alias|weakref|symver|section_name|alloc_text)(__)?")
_OPTIONS = re.compile(r"(__)?(optimize|target|target_clones|target_version)(__)?")
_ATTRIBUTE_BEFORE = ("(", ",", ":", "::")
_DEVICE = frozenset(("__device__", "__global__"))
_SCOPES = frozenset(("namespace", "struct", "class", "union", "enum", "extern"))
_STATEMENTS = re.compile(
    r"(\\n|\\r|\\0?12|\\x0?[aA]|\\u000[aA]|;)\s*(\\t|\s)*"
    r"\.?(text|section|globl|global|data|type|hidden|previous|pushsection|popsection|byte|long|quad|set|weak|macro|org|incbin|include|size|align)\b"
)


def assembler_fault(stream: Sequence[Token], *, told_apart: bool = True) -> tuple[int, str] | None:
    """The line and the fault of the first such text among the tokens of a candidate, or None.

    Args:
        stream: Tokens of C++, with or without directives; what stands in a directive is judged where it is used.
        told_apart: The words that tell code of the device are still there; False lets all assembler statements pass.
    """
    device_words = _DEVICE | _macros_of_device(stream)
    scopes: list[bool] = [not told_apart]  # of each open brace: is it code of the device?
    head: list[Token] = []
    directive = False
    previous: Token | None = None
    for place, token in enumerate(stream):
        if token.kind is TokenKind.DIRECTIVE:
            directive = True
        elif token.kind is TokenKind.DIRECTIVE_END:
            directive = False
        elif directive:
            pass
        elif token.text == "{":
            scopes.append(_is_device(head, device_words, scopes[-1]))
            head = []
        elif token.text == "}":
            scopes = scopes[:-1] if len(scopes) > 1 else scopes
            head = []
        else:
            if (fault := _fault_at(stream, place, previous, in_device=scopes[-1])) is not None:
                return token.line, fault
            head = [] if token.text == ";" else [*head[-400:], token]
        previous = token
    return None


def _fault_at(stream: Sequence[Token], place: int, previous: Token | None, *, in_device: bool) -> str | None:
    token = stream[place]
    if token.kind is TokenKind.NAME and token.text in _ASM and not in_device:
        rest = place + 1
        while rest < len(stream) and stream[rest].text in _QUALIFIERS:
            rest += 1
        if rest < len(stream) and stream[rest].text == "(":
            return "assembler outside of device code is not allowed"
    elif token.kind is TokenKind.NAME and _NAMING.fullmatch(token.text):
        following = stream[place + 1].text if place + 1 < len(stream) else ""
        if (
            following == "("
            and previous is not None
            and previous.text in _ATTRIBUTE_BEFORE
            and _is_text(stream, place + 2)
        ):
            return f"the attribute {token.text} is not allowed: a candidate's code lies where the compiler puts it"
    elif token.kind is TokenKind.NAME and _OPTIONS.fullmatch(token.text) and _has_options(stream, place, previous):
        return f"the attribute {token.text} is not allowed: options are for one compiler alone, and the checks are made with their own"
    elif token.kind is TokenKind.STRING and not in_device and _STATEMENTS.search(token.text):
        return "assembler in a string is not allowed"
    return None


def _is_text(stream: Sequence[Token], place: int) -> bool:
    return place < len(stream) and stream[place].kind is TokenKind.STRING


def _has_options(stream: Sequence[Token], place: int, previous: Token | None) -> bool:
    """Whether the word there is an attribute with options of the compiler's: `optimize("Ofast")`, `optimize(0)`."""
    if (
        previous is None
        or previous.text not in _ATTRIBUTE_BEFORE
        or place + 2 >= len(stream)
        or stream[place + 1].text != "("
    ):
        return False
    told = stream[place + 2].kind
    return told is TokenKind.STRING or (told is TokenKind.NUMBER and "optimize" in stream[place].text)


def _is_device(head: Sequence[Token], device_words: frozenset[str], outside: bool) -> bool:
    """Whether the brace behind `head` opens code that runs on the device."""
    words = {token.text for token in head}
    if words & device_words or any(_is_attribute(head, place) for place in range(2, len(head))):
        return True
    return outside and not (words & _SCOPES and "(" not in words)


def _is_attribute(head: Sequence[Token], place: int) -> bool:
    """`__attribute__((device))`, as nvcc's preprocessor writes it."""
    return head[place].text in ("device", "global") and head[place - 1].text == "(" == head[place - 2].text


def _macros_of_device(stream: Sequence[Token]) -> frozenset[str]:
    """Macros that stand for `__device__` or `__global__`, perhaps by way of others."""
    found: set[str] = set()
    definitions: list[tuple[str, set[str]]] = []
    inside: list[str] | None = None
    for token in stream:
        if token.kind is TokenKind.DIRECTIVE:
            inside = []
        elif token.kind is TokenKind.DIRECTIVE_END:
            if inside and inside[0] == "define" and len(inside) > 2:
                definitions.append((inside[1], set(inside[2:])))
            inside = None
        elif inside is not None and token.kind is not TokenKind.BLANK:
            inside.append(token.text)
    for _ in definitions:
        found |= {name for name, words in definitions if words & (found | _DEVICE)}
    return frozenset(found)
