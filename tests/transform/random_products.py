"""Products of matrices by seed: order of loops, storage of each array, places inside larger arrays, scaling, where the sum is kept."""

import random

_STORED = {"rows": "({first}) * {ld} + {second}", "columns": "({second}) * {ld} + {first}"}


def random_product(seed: int) -> str:
    """The text of one function `product`, with a head as `conftest.task_of` reads it."""
    chance = random.Random(seed)
    real = chance.choice(["float", "double"])
    head, places, extra = [], {}, {}
    for name, first, second, extents in (("a", "i", "p", "mk"), ("b", "p", "j", "kn"), ("c", "i", "j", "mn")):
        how, before, ld = chance.choice(["rows", "columns"]), chance.randrange(4), f"ld{name}"
        outer, inner = extents if how == "rows" else extents[::-1]
        head += [f"// shape: {name} = {outer} * {ld}", f"// require: {inner} + {before} <= {ld}"]
        place = _STORED[how].format(first=first, second=second, ld=ld)
        places[name] = f"{name}[{place} + {before}]" if before else f"{name}[{place}]"
        extra[ld] = inner, before
    factors = [places["a"], places["b"]]
    chance.shuffle(factors)
    if chance.random() < 0.5:
        factors.insert(chance.randrange(3), "s")
    starts = {v: chance.choice([0, 0, 1]) for v in "ijp"}
    loops = {v: f"for (int {v} = {starts[v]}; {v} < {end}; {v}++)" for v, end in zip("ijp", "mnk", strict=True)}
    body = _local if chance.random() < 0.5 else _in_memory
    lines = body(chance, loops, " * ".join(factors), places["c"], real)
    sizes = "; ".join(_sizes(chance, extra) for _ in range(3))
    parameters = (
        f"int m, int n, int k, int lda, int ldb, int ldc, {real} s, const {real}* a, const {real}* b, {real}* c"
    )
    return "\n".join([*head, f"// check: {sizes}", f"void product({parameters}) {{", *lines, "}", ""])


def _sizes(chance: random.Random, extra: dict[str, tuple[str, int]]) -> str:
    """Sizes, and leading dimensions that hold a line and sometimes more."""
    sizes = {name: chance.randint(1, 20) for name in "mnk"}
    sizes |= {ld: sizes[inner] + before + chance.choice([0, 0, 3]) for ld, (inner, before) in extra.items()}
    return ",".join(f"{name}={value}" for name, value in sizes.items())


def _local(chance: random.Random, loops: dict[str, str], value: str, result: str, real: str) -> list[str]:
    outer = chance.sample(["i", "j"], 2)
    start = chance.choice(["0", "0.0f", result])
    stores = [f"{result} = sum;", f"{result} = -sum * s;"]
    if start != result:
        stores += [f"{result} = 2 * sum - s * {result};", f"{result} -= sum;", f"{result} = {result} + s * sum;"]
    return [
        f"{loops[outer[0]]} {loops[outer[1]]} {{",
        f"{real} sum = {start};",
        f"{loops['p']} sum {chance.choice(['+=', '-='])} {value};",
        f"{chance.choice(stores)}",
        "}",
    ]


def _in_memory(chance: random.Random, loops: dict[str, str], value: str, result: str, real: str) -> list[str]:
    order = chance.sample(["i", "j", "p"], 3)
    lines = [f"{' '.join(loops[v] for v in order)} {result} += {value};"]
    if order[0] != "p" and chance.random() < 0.6:
        inner = next(v for v in order[1:] if v != "p")
        start = chance.choice([f"{result} = 0;", f"{result} *= s;", f"{result} *= -2;"])
        rest = " ".join(loops[v] for v in order[1:])
        lines = [f"{loops[order[0]]} {{", f"{loops[inner]} {start}", f"{rest} {result} += {value};", "}"]
    return lines
