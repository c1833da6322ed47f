"""Functions in which a thread does several things for its element: temporaries, branches, codes, conversions, bits."""

from regrapht.distil.families.pen import COLUMNS, COUNTS, FACTORS, ROWS, Drawn, Pen, file_text, integers
from regrapht.distil.families.styles import written
from regrapht.distil.families.terms import condition, formula, mixed
from regrapht.records.task import Init, Role

_STEPS = [
    "t0",
    "t1",
    "u0",
    "u1",
    "part",
    "mid",
    "half",
    "base_v",
    "drift",
    "lift",
    "drag",
    "blend_v",
    "inner_v",
    "edge_v",
]


def chained(pen: Pen) -> Drawn:
    """A few temporaries, each from what is there already; branches between them; one to three results."""
    n, i = pen.size(COUNTS), pen.variable(1)
    leaves = [f"{pen.array([n])}[{i}]" for _ in range(pen.chance.randint(1, 3))]
    leaves += [pen.scalar(FACTORS) for _ in range(pen.chance.randint(0, 2))]
    body: list[str] = []
    for _ in range(pen.chance.randint(2, 4)):
        name, value = pen.name(_STEPS), formula(pen, leaves)
        body.append(f"{pen.real} {name} = {value};")
        if pen.maybe(0.45):
            body += _branch(pen, name, leaves)
        leaves = [*leaves[-3:], name, name]
    for _ in range(pen.pick(1, 1, 2, 3)):
        out = pen.array([n], role=Role.INOUT if pen.maybe(0.15) else Role.OUT)
        body.append(
            f"{out}[{i}] {pen.pick('=', '=', '+=') if pen.args[-1].role is Role.INOUT else '='} {formula(pen, leaves)};"
        )
    return written(
        pen, "branches", [(i, n)], body, most=900, about="Several values for each element, one from the other."
    )


def _branch(pen: Pen, name: str, leaves: list[str]) -> list[str]:
    """What changes a temporary under a condition."""
    asked, other = condition(pen, [name, *leaves[:2]]), condition(pen, [name])
    first, second = formula(pen, [name, *leaves[:2]], 2), formula(pen, [name, *leaves[:1]], 2)
    form = pen.chance.randrange(4)
    if form == 0:
        return [f"if ({asked}) {name} = {first};"]
    if form == 1:
        return [f"if ({asked}) {{", f"    {name} = {first};", "} else {", f"    {name} = {second};", "}"]
    if form == 2:
        return [
            f"if ({asked}) {{",
            f"    {name} = {first};",
            f"}} else if ({other}) {{",
            f"    {name} = {second};",
            "} else {",
            f"    {name} *= {pen.value()};",
            "}",
        ]
    return [f"{name} = {asked} ? {first} : {second};"]


def coded(pen: Pen) -> Drawn:
    """A number says for each element which of several formulas it gets."""
    n, i, kinds = pen.size(COUNTS), pen.variable(1), pen.chance.randint(3, 5)
    code_type = pen.pick("int", "unsigned char", "short")
    codes = pen.array(
        [n], c_type=code_type, pool=["kind", "code", "mode", "state_of", "phase"], init=integers("0", str(kinds))
    )
    leaves = [f"{pen.array([n])}[{i}]" for _ in range(pen.chance.randint(1, 2))]
    out, v = pen.array([n], role=Role.OUT), pen.name(["v", "val", "res_v"])
    formulas = [formula(pen, leaves) for _ in range(kinds)]
    body = [f"{pen.real} {v} = {pen.pick(pen.zero, leaves[0])};"]
    if pen.maybe(0.5):
        body.append(f"switch ({codes}[{i}]) {{")
        for number, value in enumerate(formulas[:-1]):
            body += [f"case {number}:", f"    {v} = {value};", "    break;"]
        body += ["default:", f"    {v} = {formulas[-1]};", "}"]
    else:
        for number, value in enumerate(formulas):
            word = "if" if number == 0 else "else if"
            body += [f"{word} ({codes}[{i}] == {number})" if number + 1 < kinds else "else", f"    {v} = {value};"]
    body.append(f"{out}[{i}] = {v};")
    return written(pen, "codes", [(i, n)], body, most=900, about="A formula by the code of each element.")


def narrowed(pen: Pen) -> Drawn:
    """Whole numbers scaled, shifted and cut to the range of a narrower type, or a factor by row put to them."""
    r, c = pen.size(ROWS), pen.size(COLUMNS)
    y, x, form = pen.variable(2), pen.variable(3), pen.chance.randrange(3)
    place = f"[{y} * {c} + {x}]"
    kind = pen.pick("signed char", "unsigned char", "short", "int")
    source = pen.array([r, c], c_type=kind)
    if form == 0:
        scale, out = pen.array(pen.pick([r], [c])), pen.array([r, c], role=Role.OUT)
        at = y if pen.args[-2].shape[0].text == r else x
        zero = pen.pick("0", str(pen.chance.randint(1, 60)))
        value = f"{scale}[{at}] * ({pen.real})({source}{place} - {zero})"
        body = [f"{out}{place} = {pen.pick(value, formula(pen, [value], 1))};"]
        return written(
            pen,
            "conversion",
            [(y, r), (x, c)],
            body,
            most=60,
            about="Narrow numbers to real ones, by a factor each row or column.",
        )
    target, low, high = pen.pick(("signed char", -128, 127), ("unsigned char", 0, 255), ("short", -3000, 3000))
    out, q = pen.array([r, c], role=Role.OUT, c_type=target), pen.name(["q", "wide", "level_v", "s_v"])
    shift = pen.chance.randint(1, 6)
    term = f"{source}{place} * {pen.chance.randint(2, 90)}"
    if form == 2:
        term += f" + {pen.array([c], c_type='int', init=integers('-200', '200'))}[{x}]"
    value = pen.pick(
        f"({term} + {1 << (shift - 1)}) >> {shift}",
        f"{term} - {pen.chance.randint(1, 99)}",
        f"({term}) / {pen.chance.randint(2, 9)}",
    )
    body = [f"int {q} = {value};"]
    body += pen.pick(
        [f"if ({q} < {low}) {q} = {low};", f"if ({q} > {high}) {q} = {high};"],
        [f"{q} = {q} < {low} ? {low} : ({q} > {high} ? {high} : {q});"],
    )
    body.append(f"{out}{place} = ({target}){q};")
    return written(
        pen, "conversion", [(y, r), (x, c)], body, most=60, about=f"Numbers scaled and cut to {low} .. {high}."
    )


def words(pen: Pen) -> Drawn:
    """Bits of several arrays put together, taken apart, counted, spread."""
    n, i, form = pen.size(["n", "words_n", "count", "len"]), pen.variable(1), pen.chance.randrange(4)
    v, k = pen.name(["w", "v", "bits", "acc_w"]), pen.variable()
    any_bits = Init(kind="integers", parameters={"low": 0, "high": 1 << 32})
    if form == 0:  # bytes to a word
        order = pen.chance.sample(range(4), 4)
        source = pen.array([f"{n} * 4"], c_type="unsigned char", pool=["bytes_in", "raw", "stream", "packed_in"])
        out = pen.array([n], role=Role.OUT, c_type="unsigned int")
        parts = [f"((unsigned int){source}[{i} * 4 + {place}] << {8 * byte})" for byte, place in enumerate(order)]
        body = [
            f"unsigned int {v} = {' | '.join(parts)};",
            *(mixed(pen, v) for _ in range(pen.chance.randint(0, 2))),
            f"{out}[{i}] = {v};",
        ]
    elif form == 1:  # a word to its fields
        width = pen.pick(2, 4, 8)
        fields = 32 // width
        source = pen.array([n], c_type="unsigned int", init=any_bits)
        out = pen.array([n, str(fields)], role=Role.OUT, c_type=pen.pick("unsigned char", "int"))
        value = f"({source}[{i}] >> ({width} * {k})) & {(1 << width) - 1}u"
        body = pen.loop(
            k,
            str(fields),
            [f"{out}[{i} * {fields} + {k}] = {pen.pick(value, f'({value}) ^ {pen.chance.randint(1, 3)}u')};"],
        )
    elif form == 2:  # several words mixed
        names = [pen.array([n], c_type="unsigned int", init=any_bits) for _ in range(pen.chance.randint(2, 3))]
        out = pen.array([n], role=Role.OUT, c_type="unsigned int")
        others = [f"{one}[{i}]" for one in names[1:]]
        body = [
            f"unsigned int {v} = {names[0]}[{i}];",
            *(mixed(pen, v, others=others) for _ in range(pen.chance.randint(3, 6))),
            f"{out}[{i}] = {v};",
        ]
    else:  # bits counted or turned around
        source, out = (
            pen.array([n], c_type="unsigned int", init=any_bits),
            pen.array([n], role=Role.OUT, c_type="unsigned int"),
        )
        turned, bits = pen.name(["turned", "sum_b", "kept"]), pen.chance.randint(8, 32)
        line = pen.pick(
            f"{turned} = ({turned} << 1) | (({v} >> {k}) & 1u);",
            f"{turned} += ({v} >> {k}) & 1u;",
            f"{turned} ^= ({v} >> {k}) & {pen.pick(1, 3, 5)}u;",
            f"if (({v} >> {k}) & 1u) {turned} += {k};",
        )
        body = [
            f"unsigned int {v} = {source}[{i}];",
            *(mixed(pen, v) for _ in range(pen.chance.randint(0, 2))),
            f"unsigned int {turned} = 0;",
        ]
        body += [*pen.loop(k, str(bits), [line]), f"{out}[{i}] = {turned};"]
    return written(pen, "bits", [(i, n)], body, most=700, about="Bits put together or taken apart.")


def one_number(pen: Pen) -> Drawn:
    """One loop over a whole grid, whose row and column are found by division; a thread has them already."""
    r, c = pen.size(ROWS), pen.size(COLUMNS)
    i, y, x = pen.variable(1), pen.variable(2), pen.variable(3)
    whole_in, by_row, by_column = pen.array([r, c]), pen.array([r]), pen.array([c])
    leaves = [f"{whole_in}[{i}]", f"{by_row}[{y}]", f"{by_column}[{x}]"]
    out = pen.array([r, c], role=Role.OUT)
    places = [f"int {y} = {i} / {c};", f"int {x} = {pen.pick(f'{i} % {c}', f'{i} - {y} * {c}')};"]
    line = f"{out}[{i}] = {formula(pen, leaves)};"
    if pen.maybe(0.5):
        asked = pen.pick(
            f"{y} == {x}",
            f"{x} > {y}",
            f"{x} % {pen.chance.randint(2, 5)} == 0",
            f"({x} + {y}) % 2 == 0",
            f"{y} < {r} / 2",
        )
        body = [f"if ({asked})", f"    {line}", "else", f"    {out}[{i}] = {formula(pen, leaves[:1])};"]
    else:
        body = [line]
    pen.shuffle_arguments()
    entry, end = pen.entry(), f"{r} * {c}"
    text = file_text(
        pen, "void", entry, pen.loop(i, end, [pen.host(one) for one in [*places, *body]]), headers=(), helper=()
    )
    task = pen.task("elementwise", text, entry, most=60, about="Each element of a grid, by its number.")
    thread = [one.replace(f"[{i}]", f"[{y} * {c} + {x}]") for one in body]
    return Drawn(task=task, family="elementwise", outer=(y, x), body=tuple(thread))


def triples(pen: Pen) -> Drawn:
    """Pixels or points whose parts lie beside each other: a loop over the parts, or each part by name."""
    n, i, parts = pen.size(["n", "points_n", "pixels_n", "count"]), pen.variable(1), pen.pick(2, 3, 4)
    k, form = pen.variable(), pen.chance.randrange(3)
    first = pen.array([n, str(parts)])
    second = pen.array(pen.pick([str(parts)], [n, str(parts)]))
    mine, at = f"{first}[{i} * {parts} + {k}]", k if len(pen.args[-1].shape) == 1 else f"{i} * {parts} + {k}"
    leaves = [mine, f"{second}[{at}]"]
    if form == 0:  # a part each
        out = pen.array([n, str(parts)], role=Role.OUT)
        body = pen.loop(k, str(parts), [f"{out}[{i} * {parts} + {k}] = {formula(pen, leaves)};"])
    elif form == 1:  # one number of all
        out, acc = pen.array([n], role=Role.OUT), pen.name(["sum", "acc", "norm_v"])
        body = [
            f"{pen.real} {acc} = {pen.zero};",
            *pen.loop(k, str(parts), [f"{acc} += {formula(pen, leaves)};"]),
            f"{out}[{i}] = {formula(pen, [acc], 1)};",
        ]
    else:  # scaled by a number of all
        out, acc = pen.array([n, str(parts)], role=Role.OUT), pen.name(["sum", "acc", "norm_v"])
        body = [
            f"{pen.real} {acc} = {pen.value(0.1, 0.9)};",
            *pen.loop(k, str(parts), [f"{acc} += {pen.pick(f'{mine} * {mine}', pen.call('fabs') + f'({mine})')};"]),
        ]
        body += pen.loop(
            k, str(parts), [f"{out}[{i} * {parts} + {k}] = {pen.pick(mine, formula(pen, leaves))} / {acc};"]
        )
    return written(
        pen, "batches", [(i, n)], body, most=400, about="A few parts of each point together.", reduction="16"
    )
