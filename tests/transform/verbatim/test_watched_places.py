"""Places that turns reach by what the loop does not name: turns that meet there are seen, whatever leads there."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.transform.verbatim.independence import Independence
from regrapht.transform.verbatim.instrument import instrumented
from regrapht.transform.verbatim.scopes import Scopes

from .conftest import SIGNATURE, verdicts

BEFORE = """
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>
typedef std::vector<int> Row;
struct ByReference { Row& v; int get(int i) const { return v[i]; } void put(int i, int x) { v[i] = x; } };
class Kept {
public:
    Kept(int n, Row& v) : n_(n), v_(v) {}
    int get(int i) const { return v_[i % n_]; }
    void put(int i, int x) { v_[i % n_] = x; }

private:
    int n_;
    Row& v_;
};
struct Chained {
    Row& v;
    Chained& self() { return *this; }
    int get(int i) { return v[i]; }
    Chained& put(int i, int x) { v[i] = x; return *this; }
};
struct Nested { ByReference inner; int get(int i) { return inner.get(i); } void put(int i, int x) { inner.put(i, x); } };
struct Twice { Nested& to; int get(int i) { return to.get(i); } void put(int i, int x) { to.inner.v.at(i) = x; } };
struct ByPointer { Row* v; int get(int i) { return (*v)[i]; } void put(int i, int x) { v->data()[i] = x; } };
struct ToObject { ByReference* to; int get(int i) { return to->get(i); } void put(int i, int x) { to->put(i, x); } };
struct Elements { int* at; int get(int i) { return at[i]; } void put(int i, int x) { at[i] = x; } };
struct ByIterator { Row::iterator at; int get(int i) { return at[i]; } void put(int i, int x) { *(at + i) = x; } };
struct OfArray { int (&at)[600]; int get(int i) { return at[i]; } void put(int i, int x) { at[i] = x; } };
struct OfStdArray { std::array<int, 600>& at; int get(int i) { return at[i]; } void put(int i, int x) { at[i] = x; } };
struct Base { virtual int get(int i) = 0; virtual void put(int i, int x) = 0; };
struct Derived : Base {
    Row& v;
    explicit Derived(Row& to) : v(to) {}
    int get(int i) override { return v[i]; }
    void put(int i, int x) override { v[i] = x; }
};
struct Rows { std::vector<Row>& all; int get(int i) { return all[1][i]; } void put(int i, int x) { all[1][i] = x; } };
struct Fields { struct { int first[600]; } part; };
struct OfFields { Fields& to; int get(int i) { return to.part.first[i]; } void put(int i, int x) { to.part.first[i] = x; } };
template <class V> struct Any { V& v; int get(int i) { return v[i]; } void put(int i, int x) { v[i] = x; } };
static ByReference over(Row& v) { return ByReference{v}; }
template <class T> static void passed_on(T& r, int n, const int32_t* a, int32_t* out) {
    for (int i = 0; i < n; ++i) { r.put(PLACE, r.get(OTHER) + a[i]); out[i] = 1; }
}
struct Worker {
    Row& v;
    void work(int n, const int32_t* a, int32_t* out) { for (int i = 0; i < n; ++i) { step(PLACE, a[i]); out[i] = 1; } }
    void step(int i, int x) { v[i] = v[OTHER_THAN_I] + x; }
};
class Holder {
public:
    void run(int n, const int32_t* a, int32_t* out) { for (int i = 0; i < n; ++i) { step(PLACE, a[i]); out[i] = 1; } }

private:
    void step(int i, int x) { at_[i] = at_[OTHER_THAN_I] + x; }
    int at_[600] = {};
};
static int declared_later[4];
"""
MEETING = {"PLACE": "i % 4", "OTHER_THAN_I": "(i + 1) % 4", "OTHER": "(i + 1) % 4"}
APART = {"PLACE": "i", "OTHER_THAN_I": "i", "OTHER": "i"}
OBJECTS = {
    "a reference to a vector": "Row v(n + 4); ByReference r{v};",
    "a reference that a constructor keeps": "Row v(n + 4); Kept r(n + 4, v);",
    "a reference that a function makes": "Row v(n + 4); auto r = over(v);",
    "a nested object": "Row v(n + 4); Nested r{{v}};",
    "a reference to an object with an object": "Row v(n + 4); Nested held{{v}}; Twice r{held};",
    "a pointer to a vector": "Row v(n + 4); ByPointer r{&v};",
    "a pointer to an object": "Row v(n + 4); ByReference held{v}; ToObject r{&held};",
    "a pointer to elements": "Row v(n + 4); Elements r{v.data()};",
    "an iterator": "Row v(n + 4); ByIterator r{v.begin()};",
    "a reference to an array on the stack": "int v[600] = {}; OfArray r{v};",
    "a pointer to an array on the stack": "int v[600] = {}; Elements r{v};",
    "a reference to a std::array": "std::array<int, 600> v{}; OfStdArray r{v};",
    "a base class": "Row v(n + 4); Derived held(v); Base& r = held;",
    "a vector of vectors": "std::vector<Row> v(2, Row(n + 4)); Rows r{v};",
    "fields of an object on the stack": "Fields v{}; OfFields r{v};",
    "a template": "Row v(n + 4); Any<Row> r{v};",
    "memory by new": "std::unique_ptr<int[]> v(new int[n + 4]()); Elements r{v.get()};",
    "a vector behind a pointer": "std::unique_ptr<Row> v(new Row(n + 4)); ByPointer r{v.get()};",
    "a vector in a block around": "Row v(n + 4); ByReference r{v};",
}
TURNS = {
    "a method": "for (int i = 0; i < n; ++i) { r.put(PLACE, r.get(OTHER) + a[i]); out[i] = 1; }",
    "a lambda": "auto work = [&](int i) { r.put(PLACE, r.get(OTHER) + a[i]); }; for (int i = 0; i < n; ++i) { work(i); out[i] = 1; }",
}
BODIES = {f"{name}, by {how}": f"{made} {turns}" for name, made in OBJECTS.items() for how, turns in TURNS.items()} | {
    "a chain of methods": "Row v(n + 4); Chained r{v}; "
    "for (int i = 0; i < n; ++i) { r.self().put(PLACE, r.get(OTHER) + a[i]).self(); out[i] = 1; }",
    "a pointer to a scalar": "int v[600] = {}; int* r = v; for (int i = 0; i < n; ++i) { r[PLACE] = r[OTHER] + a[i]; out[i] = 1; }",
    "a pointer to a pointer": "int v[600] = {}; int* q = v; int** r = &q; "
    "for (int i = 0; i < n; ++i) { (*r)[PLACE] = (*r)[OTHER] + a[i]; out[i] = 1; }",
    "a table of pointers": "Row v(n + 4); int* r[2] = {v.data(), v.data()}; "
    "for (int i = 0; i < n; ++i) { r[i % 2][PLACE] = r[1][OTHER] + a[i]; out[i] = 1; }",
    "std::ref": "Row v(n + 4); auto r = std::ref(v); for (int i = 0; i < n; ++i) { r.get()[PLACE] = r.get()[OTHER] + a[i]; out[i] = 1; }",
    "a reference of the function's own": "Row w(n + 4); Row& v = w; ByReference r{v}; "
    "for (int i = 0; i < n; ++i) { r.put(PLACE, r.get(OTHER) + a[i]); out[i] = 1; }",
}  # fmt: skip

ELSEWHERE = {
    "in a function that is handed the object": (
        "passed_on",
        "Row v(n + 4); ByReference r{v}; passed_on(r, n, a, out);",
    ),
    "in a method": ("work", "Row v(n + 4); Worker r{v}; r.work(n, a, out);"),
    "in a method that changes its object": ("run", "Holder r; r.run(n, a, out);"),
}
"""Name -> the function of which the loop is watched, and the body that calls it."""


def placed(text: str, places: dict[str, str]) -> str:
    for name, place in places.items():
        text = text.replace(name, place)
    return text


def all_of(observer, places):
    return verdicts(observer, placed(BEFORE, places), {name: placed(body, places) for name, body in BODIES.items()})


@pytest.fixture(scope="module")
def meeting(observer):
    return all_of(observer, MEETING)


@pytest.fixture(scope="module")
def apart(observer):
    return all_of(observer, APART)


@pytest.mark.parametrize("name", BODIES)
def test_turns_that_meet_are_seen(name, meeting):
    assert isinstance(meeting[name], str), meeting[name]
    assert "the loop's turns depend on each other" in meeting[name], meeting[name]


@pytest.mark.parametrize("name", BODIES)
def test_turns_that_keep_apart_are_taken(name, apart):
    assert not isinstance(apart[name], str), apart[name]


@pytest.mark.parametrize("name", ELSEWHERE)
def test_loops_elsewhere_are_watched_as_well(name, function_task, observer):
    function, body = ELSEWHERE[name]
    for places in (MEETING, APART):
        task = function_task(f"{placed(BEFORE, places)}{SIGNATURE} {{ {body} }}\n")
        scopes = Scopes(task.reference.source.text, "f")
        marks = instrumented(scopes, task)
        independence = Independence(scopes=scopes, task=task, marks=marks, observations=observer(task, marks.text))
        (loop,) = scopes.loops(scopes.by_name[function][0])
        if places is APART:
            assert independence.turns(loop).seen.most_turns > 1
            continue
        with pytest.raises(CannotTransform, match="depend on each other"):
            independence.turns(loop)
