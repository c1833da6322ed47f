"""What makes an extension of PyTorch around the entry: headers, functions on tensors, the module. Nobody here calls any of it."""

import re

from regrapht.propose.form.program import Edit, Program, head_start

_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"](?:torch|ATen|c10|pybind11)/[^\n]*\n?", re.MULTILINE)
_TENSORS = re.compile(r"\b(?:torch|at|c10|pybind11|py)::")
_MODULE = re.compile(r"^(?:PYBIND11_MODULE|TORCH_LIBRARY\w*)\s*\([^)\n]*\)\s*\{", re.MULTILINE)
_NAMESPACE = re.compile(r"^namespace py = pybind11;[ \t]*\n?", re.MULTILINE)


def without_torch_wrappers(program: Program) -> str | None:
    """The text without it; None where it includes no header of PyTorch, or its kernels or the entry need what these have."""
    if not _INCLUDE.search(program.text):
        return None
    wrappers = [one for one in program.unit.functions if _TENSORS.search(_text(one.node.text))]
    if any(one.name == program.task.entry or "__global__" in one.qualifiers for one in wrappers):
        return None
    text = program.edited(Edit(head_start(one), one.node.end_byte, "") for one in wrappers)
    while (module := _MODULE.search(text)) is not None:
        text = text[: module.start()] + text[_end_of_block(text, module.end()) :]
    return _NAMESPACE.sub("", _INCLUDE.sub("", text))


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "replace")


def _end_of_block(text: str, at: int) -> int:
    """The place behind the brace that closes the one before `at`; the text's end where there is none."""
    depth = 1
    while depth and at < len(text):
        depth += (text[at] == "{") - (text[at] == "}")
        at += 1
    return at
