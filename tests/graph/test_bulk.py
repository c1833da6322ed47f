"""Records read in bulk are those of the slow, general way, and what is wrong is refused in the same words."""

import random

import pytest

from regrapht.errors import SchemaError
from regrapht.graph.bulk import bulk_reader
from regrapht.graph.technique_graph import TechniquePath
from regrapht.records.encoding import from_plain, to_plain
from regrapht.records.technique import Exemplar, Outcome, Transition

EDGE = Transition("init", "loop_tiling")
EXEMPLAR = Exemplar(
    transition=EDGE,
    task_id="t",
    family="f",
    rationale="because",
    detail="done",
    before="a" * 64,
    after="b" * 64,
    before_status="PASSED",
    after_status="PASSED",
    speedup=1.5,
    device="d",
    source="hand",
    licence="Apache-2.0",
)
OUTCOME = Outcome(transition=EDGE, device="d", proposer="p", applied=("a", "b"), attempts=3, built=2, gain_mean=0.5)
PATH = TechniquePath(task_id="t", family=None, source="hand", slugs=("a", "b"), speedups=(1.5, None))
READERS = {
    Exemplar: (bulk_reader(Exemplar, given=("transition",)), EXEMPLAR, (EDGE,)),
    Outcome: (bulk_reader(Outcome, given=("transition",)), OUTCOME, (EDGE,)),
    TechniquePath: (bulk_reader(TechniquePath), PATH, ()),
}
VALUES = (
    None,
    True,
    0,
    3,
    -1,
    1.5,
    2.0,
    float("inf"),
    float("nan"),
    10**400,
    "",
    "x",
    [],
    ["a"],
    ["b", "a"],
    [1.5, None],
    {},
)


def result(read):
    try:
        return read()
    except SchemaError as error:
        return str(error)


def changed(plain, chance):
    """The object with some of its parts replaced, left out, added or in another order."""
    items = list(plain.items())
    for _ in range(chance.randrange(4)):
        place = chance.randrange(len(items))
        kind = chance.randrange(8)
        if kind == 0 and len(items) > 1:
            del items[place]
        elif kind == 1:
            items.append(("extra", chance.choice(VALUES)))
        elif kind == 2:
            chance.shuffle(items)
        else:
            items[place] = (items[place][0], chance.choice(VALUES))
    return dict(items)


@pytest.mark.parametrize("cls", READERS)
def test_the_quick_way_gives_what_the_slow_way_gives(cls):
    read, record, given = READERS[cls]
    plain = to_plain(record)
    edge = {"transition": plain.pop("transition")} if given else {}
    seed = random.randrange(2**32)
    print("seed", seed)
    chance, made = random.Random(seed), 0
    for _ in range(3000):
        one = changed(plain, chance)
        quick = result(lambda one=one: read(one, "$.items", 7, *given))
        slow = result(lambda one=one: from_plain(cls, {**one, **edge}, "$.items[7]"))
        assert quick == slow
        if isinstance(quick, cls):
            made += 1
            assert hash(quick) == hash(slow)
            assert repr(quick) == repr(slow)  # 2 and 2.0, a list and a tuple are told apart
    assert 300 < made < 2990


@pytest.mark.parametrize("plain", [None, [], "x", 1])
def test_what_is_no_object_is_refused(plain):
    read, _, given = READERS[Exemplar]
    with pytest.raises(SchemaError, match=r"^\$\.items\[7\]: expected an object"):
        read(plain, "$.items", 7, *given)


def test_a_record_is_frozen_all_the_same():
    read, record, given = READERS[Exemplar]
    plain = to_plain(record)
    del plain["transition"]
    made = read(plain, "$.items", 0, *given)
    assert made == record
    with pytest.raises(AttributeError):
        made.speedup = 2.0
