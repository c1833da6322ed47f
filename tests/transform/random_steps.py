"""Functions with loops of run-time steps by seed: doubled, halved and strided counters, inner loops from the counter on, subscripts that
may meet and subscripts that do not.
"""

import random

COUNTERS = ("int", "int", "long long", "size_t", "unsigned")


class RandomSteps:
    """The text of one function `steps`, with a head as `conftest.task_of` reads it."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def text(self) -> str:
        chance = self.chance
        self.counter = chance.choice(COUNTERS)
        calls = [(chance.choice([1, 2, 5, 16, 33, 64]), chance.randint(1, 9), chance.randint(0, 6)) for _ in range(4)]
        check = "; ".join(f"n={n},s={s},lo={lo}" for n, s, lo in [*calls, (64, 4, 0)])
        body = self._launched() if chance.random() < 0.65 else self._strided("s", ["n", "s + 3"])
        if chance.random() < 0.2:
            body = [f"for (int r = 0; r < {chance.choice(['2', 's'])}; ++r) {{", *body, "}"]
        head = ["// shape: a = 8 * n + 4 * s + 90", "// shape: b = 8 * n + 4 * s + 90", f"// check: {check}"]
        size = "size_t" if self.counter == "size_t" else "int"
        return "\n".join([*head, f"void steps({size} n, {size} s, {size} lo, int* a, int* b) {{", *body, "}", ""])

    def _launched(self) -> list[str]:
        """A loop that doubles or halves around others."""
        chance, kind = self.chance, self.counter
        head = chance.choice(
            [
                f"for ({kind} d = 1; d < n; d *= 2) {{",
                f"for ({kind} d = 1; d <= n; d <<= 1) {{",
                f"for ({kind} d = 2; d <= n; d = d * 2) {{",
                f"for ({kind} d = n / 2; d > 0; d /= 2) {{",
                f"for ({kind} d = n; d >= 1; d >>= 1) {{",
                f"for ({kind} d = s; d < n; d *= 3) {{",
                f"for ({kind} d = 1; d < n; d += d) {{",
            ]
        )
        scalars, names = [], ["d", "d", "2 * d", "d / 2"]
        if chance.random() < 0.3:
            scalars, names = (
                [f"const {kind} h = {chance.choice(['d / 2', '2 * d', 'd << 1', 'd + s'])};"],
                ["d", "h", "h"],
            )
        inside: list[str] = []
        for _ in range(chance.choice([1, 1, 2])):
            step = chance.choice(["2 * d", "2 * d", "d", "d << 1", "s", "d + 1", *(["h", "2 * h"] if scalars else [])])
            inside += self._strided(step, names)
        return [head, *scalars, *inside, "}"]

    def _strided(self, step: str, lengths: list[str]) -> list[str]:
        chance, kind = self.chance, self.counter
        before = f"({self._positive(step)}) - 1" if kind in ("int", "long long") else "2"
        start = chance.choice(["0", "0", "0", "lo", "1", "lo + 1", before])
        end = chance.choice(["i < n", "i < n", "i <= n", f"i + {chance.choice(lengths)} < n", f"i + ({step}) <= n"])
        if step not in ("s",):
            step = f"{step}" if chance.random() < 0.5 else f"({step})"
        body = self._statements("i", lengths) if chance.random() < 0.3 else self._inner(lengths)
        loop = [f"for ({kind} i = {start}; {end}; i += {self._positive(step)}) {{", *body, "}"]
        if chance.random() < 0.2:
            return [f"for ({kind} w = 0; w < {chance.choice(['s', 'n', '3'])}; ++w) {{", *loop, "}"]
        return loop

    @staticmethod
    def _positive(step: str) -> str:
        """`d / 2` may be 0 where d is 1, and the loop would not end."""
        return f"{step} + 1" if "/ 2" in step or step.strip("()") in ("h", "2 * h") else step

    def _inner(self, lengths: list[str]) -> list[str]:
        chance, kind = self.chance, self.counter
        length = chance.choice(lengths)
        form = chance.random()
        if form < 0.55:
            return [f"for ({kind} k = 0; k < {length}; ++k) {{", *self._statements("i + k", lengths), "}"]
        if form < 0.8:
            return [f"for ({kind} k = i; k < i + {length}; ++k) {{", *self._statements("k", lengths), "}"]
        least = chance.choice([f"i + {length}", f"{length} + i"])
        return [f"for ({kind} k = i; k < ({least} < n ? {least} : n); k++) {{", *self._statements("k", lengths), "}"]

    def _place(self, base: str, lengths: list[str]) -> str:
        more = self.chance.choice(["", "", "", " + d", " + s", " + 1", f" + {self.chance.choice(lengths)}"])
        return f"[{base}{more.replace('d', lengths[0])}]"

    def _statements(self, base: str, lengths: list[str]) -> list[str]:
        chance, form = self.chance, self.chance.random()
        one, other, third = (self._place(base, lengths) for _ in range(3))
        if form < 0.35:
            return [
                f"int x = a{one}, y = a{other};",
                f"a{one} = (x + y) & 1023;",
                f"a{other} = (x - y) & 1023;",
            ]
        if form < 0.55:
            return [f"a{one} = (3 * b{other} + a{third} + 1) & 1023;"]
        if form < 0.75:
            return [f"b{one} = (a{other} + 2 * b{third}) & 511;"]
        if form < 0.9:
            return [f"a{one} {chance.choice(['+=', '-=', '^='])} a{other} & 255;"]
        return [f"if (a{one} > b{other}) a{one} = b{other};"]
