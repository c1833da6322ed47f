"""What the launcher's integers are at the sizes that a task is timed at."""

from collections.abc import Callable, Mapping, Sequence

from regrapht.records.task import Task
from regrapht.transform.ir.expressions import Binary, Call, Cast, Expression, Number, Variable
from regrapht.transform.ir.names import internal_name
from regrapht.transform.ir.statements import For, Function, every
from regrapht.transform.polyhedral.loop_tree import Key, loop_key
from regrapht.transform.polyhedral.scop import Scop


def known_values(task: Task, scop: Scop) -> Sequence[Mapping[str, int]]:
    """What the launcher's integers are at the sizes that the task is timed at, or, where it names none, checked at."""
    found = given_values(task)
    for known in found:
        for local in scop.host:
            value = number_of(local.value, known)
            if value is not None:
                known[local.name] = value
    return found


def given_values(task: Task) -> list[dict[str, int]]:
    """What the parameters of integers are at these sizes."""
    fixed = {internal_name(arg.name): arg.value for arg in task.args if isinstance(arg.value, int)}
    every_size = task.bench_sizes or task.check_sizes
    return [fixed | {internal_name(name): value for name, value in sizes.items()} for sizes in every_size]


def bound_of(key: Key, function: Function) -> Expression | None:
    """The bound of a loop that counts up from 0."""
    for one in every(function.body):
        match one:
            case For(start=Number(value=0), condition=Binary("<", Variable(name=counted), end), step=1) if (
                loop_key(one) == key and counted == one.variable
            ):
                return end
    return None


def number_of(expression: Expression | None, known: Mapping[str, int]) -> int | None:
    """The value of an integer expression of 0 or more; None where it is made of anything else."""
    match expression:
        case Number(value=int(value)):
            return value
        case Variable(name=name):
            return known.get(name)
        case Cast(operand=operand):
            return number_of(operand, known)
        case Binary("+" | "-" | "*" | "/" as operator, left, right) | Call("max" | "min" as operator, (left, right)):
            a, b = number_of(left, known), number_of(right, known)
            if a is None or b is None or (operator == "/" and (a < 0 or b <= 0)):
                return None
            return _RESULTS[operator](a, b)
    return None


_RESULTS: Mapping[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a // b,
    "max": max,
    "min": min,
}
