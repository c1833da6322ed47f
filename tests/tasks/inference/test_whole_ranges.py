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
