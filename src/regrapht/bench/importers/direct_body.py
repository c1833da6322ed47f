"""Sequential code whose containers are only indexed and measured, as a function of pointers: nothing is copied, and loops stay plain.

`x[i]` means the same for a vector and a pointer, and `x.size()` is an extent of the task. Code that does more with a container (iterators,
copies, range loops) is left to the copying wrapper.
"""

import re

from regrapht.bench.importers.cpp_interface import Container
from regrapht.bench.importers.pareval_reference import Flat, parameter_list

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_DIRECTIVE = re.compile(r"^[ \t]*#[^\n]*$", re.MULTILINE)


def direct_function(flat: Flat, code: str, called: str) -> str | None:
    """The entry with the body of the function `called` in `code`; None where its containers are used for more than that.

    Elements of an output that the body adds to, or reads, start at zero, as they do behind the copying wrapper. Where every mention is a
    plain assignment nothing is set beforehand; that all elements are written is for the examination of the task to see.
    """
    containers = [p for p in flat.signature.parameters if isinstance(p, Container)]
    if any(c.fields or c.element in ("bool", "std::string") or not _keeps_type(c, flat) for c in containers):
        return None
    body = _only_function(_COMMENT.sub(" ", code), called)
    if body is None or not all(_is_plain(body, c.name) for c in containers):
        return None
    zeroed = [c.name for c in containers if c.name in flat.written_whole and not _is_only_assigned(body, c.name)]
    lines = [
        f"for (int zero_at = 0; zero_at < {_length(flat, name)}; ++zero_at) {name}[zero_at] = 0;" for name in zeroed
    ]
    for container in containers:
        body = re.sub(rf"\b{container.name}\s*\.\s*size\s*\(\s*\)", _length(flat, container.name), body)
    start = "".join(f"\n    {line}" for line in lines)
    return f"{flat.returns} {flat.signature.name}({parameter_list(flat)}) {{{start}\n{_tidy(body)}\n}}"


def _keeps_type(container: Container, flat: Flat) -> bool:
    """Whether the pointer has the container's own element type, or one that holds the same numbers."""
    own = {"size_t": "unsigned long long"}.get(container.element, container.element)
    return [array.type for array in flat.of(container)] == [own]


def _only_function(code: str, called: str) -> str | None:
    """The body of `called`, where nothing else is defined beside it."""
    found = re.search(rf"\b{called}\s*\([^{{}}]*\)\s*\{{", code)
    if found is None:
        return None
    depth, end = 1, found.end()
    while end < len(code) and depth:
        depth += (code[end] == "{") - (code[end] == "}")
        end += 1
    before = _DIRECTIVE.sub("", code[: found.start()]).split()
    if depth or code[end:].strip() or len([word for word in before if word != "NO_INLINE"]) != 1:
        return None
    return code[found.end() : end - 1]


def _is_plain(body: str, name: str) -> bool:
    """Whether every mention of a container is an element or its length, and no address is taken."""
    for mention in re.finditer(rf"\b{name}\b", body):
        before, after = body[: mention.start()].rstrip(), body[mention.end() :]
        if before.endswith((".", "::", "&")) and not before.endswith("&&"):
            return False
        if not re.match(r"\s*(\[|\.\s*size\s*\(\s*\))", after):
            return False
    return True


def _is_only_assigned(body: str, name: str) -> bool:
    """Whether every mention is `name[...] = ...`."""
    for mention in re.finditer(rf"\b{name}\s*\[", body):
        depth, end = 1, mention.end()
        while end < len(body) and depth:
            depth += (body[end] == "[") - (body[end] == "]")
            end += 1
        if not re.match(r"\s*=[^=]", body[end:]):
            return False
    return True


def _length(flat: Flat, name: str) -> str:
    text = flat.lengths[name].replace("(size_t)", "")
    return text if re.fullmatch(r"\w+", text) else f"({text})"


def _tidy(body: str) -> str:
    return "\n".join(line.rstrip() for line in body.strip("\n").splitlines() if line.strip())
