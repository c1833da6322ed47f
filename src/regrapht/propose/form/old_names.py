"""Names that CUDA has given up, which models learnt from old code, and `std::sqrtf`, which there never was: C's has no namespace."""

import re

from regrapht.propose.form.program import Edit, Program, names_in
from regrapht.source.syntax import text_of, walk

TODAY = {
    "cudaThreadSynchronize": "cudaDeviceSynchronize",
    "cudaThreadExit": "cudaDeviceReset",
    "cudaThreadSetCacheConfig": "cudaDeviceSetCacheConfig",
    "cudaThreadGetCacheConfig": "cudaDeviceGetCacheConfig",
}
"""Old name -> the name of the same function today (CUDA runtime API, "Thread Management [DEPRECATED]")."""
_OF_C = re.compile(
    r"std::((?:sqrt|rsqrt|cbrt|fabs|exp|exp2|expm1|log|log2|log10|log1p|pow|sin|cos|tan|tanh|sinh|cosh|asin|acos|atan|atan2|floor|ceil|"
    r"round|trunc|fmod|fmin|fmax|fma|hypot|erf|erfc)f)"
)


def with_todays_names(program: Program) -> str | None:
    """The text with today's names; None where none is old."""
    if not any(name in program.text for name in TODAY) and not _OF_C.search(program.text):
        return None
    edits = [
        Edit(node.start_byte, node.end_byte, TODAY[text_of(node)])
        for node in names_in(program.root)
        if text_of(node) in TODAY
    ]
    for node in walk(program.root):
        if node.type == "qualified_identifier" and (found := _OF_C.fullmatch(text_of(node))):
            edits.append(Edit(node.start_byte, node.end_byte, found[1]))
    return program.edited(edits) if edits else None
