"""A local that has the name of one of CUDA's own variables, `int threadIdx = threadIdx.x + ...;`: what it begins as is then itself."""

from regrapht.propose.form.program import Edit, Program
from regrapht.propose.form.reference_locals import declared_in
from regrapht.propose.form.thread_indices import free_name
from regrapht.source.syntax import text_of, walk

_NAMES = {"threadIdx": "thread", "blockIdx": "block", "blockDim": "threads_of_block", "gridDim": "blocks_of_grid"}
"""CUDA's variables -> what a local of that name is called."""


def with_names_of_their_own(program: Program) -> str | None:
    """The text whose kernels' locals are called otherwise; `threadIdx.x` is CUDA's. None where none has such a name."""
    edits = []
    for kernel in program.kernels:
        declared = declared_in(kernel)
        new = {name: free_name(word, declared) for name, word in _NAMES.items() if name in declared}
        for node in walk(kernel.node) if new else ():
            is_cudas = node.parent is not None and node.parent.type == "field_expression"
            if node.type == "identifier" and text_of(node) in new and not is_cudas:
                edits.append(Edit(node.start_byte, node.end_byte, new[text_of(node)]))
    return program.edited(edits) if edits else None
