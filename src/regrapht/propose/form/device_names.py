"""A launch in the names of copies that nobody makes: `k<<<grid, block>>>(n, d_in, d_out)`, where the entry has `in` and `out`."""

import re

from regrapht.propose.form.program import Edit, Program
from regrapht.propose.form.reference_locals import file_names
from regrapht.propose.form.scopes import seen_from
from regrapht.propose.form.scratch import launches_of
from regrapht.source.syntax import text_of

_COPY = re.compile(r"(?:d|dev|device|gpu)_(?P<behind>\w+)|(?P<before>\w+)_(?:d|dev|device|gpu)")


def with_the_names_of_parameters(program: Program) -> str | None:
    """The text whose launches have the parameters; None where all they hand over is declared."""
    edits = []
    known = file_names(program)
    for kernel in program.kernels:
        for launch in launches_of(kernel.name, program):
            names = known | seen_from(launch.call, launch.within)
            for one in launch.arguments:
                copy = _COPY.fullmatch(text_of(one)) if one.type == "identifier" else None
                own = copy["behind"] or copy["before"] if copy is not None else ""
                if copy is not None and copy[0] not in names and own in {p.name for p in launch.within.parameters}:
                    edits.append(Edit(one.start_byte, one.end_byte, own))
    return program.edited(edits) if edits else None
