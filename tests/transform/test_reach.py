"""How the engine says that it takes a function: each label, and what it rests on."""

import pytest

from regrapht.propose.transform_engine import TransformProposer
from regrapht.records.reach import Reached
from regrapht.records.technique import Transition
from regrapht.transform import Engine, loop_answers, reach
from regrapht.transform.rules import BY_SLUG, PLAIN
from regrapht.transform.rules.decisions import decisions_from_json, decisions_to_json

from .verbatim.conftest import SIGNATURE, observer, task_of

__all__ = ["observer"]

HEAD = "#include <algorithm>\n#include <cstdint>\n#include <utility>\n"
BODIES = {
    "understood": ("for (int i = 0; i < n; ++i) out[i] = a[i];", Reached.PROVED, None),
    "beyond the reader, and proved": (
        "for (int i = 0; i < n; ++i) { int x[2] = {a[i], 1}; std::sort(x, x + 2); out[i] = x[0]; }",
        Reached.PROVED,
        "proved by its subscripts, with bodies as they are written; line 6: 'std::sort'",
    ),
    "beyond the reader": (
        "for (int i = 0; i < n; ++i) { int x[2] = {a[i], 1}; std::sort(x, x + 2); out[i ^ 0] = x[0]; }",
        Reached.OBSERVED,
        "observed on 18 inputs of 5 sizes, up to 500 turns a loop, not proved; ",
    ),
    "understood, and no proof": (
        "for (int i = 0; i < n; ++i) out[(i + n) % n == 0 ? 0 : i] = a[i] ^ i; "
        "for (int i = 0; i < m; ++i) aux[aux[i] < 0 ? 0 : i] = i;",
        Reached.OBSERVED,
        "by proofs alone one thread would run it",
    ),
    "by a pragma": (
        "\n#pragma omp parallel for\nfor (int i = 0; i < n; ++i) { int x[2] = {a[i], 1}; std::sort(x, x + 2); out[i ^ 0] = x[0]; }",
        Reached.PROMISED,
        "promised by pragmas",
    ),
    "one chain": (
        "int32_t s = 1; for (int i = 0; i < n; ++i) { s = s % 7 + a[i] % (s + 1); out[i] = s; }",
        Reached.SERIAL,
        "line 6 in one thread: ",
    ),
    "an effect": ("for (int i = 0; i < n; ++i) { goto end; end: out[i] = 1; }", Reached.REFUSED, "'goto'"),
}


@pytest.mark.parametrize("name", BODIES)
def test_each_label(name, observer):
    body, how, said = BODIES[name]
    found = reach(Engine(observer), task_of(f"{HEAD}{SIGNATURE} {{ {body} }}\n"))
    assert found.how is how, found
    assert found.reason is None if said is None else said in found.reason, found
    assert how.has_threads == (how in (Reached.PROVED, Reached.OBSERVED, Reached.PROMISED))


def test_without_an_observer_what_is_not_proved_stays_in_one_thread():
    body, _, _ = BODIES["understood, and no proof"]
    assert reach(Engine(), task_of(f"{HEAD}{SIGNATURE} {{ {body} }}\n")).how is Reached.SERIAL


def test_decisions_of_proofs_alone_are_made_again_where_bodies_are_kept(observer):
    """A stored run of before keeps its program."""
    task = task_of(f"{HEAD}{SIGNATURE} {{ {BODIES['understood, and no proof'][0]} }}\n")
    alone = Engine(observer, proved=True)
    kept = decisions_from_json(decisions_to_json(alone.plain(task)))
    assert Engine(observer).text(task, kept) == alone.text(task, kept)
    assert Engine(observer).plain(task) != kept


def test_which_two_turns_met_where(observer):
    """Also where the reader understands the loop: it is watched when somebody asks."""
    text = f"{HEAD}{SIGNATURE} {{\n for (int i = 0; i < n; ++i) out[i] = b[i] % 3;\n"
    text += " for (int i = 3; i < n; ++i) aux[i % m] = aux[(i + m - 1) % m] % 5 + aux[i % m];\n}\n"
    task, engine = task_of(text), Engine(observer)
    first, second = loop_answers(engine, task, meetings=True)
    assert (first.label, second.label) == ("proved", "one thread")
    assert "watched, turn 1 read what turn 0 had written in 'aux[3]'" in second.how
    assert "watched" not in loop_answers(engine, task)[1].how


TABLE = (
    "for (int i = 1; i < n; ++i) for (int j = 1; j < m; ++j)"
    " t[i * m + j] = std::min(t[(i - 1) * m + j], t[i * m + j - 1]) + c[i * m + j];"
)
BORDERS = (
    "t[0] = c[0]; for (int j = 1; j < m; ++j) t[j] = t[j - 1] + c[j];"
    " for (int i = 1; i < n; ++i) t[i * m] = t[(i - 1) * m] + c[i * m];"
)
MAIN_WORK = {
    "a table behind a fill": ("for (int i = 0; i < n * m; ++i) t[i] = 0;" + TABLE, ["wavefront"]),
    "a table behind running sums": (BORDERS + TABLE, ["block_scan", "wavefront"]),
    "running sums beside a map": (BORDERS + "for (int i = m + 1; i < n * m; ++i) t[i] = c[i];", []),
    "running sums alone": ("for (int j = 1; j < m; ++j) t[j] = t[j - 1] + c[j];", ["block_scan"]),
    "threads anyway": ("for (int i = 0; i < n * m; ++i) t[i] = 2 * c[i];", []),
}


@pytest.mark.parametrize("name", MAIN_WORK)
def test_the_main_work_gets_threads_first(name, make_task):
    body, rules = MAIN_WORK[name]
    text = "#include <algorithm>\n// shape: c = n*m\n// shape: t = n*m\n// check: n=3, m=4\n"
    text += f"void f(int n, int m, const int* c, int* t) {{ {body} }}\n"
    task, engine = make_task(text, "f", bench_sizes=({"n": 2048, "m": 2048},)), Engine()
    plain = engine.plain(task)
    assert engine.in_one_thread(task, plain) is bool(rules)
    decisions = engine.with_threads(task, plain)
    assert [one.technique for one in decisions[1:]] == rules
    assert not engine.in_one_thread(task, decisions)
    assert all("one thread" not in answer.label for answer in loop_answers(engine, task, decisions)) or not rules
    proposer = TransformProposer()
    start = proposer.plain(task)
    offered = {rule for rule in BY_SLUG if proposer.applicable(task, start, Transition(PLAIN, rule))}
    assert not rules or (offered <= engine.gives_threads(task, plain) and rules[0] in offered)
    assert rules or not engine.gives_threads(task, plain)
