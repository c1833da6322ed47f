"""Random functions of affine nests, and random sequences of rules that apply to them: what the property tests draw from a seed."""

import random

from regrapht.records.task import Task
from regrapht.transform.engine import Engine
from regrapht.transform.rules import RULES
from regrapht.transform.rules.application import choices
from regrapht.transform.rules.decisions import Decision

ARRAYS = ["a", "b", "c", "d"]
COMMON = {
    "restrict_read_only",
    "block_size_tuning",
    "grid_stride_loop",
    "thread_coarsening",
    "loop_unrolling",
    "launch_bounds",
    "streaming_stores",
}
"""Rules that nearly always apply: drawn less often, or the others would hardly be."""
DEEP = {
    "map_3d",
    "shared_lookup_table",
    "memory_coalescing",
    "register_tiling",
    "shared_memory_padding",
    "shared_memory_tiling",
    "shared_memory_transpose",
    "warp_per_row",
}
"""Rules that need a certain form or other rules first: drawn more often where they apply."""


class RandomProgram:
    """One function over square arrays `a` to `d`, a cube `e`, vectors `x`, `key`, `bins` and `tally`, and a returned sum or maximum."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, self.count = chance, 0

    def text(self) -> str:
        lines: list[str] = []
        for nest in range(self.chance.randint(1, 2)):
            lines += self._nest(f"i{nest}", f"j{nest}")
        if self.chance.random() < 0.3:
            lines += self._scan()
        if self.chance.random() < 0.4:
            lines += self._pair()
        if self.chance.random() < 0.2:
            lines += self._search()
        if self.chance.random() < 0.2:
            lines += self._table()
        if self.chance.random() < 0.15:
            lines += self._counts()
        if self.chance.random() < 0.12:
            lines += self._cube()
        if self.chance.random() < 0.2:
            lines += self._wavefront()
        if self.chance.random() < 0.2:
            lines += self._rows()
        if self.chance.random() < 0.2:
            lines += self._machine()
        if self.chance.random() < 0.2:
            lines += self._lookup()
        if self.chance.random() < 0.25:
            lines += self._guarded()
        if self.chance.random() < 0.15:
            lines += self._moments()
        if self.chance.random() < 0.15:
            lines = ["for (int step = 0; step < 2; step++) {", *lines, "}"]
        keys = "ints"
        if self.chance.random() < 0.15:
            lines += self._segments()
            keys = self.chance.choice(["ints", "rising", "rising"])
        head = [f"// shape: {name} = n*n" for name in ARRAYS] + [
            f"// shape: {name} = n" for name in ("x", "key", "bins")
        ]
        head += [
            "// shape: tally = n + 2",
            "// shape: e = n*n*n",
            f"// init: key = {keys}(0, n)",
            "// check: n=1; n=4; n=19; n=36",
        ]
        parameters = (
            ", ".join(f"float* {name}" for name in [*ARRAYS, "x", "e"])
            + ", const int* key, int* bins, long long* tally"
        )
        body = ["float s = 0.0f;", *lines, "return s;"]
        return "\n".join(
            [*head, "#include <algorithm>", "#include <cmath>", f"float nests(int n, {parameters}) {{", *body, "}"]
        )

    def _nest(self, i: str, j: str) -> list[str]:
        form = self.chance.random()
        if form < 0.15:
            value = self._place([i], ["x"])
            return self._loop(i, [], [self.chance.choice([f"s += {value} * 0.5f;", f"s = s > {value} ? s : {value};"])])
        if form < 0.25:
            return self._loop(i, [], self._statements([i]))
        if form < 0.45:
            return self._product(i, j)
        if form < 0.6:
            return self._loop(i, [], self._loop(j, [i], [f"d[{j} * n + {i}] = 0.5f * a[{i} * n + {j}] + x[{j}];"]))
        if form < 0.9:
            return self._loop(i, [], self._loop(j, [i], self._statements([i, j])))
        return self._loop(i, [], [*self._statement([i]), *self._loop(j, [i], self._statement([i, j]))])

    def _scan(self) -> list[str]:
        """A running value in the returned sum, or from element to element, or a loop that nearly is one."""
        i = self._name("p")
        value = self.chance.choice(
            [f"0.25f * x[{i}]", f"0.25f * x[{i}] + 0.1f * d[{i} * n]", f"0.1f * b[n / 2 * n + {i}] * b[{i} * n]"]
        )
        body = self.chance.choice(
            [
                [f"s += {value};", f"a[{i} * n + 1] = s;"],
                [f"b[{i}] = 0.5f * s;", f"if (x[{i}] > 0.0f) {{", f"s += {value};", "}"],
                [f"s = s > {value} ? s : {value};", f"c[{i} * n] = s;"],
                [f"c[{i}] = c[{i} - 1] + {value};"],
                [f"c[{i} * n] += c[({i} - 1) * n];"],
                [f"x[{i}] = 0.5f * x[{i} - 1] + d[{i}];"],
                [f"s = 0.5f * s + {value};", f"a[{i}] = s;"],
                [f"x[{i}] = 0.1f * s;", f"s += 0.25f * x[{i}];"],
            ]
        )
        return [
            f"for (int {i} = {self.chance.choice(['1', '2'])}; {i} < {self.chance.choice(['n', 'n - 1'])}; ++{i}) {{",
            *body,
            "}",
        ]

    def _search(self) -> list[str]:
        """The place of an extreme value; after it the sum depends on the place, or the best value does on what is no search."""
        sign, i = self.chance.choice(["<", "<=", ">", ">="]), self._name("p")
        kept = self.chance.choice(["x[V]", "x[V]", "x[V]", "0.5f * x[V]"]).replace("V", i)
        return [
            "float best = x[0];",
            "int at = 0;",
            f"for (int {i} = 1; {i} < n; ++{i}) {{",
            f"if ({self.chance.choice(['', f'{i} % 3 != 1 && '])}x[{i}] {sign} best) {{",
            f"best = {kept};",
            f"at = {i};",
            "}",
            "}",
            "s += best + 0.125f * at;",
        ]

    def _table(self) -> list[str]:
        """A nest whose points all read a vector at the same places, and each a row of its own, once or more."""
        i, k, total = self._name("p"), self._name("k"), self._name("t")
        row = self.chance.choice(["a[V]", "a[V]", "a[V] * a[W]", "a[V] * b[W]", "(x[K] > 0.0f ? a[W] : a[V])"])
        places = {"V": f"{i} * n + {k}", "W": f"{i} * n + n - 1 - {k}", "K": k}
        for letter, place in places.items():
            row = row.replace(letter, place)
        inner = [f"for (int {k} = 0; {k} < n; ++{k}) {{", f"{total} += 0.05f * {row} * x[{k}];", "}"]
        inner *= self.chance.choice([1, 1, 2])
        return [
            f"for (int {i} = 0; {i} < n; ++{i}) {{",
            f"float {total} = 0.0f;",
            *inner,
            f"c[{i} * n] = {total};",
            "}",
        ]

    def _rows(self) -> list[str]:
        """Rows whose ends data choose: empty ones, short ones, and such as are longer than a block."""
        i, e, total, more = self._name("p"), self._name("k"), self._name("t"), self._name("u")
        low = self.chance.choice(["0", f"key[{i}]", f"key[{i}] / 2"])
        high = self.chance.choice([f"key[n - 1 - {i}]", f"key[{i}] + 1", f"key[{i}] * n", f"{low} + key[0]", "n"])
        reads = [f"a[{e}]", f"b[{e}] * x[{e} % n]", f"e[{e}] * x[key[{e} % n]]", f"a[{i} * n + {e} % n]"]
        update = self.chance.choice(["{t} += {v};", "if (({v}) > 0.1f) {t} += {v};", "{t} = {t} < {v} ? {t} : {v};"])
        body = [update.format(t=total, v=self.chance.choice(reads))]
        if self.chance.random() < 0.3:
            body.append(self.chance.choice([f"{more} += 0.1f * a[{e}];", f"if (x[{e} % n] > 0.0f) {more} += 1.0f;"]))
        if self.chance.random() < 0.2:
            body.append(self.chance.choice([f"if ({total} > 1.0f) break;", f"{more} = 0.5f * {more} + a[{e}];"]))
        loop = [f"for (int {e} = {low}; {e} < {high}; {e} += {self.chance.choice(['1', '1', '2'])}) {{", *body, "}"]
        if self.chance.random() < 0.3:
            loop = [f"if (x[{i}] > -0.3f) {{", *loop, f"{more} += 0.5f * {total};", "}"]
        target = self.chance.choice([f"c[{i}]", f"d[{i} * n]"])
        out = self.chance.choice(
            [[f"{target} = {total} + {more};"], [f"{target} += {total};", f"x[{i}] = {target} * {more};"]]
        )
        start = [f"float {total} = {self.chance.choice(['0.0f', target])};", f"float {more} = 0.0f;"]
        return [f"for (int {i} = 0; {i} < n; ++{i}) {{", *start, *loop, *out, "}"]

    def _machine(self) -> list[str]:
        """Points that all go through the rows of one array, and sum up, or keep the best of, what each row comes to."""
        i, k, j, total, far = (self._name(letter) for letter in "pkjtu")
        low, high = self.chance.choice(["0", "1", i]), self.chance.choice(["n", "n - 1", "n / 2", f"{i} + 1"])
        row = self.chance.choice([f"a[{k} * n + {j}]", f"a[{k} * n + n - 1 - {j}]", f"a[{k} * n + {j}] * a[{k} * n]"])
        row = self.chance.choice([row, row, f"{row} * b[{k} * n + {j}]", f"a[{j} * n + {k}]"])
        point = self.chance.choice([f"b[{i} * n + {j}]", f"x[{i}]", f"x[{j}]"])
        value = self.chance.choice([far, f"x[{k}] * {far}", f"({far} > 0.1f ? {far} : x[{i}])"])
        update = [f"{total} += 0.1f * {value};", f"{total} = {total} > {value} ? {total} : {value};"]
        body = [f"{far} = 0.5f * {far} + 0.1f * {row} * {point};"] if self.chance.random() < 0.5 else []
        body = body or [f"{far} += 0.05f * ({row} - {point});"]
        keep = [f"d[{i} * n + {k}] = {far};"] if self.chance.random() < 0.3 else []
        return [
            f"for (int {i} = 0; {i} < n; ++{i}) {{",
            f"float {total} = 0.25f;",
            f"for (int {k} = {low}; {k} < {high}; {k} += {self.chance.choice(['1', '1', '2'])}) {{",
            f"float {far} = 0.0f;",
            f"for (int {j} = 0; {j} < n; ++{j}) {{",
            *body,
            "}",
            *keep,
            self.chance.choice(update),
            "}",
            self.chance.choice([f"c[{i}] = {total};", f"c[{i} * n] += {total};"]),
            "}",
        ]

    def _lookup(self) -> list[str]:
        """Points that read elements of small arrays which their keys choose, one after another in a chain at times."""
        i, at, total = (self._name(letter) for letter in "pgt")
        where = self.chance.choice([f"key[{i}]", f"key[n - 1 - {i}]", f"key[key[{i}]]"])
        value = self.chance.choice(
            [f"x[{at}]", f"x[{at}] * x[0]", f"x[{at}] + x[key[{at}]]", f"(float)key[{at}]", f"a[{at} * n + {at}]"]
        )
        chain = f"for (int q = 0; q < 3; ++q) {{ {total} += 0.5f * {value}; {at} = key[{at}]; }}"
        return [
            f"for (int {i} = {self.chance.choice(['0', '1'])}; {i} < n; ++{i}) {{",
            f"int {at} = {where};",
            f"float {total} = {self.chance.choice(['0.0f', f'b[{i} * n]'])};",
            self.chance.choice([f"{total} += {value};", chain]),
            self.chance.choice([f"c[{i}] = {total};", f"d[{i} * n] += {total};"]),
            "}",
        ]

    def _segments(self) -> list[str]:
        """Rows that write what lies between two neighbouring keys: apart from each other where the keys rise."""
        i, lines = self._name("p"), []
        for _ in range(self.chance.randint(1, 2)):
            e, array = self._name("k"), self.chance.choice(["a", "a", "d"])
            write = self.chance.choice(
                [
                    f"{array}[{e}] = 0.5f * {array}[{e}] + b[{i} * n];",
                    f"{array}[{e}] += 0.1f * x[{e} % n];",
                    f"if (b[{e}] > 0.0f) {array}[{e}] = 0.25f * {array}[{e}] + b[{e}];",
                    f"x[{e}] = 0.5f * x[{e}] + {array}[{e}];",
                    f"{array}[{e}] = 0.5f * {array}[{e} + 1];",
                ]
            )
            lines += [f"for (int {e} = key[{i}]; {e} < key[{i} + 1]; ++{e}) {{", write, "}"]
        return [f"for (int {i} = 0; {i} < n - 1; ++{i}) {{", *lines, "}"]

    def _guarded(self) -> list[str]:
        """What data say stands around inner loops or bounds them, whose turns are independent or not, and may be changed by them."""
        i, j, factor = self._name("p"), self._name("q"), self._name("f")
        own = self.chance.choice([[j], [j], [i, j]])
        body = self._statements(own)
        body = [*body, f"x[{j}] = {factor} * x[{j}] + 0.1f;"] if self.chance.random() < 0.5 else body
        inner = self._loop(j, [i], body)
        if self.chance.random() < 0.25:
            low, high = f"std::max(1, key[{i}] - 3)", f"std::min(n - 1, n - 3 + key[{i}])"
            inner = [f"for (int {j} = {low}; {j} < {high}; ++{j}) {{", *body, "}"]
        tests = [f"x[{i}] > 0.1f", f"key[{i}] % 3 != 1", f"{self._place([i], ARRAYS)} < 0.2f", f"{factor} > 0.0f"]
        test = self.chance.choice(tests)
        scalar = [f"const float {factor} = 0.5f * {self._place([i], [*ARRAYS, 'x'])};"]
        form = self.chance.random()
        if form < 0.4:
            guarded = [*scalar, f"if (!({test})) continue;", *inner]
        elif form < 0.55:
            guarded = [f"if (key[{i}] == 2) continue;", *scalar, f"if ({test}) {{", *inner, "}"]
        elif form < 0.8:
            beside = self.chance.choice([self._loop(j, [i], self._statements([j])), self._statement([i])])
            guarded = [*scalar, f"if ({test}) {{", *inner, *beside, "}"]
        else:
            guarded = [*scalar, f"if ({test}) {{", *inner, "} else {", *self._loop(j, [], self._statements([j])), "}"]
        return self._loop(i, [], guarded)

    def _moments(self) -> list[str]:
        """A loop that adds up into a small array: at the same places in every turn, or at some that data choose."""
        i, k, sums = self._name("p"), self._name("k"), self._name("m")
        value = self.chance.choice([f"x[{i}]", f"a[{i}] * x[{i}]", f"(b[{i} * n] + 0.1f * {k})"])
        place = self.chance.choice([k, k, f"3 - {k}", f"({k} + n) % 4", f"(key[{i}] + {k}) % 4"])
        step = self.chance.choice(["{t} += 0.1f * {v};", "{t} -= 0.1f * {v};", "{t} = {t} > {v} ? {t} : {v};"])
        inner = [f"for (int {k} = 0; {k} < {self.chance.choice(['3', '4'])}; ++{k}) {{"]
        inner += [step.format(t=f"{sums}[{place}]", v=value), "}"]
        more = self.chance.choice([[], [step.format(t=f"{sums}[2]", v=f"x[{i}]")], [f"s += 0.1f * x[{i}];"]])
        if self.chance.random() < 0.3:
            inner = [f"if (x[{i}] > -0.25f) {{", *inner, "}"]
        return [
            f"float {sums}[4] = {{0.0f, 0.25f, 0.5f, 0.125f * x[0]}};",
            f"for (int {i} = 0; {i} < n; ++{i}) {{",
            *inner,
            *more,
            "}",
            f"s += {sums}[0] + 0.5f * {sums}[1] - {sums}[2] + 0.25f * {sums}[3];",
        ]

    def _counts(self) -> list[str]:
        """Whole numbers that meet: at places that data choose, or all at one place."""
        i, high = self._name("p"), self.chance.choice(["n", "n - 1"])
        body = self.chance.choice(
            [
                f"bins[key[{i}]] += 1;",
                f"bins[key[{i}]] += key[{i}] + 2;",
                f"if (x[{i}] > 0.0f) bins[(key[{i}] * 3 + 1) % n]++;",
                f"bins[0] += key[{i}];",
                f"bins[n - 1] = bins[n - 1] > key[{i}] ? bins[n - 1] : key[{i}];",
                f"bins[{i}] = key[{i}] * 2;",
                f"bins[key[{i}]] += 1; tally[key[{i}] + 1] += 3 * key[{i}];",
                f"if (x[{i}] < 0.0f) continue; tally[key[{i}] / 2] -= key[{i}]; bins[(key[{i}] + 3) % n]++;",
                f"bins[key[{i}]]++; tally[{i} / 2] = tally[{i} / 2] > key[{i}] ? tally[{i} / 2] : key[{i}];",
            ]
        )
        return [f"for (int {i} = 0; {i} < {high}; ++{i}) {{", body, "}"]

    def _cube(self) -> list[str]:
        """Three loops, of which all or some are independent."""
        i, j, k = self._name("p"), self._name("q"), self._name("r")
        place = self.chance.choice([f"({i} * n + {j}) * n + {k}", f"({k} * n + {i}) * n + {j}"])
        value = self.chance.choice(
            [f"a[{i} * n + {j}] * x[{k}]", f"0.5f * e[{place}] + b[{j} * n + {k}]", f"0.25f * e[{place} - 1]"]
        )
        return self._loop(i, [], self._loop(j, [], self._loop(k, [], [f"e[{place}] = {value};"])))

    def _wavefront(self) -> list[str]:
        """An element from neighbours that were set before it, and perhaps from some that are set later."""
        i, j, array = self._name("p"), self._name("q"), self.chance.choice(ARRAYS)
        before = [f"{array}[({i} - 1) * n + {j}]", f"{array}[{i} * n + {j} - 1]", f"{array}[({i} - 1) * n + {j} - 1]"]
        later = [f"{array}[({i} + 1) * n + {j}]", f"{array}[{i} * n + {j} + 1]", f"{array}[({i} + 1) * n + {j} - 1]"]
        used = before[:2] + [one for one in [*before[2:], *later, "x[V]".replace("V", j)] if self.chance.random() < 0.4]
        form = self.chance.choice([" + ".join(f"0.2f * {one}" for one in used), self._smallest(used)])
        rows = [f"for (int {j} = 1; {j} < {self.chance.choice(['n - 1', 'n - 1', i])}; {j}++) {{"]
        if self.chance.random() < 0.2:
            rows = [f"for (int {j} = n - 2; {j} > 0; {j}--) {{"]
        body = [*rows, f"{array}[{i} * n + {j}] = {form};", "}"]
        return [f"for (int {i} = 1; {i} < n - 1; {i}++) {{", *body, "}"]

    @staticmethod
    def _smallest(values: list[str]) -> str:
        text = values[0]
        for value in values[1:]:
            text = f"fminf({text}, {value} + 0.25f)"
        return text

    def _pair(self) -> list[str]:
        """Two loops over the same points, or over nearly the same, one after the other."""
        high = self.chance.choice(["n", "n", "n - 1"])
        shift, other = self.chance.choice(["", "", "", " + 1", " - 1"]), self.chance.choice([high, high, "n - 1"])
        if self.chance.random() < 0.5:
            use = self.chance.choice(
                [f"c[q] = 0.5f * b[q{shift}] + a[q];", f"s += 0.1f * b[q{shift}];", f"a[q{shift}] = 0.5f * b[q];"]
            )
            first = ["for (int p = 1; p < HIGH; ++p) {", "b[p] = 0.5f * a[p] + x[p];", "}"]
            return [line.replace("HIGH", high) for line in first] + [f"for (int q = 1; q < {other}; ++q) {{", use, "}"]
        row = self.chance.choice(
            [f"d[r * n + t] = 0.5f * b[r * n + t{shift}] + x[t];", f"a[r * n + t{shift}] = b[r * n + t];"]
        )
        return [
            f"for (int p = 1; p < {high} - 1; ++p) {{",
            "for (int q = 1; q < n - 1; ++q) {",
            "b[p * n + q] = 0.5f * a[p * n + q] + x[p];",
            "}",
            "}",
            f"for (int r = 1; r < {other} - 1; ++r) {{",
            "for (int t = 1; t < n - 1; ++t) {",
            row,
            "}",
            "}",
        ]

    def _product(self, i: str, j: str) -> list[str]:
        """A nest with reuse: what shared tiles are for."""
        k, second = self._name("k"), self.chance.choice(["b[{k} * n + {j}]", "b[{j} * n + {k}]"])
        total = self._name("t")
        term = f"a[{i} * n + {k}] * {second.format(k=k, j=j)}"
        inner = self._loop(k, [], [f"{total} += 0.05f * {term};"])
        return self._loop(i, [], self._loop(j, [], [f"float {total} = 0.0f;", *inner, f"c[{i} * n + {j}] = {total};"]))

    def _name(self, letter: str) -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def _shifted(self, variable: str) -> str:
        return self.chance.choice([variable, variable, variable, f"({variable} + 1)", f"({variable} - 1)"])

    def _place(self, loops: list[str], arrays: list[str], *, exact: bool = False) -> str:
        shown = (lambda v: v) if exact else self._shifted
        array = self.chance.choice(arrays)
        if array == "x":
            return f"x[{shown(self.chance.choice(loops))}]"
        if len(loops) == 1:
            return f"{array}[{shown(loops[0])} * n + {self.chance.choice(['0', '1', 'n - 1'])}]"
        row, column = self.chance.sample(loops, 2) if not exact and self.chance.random() < 0.3 else loops[-2:]
        return f"{array}[{shown(row)} * n + {shown(column)}]"

    def _value(self, loops: list[str]) -> str:
        terms = [f"0.25f * {self._place(loops, [*ARRAYS, 'x'])}" for _ in range(self.chance.randint(1, 4))]
        if self.chance.random() < 0.2:
            condition = f"{self.chance.choice(loops)} > {self.chance.randint(1, 4)}"
            terms.append(f"({condition} ? {self._place(loops, ARRAYS)} : 0.5f) * 0.1f")
        return " + ".join(terms)

    def _statements(self, loops: list[str]) -> list[str]:
        return [line for _ in range(self.chance.randint(1, 2)) for line in self._statement(loops)]

    def _statement(self, loops: list[str]) -> list[str]:
        kind = self.chance.random()
        target = self._place(loops, [*self.chance.sample(ARRAYS, 2), "x"], exact=self.chance.random() < 0.8)
        if kind < 0.5:
            return [f"{target} = {self._value(loops)};"]
        if kind < 0.65:
            conditions = [f"{loops[0]} % 2 == 0", f"{loops[-1]} > 3", f"{self._place(loops, ARRAYS)} > 0.0f"]
            return [f"if ({self.chance.choice(conditions)}) {{", f"{target} = {self._value(loops)};", "}"]
        if kind < 0.75:
            return [f"{target} += 0.1f * {self._place(loops, ARRAYS)};"]
        total, k = self._name("t"), self._name("k")
        factors = f"{self._place([*loops[-1:], k], ARRAYS)} * {self._place([*loops[:1], k], ARRAYS)}"
        inner = self._loop(k, loops, [f"{total} += 0.05f * {factors};"])
        return [f"float {total} = 0.0f;", *inner, f"{target} = {total};"]

    def _loop(self, variable: str, outer: list[str], body: list[str]) -> list[str]:
        low = self.chance.choice(["1", "1", "2", *outer[-1:]])
        high = self.chance.choice(["n - 1", "n - 1", "n - 2"])
        style = self.chance.random()
        if style < 0.7:
            head = f"for (int {variable} = {low}; {variable} < {high}; {variable}++) {{"
        elif style < 0.85:
            head = f"for (int {variable} = {high} - 1; {variable} >= {low}; --{variable}) {{"
        else:
            step = self.chance.choice([2, 3])
            head = f"for (int {variable} = {low}; {variable} < {high}; {variable} += {step}) {{"
        return [head, *body, "}"]


def random_decisions(engine: Engine, task: Task, chance: random.Random) -> tuple[Decision, ...]:
    """The plain mapping and up to five rules that apply."""
    decisions: tuple[Decision, ...] = ()
    for count in range(1 + chance.randint(2, 6)):
        program = engine.program(task, decisions)
        ways = {rule.slug: found for rule in RULES[: 1 if count == 0 else None] if (found := choices(program, rule))}
        rare = [slug for slug in ways if slug not in COMMON]
        slugs = rare if rare and chance.random() < 0.7 else sorted(ways)
        if slugs:
            decisions = (*decisions, chance.choice(ways[_drawn(slugs, chance)]).decision)
    return decisions


def _drawn(slugs: list[str], chance: random.Random) -> str:
    return chance.choices(slugs, weights=[5 if slug in DEEP else 1 for slug in slugs])[0]
