"""What integers of the launcher are at the sizes that a task is timed at."""

from regrapht.transform.analyse import analyse
from regrapht.transform.plan.timed_values import bound_of, known_values, number_of

TEXT = """// shape: a = n*m
// shape: b = n*m
// check: n=4, m=3
#include <algorithm>
void f(int n, int m, const float* a, float* b) {
    const int half = n / 2, most = std::max(half - 1, m), ratio = n / (m - 7);
    for (int i = 0; i < half + n; ++i)
        for (int j = 1; j < m; ++j)
            b[i * m + j] = a[i * m + j] * most + ratio;
}"""


def test_scalars_of_the_launcher(make_task):
    task = make_task(TEXT, "f", bench_sizes=({"n": 9, "m": 20}, {"n": 100, "m": 7}))
    first, second = known_values(task, analyse(task).scop)
    assert first == {"n": 9, "m": 20, "half": 4, "most": 20, "ratio": 0}
    assert second == {"n": 100, "m": 7, "half": 50, "most": 49}


def test_checks_where_nothing_is_timed(make_task):
    task = make_task(TEXT, "f")
    assert [one["half"] for one in known_values(task, analyse(task).scop)] == [2]


def test_bounds_of_loops_that_count_up_from_0(make_task):
    function = analyse(make_task(TEXT, "f")).function
    assert number_of(bound_of(("i", 7), function), {"n": 9, "half": 4}) == 13
    assert bound_of(("j", 8), function) is None
    assert number_of(None, {}) is None
