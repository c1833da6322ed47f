"""Functions in which every element of the output is made alone from elements at its own place, or at one place that follows from it."""

from regrapht.distil.families.pen import COLUMNS, COUNTS, DEEPS, FACTORS, INNERS, ROWS, Drawn, Pen, integers
from regrapht.distil.families.styles import written
from regrapht.distil.families.terms import blend, mixed, unary
from regrapht.records.task import Role

_INTEGERS = ("int", "unsigned int", "long long", "short", "unsigned char")


def flat_map(pen: Pen) -> Drawn:
    """One loop over flat arrays of reals."""
    n, i = pen.size(COUNTS), pen.variable(1)
    inputs = [pen.array([n]) for _ in range(pen.chance.randint(1, 4))]
    factors = [pen.scalar(FACTORS) for _ in range(pen.chance.randint(0, 2))]
    in_place = pen.maybe(0.25)
    out = pen.array([n], role=Role.INOUT if in_place else Role.OUT)
    terms = [f"{name}[{i}]" for name in inputs]
    terms = [unary(pen, term) if pen.maybe(0.35) else term for term in terms]
    terms += factors if len(factors) < 2 else [f"{factors[0]} * {factors[1]}"]
    pen.chance.shuffle(terms)
    value, place = blend(pen, terms), f"{out}[{i}]"
    if in_place:
        body = [
            pen.pick(f"{place} += {value};", f"{place} = {pen.value()} * {place} + ({value});", f"{place} -= {value};")
        ]
    elif pen.maybe(0.4):
        kept = pen.name(["v", "val", "now_at", "x_of", "cur", "temp_value"])
        body = [f"{pen.real} {kept} = {value};"]
        ending = pen.pick("clip", "gate", "function")
        if ending == "clip":
            low, high = pen.value(0.0, 0.5), pen.value(1.0, 4.0)
            body += [
                f"if ({kept} < {low}) {kept} = {low};",
                f"if ({kept} > {high}) {kept} = {high};",
                f"{place} = {kept};",
            ]
        elif ending == "gate":
            body += [f"{place} = {inputs[0]}[{i}] > {pen.value(0.0, 1.0)} ? {kept} : {pen.pick(pen.zero, '-' + kept)};"]
        else:
            body += [f"{place} = {unary(pen, kept)};"]
    else:
        body = [f"{place} = {value};"]
    about = "Each element of the result is made from the elements of the inputs at the same place."
    return written(pen, "elementwise", [(i, n)], body, most=1100, about=about)


def whole_numbers(pen: Pen) -> Drawn:
    """One loop over integers: hashes, masks, shifts, counts of bits."""
    n, i = pen.size(COUNTS), pen.variable(1)
    kind = pen.pick(*_INTEGERS)
    first, out = pen.array([n], c_type=kind), pen.array([n], role=Role.OUT, c_type=pen.pick("int", "unsigned int"))
    v = pen.name(["h", "v", "bits", "key", "word"])
    steps = [f"unsigned int {v} = (unsigned int){first}[{i}];"]
    steps += [mixed(pen, v) for _ in range(pen.chance.randint(1, 4))]
    if pen.maybe(0.35):
        count, w = pen.name(["ones", "set", "c_bits"]), pen.name(["rest", "left_bits", "w_bits"])
        steps += [
            f"int {count} = 0;",
            f"for (unsigned int {w} = {v}; {w} != 0; {w} &= {w} - 1) ++{count};",
            f"{out}[{i}] = {count};",
        ]
    else:
        steps.append(
            f"{out}[{i}] = {pen.pick(v, f'{v} & {pen.chance.choice([15, 255, 1023, 65535])}u', f'{v} % {pen.chance.randint(7, 999)}u')};"
        )
    return written(pen, "bits", [(i, n)], steps, most=1100, about="A mixing of each number's bits.")


def text_bytes(pen: Pen) -> Drawn:
    """One loop over characters."""
    n, i = pen.size(["n", "length", "bytes", "chars"]), pen.variable(1)
    text = pen.array(
        [n], c_type="unsigned char", pool=["text", "chars_in", "buffer", "s", "bytes_in"], init=integers("32", "127")
    )
    out = pen.array([n], role=Role.OUT, c_type=pen.pick("unsigned char", "int"), pool=["out", "mapped", "codes", "dst"])
    c = pen.name(["c", "ch", "letter"])
    body = [f"unsigned char {c} = {text}[{i}];"]
    form = pen.chance.randrange(4)
    if form == 0:
        body += [f"{out}[{i}] = ({c} >= 'a' && {c} <= 'z') ? {c} - 32 : {c};"]
    elif form == 1:
        turn = pen.chance.randint(1, 25)
        body += [f"if ({c} >= 'a' && {c} <= 'z')", f"    {c} = 'a' + ({c} - 'a' + {turn}) % 26;", f"{out}[{i}] = {c};"]
    elif form == 2:
        body += [f"int is_start = {i} == 0 || {text}[{i} - 1] == ' ';", f"{out}[{i}] = is_start && {c} != ' ' ? 1 : 0;"]
    else:
        body += [
            f"{out}[{i}] = {c} >= '0' && {c} <= '9' ? {c} - '0' : {c} == ' ' ? {pen.chance.randint(10, 40)} : {pen.chance.randint(41, 90)};"
        ]
    return written(pen, "text", [(i, n)], body, most=1100, about="One code for each character of a text.")


def grid_map(pen: Pen) -> Drawn:
    """Two or three nested loops, with inputs along single dimensions too."""
    deep = pen.maybe(0.25)
    z = pen.size(DEEPS) if deep else ""
    r, c = pen.size(ROWS), pen.size(COLUMNS)
    names = ([pen.name(["z", "k", "zz", "slab"])] if deep else []) + [pen.variable(2), pen.variable(3)]
    shape = [z, r, c] if deep else [r, c]
    flat = f"({names[0]} * {r} + {names[1]}) * {c} + {names[2]}" if deep else f"{names[0]} * {c} + {names[1]}"
    whole_in, by_row, by_column = pen.array(shape), "", ""
    out = pen.array(shape, role=Role.OUT)
    terms = [f"{whole_in}[{flat}]"]
    if pen.maybe(0.5):
        by_row = pen.array([r])
        terms.append(f"{by_row}[{names[-2]}]")
    if pen.maybe(0.5):
        by_column = pen.array([c])
        terms.append(f"{by_column}[{names[-1]}]")
    if pen.maybe(0.4):
        terms.append(f"{pen.array(shape)}[{flat}]")
    if pen.maybe(0.4):
        terms.append(pen.scalar())
    terms = [unary(pen, term) if pen.maybe(0.3) else term for term in terms]
    if pen.maybe(0.4):
        at = pen.name(["at", "idx_at", "place", "o_at"])
        body = [f"int {at} = {flat};", f"{out}[{at}] = {blend(pen, terms).replace(f'[{flat}]', f'[{at}]')};"]
    else:
        body = [f"{out}[{flat}] = {blend(pen, terms)};"]
    about = "Each element of a grid from its own value, with factors for rows and columns."
    return written(pen, "elementwise", list(zip(names, shape, strict=True)), body, most=20 if deep else 70, about=about)


def moved(pen: Pen) -> Drawn:
    """Elements that change their place: transposes, flips, turns, interleaving, strides."""
    r, c = pen.size(ROWS), pen.size(COLUMNS)
    y, x = pen.variable(2), pen.variable(3)
    kind = pen.pick(pen.real, "int", "unsigned char")
    form = pen.chance.randrange(5)
    source = pen.array([c, r] if form == 0 else [r, c], c_type=kind)
    out = pen.array([r, c], role=Role.OUT, c_type=kind)
    place = [
        f"{x} * {r} + {y}",
        f"{y} * {c} + ({c} - 1 - {x})",
        f"({r} - 1 - {y}) * {c} + {x}",
        f"({r} - 1 - {y}) * {c} + {c} - 1 - {x}",
        f"{y} * {c} + ({x} + {pen.chance.randint(1, 9)}) % {c}",
    ][form]
    value = f"{source}[{place}]"
    if kind == pen.real and pen.maybe(0.5):
        value = pen.pick(f"{pen.value()} * {value}", f"{value} + {pen.value()}", f"-{value}")
    body = [f"{out}[{y} * {c} + {x}] = {value};"]
    about = ["The transpose.", "Rows mirrored.", "Columns mirrored.", "Turned by half a circle.", "Rows rotated."][form]
    return written(pen, "layout", [(y, r), (x, c)], body, most=70, about=about)


def iterated(pen: Pen) -> Drawn:
    """A loop with carried state for each element: fixed points, escape counts, recurrences, Horner's rule."""
    n, i, k = pen.size(COUNTS), pen.variable(1), pen.variable()
    source, form = pen.array([n]), pen.chance.randrange(4)
    turns = str(pen.chance.randint(3, 24))
    v, real = pen.name(["v", "state", "x_now", "guess", "est"]), pen.real
    if form == 0:  # Newton's square root
        out = pen.array([n], role=Role.OUT)
        goal = pen.name(["goal", "want", "s_of"])
        body = [f"{real} {goal} = {pen.call('fabs')}({source}[{i}]) + {pen.value()};", f"{real} {v} = {goal};"]
        half = "0.5" if real == "double" else "0.5f"
        body += [*pen.loop(k, turns, [f"{v} = {half} * ({v} + {goal} / {v});"]), f"{out}[{i}] = {v};"]
    elif form == 1:  # escape count
        out = pen.array([n], role=Role.OUT, c_type="int")
        count = pen.name(["count", "turns_done", "steps_n"])
        body = [f"{real} {v} = {source}[{i}];", f"int {count} = 0;"]
        inner = [f"{v} = {v} * {v} + {pen.value(0.1, 0.6)};", f"++{count};"]
        body += [
            f"while ({count} < {turns} && {v} < {pen.value(2.0, 4.0)}) {{",
            *(f"    {line}" for line in inner),
            "}",
            f"{out}[{i}] = {count};",
        ]
    elif form == 2:  # a polynomial of given degree
        m = pen.size(INNERS)
        factors, out = pen.array([m]), pen.array([n], role=Role.OUT)
        body = [f"{real} {v} = {pen.zero};"]
        line = f"{v} = {v} * {source}[{i}] * {pen.value(0.2, 0.6)} + {factors}[{k}];"
        body += [f"for (int {k} = {m} - 1; {k} >= 0; --{k}) {{", f"    {line}", "}", f"{out}[{i}] = {v};"]
    else:  # a damped oscillation
        out, speed = pen.array([n], role=Role.OUT), pen.name(["speed_v", "vel", "rate_v"])
        body = [f"{real} {v} = {source}[{i}];", f"{real} {speed} = {pen.zero};"]
        inner = [f"{speed} -= {pen.value(0.01, 0.1)} * {v};", f"{v} += {pen.value(0.05, 0.3)} * {speed};"]
        body += [*pen.loop(k, turns, inner), f"{out}[{i}] = {v};"]
    return written(
        pen, "iteration", [(i, n)], body, most=600, about="A short recurrence for each element.", reduction="32"
    )


def with_helper(pen: Pen) -> Drawn:
    """One or two loops that call a helper of the file's own."""
    n, i = pen.size(COUNTS), pen.variable(1)
    real, source, out = pen.real, pen.array([n]), pen.array([n], role=Role.OUT)
    name = pen.name(["clamp_to", "soft_step", "shape_of", "weight_at", "curve", "limit_to", "gate_of", "response"])
    kind = pen.pick("static ", "static inline ", "inline ", "")
    form = pen.chance.randrange(3)
    if form == 0:
        helper = [
            f"{kind}{real} {name}({real} x, {real} low, {real} high) {{",
            "    return x < low ? low : (x > high ? high : x);",
            "}",
        ]
        value = f"{name}({source}[{i}], {pen.value(0.0, 0.4)}, {pen.value(0.6, 2.0)})"
    elif form == 1:
        helper = [
            f"{kind}{real} {name}({real} x) {{",
            f"    {real} t = x * {pen.value()};",
            f"    return t / ({pen.value(1.0, 2.0)} + t * t);",
            "}",
        ]
        value = f"{name}({source}[{i}]) - {name}({pen.value()} * {source}[{i}])"
    else:
        power = pen.chance.randint(2, 6)
        helper = [
            f"{kind}{real} {name}({real} x, int times) {{",
            f"    {real} p = {pen.value(1.0, 1.0)};",
            "    for (int k = 0; k < times; ++k) p *= x;",
            "    return p;",
            "}",
        ]
        value = f"{name}({source}[{i}], {power}) + {pen.value()}"
    if pen.maybe(0.4):
        value = f"{value} * {pen.scalar()}"
    return written(
        pen,
        "helpers",
        [(i, n)],
        [f"{out}[{i}] = {value};"],
        most=900,
        about="A helper's value for each element.",
        helper=helper,
        reduction="8",
    )


def small_matrices(pen: Pen) -> Drawn:
    """Many small problems of a fixed size beside each other: determinants, 3x3 products, cross products, colours."""
    n, i, real = pen.size(["n", "count", "batch", "particles", "points_n"]), pen.variable(1), pen.real
    form = pen.chance.randrange(4)
    if form == 0:
        m, out, at = pen.array([n, "9"]), pen.array([n], role=Role.OUT), pen.name(["m", "q", "e9"])
        body = [f"const {real}* {at} = {m} + {i} * 9;"]
        body += [
            f"{out}[{i}] = {at}[0] * ({at}[4] * {at}[8] - {at}[5] * {at}[7]) - {at}[1] * ({at}[3] * {at}[8] - {at}[5] * {at}[6])",
            f"    + {at}[2] * ({at}[3] * {at}[7] - {at}[4] * {at}[6]);",
        ]
    elif form == 1:
        p, v, out = pen.array([n, "3"]), pen.array([n, "3"]), pen.array([n, "3"], role=Role.OUT)
        body = [f"int o = {i} * 3;"]
        for one, (two, three) in enumerate(((1, 2), (2, 0), (0, 1))):
            body.append(f"{out}[o + {one}] = {p}[o + {two}] * {v}[o + {three}] - {p}[o + {three}] * {v}[o + {two}];")
    elif form == 2:
        rgb, out = pen.array([n, "3"], c_type="unsigned char"), pen.array([n], role=Role.OUT, c_type="unsigned char")
        parts = pen.chance.choice([(77, 150, 29), (54, 183, 19), (85, 86, 85)])
        body = [
            f"int sum = {parts[0]} * {rgb}[{i} * 3] + {parts[1]} * {rgb}[{i} * 3 + 1] + {parts[2]} * {rgb}[{i} * 3 + 2];"
        ]
        body.append(f"{out}[{i}] = (unsigned char)(sum >> 8);")
    else:
        pos, vel = pen.array([n, "2"], role=Role.INOUT, pool=["pos", "place_of", "xy", "where_at"]), pen.array([n, "2"])
        dt, edge = pen.scalar(["dt", "step", "h_t"], low=0.01, high=0.1), pen.value(1.0, 2.0)
        body = [
            "for (int d = 0; d < 2; ++d) {",
            f"    {real} moved = {pos}[{i} * 2 + d] + {dt} * {vel}[{i} * 2 + d];",
            f"    if (moved > {edge}) moved = {edge} - (moved - {edge});",
            f"    {pos}[{i} * 2 + d] = moved;",
            "}",
        ]
    return written(pen, "batches", [(i, n)], body, most=500, about="One small problem for each index.", reduction="9")
