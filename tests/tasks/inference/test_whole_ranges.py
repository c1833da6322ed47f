"""How wide guessed integers are: as the type, where the text shows that nothing goes wrong; with signs; small; or from 0 up."""

import pytest

from regrapht.tasks.infer import infer_task

SMALL, COUNTS = (-100, 100), (0, 100)


@pytest.mark.parametrize(
    ("dtype", "body", "expected"),
    [
        # samples, whatever is done with their bits
        ("int16_t", "int v = x[i], s = v < 0; while (v > 15) v >>= 1; y[i] = v | (s ? 128 : 0);", (-(2**15), 2**15)),
        ("uint16_t", "y[i] = (x[i] >> 4) & 7;", (0, 2**16)),
        ("int8_t", "y[i] = x[i] * 3;", (-128, 128)),
        ("uint8_t", "y[i] = x[i] * 3;", (0, 256)),
        ("uint32_t", "uint32_t v = x[i]; v ^= v >> 16; y[i] = v & 255;", (0, 2**32)),
        ("uint64_t", "y[i] = (x[i] >> 60) ^ 3;", (0, 2**64)),
        ("int32_t", "y[i] = -std::abs(x[i]);", (-(2**30), 2**30)),
        ("int64_t", "y[i] = x[i] > 5 ? 1 : 0;", (-(2**62), 2**62)),
        ("int32_t", "y[i] = std::max(x[i], 0);", (-(2**30), 2**30)),
        # what may overflow, or is compared with other data
        ("int32_t", "y[i] = x[i] * x[i];", SMALL),
        ("int16_t", "s += x[i]; y[i] = s;", SMALL),
        ("int32_t", "int v = x[i]; int w = v; y[i] = w * w;", SMALL),
        ("int32_t", "if (x[i] > s) s = x[i]; y[i] = s;", SMALL),
        ("uint32_t", "y[i] = x[i] + y[i - i];", COUNTS),
        # what may not be negative
        ("int32_t", "for (int j = 0; j < x[i]; ++j) s += j; y[i] = s;", COUNTS),
        ("int32_t", "y[i] = 1 << x[i];", COUNTS),
        ("int16_t", "y[i] = x[i] << 2;", COUNTS),
        ("int32_t", "y[i] = 100 / (x[i] + 1);", COUNTS),
        ("int32_t", "y[i] = helper(x[i]);", COUNTS),
    ],
)
def test_what_is_guessed(tmp_path, dtype, body, expected):
    file = tmp_path / "f.cpp"
    file.write_text(
        "#include <algorithm>\n#include <cstdint>\nstatic int helper(int v) { return v; }\n"
        f"void f(int n, const {dtype}* x, int* y) {{ int s = 0; for (int i = 0; i < n; ++i) {{ {body} }} }}\n"
    )
    task = infer_task(file, entry="f").task
    init = next(arg for arg in task.args if arg.name == "x").init
    assert init.kind == "integers" and (init.parameters["low"], init.parameters["high"]) == expected


WIDE = {
    "int8_t": (-(2**7), 2**7),
    "int16_t": (-(2**15), 2**15),
    "int32_t": (-(2**30), 2**30),
    "int64_t": (-(2**62), 2**62),
}
SIGN_ALONE = [
    "y[i] = x[i] < 0 ? -x[i] : x[i] >> 3;",
    "y[i] = x[i] >= 0 ? x[i] >> 3 : -x[i];",
    "y[i] = x[i] > 0 ? x[i] >> 3 : -x[i];",
    "y[i] = x[i] <= 0 ? -x[i] : x[i] >> 3;",
    "y[i] = 0 > x[i] ? -x[i] : x[i] >> 3;",
    "y[i] = 0 <= x[i] ? x[i] >> 3 : -x[i];",
    "if (x[i] < 0) y[i] = -x[i]; else y[i] = x[i] / 5;",
    "if (x[i] >= 0) { y[i] = x[i] & 255; } else { y[i] = 1; }",
    "y[i] = x[i]; if (x[i] < 0) y[i] = 0;",
    "y[i] = x[i] < 0;",
]
STATES = [
    ("y[i] = x[i] == 2 ? 1 : 0;", range(4)),
    ("y[i] = x[i] != -1 ? x[i] : 7;", range(-1, 4)),
    ("y[i] = x[i] > -1 ? x[i] : 7;", range(-1, 4)),
    ("if (x[i] <= -1) y[i] = 0; else y[i] = x[i];", range(-1, 4)),
    ("y[i] = x[i] < 0 ? 0 : x[i] == 5 ? 1 : 2;", (-1, 0, 1, 2, 3, 5)),
    ("if (x[i] >= 0) y[i] = 1 << x[i]; else y[i] = 0;", range(-1, 4)),
    ("if (x[i]) y[i] = 1; else if (x[i] == 0) y[i] = 3;", range(4)),
]


def guessed(tmp_path, dtype, body):
    file = tmp_path / "f.cpp"
    file.write_text(
        f"#include <cstdint>\nvoid f(int n, const {dtype}* x, int64_t* y) {{ for (int i = 0; i < n; ++i) {{ {body} }} }}\n"
    )
    return next(arg for arg in infer_task(file, entry="f").task.args if arg.name == "x").init


@pytest.mark.parametrize("dtype", WIDE)
@pytest.mark.parametrize("body", SIGN_ALONE)
def test_numbers_that_are_tested_for_their_sign_are_as_wide_as_their_type(tmp_path, dtype, body):
    init = guessed(tmp_path, dtype, body)
    assert (init.kind, init.parameters["low"], init.parameters["high"]) == ("integers", *WIDE[dtype])


@pytest.mark.parametrize("dtype", WIDE)
@pytest.mark.parametrize(("body", "values"), STATES)
def test_marks_of_states_stay_few(tmp_path, dtype, body, values):
    init = guessed(tmp_path, dtype, body)
    if init.kind == "integers":
        assert tuple(range(init.parameters["low"], init.parameters["high"])) == tuple(values)
    else:
        assert init.parameters["values"] == tuple(values)
