"""What a task says of the element counts of its arrays."""

import ast
import re
from functools import reduce
from math import prod

from regrapht.records.task import ArgKind, Task
from regrapht.transform.ir.expressions import Binary, Cast, Expression, Variable, number
from regrapht.transform.ir.names import internal_name
from regrapht.transform.ir.statements import Function


def fixed_lengths(task: Task) -> dict[str, int]:
    """Element counts of the arrays that are the same in every call."""
    shapes = {
        internal_name(arg.name): [one.text for one in arg.shape] for arg in task.args if arg.kind is ArgKind.ARRAY
    }
    return {name: prod(map(int, texts)) for name, texts in shapes.items() if all(text.isdigit() for text in texts)}


def counted_arrays(task: Task) -> set[str]:
    """The arrays whose shapes are integer expressions of C, so that the launcher can compute their element counts."""
    shapes = {internal_name(arg.name): [one.text for one in arg.shape] for arg in task.parameters if arg.shape}
    return {name for name, texts in shapes.items() if not any(_NO_C.search(text) for text in texts)}


_NO_C = re.compile(r"ceil|log2|(?<!/)/(?!/)")
"""What an expression of a shape may have and an integer expression of C has not."""


def length_of(name: str, task: Task, function: Function) -> Expression | None:
    """The element count of a parameter, in 64 bits, where its shape is made of numbers, sizes, sums and products."""
    types = {one.name: one.type for one in function.parameters if not one.is_pointer}

    def read(node: ast.expr) -> Expression | None:
        match node:
            case ast.Constant(value=int(value)):
                return number(value)
            case ast.Name(id=written) if internal_name(written) in types:
                own = Variable(internal_name(written))
                return own if types[own.name] == "long long" else Cast("long long", own)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() as operator, right=right):
                a, b = read(left), read(right)
                sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}[type(operator)]
                return Binary(sign, a, b) if a is not None and b is not None else None
        return None

    shape = next((arg.shape for arg in task.args if arg.kind is ArgKind.ARRAY and internal_name(arg.name) == name), ())
    parts = [read(ast.parse(one.text.strip(), mode="eval").body) for one in shape]
    known = [part for part in parts if part is not None]
    return reduce(lambda a, b: Binary("*", a, b), known) if known and len(known) == len(shape) else None
