"""Run lengths and other totals of the run that was appended last."""

import pytest

from .scan_tables import EACH, has_threads, require_right, source_of, task_of

TAKEN = {
    "counted or appended": f"int k = 0; {EACH} {{ if (k > 0 && y[k - 1] == x[i]) z[k - 1]++; "
    "else { y[k] = x[i]; z[k] = 1; k++; } } c[0] = k;",
    "appended or counted": f"int k = 0; {EACH} {{ if (k == 0 || y[k - 1] != x[i]) {{ y[k] = x[i]; z[k] = 1; ++k; }} "
    "else ++z[k - 1]; } c[0] = k;",
    "counted in every turn": f"int k = 0; {EACH} {{ if (i == 0 || x[i] != x[i - 1]) "
    "{ y[k] = x[i]; z[k] = 0; k++; } z[k - 1]++; } c[0] = k;",
    "sums of runs": f"int k = 0; {EACH} {{ const int key = x[i] & 2; if (k == 0 || y[k - 1] != key) "
    "{ y[k] = key; z[k] = 0; k++; } z[k - 1] += x[i]; } c[0] = k;",
    "largest of runs": f"int k = 0; {EACH} {{ const int key = x[i] & 2; if (k > 0 && y[k - 1] == key) "
    "z[k - 1] = std::max(z[k - 1], x[i]); else { y[k] = key; z[k] = x[i]; k++; } } c[0] = k;",
    "behind what there is": "int k = c[0] & 1; for (int i = 1; i < n; ++i) { if (k > 0 && y[k - 1] == x[i]) z[k - 1] += 2; "
    "else { y[k] = x[i]; z[k] = i; k++; } } c[0] = k;",
    "with a local": "if (n == 0) return; int k = 0, run = 1; for (int i = 1; i < n; ++i) { if (x[i] == x[i - 1]) run++; "
    "else { y[k] = x[i - 1]; z[k] = run; k++; run = 1; } } y[k] = x[n - 1]; z[k] = run; c[0] = k + 1;",
}
STAYS = {
    "a run of three at most": f"int k = 0; {EACH} {{ if (k > 0 && y[k - 1] == x[i] && z[k - 1] < 3) z[k - 1]++; "
    "else { y[k] = x[i]; z[k] = 1; k++; } } c[0] = k;",
    "the run before it too": f"int k = 0; {EACH} {{ if (k == 0 || x[i] != y[k - 1]) {{ y[k] = x[i]; z[k] = 1; k++; }} "
    "z[k - 1]++; if (k > 1) z[k - 2]--; } c[0] = k;",
    "counts that hang on counts": f"int k = 0; {EACH} {{ if (k == 0 || x[i] != y[k - 1]) {{ y[k] = x[i]; z[k] = 1; k++; }} "
    "z[k - 1] += z[k - 1] % 3; } c[0] = k;",
}


@pytest.mark.parametrize("name", TAKEN)
def test_totals_of_the_last_run_are_running_values(name, make_task):
    assert has_threads(make_task, TAKEN[name])


@pytest.mark.parametrize("name", STAYS)
def test_others_keep_their_order(name, make_task):
    assert not has_threads(make_task, STAYS[name])


def test_all_of_them_are_right(make_task):
    require_right(make_task, [*TAKEN.values(), *STAYS.values()])


@pytest.mark.slow
@pytest.mark.parametrize("name", TAKEN)
def test_they_are_right_on_the_emulated_device(name, make_task, bench):
    task = task_of(make_task, TAKEN[name])
    assert bench.differences(task, source_of(task)) == []
