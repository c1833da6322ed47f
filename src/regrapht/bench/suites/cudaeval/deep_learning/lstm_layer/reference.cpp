#include <cmath>
#include <cstddef>
#include <vector>

namespace {
float logistic(float v) { return 1.0f / (1.0f + std::exp(-v)); }

struct Layer {
    int inputs, width;
    const float *from_input, *from_state, *bias;

    // Row `row` of the four stacks of gates: what it makes of an input and the state before.
    float level(int row, const float* x, const float* h) const {
        float sum = bias[row];
        for (int k = 0; k < inputs; ++k) sum += from_input[(size_t)row * inputs + k] * x[k];
        for (int k = 0; h != nullptr && k < width; ++k) sum += from_state[(size_t)row * width + k] * h[k];
        return sum;
    }
};
}  // namespace

void lstm_layer(int steps, int batch, int inputs, int width, const float* x, const float* from_input, const float* from_state,
                const float* bias, float* state, float* cell) {
    const Layer layer{inputs, width, from_input, from_state, bias};
    for (int b = 0; b < batch; ++b) {
        float* memory = cell + (size_t)b * width;
        const float* before = nullptr;
        for (int t = 0; t < steps; ++t) {
            const float* now = x + ((size_t)t * batch + b) * inputs;
            float* h = state + ((size_t)t * batch + b) * width;
            for (int u = 0; u < width; ++u) {
                const float enter = logistic(layer.level(u, now, before)), stay = logistic(layer.level(width + u, now, before));
                const float fresh = std::tanh(layer.level(2 * width + u, now, before));
                memory[u] = (t == 0 ? 0.0f : stay * memory[u]) + enter * fresh;
                h[u] = logistic(layer.level(3 * width + u, now, before)) * std::tanh(memory[u]);
            }
            before = h;
        }
    }
}
