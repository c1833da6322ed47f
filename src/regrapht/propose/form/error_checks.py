"""Macros of other projects that check what a CUDA call returns (`CHECK_CUDA(...)`, `checkCudaErrors(...)`), used without a definition."""

import re

from regrapht.propose.form.program import Edit, Program, top_of_code
from regrapht.source.syntax import text_of, walk

_NAMES = re.compile(
    r"(?:check_?cuda(?:_?errors?|_?call)?|cuda_?check(?:_?errors?|_?call)?|cu(?:da)?_?safe_?call|gpu_?err_?chk|gpu_?assert|"
    r"handle_?error|check_?error|cuda_?error_?check|cuda_?try|cuda_?call|check)",
    re.IGNORECASE,
)


def with_error_checks_defined(program: Program) -> str | None:
    """The text with each such macro defined as what it is given; None where none is missing."""
    used = {
        text_of(node) for node in walk(program.root) if node.type == "identifier" and _NAMES.fullmatch(text_of(node))
    }
    known = {one.name for one in program.unit.functions}
    missing = sorted(name for name in used - known if not re.search(rf"#\s*define\s+{name}\b", program.text))
    missing = [name for name in missing if re.search(rf"(?<![\w.>]){name}\s*\(", program.text)]
    if not missing:
        return None
    at = top_of_code(program)
    lines = "".join(f"\n#define {name}(...) __VA_ARGS__" for name in missing)
    return program.edited([Edit(at, at, lines if at else f"{lines[1:]}\n")])
