"""Functions over interleaved arrays by seed: several elements a point, in types of all widths, up and down, with conditions and updates."""

import random

TYPES = ("float", "double", "int", "short", "unsigned char")


class RandomStrides:
    """The text of one function `strides` over `n` points, or `n` by `n`, with a head as `conftest.task_of` reads it."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.kind = self.chance.choice(TYPES)
        self.rows = self.chance.random() < 0.3

    def text(self) -> str:
        chance = self.chance
        self.read = {name: chance.choice([1, 2, 3, 4, 6]) for name in "ab"}
        self.written = chance.choice([1, 2, 3, 4])
        points = "n * n" if self.rows else "n"
        shapes = {
            **{name: f"{width} * {points} + 4" for name, width in self.read.items()},
            "y": f"{self.written} * {points}",
        }
        head = [f"// shape: {name} = {extent}" for name, extent in shapes.items()] + ["// shape: bins = 16"]
        head += ["// check: n=1; n=6; n=33" if self.rows else "// check: n=1; n=7; n=64; n=1203"]
        parameters = f"int n, const {self.kind}* a, const {self.kind}* b, {self.kind}* y, int* bins"
        returns = chance.random() < 0.2
        result = "double" if self.kind in ("float", "double") else "int"
        body = self._total(result) if returns else self._map()
        return "\n".join([*head, f"{result if returns else 'void'} strides({parameters}) {{", *body, "}", ""])

    def _loops(self, body: list[str]) -> list[str]:
        if not self.rows:
            return [self._header("i", "n"), *body, "}"]
        return [self._header("r", "n"), self._header("c", "n"), "const int i = r * n + c;", *body, "}", "}"]

    def _header(self, name: str, end: str) -> str:
        if self.chance.random() < 0.25:
            return f"for (int {name} = {end} - 1; {name} >= 0; {name}--) {{"
        start = self.chance.choice(["0", "0", "0", "1", "2"])
        return f"for (int {name} = {start}; {name} < {end}; {name}++) {{"

    def _element(self, name: str) -> str:
        width = self.read[name]
        return f"{name}[{width} * i + {self.chance.randrange(width)}]"

    def _value(self) -> str:
        terms = [self._element(self.chance.choice("ab")) for _ in range(self.chance.randint(1, 4))]
        return " + ".join(terms)

    def _all_of(self, name: str) -> str:
        return " + ".join(f"{name}[{self.read[name]} * i + {k}]" for k in range(self.read[name]))

    def _map(self) -> list[str]:
        form = self.chance.random()
        if form < 0.15:
            return self._loops(
                [f"if ({self._element('a')} > {self._element('b')}) bins[(int){self._element('b')} & 15] += 1;"]
            )
        if form < 0.4:
            return self._loops(self._inner_loop())
        stores = [f"y[{self.written} * i + {k}] = ({self.kind})({self._value()});" for k in range(self.written)]
        if self.chance.random() < 0.3:
            stores[-1] = f"if ({self._element('a')} > 0) {stores[-1]}"
        if self.chance.random() < 0.3:
            stores = [line.replace("] = ", "] += ") for line in stores]
        return self._loops(
            [f"const {self.kind} all = ({self.kind})({self._all_of('a')});", *stores, f"y[{self.written} * i] += all;"]
        )

    def _inner_loop(self) -> list[str]:
        """A loop over the elements of a point, which may leave one out."""
        skipped = self.chance.choice(["", "", "if (k == 1) continue;"])
        first = self.chance.choice(["0", "0", "1"]) if self.written > 1 else "0"
        lines: list[str] = []
        for start, end in [(first, self.written), ("0", self.chance.randint(1, self.written))][
            : self.chance.randint(1, 2)
        ]:
            lines += [f"for (int k = {start}; k < {end}; k++) {{", skipped]
            lines += [f"y[{self.written} * i + k] = ({self.kind})(k + {self._value()});", "}"]
        return lines

    def _total(self, result: str) -> list[str]:
        value = self.chance.choice([self._all_of("a"), self._value()])
        return [f"{result} sum = 0;", *self._loops([f"sum += {value};"]), "return sum;"]
