"""Names that CUDA has given up, which models learnt from old code."""

from regrapht.propose.form.program import Edit, Program, names_in
from regrapht.source.syntax import text_of

TODAY = {
    "cudaThreadSynchronize": "cudaDeviceSynchronize",
    "cudaThreadExit": "cudaDeviceReset",
    "cudaThreadSetCacheConfig": "cudaDeviceSetCacheConfig",
    "cudaThreadGetCacheConfig": "cudaDeviceGetCacheConfig",
}
"""Old name -> the name of the same function today (CUDA runtime API, "Thread Management [DEPRECATED]")."""


def with_todays_names(program: Program) -> str | None:
    """The text with today's names; None where none is old."""
    if not any(name in program.text for name in TODAY):
        return None
    edits = [
        Edit(node.start_byte, node.end_byte, TODAY[text_of(node)])
        for node in names_in(program.root)
        if text_of(node) in TODAY
    ]
    return program.edited(edits) if edits else None
