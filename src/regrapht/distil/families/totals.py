"""Functions whose threads must share work: whole sums and extremes, histograms, scans, stages that follow each other."""

from regrapht.distil.families.pen import COLUMNS, COUNTS, ROWS, Drawn, Pen, integers, whole
from regrapht.records.task import Init, Role


def total(pen: Pen) -> Drawn:
    """One number of all elements, returned or stored."""
    n, i, real = pen.size(COUNTS), pen.variable(1), pen.real
    source, acc = pen.array([n]), pen.name(["sum", "acc", "total", "s_of"])
    value, form = f"{source}[{i}]", pen.chance.randrange(5)
    start, ending = pen.zero, acc
    if form == 0:
        line = pen.pick(f"{acc} += {value};", f"{acc} += {value} * {value};", f"{acc} += {pen.call('fabs')}({value});")
    elif form == 1:
        other = f"{pen.array([n])}[{i}]"
        line = pen.pick(
            f"{acc} += {value} * {other};",
            f"{acc} += ({value} - {other}) * ({value} - {other});",
            f"{acc} += {pen.call('fabs')}({value} - {other});",
        )
        ending = pen.pick(acc, f"{acc} / {n}", f"{pen.value()} * {acc}")
    elif form == 2:
        start = f"{source}[0]"
        line = pen.pick(f"if ({value} > {acc}) {acc} = {value};", f"{acc} = {value} < {acc} ? {value} : {acc};")
    elif form == 3:
        line = f"if ({value} > {pen.value(0.0, 1.0)}) {acc} += {value};"
    else:
        weight = f"{pen.array([n])}[{i}]"
        line = f"{acc} += {pen.value()} * {value} / ({pen.value(1.0, 2.0)} + {weight} * {weight});"
    lines = [f"{real} {acc} = {start};", *pen.loop(i, n, [line])]
    about = "One number of all elements."
    if pen.maybe(0.6):
        return whole(pen, "total", [*lines, f"return {ending};"], most=3000, about=about, returns=real, reduction=n)
    out = pen.array(["1"], role=Role.OUT)
    return whole(pen, "total", [*lines, f"{out}[0] = {ending};"], most=3000, about=about, reduction=n)


def grid_total(pen: Pen) -> Drawn:
    """One number of a grid: sums of squares of differences, norms, weighted sums."""
    r, c, real = pen.size(ROWS), pen.size(COLUMNS), pen.real
    y, x, source, acc = pen.variable(2), pen.variable(3), pen.array([r, c]), pen.name(["sum", "acc", "total"])
    value = f"{source}[{y} * {c} + {x}]"
    other = pen.pick(value, f"{pen.array([r])}[{y}]", f"{pen.array([c])}[{x}]")
    lines = [f"{real} {acc} = {pen.zero};", *pen.loop(y, r, pen.loop(x, c, [f"{acc} += {value} * {other};"]))]
    return whole(
        pen,
        "total",
        [*lines, f"return {pen.pick(acc, f'{acc} / ({r} * {c})')};"],
        most=70,
        about="One number of a grid.",
        returns=real,
        reduction=f"{r} * {c}",
    )


def histogram(pen: Pen) -> Drawn:
    """Counts or sums by a number that each element carries."""
    n, bins = pen.size(COUNTS), pen.size(["bins", "buckets", "groups", "levels"])
    i, k = pen.variable(1), pen.variable()
    keys = pen.array(
        [n],
        c_type=pen.pick("int", "int", "unsigned int"),
        pool=["keys", "labels", "ids", "codes"],
        init=integers("0", bins),
    )
    out = pen.array([bins], role=Role.OUT, c_type="int", pool=["hist", "count_of", "bins_out", "freq"])
    lines = [
        *pen.loop(k, bins, [f"{out}[{k}] = 0;"]),
        *pen.loop(i, n, [pen.pick(f"{out}[{keys}[{i}]]++;", f"{out}[{keys}[{i}]] += 1;", f"++{out}[{keys}[{i}]];")]),
    ]
    checks = tuple(
        {n: count, bins: b}
        for count, b in ((1, 1), (37, 5), (pen.chance.randint(600, 3000), pen.chance.randint(16, 256)))
    )
    return whole(pen, "histogram", lines, most=0, about="A histogram.", checks=checks)


def prefix(pen: Pen) -> Drawn:
    """Running sums along one dimension."""
    n, i, real = pen.size(COUNTS), pen.variable(1), pen.pick(pen.real, "int")
    init = None if real != "int" else integers("-9", "10")
    source, out = pen.array([n], c_type=real, init=init), pen.array([n], role=Role.OUT, c_type=real)
    acc = pen.name(["sum", "acc", "run", "so_far"])
    lines = [f"{real} {acc} = 0;"]
    if pen.maybe(0.5):
        lines += pen.loop(i, n, [f"{acc} += {source}[{i}];", f"{out}[{i}] = {acc};"])
    else:
        lines += pen.loop(i, n, [f"{out}[{i}] = {acc};", f"{acc} += {source}[{i}];"])
    return whole(pen, "scan", lines, most=2000, about="Running sums.", reduction=n)


def staged(pen: Pen) -> Drawn:
    """Two nests, the second of which reads what the first one wrote."""
    r, c, real = pen.size(ROWS), pen.size(COLUMNS), pen.real
    y, x = pen.variable(2), pen.variable(3)
    source, middle = (
        pen.array([r, c]),
        pen.array([r, c], role=Role.OUT, pool=["tmp", "middle", "half_way", "scratch_of", "smooth"]),
    )
    value, place, form = f"{source}[{y} * {c} + {x}]", f"{middle}[{y} * {c} + {x}]", pen.chance.randrange(3)
    first = pen.pick(
        f"{place} = {value} * {value};",
        f"{place} = {pen.value()} * {value} + {pen.value()};",
        f"{place} = {pen.call('tanh')}({value});",
    )
    lines = pen.loop(y, r, pen.loop(x, c, [first]))
    if form == 0:
        out, acc = pen.array([r], role=Role.OUT), pen.name(["sum", "acc", "total"])
        lines += pen.loop(
            y, r, [f"{real} {acc} = {pen.zero};", *pen.loop(x, c, [f"{acc} += {place};"]), f"{out}[{y}] = {acc};"]
        )
    elif form == 1:
        out = pen.array([r, c], role=Role.OUT)
        left = f"{middle}[{y} * {c} + {x} - 1]"
        lines += pen.loop(y, r, pen.loop(x, c, [f"{out}[{y} * {c} + {x}] = {x} > 0 ? {place} - {left} : {place};"]))
    else:
        out, acc = pen.array([c], role=Role.OUT), pen.name(["sum", "acc", "total"])
        lines += pen.loop(
            x,
            c,
            [
                f"{real} {acc} = {pen.zero};",
                *pen.loop(y, r, [f"{acc} += {place};"]),
                f"{out}[{x}] = {pen.pick(acc, f'{acc} / {r}')};",
            ],
        )
    return whole(
        pen, "stages", lines, most=60, about="Two stages, the second reads the first.", reduction=f"max({r}, {c})"
    )


def in_steps(pen: Pen) -> Drawn:
    """A grid relaxed in a few steps between two buffers."""
    n, steps = pen.size(COUNTS), str(pen.chance.randint(2, 5))
    i, t = pen.variable(1), pen.name(["t", "step_no", "turn"])
    a, b = (
        pen.array([n], role=Role.INOUT, pool=["a", "now", "cur", "front"]),
        pen.array([n], role=Role.INOUT, pool=["b", "next", "back", "new_of"]),
    )
    share = pen.value(0.1, 0.4)
    inner = [
        *pen.loop(
            i, f"{n} - 1", [f"{b}[{i}] = {a}[{i}] + {share} * ({a}[{i} - 1] - 2 * {a}[{i}] + {a}[{i} + 1]);"], start="1"
        ),
        *pen.loop(i, f"{n} - 1", [f"{a}[{i}] = {b}[{i}];"], start="1"),
    ]
    return whole(
        pen, "steps", pen.loop(t, steps, inner), most=600, about="A few explicit steps of diffusion.", reduction="16"
    )


def scattered(pen: Pen) -> Drawn:
    """Whole numbers added at places that an array names."""
    n, m, i = pen.size(COUNTS), pen.size(["m", "cells_n", "slots_n"]), pen.variable(1)
    where = pen.array([n], c_type="int", pool=["where", "slot_of", "cell_of", "target"], init=integers("0", m))
    amount = pen.array([n], c_type="int", pool=["amount", "votes", "steps_in", "gain_in"])
    out = pen.array([m], role=Role.INOUT, c_type="int", pool=["out", "sums", "cells", "pot"], init=Init(kind="zeros"))
    value = pen.pick(f"{amount}[{i}]", f"{amount}[{i}] * {pen.chance.randint(2, 9)}")
    checks = tuple({n: count, m: b} for count, b in ((1, 1), (40, 7), (900, pen.chance.randint(20, 200))))
    return whole(
        pen,
        "scatter",
        pen.loop(i, n, [f"{out}[{where}[{i}]] += {value};"]),
        most=0,
        about="Amounts added at named places.",
        checks=checks,
    )
