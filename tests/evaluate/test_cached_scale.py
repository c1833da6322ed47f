"""Modelled costs are remembered with the scale that they belong to."""

from dataclasses import replace

from regrapht.evaluate.cached import CachedEvaluator
from regrapht.evaluate.emulated import EmulatedEvaluator
from regrapht.records.verdict import Level

COPY = """__global__ void copy_kernel(int n, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}
extern "C" void copy(int n, const float* x, float* y) { copy_kernel<<<(n + 255) / 256, 256>>>(n, x, y); }
"""


class Memory(dict):
    def put(self, key, verdict):
        self[key] = verdict


def test_a_cost_at_one_shape_is_no_cost_at_another(build, sandbox, candidate):
    text = "void copy(int n, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i] = 2 * x[i]; }"
    args = (build.size("n"), build.array("x", "n", "in"), build.array("y", "n", "out"))
    task = replace(build.task("copy", text, args, ({"n": 3}, {"n": 70})), bench_sizes=({"n": 2**20},))
    memory, plain = Memory(), candidate(COPY)

    def prepared(with_plain):
        evaluator = CachedEvaluator(EmulatedEvaluator(sandbox), memory)
        return evaluator, evaluator.prepare(task, with_plain)

    evaluators, scales = zip(prepared(None), prepared(plain), strict=True)
    first, second = (one.evaluate(task, plain, level=Level.SCREEN) for one in evaluators)
    assert scales[1].start_name == "plain" and scales[0].start != scales[1].start
    assert second.evidence.modelled_cost == scales[1].start != first.evidence.modelled_cost
    again = [one.evaluate(task, plain, level=Level.SCREEN) for one in evaluators]
    assert again[0] is first and again[1] is second, "each is found again"
