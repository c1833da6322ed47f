"""The order of a rule's settings at the sizes that a task is timed at."""

import pytest

from regrapht.propose.transform_engine import TransformProposer
from regrapht.transform.engine import Engine
from regrapht.transform.rules import BY_SLUG
from regrapht.transform.rules.application import choices
from regrapht.transform.rules.fill import PROCESSORS, blocks_of, imbalance

from ..judging import steps

PRODUCT = """// shape: a = m * k
// shape: b = k * n
// shape: c = m * n
// check: m=1,n=1,k=1
void product(int m, int n, int k, const float* a, const float* b, float* c) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            for (int p = 0; p < k; p++) sum += a[i * k + p] * b[p * n + j];
            c[i * n + j] = sum;
        }
}
"""
FILTER = """// shape: x = frames * channels
// shape: y = frames * channels
// check: frames=1,channels=1
void filter(int frames, int channels, const float* x, float* y) {
    for (int c = 0; c < channels; c++) {
        float last = 0.0f;
        for (int f = 0; f < frames; f++) {
            last = 0.5f * last + x[f * channels + c];
            y[f * channels + c] = last;
        }
    }
}
"""


def first_setting(make_task, text: str, entry: str, slugs: list[str], **bench: int) -> dict:
    task, engine = make_task(text, entry, bench_sizes=(bench,) if bench else ()), Engine()
    program = engine.program(task, steps(engine, task, slugs[:-1]))
    return dict(choices(program, BY_SLUG[slugs[-1]])[0].decision.parameters)


@pytest.mark.parametrize(("size", "patch"), [(4096, [8, 8]), (1024, [4, 4]), (512, [2, 4]), (0, [4, 4])])
def test_a_patch_is_as_large_as_leaves_work_for_all_processors(size, patch, make_task):
    bench = {"m": size, "n": size, "k": size} if size else {}
    slugs = ["map_2d", "shared_memory_tiling", "register_tiling"]
    assert first_setting(make_task, PRODUCT, "product", slugs, **bench) == {"patch": patch}


def test_steps_do_not_go_beyond_the_loop(make_task):
    found = first_setting(make_task, PRODUCT, "product", ["map_2d", "shared_memory_tiling"], m=4096, n=4096, k=8)
    assert found["step"] == 8


@pytest.mark.parametrize(("channels", "factor"), [(256, 32), (40_000, 32), (100_000, 8), (1_000_000, 4)])
def test_few_threads_have_many_loads_under_way(channels, factor, make_task):
    found = first_setting(make_task, FILTER, "filter", ["loop_unrolling"], frames=1000, channels=channels)
    assert found == {"factor": factor}


@pytest.mark.parametrize(("channels", "bounds"), [(256, "(256, 1)"), (60_000, "(256, 2)"), (1_000_000, None)])
def test_few_blocks_may_have_all_registers(channels, bounds, make_task):
    task, engine = make_task(FILTER, "filter", bench_sizes=({"frames": 1000, "channels": channels},)), Engine()
    source = engine.text(task, steps(engine, task, ["loop_unrolling"]))
    assert (f"__launch_bounds__{bounds}" in source) if bounds else ("__launch_bounds__" not in source)


def test_imbalance(make_task):
    task, engine = (
        make_task(FILTER, "filter", bench_sizes=({"frames": 10, "channels": 256 * (PROCESSORS + 1)},)),
        Engine(),
    )
    program = engine.program(task, steps(engine, task, []))
    (nest,) = program.nests
    assert blocks_of(program, nest, program.schedules[1]) == PROCESSORS + 1
    assert imbalance(program, nest, program.schedules[1]) == pytest.approx(2.0)
    assert first_setting(make_task, FILTER, "filter", ["block_size_tuning"], frames=10, channels=256 * 133) == {
        "block": [64]
    }


def test_the_plain_version_is_the_same_at_every_size(make_task):
    def plain(channels: int) -> str:
        return (
            TransformProposer()
            .plain(make_task(FILTER, "filter", bench_sizes=({"frames": 9, "channels": channels},)))
            .source
        )

    assert plain(256) == plain(1_000_000)
