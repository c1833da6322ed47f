"""Scratch memory that a function keeps in a static array, and fills by `memcpy`: each turn has its own."""

import pytest

from regrapht.records.verdict import Level
from regrapht.transform.verbatim.program import verbatim
from regrapht.transform.verbatim.steps import Launches

BODIES = {
    "memcpy": "std::memcpy(row, &v[j * n], n * sizeof(double));",
    "copied": "std::copy(v + j * n, v + j * n + n, row);",
    "loop": "for (int i = 0; i < n; ++i) row[i] = v[j * n + i];",
}


@pytest.mark.parametrize("name", BODIES)
def test_rows_have_scratch_of_their_own(judging, observer, name) -> None:
    task = judging.task(f"""#include <algorithm>
#include <cstring>
void roll(double* v, int rows, int n) {{
    static double row[512];
    for (int j = 0; j < rows; ++j) {{
        {BODIES[name]}
        for (int i = 0; i < n; ++i) v[j * n + i] = row[(i + 1) % n] - row[i];
    }}
}}
""")
    source = verbatim(task, observer).text([], Launches())
    assert "<<<" in source and judging.faults(task, source, Level.SCREEN) == "", source
