"""Functions that give each row, each query or each pair of indices a loop of its own: sums, extremes, norms, products, look-ups."""

from regrapht.distil.families.pen import ARRAYS, COLUMNS, COUNTS, INNERS, ROWS, Drawn, Pen, integers
from regrapht.distil.families.styles import written
from regrapht.records.task import Init, Role


def row_total(pen: Pen) -> Drawn:
    """A number for each row: sums, means, norms, extremes, counts."""
    r, c, real = pen.size(ROWS), pen.size(COLUMNS), pen.real
    y, x, acc = pen.variable(2), pen.variable(3), pen.name(["sum", "acc", "total", "s_of"])
    source = pen.array([r, c])
    value, form = f"{source}[{y} * {c} + {x}]", pen.chance.randrange(6)
    out_type, ending, kind, start = pen.real, acc, real, pen.zero
    if form == 0:
        line = f"{acc} += {value};"
        ending = pen.pick(acc, f"{acc} / {c}", f"{pen.value()} * {acc}")
    elif form == 1:
        line, ending = f"{acc} += {value} * {value};", pen.pick(acc, f"{pen.call('sqrt')}({acc})", f"{acc} / {c}")
    elif form == 2:
        start, line = f"{source}[{y} * {c}]", f"if ({value} > {acc}) {acc} = {value};"
    elif form == 3:
        out_type, kind, start, line = "int", "int", "0", f"if ({value} > {pen.value(0.0, 1.0)}) ++{acc};"
    elif form == 4:
        out_type, kind, start = "int", "int", "0"
        line = f"if ({value} < {source}[{y} * {c} + {acc}]) {acc} = {x};"
    else:
        second = pen.array(pen.pick([c], [r, c]))
        other = f"{second}[{x}]" if len(pen.args[-1].shape) == 1 else f"{second}[{y} * {c} + {x}]"
        line = pen.pick(
            f"{acc} += {value} * {other};",
            f"{acc} += ({value} - {other}) * ({value} - {other});",
            f"{acc} += {pen.call('fabs')}({value} - {other});",
        )
    out = pen.array([r], role=Role.OUT, c_type=out_type)
    body = [f"{kind} {acc} = {start};", *pen.loop(x, c, [line]), f"{out}[{y}] = {ending};"]
    return written(pen, "row_reduction", [(y, r)], body, most=90, about="One number for each row.", reduction=c)


def row_norm(pen: Pen) -> Drawn:
    """Rows scaled by a number of their own: softmax, centring, unit length, running sums."""
    r, c, real = pen.size(ROWS), pen.size(COLUMNS), pen.real
    y, x, form = pen.variable(2), pen.variable(3), pen.chance.randrange(4)
    source, out = pen.array([r, c]), pen.array([r, c], role=Role.OUT)
    value, place, s = f"{source}[{y} * {c} + {x}]", f"{out}[{y} * {c} + {x}]", pen.name(["sum", "acc", "total"])
    if form == 0:
        top = pen.name(["top", "peak", "largest"])
        body = [
            f"{real} {top} = {source}[{y} * {c}];",
            *pen.loop(x, c, [f"{top} = {pen.call('fmax')}({top}, {value});"]),
            f"{real} {s} = {pen.zero};",
        ]
        body += [
            *pen.loop(x, c, [f"{place} = {pen.call('exp')}({value} - {top});", f"{s} += {place};"]),
            *pen.loop(x, c, [f"{place} /= {s};"]),
        ]
    elif form == 1:
        body = [
            f"{real} {s} = {pen.zero};",
            *pen.loop(x, c, [f"{s} += {value};"]),
            f"{s} /= {c};",
            *pen.loop(x, c, [f"{place} = {value} - {s};"]),
        ]
    elif form == 2:
        body = [
            f"{real} {s} = {pen.value(0.1, 1.0)};",
            *pen.loop(x, c, [f"{s} += {value} * {value};"]),
            *pen.loop(x, c, [f"{place} = {value} / {pen.call('sqrt')}({s});"]),
        ]
    else:
        body = [
            f"{real} {s} = {pen.zero};",
            *pen.loop(x, c, [f"{s} = {s} * {pen.value(0.2, 0.9)} + {value};", f"{place} = {s};"]),
        ]
    about = [
        "A softmax of each row.",
        "Rows without their mean.",
        "Rows of unit length.",
        "A fading sum along each row.",
    ][form]
    return written(pen, "row_normalisation", [(y, r)], body, most=60, about=about, reduction=c)


def product(pen: Pen) -> Drawn:
    """A product of two matrices, either of which may be stored by columns; scaled, added to, bent."""
    m, n, k = (
        pen.size(["m", "rows", "M", "out_n"]),
        pen.size(["n", "cols", "N", "width"]),
        pen.size(["k", "inner", "K", "depth"]),
    )
    i, j, p, real = pen.variable(2), pen.variable(3), pen.variable(), pen.real
    turned, flipped = pen.maybe(0.25), pen.maybe(0.35)
    a = pen.array([k, m] if turned else [m, k], pool=["a", "A", "x_in", "left", "act"])
    b = pen.array([n, k] if flipped else [k, n], pool=["b", "B", "w", "right", "kernel_w"])
    out = pen.array([m, n], role=Role.OUT)
    first = f"{a}[{p} * {m} + {i}]" if turned else f"{a}[{i} * {k} + {p}]"
    second = f"{b}[{j} * {k} + {p}]" if flipped else f"{b}[{p} * {n} + {j}]"
    acc = pen.name(["sum", "acc", "total", "dot"])
    term = pen.pick(
        f"{first} * {second}",
        f"{first} * {second}",
        f"({first} - {second}) * ({first} - {second})",
        f"{pen.call('fabs')}({first} - {second})",
    )
    ending = acc
    if pen.maybe(0.35):
        ending = f"{pen.scalar()} * {ending}"
    if pen.maybe(0.35):
        ending = f"{ending} + {pen.array([n], pool=['bias', 'shift_by', 'offset_of'])}[{j}]"
    body = [f"{real} {acc} = {pen.zero};", *pen.loop(p, k, [f"{acc} += {term};"])]
    if pen.maybe(0.25):
        body += [
            f"{acc} = {ending};",
            f"{out}[{i} * {n} + {j}] = {acc} > {pen.zero} ? {acc} : {pen.pick(pen.zero, f'{pen.value(0.01, 0.2)} * {acc}')};",
        ]
    else:
        body.append(f"{out}[{i} * {n} + {j}] = {ending};")
    return written(
        pen,
        "matrix_product",
        [(i, m), (j, n)],
        body,
        most=40,
        about="Each element from a row and a column.",
        reduction=k,
        bench=768,
    )


def vector_product(pen: Pen) -> Drawn:
    """A matrix times a vector; triangular ones and bands too."""
    n, real = pen.size(COUNTS), pen.real
    m = pen.size(INNERS) if pen.maybe(0.5) else n
    i, j, acc = pen.variable(2), pen.variable(3), pen.name(["sum", "acc", "total"])
    a, v, out = (
        pen.array([n, m], pool=["a", "A", "matrix", "mat"]),
        pen.array([m], pool=["v", "p_in", "vec", "state"]),
        pen.array([n], role=Role.OUT),
    )
    start, end = "0", m
    if m == n and pen.maybe(0.5):
        start, end = pen.pick(
            ("0", f"{i} + 1"), (i, n), (f"({i} > 2 ? {i} - 2 : 0)", f"({i} + 3 < {n} ? {i} + 3 : {n})")
        )
    body = [
        f"{real} {acc} = {pen.zero};",
        *pen.loop(j, end, [f"{acc} += {a}[{i} * {m} + {j}] * {v}[{j}];"], start=start),
        f"{out}[{i}] = {pen.pick(acc, f'{pen.value()} * {acc}')};",
    ]
    return written(
        pen,
        "matrix_vector",
        [(i, n)],
        body,
        most=80,
        about="A matrix, or a part of one, times a vector.",
        reduction=m,
        bench=4096,
    )


def pairwise(pen: Pen) -> Drawn:
    """Each point against all others: sums of forces, nearest distances, counts in reach."""
    n, real = pen.size(["n", "count", "bodies", "points_n"]), pen.real
    m = pen.size(["m", "targets", "others", "centres"]) if pen.maybe(0.4) else n
    i, j, form = pen.variable(1), pen.variable(), pen.chance.randrange(3)
    px, py = pen.array([n], pool=["px", "x_of", "ax"]), pen.array([n], pool=["py", "y_of", "ay"])
    qx, qy = (px, py) if m == n else (pen.array([m], pool=["qx", "bx", "cx"]), pen.array([m], pool=["qy", "by", "cy"]))
    dx, dy, d2 = pen.name(["dx", "ex"]), pen.name(["dy", "ey"]), pen.name(["d2", "dist2", "rr"])
    inner = [
        f"{real} {dx} = {qx}[{j}] - {px}[{i}];",
        f"{real} {dy} = {qy}[{j}] - {py}[{i}];",
        f"{real} {d2} = {dx} * {dx} + {dy} * {dy} + {pen.value(0.01, 0.2)};",
    ]
    acc = pen.name(["sum", "acc", "best", "hits"])
    if form == 0:
        out = pen.array([n], role=Role.OUT)
        body = [
            f"{real} {acc} = {pen.zero};",
            *pen.loop(j, m, [*inner, f"{acc} += {pen.value()} / {d2};"]),
            f"{out}[{i}] = {acc};",
        ]
    elif form == 1:
        out = pen.array([n], role=Role.OUT, c_type="int")
        near = pen.name(["near", "least", "closest"])
        body = [f"int {acc} = 0;", f"{real} {near} = {'1e30' if real == 'double' else '1e30f'};"]
        body += [
            *pen.loop(j, m, [*inner, f"if ({d2} < {near}) {{", f"    {near} = {d2};", f"    {acc} = {j};", "}"]),
            f"{out}[{i}] = {acc};",
        ]
    else:
        out = pen.array([n], role=Role.OUT)
        body = [
            f"{real} {acc} = {pen.zero};",
            *pen.loop(j, m, [*inner, f"{acc} += {dx} / ({d2} * {pen.call('sqrt')}({d2}));"]),
            f"{out}[{i}] = {acc};",
        ]
    return written(
        pen, "all_pairs", [(i, n)], body, most=120, about="Each point against all others.", reduction=m, bench=8192
    )


def gathered(pen: Pen) -> Drawn:
    """Reads at places that an array names, tables, rows by number."""
    n, m = pen.size(COUNTS), pen.size(["m", "table_n", "vocab", "bins_n"])
    i, form = pen.variable(1), pen.chance.randrange(3)
    index = pen.array([n], c_type="int", pool=["index", "ids", "where", "order", "slots"], init=integers("0", m))
    if form == 0:
        table, out = pen.array([m], pool=["table", "values", "lut", "base"]), pen.array([n], role=Role.OUT)
        value = f"{table}[{index}[{i}]]"
        body = [f"{out}[{i}] = {pen.pick(value, f'{pen.value()} * {value}', f'{value} + {pen.array([n])}[{i}]')};"]
        return written(pen, "gather", [(i, n)], body, most=700, about="Values looked up in a table.")
    if form == 1:
        d, x = pen.size(COLUMNS), pen.variable(3)
        table, out = pen.array([m, d], pool=["table", "rows_in", "embed", "bank"]), pen.array([n, d], role=Role.OUT)
        value = f"{table}[{index}[{i}] * {d} + {x}]"
        body = [f"{out}[{i} * {d} + {x}] = {pen.pick(value, f'{pen.scalar()} * {value}')};"]
        return written(pen, "gather", [(i, n), (x, d)], body, most=40, about="Rows looked up by number.", bench=2048)
    table, frac, out = (
        pen.array([f"{m} + 1"], pool=["table", "curve_of", "lut"]),
        pen.array([n]),
        pen.array([n], role=Role.OUT),
    )
    k = pen.name(["k", "low", "slot"])
    body = [f"int {k} = {index}[{i}];", f"{out}[{i}] = {table}[{k}] + ({table}[{k} + 1] - {table}[{k}]) * {frac}[{i}];"]
    return written(pen, "interpolation", [(i, n)], body, most=700, about="Linear interpolation in a table.")


def searched(pen: Pen) -> Drawn:
    """Binary searches in a sorted array."""
    n, m = pen.size(["queries", "n", "count"]), pen.size(["m", "keys_n", "table_n"])
    i, kind = pen.variable(1), pen.pick("int", pen.real)
    init = Init(kind="sorted", parameters={"low": -100, "high": 100})
    keys = pen.array([m], c_type=kind, pool=["keys", "edges", "sorted_in", "bounds"], init=init)
    wanted, out = (
        pen.array([n], c_type=kind, pool=["wanted", "queries_in", "q_in", "find"]),
        pen.array([n], role=Role.OUT, c_type="int"),
    )
    low, high, mid = (
        pen.name(["low", "lo", "a_at"]),
        pen.name(["high", "hi", "b_at"]),
        pen.name(["mid", "half", "m_at"]),
    )
    op = pen.pick("<", "<=")
    body = [
        f"int {low} = 0;",
        f"int {high} = {m};",
        f"while ({low} < {high}) {{",
        f"    int {mid} = ({low} + {high}) / 2;",
    ]
    body += [
        f"    if ({keys}[{mid}] {op} {wanted}[{i}])",
        f"        {low} = {mid} + 1;",
        "    else",
        f"        {high} = {mid};",
        "}",
        f"{out}[{i}] = {low};",
    ]
    return written(
        pen, "search", [(i, n)], body, most=400, about="The place of each query in a sorted array.", bench=1 << 20
    )


def counted_bins(pen: Pen) -> Drawn:
    """For each bin, what falls into it: right as it stands with a thread a bin, though not fast."""
    bins, n = pen.size(["bins", "groups", "buckets"]), pen.size(COUNTS)
    b, i = pen.variable(1), pen.variable()
    ids = pen.array([n], c_type="int", pool=["ids", "labels", "group_of", "keys"], init=integers("0", bins))
    out = pen.array([bins], role=Role.OUT, c_type="int", pool=["count_of", "tallies", "freq", "hits_of"])
    acc = pen.name(["found", "c_of", "tally_of"])
    body = [f"int {acc} = 0;", *pen.loop(i, n, [f"if ({ids}[{i}] == {b}) ++{acc};"]), f"{out}[{b}] = {acc};"]
    checks = tuple({bins: k, n: count} for k, count in ((1, 1), (5, 40), (pen.chance.randint(8, 30), 333)))
    return written(
        pen,
        "counting",
        [(b, bins)],
        body,
        most=100,
        about="How many elements carry each number.",
        checks=checks,
        bench=4096,
    )


def picked_rows(pen: Pen) -> Drawn:
    """A sparse matrix by rows of a fixed number of entries times a vector, or neighbours by list."""
    n, real = pen.size(["n", "nodes", "rows"]), pen.real
    width = str(pen.chance.randint(2, 8))
    i, k = pen.variable(1), pen.variable()
    columns = pen.array([n, width], c_type="int", pool=["columns", "neigh", "links", "adj"], init=integers("0", n))
    values, v, out = (
        pen.array([n, width]),
        pen.array([n], pool=["v", "state", "rank_of", "vec"]),
        pen.array([n], role=Role.OUT),
    )
    acc = pen.name([one for one in ("sum", "acc", "total") if one not in ARRAYS])
    line = f"{acc} += {values}[{i} * {width} + {k}] * {v}[{columns}[{i} * {width} + {k}]];"
    ending = pen.pick(acc, f"{pen.value(0.1, 0.4)} + {pen.value(0.5, 0.9)} * {acc}")
    body = [f"{real} {acc} = {pen.zero};", *pen.loop(k, width, [line]), f"{out}[{i}] = {ending};"]
    return written(
        pen, "sparse", [(i, n)], body, most=500, about="A weighted sum over a list of neighbours.", reduction="8"
    )
