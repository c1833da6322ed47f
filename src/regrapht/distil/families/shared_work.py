"""Functions whose threads share work, put together by chance: several numbers of all, columns, counts, chains of stages."""

from regrapht.distil.families.folds import fold
from regrapht.distil.families.pen import COLUMNS, COUNTS, ROWS, Drawn, Pen, integers, whole
from regrapht.distil.families.terms import condition, formula, unary
from regrapht.records.task import Role


def several(pen: Pen) -> Drawn:
    """One to three numbers of all elements of a line or a grid."""
    grid = pen.maybe(0.4)
    extents = [pen.size(ROWS), pen.size(COLUMNS)] if grid else [pen.size(COUNTS)]
    names = [pen.variable(2), pen.variable(3)] if grid else [pen.variable(1)]
    place = f"[{names[0]} * {extents[1]} + {names[1]}]" if grid else f"[{names[0]}]"
    leaves = [f"{pen.array(extents)}{place}" for _ in range(pen.chance.randint(1, 2))]
    accs = [fold(pen, leaves, names[-1], in_order=False) for _ in range(pen.chance.randint(1, 3))]
    lines = [line for one in accs for line in one[2]]
    if pen.maybe(0.3):
        lines = [f"if ({condition(pen, leaves)}) {{", *(f"    {line}" for line in lines), "}"]
    for name, extent in zip(reversed(names), reversed(extents), strict=True):
        lines = pen.loop(name, extent, lines)
    out = pen.array([str(len(accs))], role=Role.OUT)
    stores = [f"{out}[{number}] = {one[1]};" for number, one in enumerate(accs)]
    body = [*(one[0] for one in accs), *lines, *stores]
    return whole(
        pen,
        "total",
        body,
        most=60 if grid else 2500,
        about="A few numbers of all elements.",
        reduction=" * ".join(extents),
    )


def _sum(pen: Pen, leaves: list[str]) -> tuple[str, str, list[str], str]:
    name = pen.name(["sum_of_all", "acc_of_all"])
    return f"{pen.real} {name} = {pen.zero};", name, [f"{name} += {formula(pen, leaves, 2)};"], pen.real


def columns(pen: Pen) -> Drawn:
    """Sums of columns in the order of the rows, so that the outer loop adds to the same places again and again."""
    r, c = pen.size(ROWS), pen.size(COLUMNS)
    y, x = pen.variable(2), pen.variable(3)
    leaves = [f"{pen.array([r, c])}[{y} * {c} + {x}]"]
    if pen.maybe(0.5):
        leaves.append(f"{pen.array([r])}[{y}]")
    out = pen.array([c], role=Role.OUT)
    line = f"{out}[{x}] += {formula(pen, leaves, 2)};"
    turn = [f"if ({condition(pen, leaves[:1])}) {line}"] if pen.maybe(0.25) else [line]
    lines = [
        *pen.loop(x, c, [f"{out}[{x}] = {pen.pick(pen.zero, pen.value())};"]),
        *pen.loop(y, r, pen.loop(x, c, turn)),
    ]
    if pen.maybe(0.5):
        lines += pen.loop(x, c, [pen.pick(f"{out}[{x}] /= {r};", f"{out}[{x}] = {unary(pen, f'{out}[{x}]')};")])
    return whole(pen, "column_reduction", lines, most=70, about="A number for each column.", reduction=r)


def tallies(pen: Pen) -> Drawn:
    """Whole amounts added up by one or two numbers that each element carries, perhaps of some elements alone."""
    n, m, i = pen.size(COUNTS), pen.size(["bins", "groups", "slots_n"]), pen.variable(1)
    keys = pen.array(
        [n],
        c_type=pen.pick("int", "unsigned char", "short"),
        pool=["keys", "label", "group_of", "cell_of"],
        init=integers("0", m),
    )
    amount = pen.array([n], c_type="int", pool=["amount", "votes", "mass_of", "weight_in"])
    place, shape = f"{keys}[{i}]", [m]
    if pen.maybe(0.4):
        side = str(pen.chance.randint(2, 6))
        other = pen.array([n], c_type="int", pool=["kind", "side_of", "slot_of"], init=integers("0", side))
        place, shape = f"{keys}[{i}] * {side} + {other}[{i}]", [m, side]
    out = pen.array(
        shape, role=Role.INOUT, c_type=pen.pick("int", "int", "long long"), pool=["out", "sums", "table_out", "pot"]
    )
    value = pen.pick(
        "1",
        f"{amount}[{i}]",
        f"{amount}[{i}] * {pen.chance.randint(2, 9)}",
        f"{amount}[{i}] * {amount}[{i}]",
        f"({amount}[{i}] > {pen.chance.randint(0, 30)} ? 2 : 1)",
    )
    line = f"{out}[{place}] += {value};"
    asked = pen.pick(
        f"{amount}[{i}] > {pen.chance.randint(-20, 40)}",
        f"{amount}[{i}] % {pen.chance.randint(2, 5)} == 0",
        f"{keys}[{i}] != {pen.chance.randint(0, 3)}",
    )
    lines = pen.loop(i, n, [f"if ({asked}) {line}"] if pen.maybe(0.45) else [line])
    checks = tuple({n: count, m: b} for count, b in ((1, 1), (40, 7), (900, pen.chance.randint(20, 100))))
    return whole(pen, "histogram", lines, most=0, about="Amounts added up by number.", checks=checks)


def chain(pen: Pen) -> Drawn:
    """Two or three stages over a grid, each of any kind, each reading what the one before wrote."""
    r, c = pen.size(ROWS), pen.size(COLUMNS)
    y, x = pen.variable(2), pen.variable(3)
    place, source, by = f"[{y} * {c} + {x}]", pen.array([r, c]), pen.maybe(0.5)
    factor = f"{pen.array([c])}[{x}]" if by else f"{pen.array([r])}[{y}]"
    middle = pen.array([r, c], role=Role.OUT, pool=["tmp", "middle", "half_way", "scratch_of"])
    lines = pen.loop(y, r, pen.loop(x, c, [f"{middle}{place} = {formula(pen, [f'{source}{place}', factor], 2)};"]))
    kind = pen.pick("rows", "columns", "neighbour", "map")
    if kind in ("rows", "columns"):
        thread, inner, count, end = (y, x, r, c) if kind == "rows" else (x, y, c, r)
        declared, name, turn, result = fold(pen, [f"{middle}{place}"], inner)
        if result != pen.real:
            declared, name, turn, result = _sum(pen, [f"{middle}{place}"])
        out = pen.array([count], role=Role.OUT)
        lines += pen.loop(
            thread,
            count,
            [declared, *pen.loop(inner, end, turn), f"{out}[{thread}] = {pen.pick(name, unary(pen, name))};"],
        )
        last = f"{out}[{thread}]"
    else:
        out = pen.array([r, c], role=Role.OUT)
        left = f"({x} > 0 ? {middle}[{y} * {c} + {x} - 1] : {pen.zero})"
        up = f"({y} > 0 ? {middle}[({y} - 1) * {c} + {x}] : {pen.zero})"
        value = (
            formula(pen, [f"{middle}{place}", pen.pick(left, up)], 2)
            if kind == "neighbour"
            else unary(pen, f"{middle}{place}")
        )
        lines += pen.loop(y, r, pen.loop(x, c, [f"{out}{place} = {value};"]))
        last = f"{out}{place}"
    if pen.maybe(0.4):
        end_out = pen.array([r, c], role=Role.OUT, pool=["final", "end_of", "last_out"])
        lines += pen.loop(y, r, pen.loop(x, c, [f"{end_out}{place} = {formula(pen, [f'{source}{place}', last], 2)};"]))
    return whole(
        pen, "stages", lines, most=40, about="Stages that read what the one before wrote.", reduction=f"max({r}, {c})"
    )
