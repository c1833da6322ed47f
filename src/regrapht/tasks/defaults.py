"""What a task means where its file is silent."""

from collections.abc import Sequence
from dataclasses import replace

from regrapht.records.expression import Expression
from regrapht.records.task import Arg, Compare, Role


def default_compare(args: Sequence[Arg], *, returns_float: bool) -> Compare:
    """`exact` when every output is made of integers, else `float`."""
    any_float = returns_float or any(arg.is_output and arg.dtype.is_float for arg in args)
    return Compare.FLOAT if any_float else Compare.EXACT


def default_reduction_length(sizes: Sequence[str]) -> Expression:
    """The largest size; 1 for a task without sizes."""
    if len(sizes) < 2:
        return Expression(sizes[0] if sizes else "1")
    return Expression(f"max({', '.join(sizes)})")


def default_bytes(args: Sequence[Arg], *, result_bytes: int = 0) -> Expression:
    """Bytes that must move at least: each input read once, each output written once, and so each `inout` twice.

    Raises:
        ValueError: The sum is longer than an expression may be.
    """
    terms = [_bytes_of(arg) for arg in args if arg.role is not None]
    if result_bytes:
        terms.append(str(result_bytes))
    return Expression(" + ".join(terms) or "0")


def with_exact_integers(args: Sequence[Arg], kind: Compare) -> tuple[Arg, ...]:
    """The arguments, with `compare = exact` said of integer outputs beside float ones: a tolerance means nothing to them."""
    if kind is not Compare.FLOAT:
        return tuple(args)
    return tuple(
        replace(arg, compare=Compare.EXACT) if arg.is_output and arg.compare is None and not arg.dtype.is_float else arg
        for arg in args
    )


def _bytes_of(arg: Arg) -> str:
    times = 2 if arg.role is Role.INOUT else 1
    extents = [_factor(extent) for extent in arg.shape if extent.text.strip() != "1"]
    return " * ".join([str(times * arg.dtype.size_bytes), *extents])


def _factor(extent: Expression) -> str:
    text = extent.text.strip()
    return text if text.isidentifier() or text.isdigit() else f"({text})"
