"""Loops that look back at what they appended last are scans; those that hang on it otherwise keep their order."""

import pytest

from .scan_tables import EACH, has_threads, require_right, source_of, task_of

TAKEN = {
    "the first of equal ones": f"int k = 0; {EACH} if (k == 0 || x[i] != y[k - 1]) y[k++] = x[i]; c[0] = k;",
    "from the second on": "if (n == 0) return; int k = 0; y[k++] = x[0]; "
    "for (int i = 1; i < n; ++i) if (x[i] != y[k - 1]) y[k++] = x[i]; c[0] = k;",
    "counted first": "if (n == 0) return; int k = 0; y[0] = x[0]; "
    "for (int i = 1; i < n; ++i) if (x[i] != y[k]) y[++k] = x[i]; c[0] = k + 1;",
    "counted in a statement before": "if (n == 0) return; int k = 0; y[0] = x[0]; "
    "for (int i = 1; i < n; ++i) { if (x[i] != y[k]) { k++; y[k] = x[i]; } } c[0] = k + 1;",
    "equal ones skipped": f"int k = 0; {EACH} {{ if (k > 0 && y[k - 1] == x[i]) continue; y[k++] = x[i]; }} c[0] = k;",
    "by a key": f"int k = 0; {EACH} if (k == 0 || x[i] / 2 != y[k - 1] / 2) y[k++] = x[i]; c[0] = k;",
    "by two arrays": f"int k = 0; {EACH} if (k == 0 || x[i] != y[k - 1] || i / 7 != z[k - 1]) "
    f"{{ y[k] = x[i]; z[k] = i / 7; ++k; }} c[0] = k;",
    "a value of the turn": f"int k = 0; {EACH} {{ const int v = x[i] * 3 % 5; if (k == 0 || y[k - 1] != v) y[k++] = v; }} c[0] = k;",
    "behind what there is": "int k = c[0] & 1; for (int i = 1; i < n; ++i) if (k < 1 || x[i] != y[k - 1]) y[k++] = x[i]; c[0] = k;",
    "always at every hundredth": f"int k = 0; {EACH} if (k == 0 || i % 100 == 0 || x[i] != y[k - 1]) y[k++] = x[i]; c[0] = k;",
    "in a local": f"int k = 0, last = -1; {EACH} {{ if (x[i] != last) {{ y[k++] = x[i]; last = x[i]; }} }} c[0] = k; c[1] = last;",
    "changes counted": f"int k = 0, last = c[1]; {EACH} {{ if (last != x[i]) {{ last = x[i]; ++k; }} }} c[0] = k; c[1] = last;",
    "only what grows": f"int k = 0; {EACH} if (k == 0 || x[i] > y[k - 1]) y[k++] = x[i]; c[0] = k;",
    "only what does not grow": f"int k = 0; {EACH} {{ const int v = x[i] - i % 3; if (!k || y[k - 1] >= v) y[k++] = v; }} c[0] = k;",
    "several of one kind once": f"int k = 0; {EACH} {{ if (x[i] == 1 && k > 0 && y[k - 1] == 1) continue; y[k++] = x[i]; }} c[0] = k;",
    "counted in memory": f"c[0] = 0; {EACH} if (c[0] == 0 || x[i] != y[c[0] - 1]) {{ y[c[0]] = x[i]; c[0]++; }}",
    "counted in memory, behind what there is": "for (int i = 1; i < n; ++i) "
    "if (c[1] == 0 || x[i] != y[c[1] - 1]) { y[c[1]] = x[i]; c[1]++; }",
    "downwards": "int k = 0; for (int i = n - 1; i >= 0; --i) if (k == 0 || x[i] != y[k - 1]) y[k++] = x[i]; c[0] = k;",
    "cut to a byte": f"int k = 0; {EACH} if (k == 0 || x[i] * 200 != b[k - 1]) b[k++] = x[i] * 200; c[0] = k;",
}
STAYS = {
    "a distance from the last": f"int k = 0; {EACH} if (k == 0 || x[i] - y[k - 1] >= 2) y[k++] = x[i]; c[0] = k;",
    "another value than is compared": f"int k = 0; {EACH} if (k == 0 || x[i] % 3 != y[k - 1] % 3) y[k++] = x[i] + 1; c[0] = k;",
    "a key of what a byte leaves": f"int k = 0; {EACH} {{ const int v = x[i] * 100; "
    "if (k == 0 || v % 10 != b[k - 1] % 10) b[k++] = v; } c[0] = k;",
    "equal or better": f"int k = 0; {EACH} if (k == 0 || x[i] > y[k - 1] || x[i] / 2 != y[k - 1] / 2) y[k++] = x[i]; c[0] = k;",
    "two kinds once": f"int k = 0; {EACH} {{ if (x[i] == 1 && k > 0 && y[k - 1] == 2) continue; y[k++] = x[i]; }} c[0] = k;",
    "better, or at every fiftieth": f"int k = 0; {EACH} if (k == 0 || x[i] <= y[k - 1] || i % 50 == 7) y[k++] = x[i]; c[0] = k;",
    "in place": "if (n == 0) return; int k = 1; for (int i = 1; i < n; ++i) if (y[i] != y[k - 1]) y[k++] = y[i]; c[0] = k;",
    "the one before the last": f"int k = 0; {EACH} if (k < 2 || x[i] != y[k - 2]) y[k++] = x[i]; c[0] = k;",
    "taken back": f"int k = 0; {EACH} {{ if (k > 0 && y[k - 1] == x[i]) --k; else y[k++] = x[i]; }} c[0] = k;",
    "both must hold": f"int k = 1; if (n > 0) y[0] = 0; {EACH} if (x[i] != y[k - 1] && x[i] != 2 && k < n) y[k++] = x[i]; c[0] = k;",
    "looked at elsewhere": f"int k = 0; {EACH} {{ if (k == 0 || x[i] != y[k - 1]) y[k++] = x[i]; z[i] = y[k / 2]; }} c[0] = k;",
}


@pytest.mark.parametrize("name", TAKEN)
def test_what_was_appended_last_is_a_running_value(name, make_task):
    assert has_threads(make_task, TAKEN[name])


@pytest.mark.parametrize("name", STAYS)
def test_what_hangs_on_it_otherwise_keeps_its_order(name, make_task):
    assert not has_threads(make_task, STAYS[name])


def test_all_of_them_are_right(make_task):
    require_right(make_task, [*TAKEN.values(), *STAYS.values()])


@pytest.mark.slow
@pytest.mark.parametrize("name", TAKEN)
def test_they_are_right_on_the_emulated_device(name, make_task, bench):
    task = task_of(make_task, TAKEN[name])
    assert bench.differences(task, source_of(task)) == []
