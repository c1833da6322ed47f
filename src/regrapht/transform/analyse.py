"""From a task to its analysed function: read, normalised, and in each form that gives it more threads.

The order of the forms counts: each looks at what those before it left.
"""

from dataclasses import replace

from regrapht.errors import CannotTransform
from regrapht.records.element import StructType
from regrapht.records.task import ArgKind, Task
from regrapht.transform.ir.scalar_types import FLOAT_BYTES, INTEGER_BYTES
from regrapht.transform.ir.statements import Function
from regrapht.transform.normalise.affine_recurrences import AFFINE_RECURRENCES
from regrapht.transform.normalise.array_expansion import ARRAY_EXPANSION
from regrapht.transform.normalise.array_privatisation import ARRAY_PRIVATISATION
from regrapht.transform.normalise.bitwise_reductions import BITWISE_REDUCTIONS
from regrapht.transform.normalise.data_dependent_exits import DATA_DEPENDENT_EXITS
from regrapht.transform.normalise.early_exits import EARLY_EXITS
from regrapht.transform.normalise.forms import in_forms
from regrapht.transform.normalise.guard_sinking import GUARD_SINKING
from regrapht.transform.normalise.held_elements import AT_PLACES, BEHIND
from regrapht.transform.normalise.keyed_writers import KEYED_WRITERS
from regrapht.transform.normalise.last_appended import LAST_APPENDED
from regrapht.transform.normalise.loop_distribution import LOOP_DISTRIBUTION
from regrapht.transform.normalise.loop_splitting import LOOP_SPLITTING
from regrapht.transform.normalise.loop_widening import LOOP_WIDENING
from regrapht.transform.normalise.normal_form import normal_form
from regrapht.transform.normalise.residue_classes import RESIDUE_CLASSES
from regrapht.transform.normalise.scalar_sinking import SCALAR_SINKING
from regrapht.transform.normalise.symbolic_steps import SYMBOLIC_STEPS
from regrapht.transform.plan.analysis import Analysis, Guard, analyse_function, sizes_of
from regrapht.transform.plan.versioning import under_guard
from regrapht.transform.reader.function_reader import read_function

FORMS = (
    BITWISE_REDUCTIONS,
    AFFINE_RECURRENCES,
    SYMBOLIC_STEPS,
    EARLY_EXITS,
    DATA_DEPENDENT_EXITS,
    ARRAY_PRIVATISATION,
    ARRAY_EXPANSION,
    GUARD_SINKING,
    LOOP_WIDENING,
    SCALAR_SINKING,
    LOOP_SPLITTING,
    RESIDUE_CLASSES,
    AT_PLACES,
    BEHIND,
    LAST_APPENDED,
    LOOP_DISTRIBUTION,
)
LAST_FORMS = (KEYED_WRITERS,)
"""Forms that make more work than there is where a condition that the program tests makes turns independent: tried where none is found."""


def analyse(task: Task) -> Analysis:
    """Read and analyse the task's reference.

    Raises:
        CannotTransform: The engine cannot take the function; says the line, why, and what would help.
    """
    defines = {name: value or "1" for name, _, value in (text.partition("=") for text in task.reference.defines)}
    function = read_function(task.reference.source.text, task.entry, defines)
    _check_parameters(task, function)
    function = normal_form(_as_declared(task, function), sizes_of(task))

    def under(guard: Guard | None) -> Analysis:
        return in_forms(analyse_function(task, function, guard=guard), FORMS)

    analysis = under_guard(under)
    return in_forms(analysis, LAST_FORMS) if analysis.guard is None else analysis


def _as_declared(task: Task, function: Function) -> Function:
    """The function with arrays and a result of the types that the task declares for a candidate: plain `char` is one of the two others,
    and a truth that is returned is a byte. Arrays of truths stay what they are: what is put into one is a truth."""
    types = {arg.name: arg.dtype.c_name for arg in task.args if arg.kind is ArgKind.ARRAY}
    parameters = tuple(
        p if p.type == "bool" else replace(p, type=types.get(p.written, p.type)) for p in function.parameters
    )
    is_truth = function.returns == "bool" and task.returns is not None
    returns = task.returns.c_name if is_truth and task.returns is not None else function.returns
    return replace(function, parameters=parameters, returns=returns)


def _check_parameters(task: Task, function: Function) -> None:
    """The task and the function must agree on names, kinds and widths of the parameters."""
    named, declared = [arg.name for arg in task.args], [parameter.written for parameter in function.parameters]
    if named != declared:
        raise CannotTransform(
            f"the task's arguments ({', '.join(named)}) are not the function's ({', '.join(declared)})",
            line=function.line,
        )
    widths = INTEGER_BYTES | FLOAT_BYTES
    for arg, parameter in zip(task.args, function.parameters, strict=True):
        if (arg.kind is ArgKind.ARRAY) != parameter.is_pointer:
            raise CannotTransform(f"'{arg.name}' is an array in only one of task and function", line=function.line)
        if isinstance(arg.dtype, StructType):
            _check_struct(arg.name, arg.dtype, parameter.type, function)
            continue
        is_float = parameter.type in FLOAT_BYTES
        same = arg.dtype.size_bytes == widths.get(parameter.type) and arg.dtype.is_float == is_float
        if parameter.is_pointer and not same:
            raise CannotTransform(
                f"'{arg.name}' is {arg.dtype.name} in the task, {parameter.type} in the function", line=function.line
            )


def _check_struct(name: str, declared: StructType, type_name: str, function: Function) -> None:
    """The task and the function must agree on a struct's fields, in order.

    Raises:
        CannotTransform: They do not.
    """
    struct = next((one for one in function.structs if one.name == type_name), None)
    own = [(f, INTEGER_BYTES.get(of) or FLOAT_BYTES[of]) for f, of in struct.numbers] if struct else []
    if own != [(field, kind.size_bytes) for field, kind in declared.fields]:
        what = f"'{name}' is {declared.name} in the task, {type_name} in the function"
        raise CannotTransform(what, line=function.line, remedy="let both have the same fields in the same order")
