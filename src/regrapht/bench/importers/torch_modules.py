"""Translations of torch's layers: convolutions, pools, normalisations, linear maps. Each drawn parameter becomes an input array.

Layers are as a fresh model has them: in training mode, so that a batch normalisation uses the batch's own mean and variance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from regrapht.bench.importers.symbolic import (
    Dim,
    Drawn,
    Program,
    Tensor,
    Untranslatable,
    c_text,
    flat_index,
    same,
    text_of,
)
from regrapht.bench.importers.torch_functions import FUNCTIONS, elementwise, matmul, number, reduce, transpose

Layer = Callable[[Tensor], Tensor]


def _tuple_of(value: object, rank: int, what: str) -> tuple[int, ...]:
    """An option of a layer as one plain number for each spatial dimension."""
    values = tuple(value) if isinstance(value, tuple | list) else (value,) * rank
    numbers = tuple(one for one in values if isinstance(one, int) and not isinstance(one, (bool, Dim)))
    if len(values) != rank or len(numbers) != rank:
        raise Untranslatable(f"{what} = {value!r}")
    return numbers


def _parameter(p: Program, name: str, shape: tuple[int, ...]) -> Tensor:
    return p.draw(Drawn(name=name.replace(".", "_"), shape=shape, dtype="float32", kind="normal", parameter=name))


def _extent(size: int, kernel: int, stride: int, padding: int, dilation: int, p: Program) -> int:
    """Positions of a window; notes that there is at least one."""
    covered = size + (2 * padding - dilation * (kernel - 1) - 1)
    p.needs(f"{text_of(covered)} >= 0")
    return covered // stride + 1


def _source(index: str, stride: int, tap: str, dilation: int, padding: int) -> str:
    """Where a window's tap reads: `i2 * 2 + k0 - 1`."""
    text = index if stride == 1 else f"{index} * {stride}"
    text += f" + {tap}" if dilation == 1 else f" + {tap} * {dilation}"
    return f"{text} - {padding}" if padding else text


def convolution(
    rank: int, p: Program, name: str, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1,
    padding: Any = 0, dilation: Any = 1, groups: int = 1, bias: bool = True,
) -> Layer:  # fmt: skip
    """A convolution over `rank` spatial dimensions, padded with zeros."""
    kernel, step = _tuple_of(kernel_size, rank, "kernel_size"), _tuple_of(stride, rank, "stride")
    pad, spread = _tuple_of(padding, rank, "padding"), _tuple_of(dilation, rank, "dilation")
    p.divides(groups, in_channels)
    p.divides(groups, out_channels)
    terms = in_channels // groups
    weight = _parameter(p, f"{name}.weight", (out_channels, terms, *kernel))
    shift = _parameter(p, f"{name}.bias", (out_channels,)) if bias else None

    def forward(x: Tensor) -> Tensor:
        _check_channels(x, rank, in_channels)
        spatial = x.shape[2:]
        shape = (
            x.shape[0],
            out_channels,
            *(_extent(*one, p) for one in zip(spatial, kernel, step, pad, spread, strict=True)),
        )

        def body(at: tuple[str, ...], target: str) -> list[str]:
            lines = [f"float s = {shift.at([at[1]]) if shift else '0.0f'};"]
            taps = [f"k{axis}" for axis in range(rank)]
            places = [f"y{axis}" for axis in range(rank)]
            lines.append(f"for (int c = 0; c < {c_text(terms)}; ++c) {{")
            for axis in range(rank):
                lines.append(f"    for (int k{axis} = 0; k{axis} < {kernel[axis]}; ++k{axis}) {{")
                lines.append(
                    f"        const int y{axis} = {_source(at[2 + axis], step[axis], taps[axis], spread[axis], pad[axis])};"
                )
                if pad[axis]:
                    lines.append(f"        if (y{axis} < 0 || y{axis} >= {c_text(spatial[axis])}) continue;")
            channel = _group_channel(at[1], out_channels, groups, terms)
            lines.append(f"        s += {x.at([at[0], channel, *places])} * {weight.at([at[1], 'c', *taps])};")
            return [*lines, "}" * (rank + 1), f"{target}[{flat_index(shape, at)}] = s;"]

        def fill(target: str) -> None:
            p.loops(shape, lambda at: body(at, target), inner=[terms, *kernel])
            p.longest_sum.append(" * ".join([f"({text_of(terms)})", *map(str, kernel)]))

        return p.stored(shape, fill)

    return forward


def transposed_convolution(
    rank: int, p: Program, name: str, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1,
    padding: Any = 0, output_padding: Any = 0, groups: int = 1, bias: bool = True, dilation: Any = 1,
) -> Layer:  # fmt: skip
    """A transposed convolution: each output gathers the inputs whose windows reach it."""
    kernel, step = _tuple_of(kernel_size, rank, "kernel_size"), _tuple_of(stride, rank, "stride")
    pad, spread = _tuple_of(padding, rank, "padding"), _tuple_of(dilation, rank, "dilation")
    more = _tuple_of(output_padding, rank, "output_padding")
    p.divides(groups, in_channels)
    p.divides(groups, out_channels)
    of_group = out_channels // groups
    terms = in_channels // groups
    weight = _parameter(p, f"{name}.weight", (in_channels, of_group, *kernel))
    shift = _parameter(p, f"{name}.bias", (out_channels,)) if bias else None

    def forward(x: Tensor) -> Tensor:
        _check_channels(x, rank, in_channels)
        spatial = x.shape[2:]
        shape = [x.shape[0], out_channels]
        for size, k, s, b, d, o in zip(spatial, kernel, step, pad, spread, more, strict=True):
            shape.append((size + -1) * s + (d * (k - 1) + o + 1 - 2 * b))
            p.needs(f"{text_of(shape[-1])} >= 1")

        def body(at: tuple[str, ...], target: str) -> list[str]:
            lines = [f"float s = {shift.at([at[1]]) if shift else '0.0f'};"]
            taps = [f"k{axis}" for axis in range(rank)]
            lines.append(f"for (int c = 0; c < {c_text(terms)}; ++c) {{")
            for axis in range(rank):
                lines.append(f"    for (int k{axis} = 0; k{axis} < {kernel[axis]}; ++k{axis}) {{")
                back = f"{at[2 + axis]} + {pad[axis]} - {taps[axis]} * {spread[axis]}"
                lines.append(f"        const int z{axis} = {back};")
                strided = f" || z{axis} % {step[axis]} != 0" if step[axis] > 1 else ""
                lines.append(
                    f"        if (z{axis} < 0{strided} || z{axis} / {step[axis]} >= {c_text(spatial[axis])}) continue;"
                )
            channel = _group_channel(at[1], out_channels, groups, terms)
            place = [f"z{axis} / {step[axis]}" for axis in range(rank)]
            inside = at[1] if groups == 1 else f"{at[1]} % ({c_text(of_group)})"
            lines.append(f"        s += {x.at([at[0], channel, *place])} * {weight.at([channel, inside, *taps])};")
            return [*lines, "}" * (rank + 1), f"{target}[{flat_index(shape, at)}] = s;"]

        def fill(target: str) -> None:
            p.loops(shape, lambda at: body(at, target), inner=[terms, *kernel])
            p.longest_sum.append(" * ".join([f"({text_of(terms)})", *map(str, kernel)]))

        return p.stored(tuple(shape), fill)

    return forward


def _group_channel(out_channel: str, out_channels: int, groups: int, terms: int) -> str:
    """The input channel that term `c` of an output channel reads."""
    if not isinstance(groups, Dim) and groups == 1:
        return "c"
    of_group = c_text(out_channels // groups)
    group = out_channel if of_group == "1" else f"{out_channel} / ({of_group})"
    return group if c_text(terms) == "1" else f"({group}) * ({c_text(terms)}) + c"


def _check_channels(x: Tensor, rank: int, channels: int) -> None:
    if x.rank != rank + 2 or not same(x.shape[1], channels):
        raise Untranslatable(
            f"a layer for {text_of(channels)} channels on a tensor {[text_of(s) for s in x.shape]}", kind="shapes"
        )


def pool(
    rank: int, largest: bool, p: Program, name: str, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
    return_indices: bool = False, ceil_mode: bool = False, count_include_pad: bool = True,
) -> Layer:  # fmt: skip
    """The largest or the mean of each window; padding counts as zeros in a mean and not at all in a maximum."""
    if return_indices or ceil_mode or not count_include_pad:
        raise Untranslatable("a pool with return_indices, ceil_mode or without count_include_pad")
    kernel, pad = _tuple_of(kernel_size, rank, "kernel_size"), _tuple_of(padding, rank, "padding")
    step = kernel if stride is None else _tuple_of(stride, rank, "stride")
    spread = _tuple_of(dilation, rank, "dilation")

    def forward(x: Tensor) -> Tensor:
        if x.rank != rank + 2:
            raise Untranslatable(f"a pool over {rank} dimensions of a tensor with {x.rank}", kind="shapes")
        spatial = x.shape[2:]
        for size, width in zip(spatial, kernel, strict=True):
            p.needs(f"{text_of(size)} >= {width}")
        shape = (*x.shape[:2], *(_extent(*one, p) for one in zip(spatial, kernel, step, pad, spread, strict=True)))
        places = [f"y{axis}" for axis in range(rank)]

        def body(at: tuple[str, ...], target: str) -> list[str]:
            lines = ["float s = -INFINITY;" if largest else "float s = 0.0f;"]
            for axis in range(rank):
                lines.append(f"for (int k{axis} = 0; k{axis} < {kernel[axis]}; ++k{axis}) {{")
                lines.append(
                    f"    const int y{axis} = {_source(at[2 + axis], step[axis], f'k{axis}', spread[axis], pad[axis])};"
                )
                if pad[axis]:
                    lines.append(f"    if (y{axis} < 0 || y{axis} >= {c_text(spatial[axis])}) continue;")
            value = x.at([at[0], at[1], *places])
            lines.append(f"    s = fmaxf(s, {value});" if largest else f"    s += {value};")
            count = 1
            for one in kernel:
                count *= one
            end = "s" if largest else f"s / {number(count)}"
            return [*lines, "}" * rank, f"{target}[{flat_index(shape, at)}] = {end};"]

        def fill(target: str) -> None:
            p.loops(shape, lambda at: body(at, target), inner=kernel)
            if not largest:
                p.longest_sum.append(" * ".join(map(str, kernel)))

        return p.stored(shape, fill)

    return forward


def _standardised(p: Program, x: Tensor, axes: Sequence[int], eps: float) -> Tensor:
    """(x - mean) / sqrt(variance + eps), the variance over n."""
    centre = reduce(p, x, tuple(axes), True, start="0.0f", step="s += {e};", end="{s} / {n}")
    centred = elementwise("({} - {})".format, x, centre)
    spread = reduce(
        p, centred, tuple(axes), True, start="0.0f", step="s += {e} * {e};", end=f"sqrtf({{s}} / {{n}} + {number(eps)})"
    )
    return elementwise("({} / {})".format, centred, spread)


def _scaled(p: Program, name: str, x: Tensor, axes: Sequence[int]) -> Tensor:
    """Times a weight plus a bias, both over `axes`."""
    shape = tuple(x.shape[axis] for axis in axes)

    def spread_out(tensor: Tensor) -> Tensor:
        return Tensor(shape=x.shape, element=lambda at: tensor.at([at[axis] for axis in axes]))

    weight, bias = (spread_out(_parameter(p, f"{name}.{part}", shape)) for part in ("weight", "bias"))
    return elementwise("({} * {} + {})".format, x, weight, bias)


def batch_norm(p: Program, name: str, num_features: int, eps: float = 1e-5, affine: bool = True) -> Layer:
    """Over the batch and all positions, by the batch's own mean and variance."""

    def forward(x: Tensor) -> Tensor:
        if x.rank < 2 or not same(x.shape[1], num_features):
            raise Untranslatable("a batch normalisation of another number of features", kind="shapes")
        y = _standardised(p, x, [0, *range(2, x.rank)], eps)
        return _scaled(p, name, y, [1]) if affine else y

    return forward


def instance_norm(p: Program, name: str, num_features: int, eps: float = 1e-5, affine: bool = False) -> Layer:
    """Over the positions of each feature of each sample."""

    def forward(x: Tensor) -> Tensor:
        y = _standardised(p, x, range(2, x.rank), eps)
        return _scaled(p, name, y, [1]) if affine else y

    return forward


def group_norm(
    p: Program, name: str, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True
) -> Layer:
    """Over the positions of a group of channels of each sample."""
    if isinstance(num_groups, Dim):
        raise Untranslatable("a number of groups that is a size")
    p.divides(num_groups, num_channels)

    def forward(x: Tensor) -> Tensor:
        of_group = num_channels // num_groups
        channels = f"({c_text(of_group)})"
        split = Tensor(
            shape=(x.shape[0], num_groups, of_group, *x.shape[2:]),
            element=lambda at: x.at([at[0], f"({at[1]} * {channels} + {at[2]})", *at[3:]]),
        )
        y = _standardised(p, split, range(2, split.rank), eps)
        joined = Tensor(
            shape=x.shape,
            element=lambda at: y.at([at[0], f"({at[1]} / {channels})", f"({at[1]} % {channels})", *at[2:]]),
        )
        return _scaled(p, name, joined, [1]) if affine else joined

    return forward


def layer_norm(p: Program, name: str, normalized_shape: Any, eps: float = 1e-5) -> Layer:
    """Over the last dimensions of each sample."""
    over = len(normalized_shape) if isinstance(normalized_shape, tuple | list) else 1

    def forward(x: Tensor) -> Tensor:
        axes = range(x.rank - over, x.rank)
        return _scaled(p, name, _standardised(p, x, axes, eps), axes)

    return forward


def linear(p: Program, name: str, in_features: int, out_features: int, bias: bool = True) -> Layer:
    """x W^T + b."""
    weight = _parameter(p, f"{name}.weight", (out_features, in_features))
    shift = _parameter(p, f"{name}.bias", (out_features,)) if bias else None

    def forward(x: Tensor) -> Tensor:
        product = matmul(p, x, transpose(p, weight, 0, 1))
        return product if shift is None else elementwise("({} + {})".format, product, shift)

    return forward


def _triplet(p: Program, name: str, margin: float = 1.0) -> Callable[..., Tensor]:
    """Mean of max(|a - p| - |a - n| + margin, 0) by rows; 1e-6 is added to each difference, as torch does."""

    def distance(a: Tensor, b: Tensor) -> Tensor:
        apart = elementwise("({} - {} + 1e-06f)".format, a, b)
        return reduce(p, apart, a.rank - 1, False, start="0.0f", step="s += {e} * {e};", end="sqrtf({s})")

    def forward(anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        near, far = distance(anchor, positive), distance(anchor, negative)
        rows = elementwise(f"fmaxf({{}} - {{}} + {number(margin)}, 0.0f)".format, near, far)
        return reduce(p, rows, None, False, start="0.0f", step="s += {e};", end="{s} / {n}")

    return forward


def _activation(function: str) -> Callable[..., Layer]:
    return lambda p, name, *values, inplace=False, **named: (
        lambda x: FUNCTIONS[f"torch.nn.functional.{function}"](p, x, *values, **named)
    )


LAYERS: dict[str, Callable[..., Callable[..., Tensor]]] = {
    **{f"torch.nn.Conv{n}d": partial(convolution, n) for n in (1, 2, 3)},
    **{f"torch.nn.ConvTranspose{n}d": partial(transposed_convolution, n) for n in (1, 2, 3)},
    **{f"torch.nn.MaxPool{n}d": partial(pool, n, True) for n in (1, 2, 3)},
    **{f"torch.nn.AvgPool{n}d": partial(pool, n, False) for n in (1, 2, 3)},
    **{f"torch.nn.BatchNorm{n}d": batch_norm for n in (1, 2, 3)},
    **{f"torch.nn.InstanceNorm{n}d": instance_norm for n in (1, 2, 3)},
    "torch.nn.GroupNorm": group_norm, "torch.nn.LayerNorm": layer_norm, "torch.nn.Linear": linear,
    "torch.nn.TripletMarginLoss": _triplet,
    "torch.nn.ReLU": _activation("relu"), "torch.nn.Sigmoid": _activation("sigmoid"), "torch.nn.Tanh": _activation("tanh"),
    "torch.nn.GELU": _activation("gelu"), "torch.nn.SiLU": _activation("silu"), "torch.nn.Mish": _activation("mish"),
    "torch.nn.LeakyReLU": _activation("leaky_relu"), "torch.nn.Softplus": _activation("softplus"),
    "torch.nn.Hardtanh": _activation("hardtanh"), "torch.nn.Softmax": _activation("softmax"),
}  # fmt: skip
