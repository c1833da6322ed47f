"""Maps of values that turns hand on, in CUDA: a struct, what changes nothing, one map after another, and a map between lanes."""

from regrapht.transform.ir.expressions import place_name
from regrapht.transform.ir.scalar_types import is_float
from regrapht.transform.plan.contributions import Family, StateMap


def fields(found: StateMap) -> list[list[str]]:
    """The fields of the struct, a list for each value; those of a value have the order of its entries."""
    count = len(found.values)
    if found.family is Family.TABLE:
        return [["to"]]
    if found.family is Family.BOUNDED:
        return [["least", "step", "greatest"]]
    return [[*(f"factor_{row}_{column}" for column in range(count)), f"added_{row}"] for row in range(count)]


def value_of(found: StateMap, row: int, of: str) -> str:
    """A value under a map that gives it whatever was before."""
    name = fields(found)[row][-1 if found.family in (Family.AFFINE, Family.EXTREME) else 0]
    text = f"({of}.{name} & 15)" if found.family is Family.TABLE else f"{of}.{name}"
    return f"({found.values[row].type}){text}"


def text_of(found: StateMap, name: str) -> str:
    """The struct `name` and its functions: `name_none`, `name_then`, `name_fixed` and `name_up`."""
    flat = [field for row in fields(found) for field in row]
    neutral, after, fixed = {
        Family.AFFINE: _affine,
        Family.BOUNDED: _bounded,
        Family.EXTREME: _extreme,
        Family.TABLE: _table,
    }[found.family](found)
    given = ", ".join(f"{value.type} value_{row}" for row, value in enumerate(found.values))
    shuffled = ", ".join(f"__shfl_up_sync(0xffffffffu, map.{field}, distance)" for field in flat)
    return "\n".join(
        [
            f"// What turns make of {_named(found)}, as a map that can be combined: {_SAID[found.family]}.",
            f"struct {name} {{",
            *(f"    {found.number} {field};" for field in flat),
            "};",
            *_helpers(found, name),
            f"__device__ inline {name} {name}_none() {{",
            f"    return {{{', '.join(neutral)}}};",
            "}",
            f"__device__ inline {name} {name}_fixed({given}) {{",
            f"    return {{{', '.join(fixed)}}};",
            "}",
            "// First one map, then another.",
            f"__device__ inline {name} {name}_then(const {name}& first, const {name}& then) {{",
            *(f"    {line}" for line in _filled(after, name)),
            "}",
            f"__device__ inline {name} {name}_up(const {name}& map, int distance) {{",
            f"    return {{{shuffled}}};",
            "}",
        ]
    )


_SAID = {
    Family.AFFINE: "factors and a summand",
    Family.BOUNDED: "a step, and bounds behind it",
    Family.EXTREME: "the best of steps from each value, and of what hangs on none",
    Family.TABLE: "for each value four bits with what becomes of it",
}


def _named(found: StateMap) -> str:
    return " and ".join(f"'{place_name(value.place)}'" for value in found.values)


def _filled(lines: list[str], name: str) -> list[str]:
    return [line.replace("{name}", name) for line in lines]


def _helpers(found: StateMap, name: str) -> list[str]:
    number = found.number
    if found.family is Family.AFFINE and is_float(number):
        return [
            "// A factor of nothing forgets what was before, an infinity too.",
            f"__device__ inline {number} {name}_times({number} factor, {number} value) {{",
            "    return factor == 0 || value == 0 ? 0 : factor * value;",
            "}",
        ]
    if found.family is Family.BOUNDED:
        return _stepping(number, name)
    if found.family is Family.EXTREME:
        return _adding(number, name, _none(found))
    return []


def _stepping(number: str, name: str) -> list[str]:
    """A bound of one map under a later one. Where a sum of steps would leave the integers, a bound of the source had kept the value."""
    head = f"__device__ inline {number} {name}_within({number} value, bool{'' if is_float(number) else ' open'}, const {name}& map) {{"
    if is_float(number):
        moved = ["const {number} moved = value + map.step;"]
    else:
        moved = [
            "long long moved = value;",
            "if (open && (value == LLONG_MIN || value == LLONG_MAX)) {",
            "    // no bound, and none by a step",
            "} else if (map.step > 0 && value > LLONG_MAX - map.step) {",
            "    moved = LLONG_MAX;",
            "} else if (map.step < 0 && value < LLONG_MIN - map.step) {",
            "    moved = LLONG_MIN;",
            "} else {",
            "    moved = value + map.step;",
            "}",
        ]
    lines = [line.replace("{number}", number) for line in moved]
    return [head, *(f"    {line}" for line in lines), "    return min(map.greatest, max(map.least, moved));", "}"]


def _ends(number: str) -> tuple[str, str]:
    return ("-INFINITY", "INFINITY") if is_float(number) else ("LLONG_MIN", "LLONG_MAX")


def _affine(found: StateMap) -> tuple[list[str], list[str], list[str]]:
    count = len(found.values)
    neutral, fixed, parts = [], [], []
    for row in range(count):
        neutral += ["1" if column == row else "0" for column in range(count)] + ["0"]
        fixed += ["0"] * count + [f"({found.number})value_{row}"]
        for column in range(count + 1):
            of_first = [_field(number, column, count, "first") for number in range(count)]
            factors = [_field(row, number, count, "then") for number in range(count)]
            terms = [_product(found, *pair) for pair in zip(factors, of_first, strict=True)]
            parts.append(" + ".join([*terms, *([f"then.added_{row}"] if column == count else [])]))
    return neutral, [f"return {{{', '.join(parts)}}};"], fixed


def _field(row: int, column: int, count: int, of: str) -> str:
    return f"{of}.added_{row}" if column == count else f"{of}.factor_{row}_{column}"


def _product(found: StateMap, factor: str, value: str) -> str:
    return f"{{name}}_times({factor}, {value})" if is_float(found.number) else f"{factor} * {value}"


def _bounded(found: StateMap) -> tuple[list[str], list[str], list[str]]:
    lowest, highest = _ends(found.number)
    same = f"({found.number})value_0"
    after = [
        "const bool open = first.least != first.greatest;",
        "return {{name}_within(first.least, open, then), first.step + then.step, {name}_within(first.greatest, open, then)};",
    ]
    return [lowest, "0", highest], after, [same, "0", same]


def _none(found: StateMap) -> str:
    return _ends(found.number)[0 if found.operator == "max" else 1]


def _adding(number: str, name: str, none: str) -> list[str]:
    """Two steps one after the other. Where their sum would leave the integers, the source had a better way."""
    head = f"__device__ inline {number} {name}_plus({number} first, {number} then) {{"
    lines = [f"if (first == {none} || then == {none}) {{", f"    return {none};", "}"]
    if not is_float(number):
        lines += [
            "if (then > 0 && first > LLONG_MAX - then) {",
            "    return LLONG_MAX;",
            "}",
            "if (then < 0 && first < LLONG_MIN - then) {",
            "    return LLONG_MIN;",
            "}",
        ]
    return [head, *(f"    {line}" for line in [*lines, "return first + then;"]), "}"]


def _extreme(found: StateMap) -> tuple[list[str], list[str], list[str]]:
    count, none = len(found.values), _none(found)
    neutral, fixed, parts = [], [], []
    for row in range(count):
        neutral += ["0" if column == row else none for column in range(count)] + [none]
        fixed += [none] * count + [f"({found.number})value_{row}"]
        for column in range(count + 1):
            ways = [
                f"{{name}}_plus({_field(number, column, count, 'first')}, {_field(row, number, count, 'then')})"
                for number in range(count)
            ] + ([f"then.added_{row}"] if column == count else [])
            best = ways[0]
            for way in ways[1:]:
                best = f"{found.operator}({best}, {way})"
            parts.append(best)
    return neutral, [f"return {{{', '.join(parts)}}};"], fixed


def _table(found: StateMap) -> tuple[list[str], list[str], list[str]]:
    same = sum(value << 4 * value for value in range(found.size))
    after = [
        "unsigned long long both = 0;",
        f"for (int value = 0; value < {found.size}; ++value) {{",
        "    both |= ((then.to >> 4 * ((first.to >> 4 * value) & 15)) & 15) << 4 * value;",
        "}",
        "return {both};",
    ]
    return [f"{same:#x}ull"], after, ["(unsigned long long)value_0 * 0x1111111111111111ull"]
