"""The kernel as a program of its own: what it needs, its text, and the host function that launches it over all elements."""

from collections.abc import Sequence

from regrapht.bench.harvest.sequential import Extent
from regrapht.bench.harvest.thread_indices import AXES, Mode
from regrapht.records.task import ArgKind, Task
from regrapht.source.functions import read_unit

BLOCKS = {1: (256,), 2: (32, 8), 3: (32, 4, 2)}
"""Threads of a block by the number of dimensions that have several."""
_STRIDED_GRID = 64
_GRID = """static unsigned blocks_for(long long elements, int block) {
  return elements > 0 ? (unsigned)((elements + block - 1) / block) : 1u;
}
"""
_FITTING = """// The kernel has no test for surplus threads: blocks have to come out even.
static int fitting_block(long long elements, int most) {
  while (elements % most) most /= 2;
  return most;
}
"""


def launcher(task: Task, kernel: str, needed: str, launch: Sequence[Extent]) -> str:
    """CUDA C++ that defines the task's entry and launches `kernel`, whose own text is unchanged in it."""
    block, grid = dict.fromkeys(AXES, "1"), dict.fromkeys(AXES, "1")
    wide = [extent for extent in launch if extent.threads]
    extents = dict(zip((extent.axis for extent in wide), BLOCKS.get(len(wide), ()), strict=True))
    for extent in launch:
        axis = extent.axis
        if extent.threads:
            block[axis] = extent.block or str(extents[axis])
        if extent.threads and extent.exact and extent.mode is Mode.ELEMENTS:
            block[axis] = f"fitting_block({extent.limit}, {block[axis]})"
        if extent.mode is Mode.ELEMENTS:
            grid[axis] = f"blocks_for({extent.limit}, {block[axis]})"
        elif extent.mode is Mode.BLOCKS:
            grid[axis] = f"blocks_for({extent.limit}, 1)"
        elif extent.mode is Mode.STRIDED:
            grid[axis] = str(_STRIDED_GRID) if extent.grid else "1"
    exact = any(extent.exact for extent in launch)
    function = read_unit(kernel, cuda=True).functions[-1]
    handed = [
        f"({parameter.type_text}*){parameter.name}" if parameter.pointer_depth else parameter.name
        for parameter in function.parameters
    ]
    arrays = [arg for arg in task.parameters if arg.kind is ArgKind.ARRAY]
    assert arrays, "extraction wants an array"
    host = (
        f"{task.signature} {{\n"
        f"  const dim3 block({', '.join(block[axis] for axis in AXES)});\n"
        f"  const dim3 grid({', '.join(grid[axis] for axis in AXES)});\n"
        f"  {function.name}<<<grid, block>>>({', '.join(handed)});\n}}\n"
    )
    parts = ["#include <cuda_runtime.h>\n#include <cfloat>\n#include <climits>\n#include <cmath>\n#include <cstdint>\n"]
    parts += [needed.strip() + "\n"] if needed.strip() else []
    return "\n".join([*parts, kernel.strip() + "\n", _GRID + (_FITTING if exact else "") + host])
