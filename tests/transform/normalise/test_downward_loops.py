"""Loops that count down what is left while pointers walk up."""

import pytest

from regrapht.transform.analyse import analyse

from ..differential import assert_same

HEAD = "// shape: s = n\n// shape: d = n\n// check: n=1; n=5; n=70\n"
WALKS = [
    "while (n--) *d++ = 2.0f * *s++;",
    "int left = n; while (left) { *d++ = 2.0f * *s++; --left; }",
    "for (int left = n; left > 0; left--) *d++ = *s++ + 1.0f;",
    "int turn = n; for (int left = turn; left > 0; left--) d[turn - left] = s[turn - left];",
]
OTHERS = [
    "int left = n; do { *d++ = 2.0f * *s++; } while (--left);",
    "for (int i = n; i > 0; i--) d[i - 1] = s[i - 1];",
    "for (int left = n; left > 0; left--) { *d++ = *s++ / left; }",
    "for (int i = n - 1; i >= 0; i--) d[i] = s[n - 1 - i];",
]


def task_with(make_task, body: str):
    return make_task(f"{HEAD}void walk(int n, const float* s, float* d) {{ {body} }}\n", "walk")


@pytest.mark.parametrize("body", WALKS)
def test_walks_go_up(body, make_task):
    (nest,) = analyse(task_with(make_task, body)).nests
    assert nest.root.step == 1 and nest.parallel == [nest.root.variable]
    assert all(str(access.index) == str([{(nest.root.variable,): 1}]) for access in nest.accesses)


@pytest.mark.parametrize("body", OTHERS)
def test_loops_whose_counter_is_used_stay(body, make_task):
    (nest,) = analyse(task_with(make_task, body)).nests
    assert nest.root.step == -1


def test_the_order_of_turns_stays(make_task):
    body = "float last = 0.0f; for (int left = n; left > 0; left--) { last = 0.5f * last + *s++; *d++ = last; }"
    assert not analyse(task_with(make_task, body)).nests[0].parallel
    texts = {one: f"{HEAD}void walk(int n, const float* s, float* d) {{ {one} }}\n" for one in [body, *WALKS, *OTHERS]}
    assert_same(make_task, texts, "walk")
