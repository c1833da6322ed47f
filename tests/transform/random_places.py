"""Functions whose rows are written at places that data choose, by seed: places that stay in their row, and places that do not."""

import random

HEAD = """// shape: in = n * m
// shape: byte = n * m
// shape: out = n * m + 64 * n + 600
// shape: y = n
// init: in = ints(-9, 70)
// init: byte = ints(0, 256)
// check: n=0,m=1; n=1,m=2; n=2,m=3; n=5,m=33; n=33,m=9
#include <algorithm>
#include <cstdint>
"""


class RandomPlaces:
    """The text of one function `rows_by_data` over n rows, with a head as `conftest.task_of` reads it."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.width = chance.choice([4, 8, 10, 16, 32])
        """Of a row: what the values have to stay below for rows to be apart."""
        self.guarded = chance.random() < 0.4
        """Whether a guard keeps them there."""

    def text(self) -> str:
        row = str(self.width) if self.guarded else self.chance.choice([str(self.width)] * 4 + ["m"])
        body = self._counted(row) if self.chance.random() < 0.4 else self._chosen(row)
        names = "int n, int m, const int* in, const uint8_t* byte, int* out, int* y"
        return f"{HEAD}void rows_by_data({names}) {{\n    for (int r = 0; r < n; ++r) {{\n{body}\n    }}\n}}\n"

    def _near(self) -> int:
        return max(1, self.width + self.chance.choice([-3, -1, -1, 0, 0, 0, 0, 1]))

    def _value(self) -> str:
        """A value from 0 on."""
        limit = self._near()
        return self.chance.choice(
            [
                f"std::min({limit - 1}, std::max(0, in[r * m + j]))",
                f"byte[r * m + j] % {limit}",
                f"(in[r * m + j] & {limit - 1 if limit & (limit - 1) == 0 else limit // 2})",
                f"byte[r * m + j] * {limit} / 256",
                f"(in[r * m + j] > 20 ? {limit - 1} : {self.chance.randrange(limit)})",
                f"(uint8_t)(byte[r * m + j] % {limit} + {self.chance.randrange(3)})",
                "in[r * m + j] + 9",
            ]
        )

    def _chosen(self, row: str) -> str:
        chance = self.chance
        low, high = chance.choice([0, 0, 0, 0, -1, 1]), chance.choice([str(self._near()), "m" if row == "m" else row])
        guard = chance.choice(
            [f"if (p < {low} || p >= {high}) continue;", f"if (p > {high} - 1 || p < {low}) continue;", ""]
        )
        change = chance.choice(["", "", "", "", "++p;", "p = p / 2;", "if (p > 3) p -= 3;", "p = std::min(p, m);"])
        store = chance.choice(["out[at] = j + 1;", "out[at] += p;", "out[at] = out[at] * 3 + j;"])
        if self.guarded:
            low, guard, change = 0, "", f"{change} if (p < 0 || p >= {self.width}) continue;"
        first, second = (guard, change) if chance.random() < 0.5 else (change, guard)
        shift = chance.choice(["", "", " + 1", " - 1"]) if chance.random() < 0.3 and not self.guarded else ""
        where = (
            f"std::max(0L, (long)r * {row} + p{shift})" if "-" in shift or low < 0 else f"(long)r * {row} + p{shift}"
        )
        return f"""        y[r] = 0;
        for (int j = 0; j < m; ++j) {{
            int p = {self._value()};
            {first}
            {second}
            const long at = {where};
            {store}
            y[r] += p;
        }}"""

    def _counted(self, row: str) -> str:
        chance = self.chance
        start, step = chance.choice([0, 0, 0, 0, 1]), chance.choice([1, 1, 1, 1, 2])
        bound = chance.choice(["" if row == "m" else f" && count < {self.width}", "", f" && count < {self._near()}"])
        first = chance.choice([0, 0, 1])
        twice = chance.choice(["", "", "", f"if (byte[r * m + j] > 200) {{ out[r * {row} + count] = -j; ++count; }}"])
        order = [f"out[r * {row} + count] = in[r * m + j];", f"count += {step};"]
        if chance.random() < 0.2:
            order.reverse()
        end = chance.choice(
            ["", "", f"for (int k = count; k < {row}; ++k) out[r * {row} + k] = -1;", f"out[r * {row} + count] = 7;"]
        )
        return f"""        int count = {start};
        for (int j = {first}; j < m{bound}; ++j) {{
            if (in[r * m + j] > 20) {{ {" ".join(order)} }}
            {twice}
        }}
        y[r] = count;
        {end}"""
