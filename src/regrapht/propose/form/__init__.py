"""Form is never charged to a model: mechanical mends of what small models get wrong that is not CUDA. One mend a file.

A mend takes a model's program and answers with other text, or None where it has nothing to do. It never changes what a kernel computes;
what it cannot mend is left as it is, for the judge to refuse. Each one that changed something is named in `Candidate.mended`.
"""

from collections.abc import Callable
from dataclasses import dataclass

from regrapht.propose.form.braces import with_even_braces
from regrapht.propose.form.built_in_names import with_names_of_their_own
from regrapht.propose.form.changed_constants import without_const_on_what_changes
from regrapht.propose.form.const_pointers import with_const_cast_away
from regrapht.propose.form.declaration_order import with_functions_declared_first
from regrapht.propose.form.default_arguments import without_defaults_in_the_middle
from regrapht.propose.form.device_copies import without_copies_of_device_pointers
from regrapht.propose.form.device_names import with_the_names_of_parameters
from regrapht.propose.form.device_twins import with_twins_for_the_device
from regrapht.propose.form.entry_name import with_the_entrys_name
from regrapht.propose.form.entry_signature import with_the_exact_signature
from regrapht.propose.form.error_checks import with_error_checks_defined
from regrapht.propose.form.export_marks import without_export_marks
from regrapht.propose.form.extra_parameters import without_extra_parameters
from regrapht.propose.form.flat_arrays import with_one_index
from regrapht.propose.form.helper_methods import with_methods_for_the_device
from regrapht.propose.form.host_helpers import with_helpers_for_the_device
from regrapht.propose.form.kernel_arrays import with_memory_for_arrays_of_threads
from regrapht.propose.form.kernel_name import with_a_name_for_the_kernel
from regrapht.propose.form.late_constants import with_constants_first
from regrapht.propose.form.late_includes import with_includes_first
from regrapht.propose.form.launch_brackets import with_whole_launch_brackets
from regrapht.propose.form.launch_shape import with_a_launch_of_ours
from regrapht.propose.form.launcher import with_a_launcher
from regrapht.propose.form.main_function import without_main
from regrapht.propose.form.marked_launchers import with_launchers_unmarked
from regrapht.propose.form.mixed_extremes import with_one_type_in_extremes
from regrapht.propose.form.nested_kernels import with_kernels_at_file_scope
from regrapht.propose.form.old_names import with_todays_names
from regrapht.propose.form.own_headers import without_headers_that_are_not_there
from regrapht.propose.form.pointer_locals import with_pointers_kept_as_such
from regrapht.propose.form.program import Program
from regrapht.propose.form.program_habits import without_habits_of_whole_programs
from regrapht.propose.form.redeclared_names import with_names_declared_once
from regrapht.propose.form.reference_helpers import with_the_references_helpers
from regrapht.propose.form.reference_locals import with_the_references_locals
from regrapht.propose.form.reference_values import with_the_references_values
from regrapht.propose.form.repeated_definitions import without_repeated_definitions
from regrapht.propose.form.returned_values import without_returned_values
from regrapht.propose.form.scratch_arrays import with_scratch_for_the_references_arrays
from regrapht.propose.form.self_launches import without_launches_of_itself
from regrapht.propose.form.spelled_marks import with_underscores
from regrapht.propose.form.standard_headers import with_missing_headers
from regrapht.propose.form.stray_continue import with_returns_for_turns
from regrapht.propose.form.stray_lines import without_stray_lines
from regrapht.propose.form.torch_wrappers import without_torch_wrappers
from regrapht.propose.form.unmarked_kernels import with_launched_functions_marked
from regrapht.propose.form.unused_libraries import without_libraries_that_are_not_used
from regrapht.propose.form.wide_atomics import with_atomics_on_unsigned
from regrapht.propose.form.wide_integers import with_one_spelling_of_wide_integers
from regrapht.records.task import Task

MENDS: dict[str, Callable[[Program], str | None]] = {
    "stray_lines": without_stray_lines,
    "torch_wrappers": without_torch_wrappers,
    "own_headers": without_headers_that_are_not_there,
    "unused_libraries": without_libraries_that_are_not_used,
    "spelled_marks": with_underscores,
    "launch_brackets": with_whole_launch_brackets,
    "export_marks": without_export_marks,
    "late_includes": with_includes_first,
    "braces": with_even_braces,
    "main_function": without_main,
    "repeated_definitions": without_repeated_definitions,
    "late_constants": with_constants_first,
    "program_habits": without_habits_of_whole_programs,
    "nested_kernels": with_kernels_at_file_scope,
    "old_names": with_todays_names,
    "unmarked_kernels": with_launched_functions_marked,
    "marked_launchers": with_launchers_unmarked,
    "built_in_names": with_names_of_their_own,
    "self_launches": without_launches_of_itself,
    "entry_name": with_the_entrys_name,
    "kernel_name": with_a_name_for_the_kernel,
    "launch_shape": with_a_launch_of_ours,
    "launcher": with_a_launcher,
    "extra_parameters": without_extra_parameters,
    "entry_signature": with_the_exact_signature,
    "returned_values": without_returned_values,
    "default_arguments": without_defaults_in_the_middle,
    "error_checks": with_error_checks_defined,
    "device_copies": without_copies_of_device_pointers,
    "device_names": with_the_names_of_parameters,
    "pointer_locals": with_pointers_kept_as_such,
    "kernel_arrays": with_memory_for_arrays_of_threads,
    "scratch_arrays": with_scratch_for_the_references_arrays,
    "declaration_order": with_functions_declared_first,
    "reference_locals": with_the_references_locals,
    "reference_values": with_the_references_values,
    "redeclared_names": with_names_declared_once,
    "stray_continue": with_returns_for_turns,
    "reference_helpers": with_the_references_helpers,
    "host_helpers": with_helpers_for_the_device,
    "helper_methods": with_methods_for_the_device,
    "flat_arrays": with_one_index,
    "device_twins": with_twins_for_the_device,
    "wide_integers": with_one_spelling_of_wide_integers,
    "changed_constants": without_const_on_what_changes,
    "const_pointers": with_const_cast_away,
    "wide_atomics": with_atomics_on_unsigned,
    "mixed_extremes": with_one_type_in_extremes,
    "standard_headers": with_missing_headers,
}
"""Name -> mend, in the order in which they are tried: what defines functions before what looks at them."""


LONGEST_TEXT = 2**17
"""Characters of a program that is looked at: no model writes a longer program, and endless replies exist."""


@dataclass(frozen=True, slots=True)
class Mended:
    """A program after all mends, and the names of those that changed it."""

    text: str
    mends: tuple[str, ...]


def mend(text: str, task: Task) -> Mended:
    """The program with its form mended. Deterministic; a program without faults of form comes back as it is."""
    done: list[str] = []
    if len(text) > LONGEST_TEXT:
        return Mended(text, ())
    program = Program(text, task)
    for name, one in MENDS.items():
        changed = one(program)
        if changed is not None and changed != program.text:
            program = Program(changed, task)
            done.append(name)
    return Mended(program.text, tuple(done))
