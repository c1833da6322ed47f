"""The open parameters of programs that the transform engine made."""

from pathlib import Path

import pytest

from regrapht.assemble import open_task
from regrapht.session.transform import TransformRequest, transform_task
from regrapht.transform import decisions_from_json
from regrapht.tune.opening import CannotOpen, DoesNotFit, OpenParameter, start_of
from regrapht.tune.tuned_proposer import open_up

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def product():
    return open_task(EXAMPLES / "matrix_product").task


def opened(task, rules):
    return open_up(task, transform_task(task, TransformRequest(path=EXAMPLES, rules=rules)).candidate)


def names(opening) -> dict[str, OpenParameter]:
    return {parameter.name: parameter for parameter in opening.parameters}


def test_parameters_that_a_later_rule_replaces_are_not_open(product):
    found = names(opened(product, "map2d,tile:32,unroll:4"))
    assert list(found) == ["shared_memory_tiling.step", "shared_memory_tiling.block", "loop_unrolling.factor"]
    assert found["shared_memory_tiling.step"].start == "32"
    assert not any(parameter.shapes_launch for parameter in found.values())


def test_a_block_shape_alone_shapes_the_launch(product):
    found = names(opened(product, "map2d,unroll"))
    assert found["map_2d.block"].shapes_launch and not found["loop_unrolling.factor"].shapes_launch
    bounded = names(opened(product, "map2d,launch_bounds"))
    assert not bounded["map_2d.block"].shapes_launch


def test_the_start_is_the_program_itself(product):
    start = transform_task(product, TransformRequest(path=EXAMPLES, rules="map2d,tile,patch")).candidate
    opening = open_up(product, start)
    assert opening.candidate(start_of(opening)).source == start.source


def test_a_setting_is_in_the_decisions_and_in_the_text(product):
    opening = opened(product, "map2d,tile:32")
    made = opening.candidate({"shared_memory_tiling.step": "8", "shared_memory_tiling.block": "32 x 8"})
    assert "a_tile[8][8]" in made.source and "dim3(32, 8)" in made.source
    last = decisions_from_json(made.origin.decisions)[-1]
    assert last.parameters == {"step": 8, "block": [32, 8]}
    assert made.techniques[-1] == "shared_memory_tiling" and "step = 8" in made.explanation


def test_a_setting_that_the_rules_refuse_does_not_fit(product):
    opening = opened(product, "map2d,block:16x16")
    with pytest.raises(DoesNotFit, match="have that shape already"):
        opening.candidate({"map_2d.block": "64 x 4", "block_size_tuning.block": "64 x 4"})
    with pytest.raises(DoesNotFit, match="no value 7"):
        opening.candidate({"block_size_tuning.block": "7"})


def test_a_program_without_parameters_leaves_nothing_open(product, tmp_path):
    (tmp_path / "one.cpp").write_text(
        "void one(int n, float* y) { y[0] = 1.0f; for (int i = 1; i < n; i++) y[i] = 0.5f * y[i - 1] * y[i - 1]; }"
    )
    task = open_task(tmp_path / "one.cpp").task
    with pytest.raises(CannotOpen, match="no parameter"):
        opened(task, None)
