"""Terms that families put together by chance: real values that stay finite, conditions on them, whole numbers that are mixed."""

from collections.abc import Sequence

from regrapht.distil.families.pen import Pen

ODD = (2654435761, 2246822519, 3266489917, 668265263, 374761393)


def unary(pen: Pen, value: str) -> str:
    """A function of one real value, finite everywhere."""
    call, one = pen.call, pen.value()
    return pen.pick(
        f"{value} * {value}",
        f"{call('fabs')}({value})",
        f"{call('sqrt')}({call('fabs')}({value}) + {one})",
        f"{call('exp')}(-{value} * {value})",
        f"{call('log')}({one} + {call('fabs')}({value}))",
        f"{call('tanh')}({value})",
        f"{one} / ({pen.value(1.0, 2.0)} + {call('exp')}(-{value}))",
        f"({value} > {pen.zero} ? {value} : {pen.value(0.01, 0.2)} * {value})",
        f"{call('sin')}({value}) * {one}",
        f"{value} * ({one} + {value} * ({pen.value()} - {value} * {pen.value()}))",
        f"{call('fmax')}({value}, {pen.value()})",
        f"{call('fmin')}({value} * {one}, {pen.value()})",
    )


def blend(pen: Pen, terms: Sequence[str]) -> str:
    """One value out of several."""
    found = terms[0]
    for term in terms[1:]:
        found = pen.pick(
            f"{found} + {pen.value()} * {term}",
            f"{found} - {term}",
            f"{term} * {found} + {pen.value()}",
            f"({found}) * {term}",
            f"({found}) / ({pen.value(1.0, 3.0)} + {pen.call('fabs')}({term}))",
        )
    return found


def formula(pen: Pen, leaves: Sequence[str], most: int = 3) -> str:
    """A value out of one to `most` of the leaves, some of them bent."""
    taken = pen.chance.sample(list(leaves), min(len(leaves), pen.chance.randint(1, most)))
    return blend(pen, [unary(pen, one) if pen.maybe(0.35) else one for one in taken])


def condition(pen: Pen, leaves: Sequence[str]) -> str:
    """A question to one or two real values."""
    first = pen.pick(*leaves)
    asked = pen.pick(
        f"{first} > {pen.value(0.0, 1.0)}",
        f"{first} < {pen.value(0.0, 1.0)}",
        f"{pen.call('fabs')}({first}) > {pen.value(0.1, 1.0)}",
        f"{first} * {first} < {pen.value(0.2, 1.5)}",
    )
    if len(leaves) > 1 and pen.maybe(0.4):
        second = pen.pick(*([one for one in leaves if one != first] or leaves))
        asked = pen.pick(
            f"{first} > {second}", f"{asked} && {second} > -{pen.value()}", f"{asked} || {second} < {pen.zero}"
        )
    return str(asked)


def mixed(pen: Pen, word: str, *, others: Sequence[str] = ()) -> str:
    """A statement that mixes the bits of an `unsigned int`."""
    shift, odd = pen.chance.randint(1, 19), pen.chance.choice(ODD)
    known = [
        f"{word} ^= {word} >> {shift};",
        f"{word} *= {odd}u;",
        f"{word} += {word} << {shift};",
        f"{word} ^= {odd}u;",
        f"{word} = ({word} << {shift}) | ({word} >> {32 - shift});",
    ]
    known += [f"{word} {op}= {other};" for other in others for op in "^+&|"]
    return str(pen.pick(*known))
