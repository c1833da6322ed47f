"""Functions of an element's surroundings, put together by chance: any offsets, borders and ways to join; resampling; filters."""

from regrapht.distil.families.pen import COLUMNS, DEEPS, ROWS, Drawn, Pen
from regrapht.distil.families.styles import written
from regrapht.distil.families.terms import formula
from regrapht.records.task import Role

_AT = {"y": ["yy", "ry", "sy", "row_at"], "x": ["xx", "rx", "sx", "col_at"]}


def border(pen: Pen, at: str, end: str, form: str) -> list[str]:
    """Lines that bring a place that lies at most a few beyond the ends back between them."""
    if form == "clamp":
        return list(pen.pick(
            [f"if ({at} < 0) {at} = 0;", f"if ({at} >= {end}) {at} = {end} - 1;"],
            [f"{at} = {at} < 0 ? 0 : ({at} >= {end} ? {end} - 1 : {at});"],
            [f"{at} = {at} < 0 ? 0 : {at};", f"{at} = {at} > {end} - 1 ? {end} - 1 : {at};"],
        ))  # fmt: skip
    if form == "mirror":
        return [
            f"if ({at} < 0) {at} = -{at};",
            f"if ({at} >= {end}) {at} = 2 * {end} - 2 - {at};",
            f"if ({at} < 0) {at} = 0;",
        ]
    return list(
        pen.pick(
            [f"{at} = ({at} + 4 * {end}) % {end};"],
            [
                f"if ({at} < 0) {at} += {end};",
                f"if ({at} >= {end}) {at} -= {end};",
                f"if ({at} < 0 || {at} >= {end}) {at} = 0;",
            ],
        )
    )


def offsets(pen: Pen) -> Drawn:
    """Any few neighbours on a plane, joined in any way, with any border."""
    r, c, real = pen.size(ROWS), pen.size(COLUMNS), pen.real
    y, x = pen.variable(2), pen.variable(3)
    source = pen.array([r, c])
    here, acc = f"{source}[{y} * {c} + {x}]", pen.name(["sum", "acc", "best", "found", "mix_v"])
    around = [(dy, dx) for dy in range(-2, 3) for dx in range(-2, 3) if (dy, dx) != (0, 0)]
    chosen = pen.chance.sample(around, pen.chance.randint(2, 5))
    yy, xx, form = pen.name(_AT["y"]), pen.name(_AT["x"]), pen.pick("clamp", "mirror", "wrap", "zero")
    value = f"{source}[{yy} * {c} + {xx}]"
    join = pen.pick(
        f"{acc} += {pen.value(0.05, 0.5)} * {value};",
        f"{acc} = {pen.call('fmax')}({acc}, {value});",
        f"{acc} += {pen.call('fabs')}({value} - {here});",
        f"if ({value} > {here}) {acc} += {pen.value()};",
        f"{acc} += ({value} - {here}) * ({value} - {here});",
    )
    k, dys, dxs = pen.variable(), pen.name(["dys", "off_y", "dv"]), pen.name(["dxs", "off_x", "du"])
    turn = [f"int {yy} = {y} + {dys}[{k}];", f"int {xx} = {x} + {dxs}[{k}];"]
    if form == "zero":
        asked = f"{yy} >= 0 && {yy} < {r} && {xx} >= 0 && {xx} < {c}"
        turn += pen.pick([f"if ({asked}) {{", f"    {join}", "}"], [f"if (!({asked})) continue;", join])
    else:
        turn += [*border(pen, yy, r, form), *border(pen, xx, c, form), join]
    body = [
        f"const int {dys}[{len(chosen)}] = {{{', '.join(str(dy) for dy, _ in chosen)}}};",
        f"const int {dxs}[{len(chosen)}] = {{{', '.join(str(dx) for _, dx in chosen)}}};",
    ]
    out = pen.array([r, c], role=Role.OUT)
    body += [
        f"{real} {acc} = {pen.pick(here, pen.zero)};",
        *pen.loop(k, str(len(chosen)), turn),
        f"{out}[{y} * {c} + {x}] = {pen.pick(acc, formula(pen, [acc, here], 2))};",
    ]
    return written(
        pen, "stencil", [(y, r), (x, c)], body, most=40, about="A few neighbours of each cell.", reduction="9"
    )


def inside(pen: Pen) -> Drawn:
    """A stencil on the inside of a line, a plane or a space alone; what lies on the rim stays as it is."""
    dims = pen.pick(1, 2, 2, 3)
    extents = [pen.size(pool) for pool in (DEEPS, ROWS, COLUMNS)[3 - dims :]]
    names = (
        ([pen.name(["z", "k", "zi"])] if dims == 3 else [])
        + [pen.variable(2) for _ in range(dims > 1)]
        + [pen.variable(3)]
    )
    source, out = pen.array(extents), pen.array(extents, role=Role.INOUT)

    def flat(shift: tuple[int, ...]) -> str:
        parts = [
            name if by == 0 else f"({name} {'+' if by > 0 else '-'} {abs(by)})"
            for name, by in zip(names, shift, strict=True)
        ]
        text = parts[0]
        for extent, part in zip(extents[1:], parts[1:], strict=True):
            text = (
                f"({text}) * {extent} + {part}"
                if " " in text and not text.startswith("(")
                else f"{text} * {extent} + {part}"
            )
        return text

    around = [tuple(by if axis == at else 0 for axis in range(dims)) for at in range(dims) for by in (-1, 1)]
    taken = pen.chance.sample(around, pen.chance.randint(2, len(around)))
    here, near = f"{source}[{flat((0,) * dims)}]", [f"{source}[{flat(one)}]" for one in taken]
    total = " + ".join(pen.pick(one, f"{pen.value(0.05, 0.6)} * {one}") for one in near)
    value = pen.pick(
        total,
        f"{here} + {pen.value(0.05, 0.3)} * ({' + '.join(near)} - {len(near)} * {here})",
        f"{pen.call('fmax')}({here}, {near[0]}) - {pen.value()} * {near[1]}",
    )
    body = [f"{out}[{flat((0,) * dims)}] = {value};"]
    loops = [(name, f"{extent} - 1") for name, extent in zip(names, extents, strict=True)]
    return written(
        pen,
        "stencil",
        loops,
        body,
        most={1: 900, 2: 60, 3: 14}[dims],
        about="Each inner cell from its neighbours; the rim stays.",
        reduction="7",
        start="1",
    )


def resampled(pen: Pen) -> Drawn:
    """A plane made larger or smaller by a whole factor: nearest, mean, linear between two, every so many."""
    r, c, f = (
        pen.size(["oh", "out_rows", "rows", "h2"]),
        pen.size(["ow", "out_cols", "cols", "w2"]),
        pen.chance.randint(2, 4),
    )
    y, x, form, real = pen.variable(2), pen.variable(3), pen.chance.randrange(4), pen.real
    out, place = pen.array([r, c], role=Role.OUT), f"{y} * {c} + {x}"
    if form == 0:  # every so many
        source = pen.array([f"{r} * {f}", f"{c} * {f}"])
        down, right = pen.chance.randrange(f), pen.chance.randrange(f)
        value = f"{source}[({y} * {f} + {down}) * ({c} * {f}) + {x} * {f} + {right}]"
        body = [f"{out}[{place}] = {formula(pen, [value], 1)};"]
    elif form == 1:  # larger, nearest: of a plane of which a corner is used
        source = pen.array([r, c])
        body = [f"{out}[{place}] = {formula(pen, [f'{source}[({y} / {f}) * {c} + {x} / {f}]'], 1)};"]
    elif form == 2:  # linear between two of a row
        source, a, t = (
            pen.array([r, f"{c} + 2"]),
            pen.name(["a_at", "left_at", "lo"]),
            pen.name(["t", "frac", "w_of"]),
        )
        width = f"({c} + 2)"
        body = [f"int {a} = {x} / {f};", f"{real} {t} = ({real})({x} % {f}) / {f};"]
        first, second = f"{source}[{y} * {width} + {a}]", f"{source}[{y} * {width} + {a} + 1]"
        body.append(
            f"{out}[{place}] = {pen.pick(f'{first} + {t} * ({second} - {first})', f'(1 - {t}) * {first} + {t} * {second}')};"
        )
    else:  # blocks joined
        source, p, q, acc = (
            pen.array([f"{r} * {f}", f"{c} * {f}"]),
            pen.variable(),
            pen.variable(),
            pen.name(["sum", "acc", "best"]),
        )
        value = f"{source}[({y} * {f} + {p}) * ({c} * {f}) + {x} * {f} + {q}]"
        line = pen.pick(
            f"{acc} += {value};",
            f"{acc} = {pen.call('fmax')}({acc}, {value});",
            f"{acc} += {value} * {value};",
            f"if ({value} > {pen.value(0.0, 0.8)}) {acc} += {pen.value()};",
        )
        body = [
            f"{real} {acc} = {pen.zero};",
            *pen.loop(p, str(f), pen.loop(q, str(f), [line])),
            f"{out}[{place}] = {formula(pen, [acc], 1)};",
        ]
    return written(pen, "resampling", [(y, r), (x, c)], body, most=24, about="A plane at another size.", reduction="16")


def planes(pen: Pen) -> Drawn:
    """Filters over several planes: strides, gaps, own or shared weights, bias and what bends the sum."""
    o, r, c = pen.size(["filters", "outs", "maps"]), pen.size(["oh", "rows", "h"]), pen.size(["ow", "cols", "w"])
    own = pen.maybe(0.3)
    i_n = o if own else pen.size(["ins", "planes", "channels"])
    side, step, gap = pen.chance.randint(2, 3), pen.pick(1, 1, 2), pen.pick(1, 1, 2)
    f, y, x, p, q, ch = (
        pen.name(["f", "o", "m_at"]),
        pen.variable(2),
        pen.variable(3),
        pen.variable(),
        pen.variable(),
        pen.name(["ch", "s_at", "pl"]),
    )
    reach = gap * (side - 1) + 1
    height, width = f"({r} * {step} + {reach})", f"({c} * {step} + {reach})"
    source = pen.array([i_n, f"{r} * {step} + {reach}", f"{c} * {step} + {reach}"])
    weights = pen.array(
        [o, str(side), str(side)] if own else [o, i_n, str(side), str(side)], pool=["w", "weights", "filter", "taps"]
    )
    acc, out = pen.name(["sum", "acc", "total"]), pen.array([o, r, c], role=Role.OUT)
    plane = f if own else ch
    value = f"{source}[({plane} * {height} + {y} * {step} + {p} * {gap}) * {width} + {x} * {step} + {q} * {gap}]"
    weight = f"{weights}[({f if own else f'({f} * {i_n} + {ch})'} * {side} + {p}) * {side} + {q}]"
    loops = pen.loop(p, str(side), pen.loop(q, str(side), [f"{acc} += {weight} * {value};"]))
    loops = loops if own else pen.loop(ch, i_n, loops)
    start = f"{pen.array([o], pool=['bias', 'shift_by'])}[{f}]" if pen.maybe(0.5) else pen.zero
    body = [
        f"{pen.real} {acc} = {start};",
        *loops,
        f"{out}[({f} * {r} + {y}) * {c} + {x}] = {pen.pick(acc, formula(pen, [acc], 1))};",
    ]
    return written(
        pen,
        "convolution",
        [(f, o), (y, r), (x, c)],
        body,
        most=9,
        about="Filters over planes.",
        reduction="128",
        bench=64,
    )
