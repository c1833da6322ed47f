"""What stands in the way of threads is said by the variable and the lines, for each kind of obstacle."""

import pytest

from regrapht.transform.engine import Engine
from regrapht.transform.explanation import ONE_THREAD, loop_answers

HEAD = (
    "#include <vector>\n// shape: a = n\n// shape: at = n\n// shape: x = n\n// shape: b = n\n"
    "// check: n=1; n=2; n=33\nint f(int n, const int* at, const float* x, float* a, unsigned* b) {\n"
)
KINDS = {
    "read behind a write": (
        "for (int i = 1; i < n; ++i) {\nconst float t = a[i - 1] * a[i - 1];\na[i] = t - a[i];\n}",
        ["one sets 'a' at line 10", "another reads it at line 9"],
    ),
    "places of data": (
        "for (int i = 0; i < n; ++i)\na[at[i]] = x[i] + a[at[i] / 2];",
        ["one sets 'a', at a place that is not known in advance, at line 9"],
    ),
    "a scalar": (
        "float t = 0;\nfor (int i = 0; i < n; ++i) {\nt = t * t + x[i];\na[i] = t;\n}",
        ["one sets 't' at line 10", "another reads it at line 1"],
    ),
    "a returned value": (
        "int h = 7;\nfor (int i = 0; i < n; ++i)\nh = (h << 5) ^ at[i] ^ h;\nreturn h;",
        ["the value that is returned at line 10"],
    ),
    "updates without atomics": ("for (int i = 0; i < n; ++i)\na[at[i]] *= x[i];", ["its updates of 'a' at line 9"]),
    "atomics that vary": ("for (int i = 0; i < 40; ++i)\na[at[i]] += x[i];", ["updates of 'a' at line 9 would not give"]),
    "two operators": (
        "for (int i = 0; i < n; ++i) {\nb[at[i]] += 1u;\nb[at[i]] ^= 3u;\n}",
        ["'b', at a place that is not known in advance, at line 9", "at line 10"],
    ),
    "a loop that data end": (
        "int i = 0, j = n - 1;\nwhile (i < j) if (at[i++] != at[j--]) a[i] = 0;",
        ["'i' and 'j', which its turns change"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_reasons_name_the_variable_and_the_line(name, make_task):
    body, wanted = KINDS[name]
    text = f"{HEAD}{body}\n{'' if 'return' in body else 'return 0;'}\n}}"
    said = [loop.how for loop in loop_answers(Engine(), make_task(text, "f")) if loop.label == ONE_THREAD]
    assert said
    assert all(any(word in how for how in said) for word in wanted), said
