"""Names of the source that isl, or a text made for it, would take for something else."""

import re

import pytest

from regrapht.errors import CannotTransform
from regrapht.transform.engine import Engine
from regrapht.transform.ir.names import internal_name

from .differential import assert_same
from .judging import steps

ISL_WORDS = [
    "mod",
    "Mod",
    "floor",
    "ceil",
    "floord",
    "ceild",
    "exists",
    "implies",
    "rat",
    "infty",
    "infinity",
    "NaN",
    "nan",
    "MAX",
    "min",
]
OTHERS = ["x0", "x1", "place__0", "n__m", "S1"]
HEAD = "// shape: a = n * m + 9\n// shape: b = n * m + 9\n// check: n=7,m=5,{0}=3; n=1,m=1,{0}=1\n"
USES = {
    "a scalar": "void f(int n, int m, int {0}, int* a, int* b) {{ for (int i = 0; i < n; ++i) b[i + {0} - 1] = a[i] % {0}; }}",
    "a loop": "void f(int n, int m, int k, int* a, int* b) {{ for (int {0} = 0; {0} < n; ++{0}) b[{0} * m] = a[{0}] + k; }}",
    "a local": "void f(int n, int m, int k, int* a, int* b) {{ for (int i = 0; i < n; ++i) {{ int {0} = a[i] * 2; b[i] = {0} + k; }} }}",
    "an array": "void f(int n, int m, int k, int* {0}, int* b) {{ for (int i = 0; i < n * m; ++i) b[i] = {0}[i] + k; }}",
}


def spelled(use: str, name: str) -> str:
    scalar, array = (name if use == kind else other for kind, other in (("a scalar", "k"), ("an array", "a")))
    return (HEAD.format(scalar) + USES[use].format(name)).replace("shape: a =", f"shape: {array} =")


def plain(make_task, text: str) -> str:
    task = make_task(text, "f")
    return mapped(task)


def mapped(task) -> str:
    return Engine().text(task, steps(Engine(), task, []))


@pytest.mark.parametrize("use", list(USES))
@pytest.mark.parametrize("name", [*ISL_WORDS, *OTHERS])
def test_any_name_makes_the_program_that_another_makes(make_task, use, name):
    found, usual = plain(make_task, spelled(use, name)), plain(make_task, spelled(use, "other"))
    assert code(re.sub(rf"\b({internal_name(name)}|{name})\b", "other", found)) == code(usual)


def code(text: str) -> str:
    """Without what depends on the length of names."""
    return re.sub(r"\s+", "", text[text.index("__global__") :])


def test_they_compute_the_same(make_task):
    assert_same(
        make_task, {f"{name} as {use}": spelled(use, name) for name in ("mod", "x0", "place__0", "NaN") for use in USES}
    )


WALK = """// shape: a = n + 20
// shape: index = n
// check: n=9,{0}=3
void f(int n, int {0}, float* a, const int* index) {{ for (int i = 0; i < n; ++i) a[i + {0} + 1] = a[index[i]] + 1.0f; }}
"""
CROP = """// shape: image = 40 * 40
// shape: out = n * m
// check: n=9,m=7,{0}=3,{1}=2
void f(int n, int m, int {0}, int {1}, const int* image, int* out) {{
    for (int i = 0; i < n; ++i) for (int j = 0; j < m; ++j) out[i * m + j] = image[(i + {1}) * 40 + j + {0}];
}}
"""


@pytest.mark.parametrize("name", ["x0", "place__0", "off"])
def test_a_place_anywhere_is_no_place_that_a_variable_names(make_task, name):
    task = make_task(WALK.format(name), "f")
    text = mapped(task)
    assert "<<<1, 1>>>" in text, text


@pytest.mark.parametrize("names", [("x0", "y0"), ("x1", "x0"), ("off", "row")])
def test_a_crop_is_parallel_whatever_its_corner_is_called(make_task, names):
    text = mapped(make_task(CROP.format(*names), "f"))
    assert "<<<1, 1>>>" not in text, text


def test_two_parameters_that_would_get_one_name_are_refused(make_task):
    text = "void f(int n, int mod, int mod_value, int* a) { for (int i = 0; i < n; ++i) a[i] = mod + mod_value; }"
    with pytest.raises(CannotTransform, match="mod_value"):
        make_task(f"// shape: a = n\n// check: n=9,mod=2,mod_value=3\n{text}", "f")
