"""How far an array reaches, where a tile of it is loaded with what lies around."""

from regrapht.transform.engine import Engine

from ..judging import steps


def test_a_buffer_whose_length_names_a_constant_of_the_file(make_task, bench):
    task = make_task(
        """#include <algorithm>
#include <vector>
// shape: x = n * 16
// shape: y = n
// check: n=1; n=3; n=40
const int kBands = 16;
void change(int n, const float* x, float* y) {
    std::vector<float> level(n * kBands);
    for (int f = 0; f < n; ++f)
        for (int b = 0; b < kBands; ++b) level[f * kBands + b] = 0.5f * x[f * kBands + b];
    for (int f = 0; f < n; ++f) {
        const int after = std::min(f + 1, n - 1), before = std::max(f - 1, 0);
        float sum = 0;
        for (int b = 0; b < kBands; ++b) sum += b * (level[after * kBands + b] - level[before * kBands + b]) + level[f * kBands + b];
        y[f] = sum;
    }
}
""",
        "change",
    )
    engine = Engine()
    source = engine.text(task, steps(engine, task, ["shared_memory_halo"]))
    assert "level_tile" in source and bench.differences(task, source) == [], source
