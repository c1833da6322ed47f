"""Rules as a person names them."""

import pytest

from regrapht.errors import ConfigError, UnknownName
from regrapht.transform.engine import Engine
from regrapht.transform.rules import BY_SLUG, RULES
from regrapht.transform.rules.application import DoesNotApply, apply
from regrapht.transform.rules.decisions import Decision
from regrapht.transform.rules.steps import SHORT, comes_after, decide, find_rule, read_steps, short_name


@pytest.fixture
def product(read_input):
    """A matrix product, mapped plainly."""
    engine, task = Engine(), read_input("gemm_strided_ld")
    plain = Decision(technique="map_to_threads", nests=(1,), parameters={"block": 256})
    return engine.program(task, (plain,))


def test_every_rule_is_found_by_its_slug_and_its_short_name():
    for rule in RULES:
        assert find_rule(rule.slug) is rule and find_rule(short_name(rule)) is rule
        assert find_rule(rule.slug.upper().replace("_", " ")) is rule


def test_every_short_name_is_of_a_rule():
    assert set(SHORT.values()) <= set(BY_SLUG)


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("map2d", "map_2d"),
        ("tile", "shared_memory_tiling"),
        ("halo", "shared_memory_halo"),
        ("loop unrolling", "loop_unrolling"),
    ],
)
def test_names_that_people_type(name, slug):
    assert find_rule(name).slug == slug


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("shared", "'shared' may be shared_memory_histogram or "),
        ("tiel", "did you mean 'tile'?"),
        ("tensor_cores", "a technique that the transform engine has no rule for"),
        ("xyzzyq", "list them with --explain"),
        ("", "there is no rule"),
    ],
)
def test_names_that_mean_none_or_several(name, said):
    with pytest.raises(UnknownName, match=said.replace("?", r"\?")):
        find_rule(name)


def test_values_go_to_the_first_parameter_that_can_have_them():
    (step,) = read_steps("tile:16x16:32")
    assert step.values == {"block": [16, 16], "step": 32}
    (named,) = read_steps("tile:step=8")
    assert named.values == {"step": 8}


def test_steps_with_nests():
    first, second = read_steps("unroll:4@2, restrict@3+1")
    assert (first.nests, first.values) == ((2,), {"factor": 4}) and second.nests == (1, 3)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("unroll:5", "loop_unrolling cannot take '5'; it takes factor: 4, 8, 2, 16, 32"),
        ("unroll:4:8", "cannot take '8'"),
        ("unroll:size=4", "cannot take 'size=4'"),
        ("restrict:1", "it has no parameter"),
        ("unroll@x", "is not RULE, RULE:VALUE"),
        (":4", "is not RULE, RULE:VALUE"),
    ],
)
def test_steps_that_make_no_sense(text, said):
    with pytest.raises(ConfigError) as refused:
        read_steps(text)
    assert said in str(refused.value)


def test_a_step_takes_the_first_setting_that_fits(product):
    grid = apply(product, decide(product, read_steps("map2d")[0]))
    assert decide(grid, read_steps("tile:32")[0]).parameters == {"step": 32, "block": [16, 16]}
    assert decide(grid, read_steps("block")[0]).parameters == {"block": [16, 16]}


def test_a_refused_step_says_why_and_what_would_help(product):
    with pytest.raises(DoesNotApply) as refused:
        decide(product, read_steps("tile:32")[0])
    said = str(refused.value)
    assert said.startswith("shared_memory_tiling (step 32) does not apply: nest 1 (line 7): ")
    assert said.endswith("; put map2d before it")
    assert comes_after(product, BY_SLUG["shared_memory_histogram"]) is None


def test_a_nest_that_there_is_not(product):
    with pytest.raises(DoesNotApply, match="there is no nest 4; nests are 1"):
        decide(product, read_steps("unroll@4")[0])
