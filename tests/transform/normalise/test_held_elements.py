"""Running places of extremes, kept by the place alone, and recurrences over a few elements before a turn's own."""

import pytest

from .scan_tables import EACH, has_threads, require_right, source_of, task_of

TAKEN = {
    "the place of the least": f"int at = 0; {EACH} {{ if (x[i] < x[at]) at = i; y[i] = at; }}",
    "the last of equal ones": "int at = 0; for (int i = 1; i < n; ++i) { if (x[i] >= x[at]) at = i; y[i] = at; z[i] = x[at]; } c[0] = at;",
    "by a choice": f"int at = 0; {EACH} {{ at = x[i] > x[at] ? i : at; y[i] = at; }}",
    "by the other choice": f"int at = 0; {EACH} {{ at = x[at] >= x[i] ? at : i; y[i] = i - at; }} c[0] = at;",
    "from a place that is given": f"int at = c[0] & 1; {EACH} {{ if (x[i] > x[at]) at = i; y[i] = i - at; }}",
    "downwards": "int at = n - 1; for (int i = n - 2; i >= 0; --i) { if (x[i] > x[at]) at = i; y[i] = at; }",
    "the place and the value": f"int best = -9, at = -1; {EACH} {{ if (x[i] > best) {{ best = x[i]; at = i; }} y[i] = at; z[i] = best; }}",
    "a place in memory": f"c[0] = 0; {EACH} {{ if (x[i] < x[c[0]]) c[0] = i; y[i] = c[0]; }}",
    "two elements back": "for (int i = 2; i < n; ++i) y[i] = y[i - 1] + y[i - 2] + x[i];",
    "a filter": "for (int i = 2; i < n; ++i) w[i] = 0.5f * w[i - 1] + 0.25f * w[i - 2] + x[i];",
    "a filter, downwards": "for (int i = n - 3; i >= 0; --i) w[i] = 0.5f * w[i + 1] + 0.25f * w[i + 2] + x[i];",
    "three back alone": "for (int i = 3; i < n; ++i) y[i] += y[i - 3];",
    "the better of two": "for (int i = 2; i < n; ++i) y[i] = std::max(y[i - 1], y[i - 2] + x[i]);",
    "read again in its turn": "for (int i = 2; i < n; ++i) { y[i] = y[i - 2] + x[i]; z[i] = y[i] * 3 - y[i - 1]; }",
}
STAYS = {
    "an array that is written": f"int at = 0; {EACH} {{ if (x[i] + y[i] < y[at]) at = i; y[i] = at; }}",
    "a remainder of two back": "for (int i = 2; i < n; ++i) y[i] = y[i] % 7 + y[i - 2] % 5;",
    "too far back": "for (int i = 5; i < n; ++i) y[i] = (y[i - 5] + y[i - 2]) % 97;",
    "back where there is something": f"{EACH} y[i] = (i >= 2 ? y[i - 2] % 3 : 1) + (i >= 1 ? y[i - 1] : 0);",
    "two writes": "for (int i = 2; i < n; ++i) { y[i] = y[i - 2] + x[i]; if (y[i] > 9) y[i] = y[i - 1] % 5; }",
}


@pytest.mark.parametrize("name", TAKEN)
def test_they_are_scans(name, make_task):
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
