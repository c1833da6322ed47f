"""Functions of an element's surroundings: stencils with several kinds of borders, filters, windows."""

from regrapht.distil.families.pen import COLUMNS, COUNTS, DEEPS, ROWS, Drawn, Pen
from regrapht.distil.families.styles import written
from regrapht.records.task import Role


def _weighted(pen: Pen, parts: list[str]) -> str:
    if pen.maybe(0.4):
        return f"({' + '.join(parts)}) * {pen.value(0.1, 0.4)}"
    return " + ".join(f"{pen.value(0.05, 0.9)} * {part}" for part in parts)


def line_stencil(pen: Pen) -> Drawn:
    """A stencil along one dimension."""
    n, i, real = pen.size(COUNTS), pen.variable(1), pen.real
    source, out = pen.array([n]), pen.array([n], role=Role.OUT)
    reach, form = pen.chance.randint(1, 4), pen.pick("clamp", "zero", "wrap", "copy")
    if form == "copy":
        parts = [f"{source}[{i} + {k}]".replace("+ -", "- ").replace(" + 0", "") for k in range(-reach, reach + 1)]
        value = _weighted(pen, parts)
        body = [
            f"if ({i} < {reach} || {i} >= {n} - {reach})",
            f"    {out}[{i}] = {source}[{i}];",
            "else",
            f"    {out}[{i}] = {value};",
        ]
        return written(
            pen,
            "stencil",
            [(i, n)],
            body,
            most=1000,
            about="A weighted mean of neighbours; the ends are kept.",
            reduction="9",
        )
    k, total = pen.variable(), pen.name(["sum", "acc", "total", "mix_of"])
    at = pen.name(["at", "p_at", "near", "nb"])
    turns = {
        "clamp": [
            f"int {at} = {i} + {k};",
            f"if ({at} < 0) {at} = 0;",
            f"if ({at} >= {n}) {at} = {n} - 1;",
            f"{total} += {source}[{at}];",
        ],
        "zero": [f"int {at} = {i} + {k};", f"if ({at} >= 0 && {at} < {n}) {total} += {source}[{at}];"],
        "wrap": [f"int {at} = ({i} + {k} + {n} * {reach}) % {n};", f"{total} += {source}[{at}];"],
    }
    inner = turns[form]
    if pen.maybe(0.5):
        taps = pen.array([str(2 * reach + 1)], pool=["taps", "filter", "kernel_of", "w_taps", "coef"])
        inner[-1] = inner[-1].replace(f"{source}[{at}]", f"{taps}[{k} + {reach}] * {source}[{at}]")
    body = [
        f"{real} {total} = {pen.zero};",
        *pen.loop(k, str(reach), inner, start=f"-{reach}", op="<="),
        f"{out}[{i}] = {total};",
    ]
    about = {"clamp": "ends are repeated", "zero": "0 beyond the ends", "wrap": "the line is a ring"}[form]
    return written(pen, "stencil", [(i, n)], body, most=1000, about=f"A filter along a line; {about}.", reduction="9")


def plane_stencil(pen: Pen) -> Drawn:
    """A stencil on a plane, whose rim is kept or 0."""
    r, c = pen.size(ROWS), pen.size(COLUMNS)
    y, x = pen.variable(2), pen.variable(3)
    source, out = pen.array([r, c]), pen.array([r, c], role=Role.OUT)
    here = f"{source}[{y} * {c} + {x}]"
    around = [
        f"{source}[({y} - 1) * {c} + {x}]",
        f"{source}[({y} + 1) * {c} + {x}]",
        f"{source}[{y} * {c} + {x} - 1]",
        f"{source}[{y} * {c} + {x} + 1]",
    ]
    if pen.maybe(0.3):
        around += [f"{source}[({y} {s} 1) * {c} + {x} {t} 1]" for s in "-+" for t in "-+"]
    value = pen.pick(
        f"{here} + {pen.value(0.05, 0.3)} * ({' + '.join(around)} - {len(around)} * {here})",
        _weighted(pen, [here, *around]),
    )
    if len(around) == 4 and pen.maybe(0.25):
        dx, dy = f"({around[3]} - {around[2]})", f"({around[1]} - {around[0]})"
        value = f"{pen.call('sqrt')}({dx} * {dx} + {dy} * {dy})"
    edge = pen.pick(here, pen.zero)
    body = [
        f"if ({y} == 0 || {x} == 0 || {y} == {r} - 1 || {x} == {c} - 1) {{",
        f"    {out}[{y} * {c} + {x}] = {edge};",
        "} else {",
        f"    {out}[{y} * {c} + {x}] = {value};",
        "}",
    ]
    return written(
        pen,
        "stencil",
        [(y, r), (x, c)],
        body,
        most=60,
        about="Each cell from its neighbours; the rim is kept or 0.",
        reduction="9",
    )


def plane_filter(pen: Pen) -> Drawn:
    """A square filter on a plane, with several kinds of borders."""
    r, c, real = pen.size(ROWS), pen.size(COLUMNS), pen.real
    y, x = pen.variable(2), pen.variable(3)
    source, out = pen.array([r, c]), pen.array([r, c], role=Role.OUT)
    form = pen.pick("clamp", "zero", "wrap")
    reach, total = pen.chance.randint(1, 2), pen.name(["sum", "acc", "total", "mix_of"])
    dy, dx = pen.name(["dy", "p", "oy"]), pen.name(["dx", "q", "ox"])
    yy, xx = pen.name(["yy", "ry", "sy"]), pen.name(["xx", "rx", "sx"])
    use = f"{total} += {source}[{yy} * {c} + {xx}]"
    side = str(2 * reach + 1)
    if pen.maybe(0.5):
        taps = pen.array([side, side], pool=["taps", "filter", "kernel_of", "mask", "stamp"])
        use = f"{total} += {taps}[({dy} + {reach}) * {side} + {dx} + {reach}] * {source}[{yy} * {c} + {xx}]"
    if form == "clamp":
        low, high = pen.pick(
            ("if ({v} < 0) {v} = 0;", "if ({v} >= {e}) {v} = {e} - 1;"),
            ("{v} = {v} < 0 ? 0 : {v};", "{v} = {v} > {e} - 1 ? {e} - 1 : {v};"),
        )
        fixes = [one.format(v=v, e=e) for v, e in ((yy, r), (xx, c)) for one in (low, high)]
        inner = [f"int {yy} = {y} + {dy};", f"int {xx} = {x} + {dx};", *fixes, f"{use};"]
    elif form == "zero":
        inner = [
            f"int {yy} = {y} + {dy};",
            f"int {xx} = {x} + {dx};",
            f"if ({yy} < 0 || {yy} >= {r} || {xx} < 0 || {xx} >= {c}) continue;",
            f"{use};",
        ]
    else:
        inner = [
            f"int {yy} = ({y} + {dy} + {r} * {reach}) % {r};",
            f"int {xx} = ({x} + {dx} + {c} * {reach}) % {c};",
            f"{use};",
        ]
    loops = pen.loop(
        dy, str(reach), pen.loop(dx, str(reach), inner, start=f"-{reach}", op="<="), start=f"-{reach}", op="<="
    )
    ending = pen.pick(total, f"{total} * {pen.value(0.05, 0.3)}", f"{total} / {int(side) ** 2}")
    body = [f"{real} {total} = {pen.zero};", *loops, f"{out}[{y} * {c} + {x}] = {ending};"]
    about = {"clamp": "the rim is repeated", "zero": "0 beyond the rim", "wrap": "both dimensions are rings"}[form]
    return written(
        pen, "stencil", [(y, r), (x, c)], body, most=40, about=f"A filter of {side} x {side}; {about}.", reduction="25"
    )


def space_stencil(pen: Pen) -> Drawn:
    """A seven-point stencil in space."""
    nz, ny, nx = pen.size(DEEPS), pen.size(ROWS), pen.size(COLUMNS)
    z, y, x = pen.name(["z", "k", "zi"]), pen.variable(2), pen.variable(3)
    source, out = pen.array([nz, ny, nx]), pen.array([nz, ny, nx], role=Role.OUT)
    at = pen.name(["at", "idx_at", "here", "o_at"])
    plane = f"{ny} * {nx}"
    around = [f"{source}[{at} {s} {d}]" for d in ("1", nx, plane) for s in "-+"]
    inside = f"{z} > 0 && {z} < {nz} - 1 && {y} > 0 && {y} < {ny} - 1 && {x} > 0 && {x} < {nx} - 1"
    value = f"{pen.value(0.3, 0.9)} * {source}[{at}] + {pen.value(0.02, 0.1)} * ({' + '.join(around)})"
    edge = pen.pick(f"{source}[{at}]", pen.zero)
    body = [
        f"int {at} = ({z} * {ny} + {y}) * {nx} + {x};",
        f"if ({inside})",
        f"    {out}[{at}] = {value};",
        "else",
        f"    {out}[{at}] = {edge};",
    ]
    return written(
        pen,
        "stencil",
        [(z, nz), (y, ny), (x, nx)],
        body,
        most=14,
        about="Each cell in space from its six neighbours.",
        reduction="7",
    )


def window(pen: Pen) -> Drawn:
    """Pooling and sliding windows: the largest, the mean, the range of a block of elements."""
    r, c, real = pen.size(["oh", "out_rows", "rows", "h2"]), pen.size(["ow", "out_cols", "cols", "w2"]), pen.real
    y, x = pen.variable(2), pen.variable(3)
    side, gap = pen.chance.randint(2, 4), 0
    gap = pen.chance.randint(1, side)
    source = pen.array([f"{r} * {gap} + {side}", f"{c} * {gap} + {side}"])
    out = pen.array([r, c], role=Role.OUT)
    p, q, best = pen.variable(), pen.variable(), pen.name(["best", "top", "found", "acc"])
    value = f"{source}[({y} * {gap} + {p}) * ({c} * {gap} + {side}) + {x} * {gap} + {q}]"
    first = f"{source}[({y} * {gap}) * ({c} * {gap} + {side}) + {x} * {gap}]"
    if pen.maybe(0.5):
        start, line, ending = first, f"{best} = {pen.call('fmax')}({best}, {value});", best
    else:
        start, line, ending = pen.zero, f"{best} += {value};", f"{best} / {side * side}"
    loops = pen.loop(p, str(side), pen.loop(q, str(side), [line]))
    body = [f"{real} {best} = {start};", *loops, f"{out}[{y} * {c} + {x}] = {ending};"]
    return written(
        pen,
        "pooling",
        [(y, r), (x, c)],
        body,
        most=24,
        about=f"Windows of {side} x {side}, {gap} apart.",
        reduction="16",
    )


def channels(pen: Pen) -> Drawn:
    """A filter over planes: several channels summed, or one filter for each."""
    planes, length = pen.size(["channels", "planes", "filters"]), pen.size(["length", "n", "width", "t_n"])
    f, i, k, real = pen.variable(2), pen.variable(3), pen.variable(), pen.real
    taps = pen.chance.randint(2, 6)
    own = pen.maybe(0.5)
    source = pen.array([planes, f"{length} + {taps}"] if own else [f"{length} + {taps}"])
    weights, out = (
        pen.array([planes, str(taps)], pool=["w", "weights", "filter", "taps"]),
        pen.array([planes, length], role=Role.OUT),
    )
    total = pen.name(["sum", "acc", "total"])
    value = f"{source}[{f} * ({length} + {taps}) + {i} + {k}]" if own else f"{source}[{i} + {k}]"
    start = f"{pen.array([planes])}[{f}]" if pen.maybe(0.5) else pen.zero
    ending = pen.pick(total, f"{total} > {pen.zero} ? {total} : {pen.zero}")
    body = [
        f"{real} {total} = {start};",
        *pen.loop(k, str(taps), [f"{total} += {weights}[{f} * {taps} + {k}] * {value};"]),
        f"{out}[{f} * {length} + {i}] = {ending};",
    ]
    return written(
        pen,
        "convolution",
        [(f, planes), (i, length)],
        body,
        most=50,
        about="One filter a plane along a line.",
        reduction="8",
    )
