"""Random expressions of C: over unsigned words, whose arithmetic wraps and is exact, and over floats of a few units."""

import random
from collections.abc import Sequence


def words(rng: random.Random, names: Sequence[str], depth: int = 3) -> str:
    """An expression of `uint32_t` over the names, each of which occurs."""
    text = _join_words(rng, names)
    for _ in range(depth):
        text = rng.choice(
            (
                lambda t: f"({t} ^ {t} >> {rng.randint(3, 17)})" if len(t) < 60 else f"({t} * {_odd(rng)}u)",
                lambda t: f"({t} * {_odd(rng)}u)",
                lambda t: f"({t} + {rng.randrange(1 << 31)}u)",
                lambda t: f"({t} ^ {rng.randrange(1 << 31)}u)",
            )
        )(text)
    return text


def floats(rng: random.Random, names: Sequence[str]) -> str:
    """An expression of `float` over the names, each of which occurs; of the order of their values' squares, and smooth."""
    terms = [f"{_coefficient(rng)} * {name}" for name in names]
    for name in names:
        kind = rng.randrange(3)
        if kind == 0:
            terms.append(f"{_coefficient(rng)} * {name} * {rng.choice(names)}")
        elif kind == 1:
            terms.append(f"{_coefficient(rng)} * std::sqrt(1.0f + {name} * {name})")
    rng.shuffle(terms)
    return " + ".join(terms)


def name(rng: random.Random, used: set[str]) -> str:
    """A word that is not used yet, and is from now on."""
    while True:
        word = "".join(rng.choice(pair) for pair in ("bdfgklmnprstv", "aeiou") * rng.randint(2, 3))
        if word not in used and word not in ("do", "if", "int"):
            used.add(word)
            return word


def _join_words(rng: random.Random, names: Sequence[str]) -> str:
    order = list(names)
    rng.shuffle(order)
    text = order[0]
    for other in order[1:]:
        text = rng.choice(
            (
                f"({text} + {_odd(rng)}u * {other})",
                f"({text} ^ {other} << {rng.randint(1, 9)})",
                f"({text} * ({other} | 1u))",
            )
        )
    return text


def _odd(rng: random.Random) -> int:
    return rng.randrange(1 << 15, 1 << 31) | 1


def _coefficient(rng: random.Random) -> str:
    return f"{rng.choice((-1, 1)) * rng.uniform(0.3, 1.7):.3f}f"
