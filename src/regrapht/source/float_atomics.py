"""Where CUDA text adds floats by atomic operations: the order of such sums is another in each run, and so are their last bits.

Types are read from the text itself, of the name that is added to: what it is a parameter, a variable or a member of. A number that is
written out, such as `1.0f`, is counted up exactly and is left out, and so are minima and maxima, which no order changes.
"""

import re
from collections.abc import Iterator

from regrapht.source.syntax import SourceText, SyntaxNode, text_of, walk

_ADDS = re.compile(r"(?:::)?atomic(?:Add|Sub)(?:_block|_system)?|__hip_atomic_fetch_add")
_FLOAT = r"(?:float|double|half|__half|half2|__half2|__nv_bfloat16|nv_bfloat16|__nv_bfloat162|float2|float4)"
_REFERENCE = re.compile(rf"atomic(?:_ref)?\s*<\s*(?:const\s+)?{_FLOAT}\b")
_AS_BITS = re.compile(r"__(?:float_as_u?int|double_as_longlong)\s*\(([^;]*)\)")
_WHOLE = re.compile(r"[-+]?\s*\d+(?:\.0*)?[fFuUlL]*")


def float_atomics(source: str) -> tuple[int, ...]:
    """The lines of CUDA text on which floats are added by atomics, in order."""
    text = SourceText(source, cuda=True)
    lines = {
        node.start_point[0] + 1
        for node in walk(text.root)
        if node.type == "call_expression" and _adds_floats(node, source)
    }
    return tuple(sorted(lines))


def _adds_floats(call: SyntaxNode, source: str) -> bool:
    function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if function is None or arguments is None:
        return False
    given, name = [*arguments.named_children], text_of(function)
    if _ADDS.fullmatch(name) and len(given) >= 2:
        return _WHOLE.fullmatch(text_of(given[1])) is None and _is_float(_base(text_of(given[0])), source)
    if name.endswith((".fetch_add", ".fetch_sub")) and given:
        return _WHOLE.fullmatch(text_of(given[0])) is None and _is_float_reference(name.rpartition(".")[0], source)
    if name == "atomicCAS" and len(given) == 3:
        return any("+" in inner for inner in _AS_BITS.findall(text_of(given[2])))
    return False


def _base(target: str) -> str:
    """The name that an address is made of: `out` of `&out[i]`, of `out + i` and of `(float*)out`; the member of `&s.out`."""
    inner = re.sub(r"\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\]", "", target)
    cast = re.search(rf"\(\s*{_FLOAT}\s*\*\s*\)", inner)
    if cast is not None:
        return "float*"
    path = re.match(r"[\s&*(]*((?:\w+(?:\.|->|::))*\w+)", inner)
    return path[1].replace("->", ".").split(".")[-1] if path is not None else ""


def _is_float(name: str, source: str) -> bool:
    if name == "float*":
        return True
    declared = [*_declared_types(name, source)]
    return any(re.search(rf"\b{_FLOAT}\b", each) for each in declared)


def _declared_types(name: str, source: str) -> Iterator[str]:
    """What stands before a name where it is declared, as far as it looks like a type."""
    if not name:
        return
    pattern = rf"((?:[\w:]+(?:<[^<>;]*>)?\s+)*[\w:]+(?:<[^<>;]*>)?)\s*(?:[*&]|\b__restrict__\b|\bconst\b|\s)*\b{name}\b\s*(?=[;,)=\[{{])"
    for match in re.finditer(pattern, source):
        if match[1].strip() not in ("return", "else", "case", "goto", "new", "delete"):
            yield match[1]


def _is_float_reference(expression: str, source: str) -> bool:
    if _REFERENCE.search(expression):
        return True
    name = re.escape(expression.strip())
    return any(_REFERENCE.search(line) and re.search(rf"\b{name}\b", line) for line in source.splitlines())
