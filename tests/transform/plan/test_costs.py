"""Plans compared by the launches and turns that they make at the timed sizes."""

import pytest

from regrapht.transform.analyse import analyse
from regrapht.transform.plan.analysis import Analysis, Program
from regrapht.transform.plan.costs import nests_take_less_time, parts_take_less_time, serial_share, takes_less_time
from regrapht.transform.rules import BY_SLUG, PLAIN

HEAD = "// shape: a = n*m\n// shape: b = n*m\n// check: n=1, m=3; n=5, m=7\n"
ROWS = "for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) b[i * m + k] = a[i * m + k];"
IN_TURNS = "for (int i = 0; i < n; i++) { for (int k = 0; k < m; k++) b[k] += a[i * m + k]; b[i] *= b[m - 1 - i]; }"
IN_ORDER = "for (int i = 0; i < n; i++) for (int k = 1; k < m; k++) b[k] = 0.5f * b[k - 1] + b[m - k] + a[i * m + k];"
BY_DATA = "for (int i = 0; i < n; i++) { int k = 0; while (k < m && a[i * m + k] > 0) k++; b[i * m] = k; }"
UNKNOWN = "for (int i = n / 2; i < n; i++) { for (int k = 0; k < m; k++) b[k] += a[i * m + k]; b[i] *= b[m - 1 - i]; }"


def plan_of(make_task, body: str, *sizes: tuple[int, int]) -> Analysis:
    bench = tuple({"n": n, "m": m} for n, m in sizes)
    text = f"{HEAD}void f(int n, int m, const float* a, float* b) {{\n{body}\n}}"
    return analyse(make_task(text, "f", bench_sizes=bench))


@pytest.mark.parametrize(
    ("plan", "other", "sizes", "less"),
    [
        (ROWS, IN_TURNS, [(100, 100)], True),
        (IN_TURNS, ROWS, [(100, 100)], False),
        (ROWS, ROWS, [(100, 100)], False),
        (ROWS, IN_TURNS, [(100, 100), (0, 100)], False),
        (IN_TURNS, IN_ORDER, [(100, 1_000_000)], False),  # a rule may find threads for what one thread runs
        (IN_ORDER, IN_TURNS, [(100, 10)], True),  # one launch of a short turn
        (IN_ORDER, IN_TURNS, [(100, 1_000)], False),
        (BY_DATA, IN_TURNS, [(100, 100)], False),
        (ROWS, UNKNOWN, [(100, 100)], False),
    ],
)
def test_launches_and_turns(plan, other, sizes, less, make_task):
    assert takes_less_time(plan_of(make_task, plan, *sizes), plan_of(make_task, other, *sizes)) is less


def test_a_task_that_is_not_timed_says_nothing(make_task):
    assert not takes_less_time(plan_of(make_task, ROWS), plan_of(make_task, IN_TURNS))


@pytest.mark.parametrize(
    ("sizes", "once", "less"),
    [
        ([(100, 10_000)], 4, True),  # a row of 10 000 turns in one thread, against a launch more
        ([(100, 10)], 4, False),  # the launch is dearer
        ([(100, 10_000), (100, 10)], 4, False),
        ([(100, 200)], 1, True),
        ([(100, 200)], 4, False),  # less, but not so much less
        ([], 1, False),
    ],
)
def test_parts_against_one_kernel_with_threads_for_rows_alone(sizes, once, less, make_task):
    plan = plan_of(make_task, f"{ROWS}\n{ROWS.replace('a[i * m + k]', '2 * b[i * m + k]')}", *sizes)
    assert [nest.parallel for nest in plan.nests] == [["i", "k"]] * 2
    assert parts_take_less_time(plan.nests, plan, ["i"], [], once=once) is less


def test_nests_of_two_plans(make_task):
    one = plan_of(make_task, ROWS, (100, 1_000))
    two = plan_of(make_task, f"{ROWS}\n{ROWS.replace('a[i * m + k]', '2 * b[i * m + k]')}", (100, 1_000))
    assert nests_take_less_time(one.nests, one, two.nests, two)
    assert not nests_take_less_time(two.nests, two, one.nests, one)


TABLE = (
    "for (int i = 1; i < n; i++) for (int k = 1; k < m; k++) b[i * m + k] = a[i * m + k] + 0.5f * (b[(i - 1) * m + k]"
    " + b[i * m + k - 1]);"
)
RUNNING = "for (int k = 1; k < m; k++) b[k] += b[k - 1];"
FILLED = "for (int i = 0; i < n * m; i++) b[i] = 0;"
BLOCKS = "for (int i = 0; i < n; i += 16) for (int k = i; k < i + 16; k++) if (k < n) b[k] = 0.5f * b[n - 1 - k];"


@pytest.mark.parametrize(
    ("body", "low", "high"),
    [
        (ROWS, 0, 0),
        (TABLE, 1, 1),
        (FILLED + TABLE, 0.6, 0.95),  # as many turns, but more accesses
        (ROWS + RUNNING, 0, 0.1),
        (RUNNING + TABLE, 1, 1),
        (ROWS + BLOCKS, 0, 0.1),  # sixteen turns a block, not all of them
        (ROWS + BY_DATA, 0, 0.1),
    ],
)
def test_the_share_of_one_thread(body, low, high, make_task):
    analysis = plan_of(make_task, body, (1000, 1000))
    program = Program(analysis)
    for nest in program.nests:
        nest.prepare(program.scop)
        program = BY_SLUG[PLAIN].applied(program, nest, BY_SLUG[PLAIN].settings()[0])
    assert low <= serial_share(program) <= high
