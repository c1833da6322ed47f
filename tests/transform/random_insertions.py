"""Functions that insert values into small local arrays by going down in them, drawn by seed: every type, order and way to write it.

Floats have NaN and both zeros among them, which an order does not tell apart or does not order at all; a code of each element that says
which it is makes the results comparable bit by bit.
"""

import random

HEAD = """// shape: in = n * m
// shape: out = n * 40
// init: in = ints(-9, 12)
// require: m >= 1
// check: n=0,m=1; n=1,m=1; n=2,m=3; n=3,m=33; n=33,m=7
#include <cstddef>
static float drawn(int v) { return v > 9 ? 0.0f / (v - v) : v == 7 ? -0.0f : v == 6 ? 0.0f : v * 0.5f; }
static int told(double x) { return x != x ? 99 : x > 1e6 ? 98 : x != 0 ? (int)(2 * x) : 1 / x > 0 ? 50 : 51; }
"""


class RandomInsertions:
    """The text of one function `kept` over n rows, with a head as `conftest.task_of` reads it."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.type = chance.choice(
            ["unsigned char", "short", "int", "unsigned", "long long", "float", "float", "double"]
        )
        self.length = chance.randint(3, 10)
        self.order = chance.choice([">", "<", ">", ">="])
        self.paired = chance.random() < 0.4
        """Whether a second array moves along."""
        self.counted = chance.random() < 0.4
        """Whether the turns of all loops are counted: the same steps, not only the same array in the end."""

    def text(self) -> str:
        shape = self.chance.choice([self._window, self._window, self._best, self._in_place])
        inner = shape()
        second = f"int tag[{self.length}];" if self.paired else ""
        return f"""{HEAD}void kept(int n, int m, const int* in, int* out) {{
    for (int i = 0; i < n; ++i) {{
        {self.type} s[{self.length}];
        {second}
        int count = 0, steps = 0;
{inner}
        for (int k = 0; k < {self.length}; ++k) out[i * 40 + k] = k < count ? told((double)s[k]) : -1;
        {f"for (int k = 0; k < {self.length}; ++k) out[i * 40 + 20 + k] = k < count ? tag[k] : -1;" if self.paired else ""}
        out[i * 40 + 39] = steps;
    }}
}}
"""

    def _value(self, index: str) -> str:
        return (
            f"drawn(in[i * m + {index}])" if self.type in ("float", "double") else f"({self.type})in[i * m + {index}]"
        )

    def _descent(self, start: str) -> str:
        """From `start`, a free place, down to where v belongs."""
        chance, paired, order = self.chance, self.paired, self.order
        count = "++steps;" if self.counted else ""
        if chance.random() < 0.35:  # the place below the free one
            test = f"at >= 0 && s[at] {order} v"
            body = f"s[at + 1] = s[at]; {'tag[at + 1] = tag[at];' if paired else ''} {count} --at;"
            end = f"s[at + 1] = v; {'tag[at + 1] = j;' if paired else ''}"
            return f"{chance.choice(['int', 'long'])} at = {start} - 1; while ({test}) {{ {body} }} {end}"
        if chance.random() < 0.3 and not paired:  # exchanges
            swap = f"{self.type} t = s[at]; s[at] = s[at - 1]; s[at - 1] = t; {count}"
            return f"s[{start}] = v; for (int at = {start}; at > 0 && s[at - 1] {order} s[at]; --at) {{ {swap} }}"
        low = chance.choice([0, 0, 0, 1])
        bound = chance.choice([f"at > {low}", f"{low} < at", f"at >= {low + 1}"])
        kind = chance.choice(["int", "int", "unsigned", "size_t", "short"])
        body = f"s[at] = s[at - 1]; {'tag[at] = tag[at - 1];' if paired else ''} {count}"
        ends = ["s[at] = v;", *(["tag[at] = j;"] if paired else [])]
        chance.shuffle(ends)
        between = chance.choice(["", "", "steps += at;"])
        test = f"{bound} && s[at - 1] {order} v"
        ways = [f"while ({test}) {{ {body} --at; }}", f"for (; {test}; --at) {{ {body} }}"]
        return f"{kind} at = {start}; {chance.choice(ways)} {between.join([ends[0], ' '])} {' '.join(ends[1:])}"

    def _window(self) -> str:
        """The first values of a row, all or some."""
        some = self.chance.choice(["", "", "if (in[i * m + j % m] > 3) continue;"])
        return f"""        for (int j = 0; j < {self.length}; ++j) {{
            {some}
            const {self.type} v = {self._value("j % m")};
            {self._descent("count")}
            ++count;
        }}"""

    def _best(self) -> str:
        """The first of a row in the order."""
        last = self.length - 1
        beats = f"v {'<' if '>' in self.order else '>'} s[{last}]"
        return f"""        for (int j = 0; j < m; ++j) {{
            const {self.type} v = {self._value("j")};
            if (count < {self.length} || {beats}) {{
                const int free = count < {self.length} ? count : {last};
                {self._descent("free")}
                if (count < {self.length}) ++count;
            }}
        }}"""

    def _in_place(self) -> str:
        """All first, then sorted."""
        tag = "tag[j] = j;" if self.paired else ""
        again = "const int j = tag[k];" if self.paired else ""
        return f"""        for (int j = 0; j < {self.length}; ++j) {{ s[j] = {self._value("j % m")}; {tag} ++count; }}
        for (int k = 1; k < {self.length}; ++k) {{
            const {self.type} v = s[k];
            {again}
            {self._descent("k")}
        }}"""
