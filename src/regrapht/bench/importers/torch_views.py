"""Tensors that are other tensors seen differently: transposed, flipped, cut, joined. Nothing is computed or stored."""

from __future__ import annotations

from collections.abc import Sequence

from regrapht.bench.importers.symbolic import Program, Tensor, c_text, text_of


def transpose(p: Program, x: Tensor, a: int, b: int) -> Tensor:
    """Two dimensions exchanged."""
    order = list(range(x.rank))
    order[x.axis(a)], order[x.axis(b)] = order[x.axis(b)], order[x.axis(a)]

    def element(at: tuple[str, ...]) -> str:
        return x.at([at[order.index(axis)] for axis in range(x.rank)])

    return Tensor(shape=tuple(x.shape[axis] for axis in order), element=element, c_type=x.c_type)


def triangle(keep: str, p: Program, x: Tensor) -> Tensor:
    """`triu` or `tril` of the last two dimensions; of a drawn array a property of what is drawn."""
    comparison = ">=" if keep == "triu" else "<="
    return Tensor(shape=x.shape, element=lambda at: f"({at[-1]} {comparison} {at[-2]} ? {x.at(at)} : 0.0f)")


def unsqueeze(p: Program, x: Tensor, dim: int) -> Tensor:
    axis = dim if dim >= 0 else dim + x.rank + 1
    return Tensor(shape=(*x.shape[:axis], 1, *x.shape[axis:]), element=lambda at: x.at([*at[:axis], *at[axis + 1 :]]))


def flip(p: Program, x: Tensor, dim: object) -> Tensor:
    axis = x.axis(dim[0] if isinstance(dim, tuple | list) and len(dim) == 1 else dim)
    last = c_text(x.shape[axis])
    return Tensor(shape=x.shape, element=lambda at: x.at([*at[:axis], f"({last} - 1 - {at[axis]})", *at[axis + 1 :]]))


def narrow(p: Program, x: Tensor, dim: object, start: int, length: int) -> Tensor:
    axis = x.axis(dim)
    shift = f" + {start}" if start else ""
    shape = (*x.shape[:axis], length, *x.shape[axis + 1 :])
    p.needs(f"{text_of(length)} >= 1")
    return Tensor(
        shape=shape,
        element=lambda at: x.at([*at[:axis], f"({at[axis]}{shift})" if shift else at[axis], *at[axis + 1 :]]),
    )


def select(p: Program, x: Tensor, dim: object, index: int) -> Tensor:
    axis = x.axis(dim)
    return Tensor(
        shape=(*x.shape[:axis], *x.shape[axis + 1 :]), element=lambda at: x.at([*at[:axis], str(index), *at[axis:]])
    )


def concatenate(p: Program, tensors: Sequence[Tensor], dim: object = 0) -> Tensor:
    axis = tensors[0].axis(dim)
    total: int = sum((t.shape[axis] for t in tensors[1:]), tensors[0].shape[axis])

    def element(at: tuple[str, ...]) -> str:
        text, before = "", 0
        for position, tensor in enumerate(tensors):
            shift = f"({at[axis]} - ({c_text(before)}))" if c_text(before) != "0" else at[axis]
            part = tensor.at([*at[:axis], shift, *at[axis + 1 :]])
            before = before + tensor.shape[axis]
            text += part if position == len(tensors) - 1 else f"{at[axis]} < {c_text(before)} ? {part} : "
        return f"({text})"

    return Tensor(shape=(*tensors[0].shape[:axis], total, *tensors[0].shape[axis + 1 :]), element=element)
