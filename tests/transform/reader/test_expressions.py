"""A refused expression is named in one line, however it is written."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.transform.analyse import analyse

LONG = "[&](int k) {\n        float sum = 0;\n        for (int j = 0; j < k; ++j) sum += a[j];\n        return sum * 2;\n    }"


@pytest.mark.parametrize("expression", [f"(long)({LONG})", f"{LONG} ? 1.0f : 2.0f"])
def test_a_refused_expression_takes_one_line(make_task, expression):
    body = f"for (int i = 0; i < n; ++i) b[i] = {expression};"
    with pytest.raises(CannotTransform) as refused:
        analyse(
            make_task(f"// shape: a = n\n// shape: b = n\nvoid f(int n, const float* a, float* b) {{ {body} }}", "f")
        )
    assert "\n" not in refused.value.reason and len(refused.value.reason) < 200
