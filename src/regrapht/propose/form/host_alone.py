"""A reply that is sequential code again: the reference given back, whose entry would read device pointers on the host."""

import re

from regrapht.propose.form.program import Program
from regrapht.source.tokens import without_comments

_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b.*$", re.MULTILINE)
_CUDA = re.compile(
    r"<<<|\b(?:__global__|__shared__|__syncthreads|threadIdx|blockIdx|cu[A-Z]\w*|cuda\w+|cu(?:b|blas|fft|rand|sparse|solver)\w*|thrust|cooperative_groups)\b"
)


def runs_on_the_host_alone(program: Program) -> bool:
    """Whether the program defines the entry, and has no kernel, no launch, no word of a thread and no call of CUDA or of its libraries."""
    text = _INCLUDE.sub("", without_comments(program.text))
    return len(program.entries) > 0 and _CUDA.search(text) is None
