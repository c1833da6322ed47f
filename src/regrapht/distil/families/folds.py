"""Functions that fold a row, a segment or a series for each thread: several accumulators, filters, states, candidates, small sorts."""

from regrapht.distil.families.pen import COLUMNS, COUNTS, ROWS, Drawn, Pen
from regrapht.distil.families.styles import written
from regrapht.distil.families.terms import condition, formula, unary
from regrapht.records.expression import Expression
from regrapht.records.task import Init, Role

_ACCS = ["sum", "acc", "total", "best", "peak", "low_v", "hits", "tally", "run", "energy_v", "mass_v"]


def fold(pen: Pen, leaves: list[str], x: str, *, in_order: bool = True) -> tuple[str, str, list[str], str]:
    """One accumulator: its declaration, its name, its lines in the loop, and the type of what it comes to.

    Args:
        in_order: One thread does the loop; otherwise only what can be joined in any order is drawn.
    """
    name, form = pen.name(_ACCS), pen.chance.randrange(7 if in_order else 5)
    value = formula(pen, leaves, 2)
    if form <= 1:
        return (
            f"{pen.real} {name} = {pen.pick(pen.zero, pen.zero, pen.value())};",
            name,
            [f"{name} += {value};"],
            pen.real,
        )
    if form == 2:
        start = "-1e30" if pen.real == "double" else "-1e30f"
        line = pen.pick(f"{name} = {pen.call('fmax')}({name}, {value});", f"if ({value} > {name}) {name} = {value};")
        return f"{pen.real} {name} = {start};", name, [line], pen.real
    if form == 3:
        start = "1e30" if pen.real == "double" else "1e30f"
        line = pen.pick(
            f"{name} = {pen.call('fmin')}({name}, {value});", f"{name} = {value} < {name} ? {value} : {name};"
        )
        return f"{pen.real} {name} = {start};", name, [line], pen.real
    if form == 4:
        return (
            f"int {name} = 0;",
            name,
            [f"if ({condition(pen, leaves)}) {pen.pick(f'++{name}', f'{name} += 1', f'{name}++')};"],
            "int",
        )
    if form == 5:
        return f"int {name} = -1;", name, [f"if ({condition(pen, leaves)}) {name} = {x};"], "int"
    return (
        f"{pen.real} {name} = {pen.value(0.5, 1.5)};",
        name,
        [f"{name} = {pen.value(0.2, 0.8)} * {name} + {value};"],
        pen.real,
    )


def folded_rows(pen: Pen) -> Drawn:
    """One to three accumulators over each row, or over each column, perhaps of a part of it; one or two results."""
    r, c = pen.size(ROWS), pen.size(COLUMNS)
    y, x = pen.variable(2), pen.variable(3)
    across = pen.maybe(0.3)  # a thread a column
    place = f"[{y} * {c} + {x}]"
    leaves = [f"{pen.array([r, c])}{place}"]
    if pen.maybe(0.5):
        leaves.append(f"{pen.array([r, c])}{place}")
    if pen.maybe(0.4):
        leaves.append(f"{pen.array([r if across else c])}[{y if across else x}]")
    thread, inner, count, end = (x, y, c, r) if across else (y, x, r, c)
    accs = [fold(pen, leaves, inner) for _ in range(pen.pick(1, 2, 2, 3))]
    lines = [line for one in accs for line in one[2]]
    if pen.maybe(0.3):
        lines = [f"if ({condition(pen, leaves)}) {{", *(f"    {line}" for line in lines), "}"]
    start = pen.pick("0", "0", "0", "0", "1", f"{thread} % {pen.chance.randint(2, 4)}")
    body = [*(one[0] for one in accs), *pen.loop(inner, end, lines, start=start)]
    reals = [one[1] for one in accs if one[3] == pen.real]
    results = [one for one in accs if pen.maybe(0.7)] or accs[:1]
    for _, name, _, kind in results[:2]:
        out = pen.array([count], role=Role.OUT, c_type=kind)
        body.append(f"{out}[{thread}] = {formula(pen, reals, 2) if kind == pen.real and pen.maybe(0.4) else name};")
    about = f"A few numbers for each {'column' if across else 'row'}."
    return written(pen, "row_reduction", [(thread, count)], body, most=70, about=about, reduction=end)


def segments(pen: Pen) -> Drawn:
    """Rows of uneven length one behind the other, whose starts an array names: sparse rows, groups, lists of neighbours."""
    n, m = pen.size(["n", "groups", "rows", "nodes"]), pen.size(["nnz", "m", "edges_n", "entries"])
    i, k = pen.variable(1), pen.variable()
    starts = pen.array(
        [f"{n} + 1"], c_type="int", pool=["start", "row_ptr", "offsets", "first_of"],
        init=Init(kind="csr_row_ptr", parameters={"nnz": Expression(m)}),
    )  # fmt: skip
    leaves = [f"{pen.array([m])}[{k}]"]
    if pen.maybe(0.6):
        columns = pen.array(
            [m], c_type="int", pool=["col", "columns", "neigh", "to_node"],
            init=Init(kind="csr_col_idx", parameters={"cols": Expression(n)}),
        )  # fmt: skip
        leaves.append(f"{pen.array([n], pool=['v', 'state', 'rank_of', 'vec'])}[{columns}[{k}]]")
    accs = [fold(pen, leaves, k) for _ in range(pen.pick(1, 1, 2))]
    lines = [line for one in accs for line in one[2]]
    if pen.maybe(0.25):
        lines = [f"if ({condition(pen, leaves)}) {{", *(f"    {line}" for line in lines), "}"]
    first, last = f"{starts}[{i}]", f"{starts}[{i} + 1]"
    body = [one[0] for one in accs]
    if pen.maybe(0.4):
        lo, hi = pen.name(["from_k", "lo", "begin_k"]), pen.name(["to_k", "hi", "end_k"])
        body += [f"int {lo} = {first};", f"int {hi} = {last};"]
        first, last = lo, hi
    body += pen.loop(k, last, lines, start=first)
    for _, name, _, kind in accs:
        out = pen.array([n], role=Role.OUT, c_type=kind)
        body.append(f"{out}[{i}] = {unary(pen, name) if kind == pen.real and pen.maybe(0.3) else name};")
    checks = tuple(
        {n: rows, m: entries}
        for rows, entries in ((1, 1), (5, 17), (pen.chance.randint(30, 90), pen.chance.randint(150, 700)))
    )
    return written(
        pen,
        "sparse",
        [(i, n)],
        body,
        most=0,
        about="Numbers of rows of uneven length.",
        reduction=m,
        checks=checks,
        bench=1 << 18,
    )


def series(pen: Pen) -> Drawn:
    """Many series side by side, each with one or two states that go on from step to step; stored by series or by time."""
    s, t = pen.size(["series_n", "n", "channels", "paths_n"]), pen.size(["steps", "t_n", "length", "ticks"])
    i, k = pen.variable(1), pen.variable()
    by_time, every = pen.maybe(0.5), pen.maybe(0.5)
    shape, place = ([t, s], f"[{k} * {s} + {i}]") if by_time else ([s, t], f"[{i} * {t} + {k}]")
    source, v = pen.array(shape), pen.name(["v", "level_v", "state", "ema", "x_now"])
    value = f"{source}{place}"
    body, lines, states = [f"{pen.real} {v} = {pen.pick(pen.zero, pen.value())};"], [], [v]
    lines.append(
        f"{v} = {pen.value(0.3, 0.9)} * {v} + {pen.pick(value, formula(pen, [value], 1), pen.value(0.1, 0.5) + ' * ' + value)};"
    )
    if pen.maybe(0.5):
        w = pen.name(["w", "trend", "speed_v", "dev", "peak"])
        body.append(f"{pen.real} {w} = {pen.zero};")
        lines.append(pen.pick(
            f"{w} = {pen.value(0.2, 0.8)} * {w} + {pen.value(0.1, 0.5)} * ({value} - {v});",
            f"{w} = {pen.call('fmax')}({w}, {v});",
            f"if ({v} > {w}) {w} = {v};",
            f"{w} += {pen.call('fabs')}({value} - {v});",
        ))  # fmt: skip
        states.append(w)
    if pen.maybe(0.35):
        lines.append(f"if ({condition(pen, states)}) {v} = {pen.pick(pen.zero, value, pen.value())};")
    if every:
        out = pen.array(shape, role=Role.OUT)
        body += pen.loop(k, t, [*lines, f"{out}{place} = {formula(pen, states, 2)};"])
    else:
        out = pen.array([s], role=Role.OUT)
        body += [*pen.loop(k, t, lines), f"{out}[{i}] = {formula(pen, states, 2)};"]
    return written(
        pen,
        "recurrence",
        [(i, s)],
        body,
        most=60,
        about="A filter with memory along each series.",
        reduction=t,
        bench=2048,
    )


def chosen(pen: Pen) -> Drawn:
    """For each point the best of several candidates, by a distance or a score over a few parts."""
    n, m = pen.size(COUNTS), pen.size(["centres_n", "m", "options_n", "k_n"])
    d = str(pen.chance.randint(2, 5)) if pen.maybe(0.6) else pen.size(["dims", "parts_n", "d"])
    i, j, p, real = pen.variable(1), pen.variable(), pen.variable(), pen.real
    points, centres = pen.array([n, d]), pen.array([m, d], pool=["centres", "codebook", "options", "proto"])
    a, b = f"{points}[{i} * {d} + {p}]", f"{centres}[{j} * {d} + {p}]"
    term = pen.pick(
        f"({a} - {b}) * ({a} - {b})", f"{pen.call('fabs')}({a} - {b})", f"{a} * {b}", f"{pen.call('fmax')}({a}, {b})"
    )
    dist, best, which = (
        pen.name(["dist", "score_v", "s_of"]),
        pen.name(["best", "least", "top_v"]),
        pen.name(["which", "arg", "pick_of"]),
    )
    less = pen.maybe(0.6)
    far = ("1e30" if less else "-1e30") + ("" if real == "double" else "f")
    inner = [f"{real} {dist} = {pen.pick(pen.zero, pen.array([m], pool=['bias_of', 'prior', 'start_of']) + f'[{j}]')};"]
    inner += [
        *pen.loop(p, d, [f"{dist} += {term};"]),
        f"if ({dist} {'<' if less else '>'} {best}) {{",
        f"    {best} = {dist};",
        f"    {which} = {j};",
        "}",
    ]
    body = [f"{real} {best} = {far};", f"int {which} = 0;", *pen.loop(j, m, inner)]
    if pen.maybe(0.7):
        body.append(f"{pen.array([n], role=Role.OUT, c_type='int')}[{i}] = {which};")
    if pen.maybe(0.5) or len(body) == 2 + len(pen.loop(j, m, inner)):
        body.append(f"{pen.array([n], role=Role.OUT)}[{i}] = {pen.pick(best, formula(pen, [best], 1))};")
    return written(
        pen,
        "nearest",
        [(i, n)],
        body,
        most=50,
        about="The best of several candidates for each point.",
        reduction="64",
        bench=2048,
    )


def sorted_few(pen: Pen) -> Drawn:
    """A few values of each element sorted in an array of its own: medians, ranks, trimmed means."""
    n, i, width = pen.size(COUNTS), pen.variable(1), pen.chance.randint(3, 7)
    k, j, real = pen.variable(), pen.variable(), pen.real
    rows = pen.maybe(0.5)
    source, w, out = (
        pen.array([n, str(width)] if rows else [n]),
        pen.name(["w", "few", "sorted_v", "buf"]),
        pen.array([n], role=Role.OUT),
    )
    at, x = pen.name(["at", "p_at", "nb"]), pen.name(["x", "now_v", "cur"])
    if rows:
        load = [f"{real} {x} = {source}[{i} * {width} + {k}];"]
    else:
        load = [
            f"int {at} = {i} + {k} - {width // 2};",
            f"if ({at} < 0) {at} = {pen.pick('0', f'-{at}')};",
            f"if ({at} >= {n}) {at} = {n} - 1;",
        ]
        load += [*pen.pick([], [f"if ({at} < 0) {at} = 0;"]), f"{real} {x} = {source}[{at}];"]
    insert = [
        *load,
        f"int {j} = {k};",
        f"while ({j} > 0 && {w}[{j} - 1] > {x}) {{",
        f"    {w}[{j}] = {w}[{j} - 1];",
        f"    --{j};",
        "}",
        f"{w}[{j}] = {x};",
    ]
    place = pen.chance.randrange(width)
    ending = pen.pick(
        f"{w}[{place}]",
        f"{w}[{width - 1}] - {w}[{place}]",
        f"({w}[{place}] + {w}[{width // 2}]) * {pen.value(0.3, 0.6)}",
    )
    body = [f"{real} {w}[{width}];", *pen.loop(k, str(width), insert), f"{out}[{i}] = {ending};"]
    return written(pen, "ranks", [(i, n)], body, most=500, about="A few values sorted for each element.")
