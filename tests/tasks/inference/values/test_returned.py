"""An index that a helper wraps or clamps is as long as the helper's returns say, each under the tests that lead to it."""

import pytest

from regrapht.errors import TaskError
from regrapht.tasks.infer import infer_task

WRAPS = (
    "if (i < 0) return n - 1; if (i >= n) return 0; return i;",
    "if (i < 0) { return n - 1; } if (i >= n) { return 0; } return i;",
    "if (i < 0) return n - 1; else if (i >= n) return 0; else return i;",
    "if (i >= 0 && i < n) return i; return i < 0 ? n - 1 : 0;",
    "if (i < 0 || i >= n) return i < 0 ? n - 1 : 0; return i;",
    "return i < 0 ? n - 1 : i >= n ? 0 : i;",
    "return i < 0 ? (k ? n - 1 : 0) : i >= n ? (k ? 0 : n - 1) : i;",
    "const int moved = i + 0; if (moved < 0) return n - 1; if (moved >= n) return 0; return moved;",
    "const long moved = static_cast<long>(i); if (moved < 0) return n - 1; if (n <= moved) return 0; return static_cast<int>(moved);",
    "if (0 > i) return k == 0 ? n - 1 : 0; if (i > n - 1) return k == 0 ? 0 : n - 1; return i;",
)
BROKEN = (
    "if (i < 0) return n; if (i >= n) return 0; return i;",
    "if (i < 0) return n - 1; if (i > n) return 0; return i;",
    "if (i < 0) return n - 1; return i;",
    "if (i < -3) return n - 1; if (i >= n) return 0; return i;",
    "if (i < 0 && k) return n - 1; if (i >= n) return 0; return i;",
    "if (i < 0) return n - 1; if (i >= n) return 0; return i + 1;",
    "if (k < 0) return n - 1; if (k >= n) return 0; return i;",
    "for (; i < 0;) i += n; if (i >= n) return 0; return i;",
)
CODE = """\
static int around(int i, int n, int k) {{ {} }}
void blur(const float* in, float* out, int n, int k) {{
    for (int x = 0; x < n; ++x) out[x] = in[around(x - 2, n, k)] + in[around(x + 2, n, k)];
}}
"""


@pytest.mark.parametrize("body", WRAPS)
def test_a_wrapped_index_stays_inside(tmp_path, body):
    (tmp_path / "blur.cpp").write_text(CODE.format(body))
    task = infer_task(tmp_path / "blur.cpp", entry="blur").task
    assert [extent.text for extent in task.args[0].shape] == ["n"], task.args[0]


@pytest.mark.parametrize("body", BROKEN)
def test_what_may_leave_the_array_is_seen(tmp_path, body):
    (tmp_path / "blur.cpp").write_text(CODE.format(body))
    try:
        shape = infer_task(tmp_path / "blur.cpp", entry="blur").task.args[0].shape
    except TaskError:
        return
    assert [extent.text for extent in shape] != ["n"], "an access outside of the array was not seen"


def test_what_is_cast_to_unsigned_without_a_test_may_be_very_large(tmp_path):
    text = CODE.format("const long m = (long)i; if (m >= n) return 0; return (unsigned)m;").replace(
        "static int", "static unsigned"
    )
    (tmp_path / "blur.cpp").write_text(text)
    with pytest.raises(TaskError, match="range"):
        infer_task(tmp_path / "blur.cpp", entry="blur")
