"""Translations of torch's functions to loops: elementwise, reductions, products, scans, views, losses."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from regrapht.bench.importers.symbolic import (
    Dim,
    Program,
    Tensor,
    Untranslatable,
    c_text,
    flat_index,
    is_one,
    same,
    text_of,
)
from regrapht.bench.importers.torch_views import concatenate, flip, narrow, select, transpose, triangle, unsqueeze

Function = Callable[..., Any]
_SELU_ALPHA, _SELU_SCALE = 1.6732632423543772, 1.0507009873554805


def number(value: object) -> str:
    """A Python number as a float expression."""
    if isinstance(value, Dim):
        return f"(float)({c_text(value)})"
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Untranslatable(f"{value!r:.40} where a number or a tensor is needed")
    text = repr(float(value))
    return f"{text}f" if not text.startswith("-") else f"({text}f)"


def constant(value: object) -> Tensor:
    """A number as a tensor that broadcasts."""
    if isinstance(value, Tensor):
        return value
    text = number(value)
    return Tensor(shape=(), element=lambda _: text)


def elementwise(make: Callable[..., str], *operands: object) -> Tensor:
    """A tensor whose elements follow from those of the operands at one place, broadcast as torch does."""
    tensors = [constant(one) for one in operands]
    shape: tuple[int, ...] = ()
    for tensor in tensors:
        shape = _broadcast(shape, tensor.shape)
    return Tensor(shape=shape, element=lambda at: make(*(_broadcast_at(t, at) for t in tensors)))


def _broadcast(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    rank = max(len(a), len(b))
    a, b = (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    shape = []
    for x, y in zip(a, b, strict=True):
        if not (same(x, y) or is_one(x) or is_one(y)):
            why = " (equal only at the source's sizes)" if int(x) == int(y) else ""
            raise Untranslatable(f"it combines extents {text_of(x)} and {text_of(y)}{why}", kind="shapes")
        shape.append(y if is_one(x) else x)
    return tuple(shape)


def _broadcast_at(tensor: Tensor, at: Sequence[str]) -> str:
    own = at[len(at) - tensor.rank :]
    return tensor.at(["0" if is_one(size) else index for size, index in zip(tensor.shape, own, strict=True)])


def unary(template: str) -> Function:
    """An elementwise function of one tensor from a template over {x}."""
    return lambda p, x, inplace=False: elementwise(lambda text: template.format(x=text), x)


def reduce(p: Program, x: Tensor, dim: object, keepdim: bool, *, start: str, step: str, end: str = "{s}") -> Tensor:
    """Fold over dimensions: `start` begins `s`, `step` is a statement over {e}, `end` the result over {s} and {n}, the terms' number."""
    axes = sorted(
        x.axis(one) for one in (range(x.rank) if dim is None else dim if isinstance(dim, tuple | list) else (dim,))
    )
    kept = [axis for axis in range(x.rank) if axis not in axes]
    shape = tuple((1 if axis in axes else size) for axis, size in enumerate(x.shape) if keepdim or axis not in axes)
    folded = [x.shape[axis] for axis in axes]
    count = " * ".join(f"({c_text(size)})" for size in folded) or "1"

    def fill(target: str) -> None:
        def body(outer: tuple[str, ...]) -> list[str]:
            at = [""] * x.rank
            for axis, index in zip(kept, outer, strict=True):
                at[axis] = index
            for number_of, axis in enumerate(axes):
                at[axis] = f"r{number_of}"
            element = x.at(at)
            heads = [f"for (int {at[axis]} = 0; {at[axis]} < {c_text(x.shape[axis])}; ++{at[axis]})" for axis in axes]
            place = flat_index([x.shape[axis] for axis in kept], outer)
            return [
                f"float s = {start};",
                f"{' '.join(heads)} {{ {step.format(e=element, s='s')} }}",
                f"{target}[{place}] = {end.format(s='s', n=f'(float)({count})')};",
            ]

        p.loops([x.shape[axis] for axis in kept], body, inner=folded)
        p.longest_sum.append(" * ".join(f"({text_of(size)})" for size in folded) or "1")

    return p.stored(shape, fill)


def _sum(p: Program, x: Tensor, dim: object = None, keepdim: bool = False) -> Tensor:
    return reduce(p, x, dim, keepdim, start="0.0f", step="s += {e};")


def _mean(p: Program, x: Tensor, dim: object = None, keepdim: bool = False) -> Tensor:
    return reduce(p, x, dim, keepdim, start="0.0f", step="s += {e};", end="{s} / {n}")


def _extreme(function: str, start: str, p: Program, x: Tensor, dim: object = None, keepdim: bool = False) -> Any:
    values = reduce(p, x, dim, keepdim, start=start, step=f"s = {function}({{s}}, {{e}});")
    if dim is None:
        return values
    return (values, _arg_extreme(">" if function == "fmaxf" else "<", p, x, dim, keepdim))


def _arg_extreme(better: str, p: Program, x: Tensor, dim: object = None, keepdim: bool = False) -> Tensor:
    """The first index of the largest or smallest element."""
    if dim is None:
        raise Untranslatable("an argmax over all dimensions")
    axis = x.axis(dim)
    kept = [size for at, size in enumerate(x.shape) if at != axis]
    shape = tuple(1 if at == axis else size for at, size in enumerate(x.shape)) if keepdim else tuple(kept)

    def fill(target: str) -> None:
        def body(outer: tuple[str, ...]) -> list[str]:
            def at(index: str) -> str:
                return x.at([*outer[:axis], index, *outer[axis:]])

            return [
                "int best = 0;",
                f"for (int r = 1; r < {c_text(x.shape[axis])}; ++r) {{ if ({at('r')} {better} {at('best')}) best = r; }}",
                f"{target}[{flat_index(kept, outer)}] = best;",
            ]

        p.loops(kept, body, inner=[x.shape[axis]])

    return p.stored(shape, fill, c_type="long long")


def _norm(program: Program, x: Tensor, /, p: object = "fro", dim: object = None, keepdim: bool = False) -> Tensor:
    if p not in ("fro", 2, 2.0):
        raise Untranslatable(f"a norm of the order {p!r}")
    return reduce(program, x, dim, keepdim, start="0.0f", step="s += {e} * {e};", end="sqrtf({s})")


def matmul(p: Program, a: Tensor, b: Tensor) -> Tensor:
    """Matrix products with leading dimensions broadcast; vectors are refused."""
    if a.rank < 2 or b.rank < 2:
        raise Untranslatable("a product with a vector")
    if not same(a.shape[-1], b.shape[-2]):
        raise Untranslatable(f"a product over extents {text_of(a.shape[-1])} and {text_of(b.shape[-2])}", kind="shapes")
    terms = a.shape[-1]
    lead = _broadcast(a.shape[:-2], b.shape[:-2])
    shape = (*lead, a.shape[-2], b.shape[-1])

    def leading(tensor: Tensor, at: Sequence[str]) -> list[str]:
        own = at[len(lead) - (tensor.rank - 2) : len(lead)]
        return ["0" if is_one(size) else index for size, index in zip(tensor.shape[:-2], own, strict=True)]

    def fill(target: str) -> None:
        def body(at: tuple[str, ...]) -> list[str]:
            left, right = a.at([*leading(a, at), at[-2], "k_"]), b.at([*leading(b, at), "k_", at[-1]])
            return [
                "float s = 0.0f;",
                f"for (int k_ = 0; k_ < {c_text(terms)}; ++k_) s += {left} * {right};",
                f"{target}[{flat_index(shape, at)}] = s;",
            ]

        p.loops(shape, body, inner=[terms])
        p.longest_sum.append(text_of(terms))

    return p.stored(shape, fill)


def _einsum(p: Program, formula: str, *operands: Tensor) -> Tensor:
    """Products summed over the letters that the result lacks."""
    left, arrow, result = formula.replace(" ", "").partition("->")
    parts = left.split(",")
    if (
        not arrow
        or len(parts) != len(operands)
        or not formula.replace(" ", "").replace(",", "").replace("->", "").isalpha()
    ):
        raise Untranslatable(f"einsum {formula!r}")
    extents: dict[str, int] = {}
    for letters, tensor in zip(parts, operands, strict=True):
        for letter, size in zip(letters, tensor.shape, strict=True):
            if not same(extents.setdefault(letter, size), size):
                raise Untranslatable(f"einsum {formula!r} over unequal extents", kind="shapes")
    folded = [letter for letter in extents if letter not in result]
    shape = tuple(extents[letter] for letter in result)

    def fill(target: str) -> None:
        def body(at: tuple[str, ...]) -> list[str]:
            index = {**dict(zip(result, at, strict=True)), **{letter: f"r_{letter}" for letter in folded}}
            product = " * ".join(
                t.at([index[letter] for letter in letters]) for letters, t in zip(parts, operands, strict=True)
            )
            heads = [f"for (int r_{one} = 0; r_{one} < {c_text(extents[one])}; ++r_{one})" for one in folded]
            return ["float s = 0.0f;", f"{' '.join(heads)} s += {product};", f"{target}[{flat_index(shape, at)}] = s;"]

        p.loops(shape, body, inner=[extents[one] for one in folded])
        p.longest_sum.append(" * ".join(f"({text_of(extents[one])})" for one in folded) or "1")

    return p.stored(shape, fill)


def _scan(start: str, operation: str, p: Program, x: Tensor, dim: object) -> Tensor:
    axis = x.axis(dim)
    kept = [size for at, size in enumerate(x.shape) if at != axis]

    def fill(target: str) -> None:
        def body(outer: tuple[str, ...]) -> list[str]:
            at = [*outer[:axis], "r", *outer[axis:]]
            step = f"s {operation} {x.at(at)}; {target}[{flat_index(x.shape, at)}] = s;"
            return [f"float s = {start};", f"for (int r = 0; r < {c_text(x.shape[axis])}; ++r) {{ {step} }}"]

        p.loops(kept, body, inner=[x.shape[axis]])
        p.longest_sum.append(text_of(x.shape[axis]))

    return p.stored(x.shape, fill)


def _cumprod(p: Program, x: Tensor, dim: object) -> Tensor:
    p.near_one = True
    return _scan("1.0f", "*=", p, x, dim)


def softmax(p: Program, x: Tensor, dim: object = None, *, log: bool = False) -> Tensor:
    """Softmax over one dimension, its largest element subtracted first."""
    if dim is None:
        raise Untranslatable("a softmax over a dimension that is not said")
    largest = reduce(p, x, dim, True, start="-INFINITY", step="s = fmaxf({s}, {e});")
    shifted = elementwise("({} - {})".format, x, largest)
    powers = elementwise("expf({})".format, shifted)
    total = _sum(p, powers, dim, True)
    return (
        elementwise("({} - logf({}))".format, shifted, total) if log else elementwise("({} / {})".format, powers, total)
    )


def _attention(p: Program, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    scores = matmul(p, q, transpose(p, k, -2, -1))
    scaled = elementwise(
        "({} / {})".format, scores, Tensor(shape=(), element=lambda _: f"sqrtf((float)({c_text(q.shape[-1])}))")
    )
    return matmul(p, softmax(p, scaled, -1), v)


def _cross_entropy(p: Program, x: Tensor, target: Tensor) -> Tensor:
    """Of class indices, averaged."""
    if x.rank != 2 or target.rank != 1 or target.c_type == "float":
        raise Untranslatable("a cross entropy of other than rows and class indices")
    logs = softmax(p, x, 1, log=True)
    picked = Tensor(shape=target.shape, element=lambda at: f"(-{logs.at([at[0], target.at(at)])})")
    return _mean(p, picked)


def _kl_div(p: Program, x: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    if reduction != "batchmean":
        raise Untranslatable(f"kl_div with the reduction {reduction!r}")
    terms = elementwise("({1} > 0.0f ? {1} * (logf({1}) - {0}) : 0.0f)".format, x, target)
    return elementwise("({} / {})".format, _sum(p, terms), x.shape[0])


def _mean_of(template: str) -> Function:
    return lambda p, a, b: _mean(p, elementwise(template.format, a, b))


def _gelu(p: Program, x: Tensor, approximate: str = "none") -> Tensor:
    tanh = "(0.5f * {x} * (1.0f + tanhf(0.7978845608028654f * ({x} + 0.044715f * {x} * {x} * {x}))))"
    exact = "(0.5f * {x} * (1.0f + erff({x} * 0.7071067811865476f)))"
    if approximate not in ("none", "tanh"):
        raise Untranslatable(f"gelu with approximate={approximate!r}")
    return unary(tanh if approximate == "tanh" else exact)(p, x)


def _power(p: Program, x: Tensor, exponent: object) -> Tensor:
    if exponent in (2, 2.0):
        return elementwise("({0} * {0})".format, x)
    if exponent in (3, 3.0):
        return elementwise("({0} * {0} * {0})".format, x)
    return elementwise("powf({}, {})".format, x, exponent)


def _clamp(p: Program, x: Tensor, min: object = None, max: object = None) -> Tensor:
    x = x if min is None else elementwise("fmaxf({}, {})".format, x, min)
    return x if max is None else elementwise("fminf({}, {})".format, x, max)


def _with_number(template: str, default: float) -> Function:
    """An elementwise function of a tensor and one number with a default."""
    return lambda p, x, value=default, inplace=False, **named: elementwise(
        template.format, x, next(iter(named.values()), value)
    )


_SIGMOID = "(1.0f / (1.0f + expf(-({x}))))"
FUNCTIONS: dict[str, Function] = {
    "torch.matmul": matmul, "torch.bmm": matmul, "torch.mm": matmul, "torch.einsum": _einsum,
    "torch.relu": unary("fmaxf({x}, 0.0f)"), "torch.sigmoid": unary(_SIGMOID), "torch.tanh": unary("tanhf({x})"),
    "torch.abs": unary("fabsf({x})"), "torch.sqrt": unary("sqrtf({x})"), "torch.exp": unary("expf({x})"),
    "torch.log": unary("logf({x})"), "torch.square": unary("({x} * {x})"),
    "torch.selu": unary(f"({_SELU_SCALE}f * ({{x}} > 0.0f ? {{x}} : {_SELU_ALPHA}f * expm1f({{x}})))"),
    "torch.softmax": softmax, "torch.log_softmax": partial(softmax, log=True), "torch.pow": _power, "torch.clamp": _clamp,
    "torch.sum": _sum, "torch.mean": _mean, "torch.norm": _norm,
    "torch.max": partial(_extreme, "fmaxf", "-INFINITY"), "torch.min": partial(_extreme, "fminf", "INFINITY"),
    "torch.argmax": partial(_arg_extreme, ">"), "torch.argmin": partial(_arg_extreme, "<"),
    "torch.cumsum": partial(_scan, "0.0f", "+="), "torch.cumprod": _cumprod,
    "torch.triu": partial(triangle, "triu"), "torch.tril": partial(triangle, "tril"), "torch.transpose": transpose,
    "torch.flip": flip, "torch.cat": concatenate, "torch.unsqueeze": unsqueeze,
    "torch.zeros_like": lambda p, x: Tensor(shape=x.shape, element=lambda _: "0.0f"),
    "torch.nn.functional.relu": unary("fmaxf({x}, 0.0f)"), "torch.nn.functional.sigmoid": unary(_SIGMOID),
    "torch.nn.functional.tanh": unary("tanhf({x})"), "torch.nn.functional.gelu": _gelu,
    "torch.nn.functional.selu": unary(f"({_SELU_SCALE}f * ({{x}} > 0.0f ? {{x}} : {_SELU_ALPHA}f * expm1f({{x}})))"),
    "torch.nn.functional.leaky_relu": _with_number("({0} > 0.0f ? {0} : {1} * {0})", 0.01),
    "torch.nn.functional.elu": _with_number("({0} > 0.0f ? {0} : {1} * expm1f({0}))", 1.0),
    "torch.nn.functional.softplus": unary("({x} > 20.0f ? {x} : log1pf(expf({x})))"),
    "torch.nn.functional.softsign": unary("({x} / (1.0f + fabsf({x})))"),
    "torch.nn.functional.silu": unary("({x} / (1.0f + expf(-({x}))))"),
    "torch.nn.functional.hardsigmoid": unary("fminf(fmaxf({x} / 6.0f + 0.5f, 0.0f), 1.0f)"),
    "torch.nn.functional.hardswish": unary("({x} * fminf(fmaxf({x} + 3.0f, 0.0f), 6.0f) / 6.0f)"),
    "torch.nn.functional.mish": unary("({x} * tanhf({x} > 20.0f ? {x} : log1pf(expf({x}))))"),
    "torch.nn.functional.hardtanh": lambda p, x, min_val=-1.0, max_val=1.0: _clamp(p, x, min_val, max_val),
    "torch.nn.functional.softmax": softmax, "torch.nn.functional.log_softmax": partial(softmax, log=True),
    "torch.nn.functional.scaled_dot_product_attention": _attention,
    "torch.nn.functional.mse_loss": _mean_of("(({0} - {1}) * ({0} - {1}))"),
    "torch.nn.functional.smooth_l1_loss": _mean_of(
        "(fabsf({0} - {1}) < 1.0f ? 0.5f * ({0} - {1}) * ({0} - {1}) : fabsf({0} - {1}) - 0.5f)"
    ),
    "torch.nn.functional.cross_entropy": _cross_entropy, "torch.nn.functional.kl_div": _kl_div,
}  # fmt: skip
METHODS: dict[str, Function] = {
    **{name.removeprefix("torch."): function for name, function in FUNCTIONS.items() if name.count(".") == 1},
    "narrow": narrow, "select": select, "size": lambda p, x, dim=None: x.shape if dim is None else x.shape[x.axis(dim)],
    "t": lambda p, x: transpose(p, x, 0, 1), "contiguous": lambda p, x: x,
}  # fmt: skip
MATH: dict[str, Any] = {"math.sqrt": math.sqrt, "math.pi": math.pi, "math.log": math.log, "math.exp": math.exp}
