// A linear layer followed by the Gaussian error linear unit. The weights are turned, so that the innermost loop runs over outputs.
#include <cmath>
#include <cstddef>
#include <vector>

void linear_gelu(int tokens, int ins, int outs, const __half* x, const __half* weight, const __half* bias, __half* y) {
    std::vector<float> turned((size_t)ins * outs), sum(outs);
    for (int o = 0; o < outs; ++o) {
        for (int i = 0; i < ins; ++i) turned[(size_t)i * outs + o] = (float)weight[(size_t)o * ins + i];
    }
    for (int t = 0; t < tokens; ++t) {
        for (int o = 0; o < outs; ++o) sum[o] = (float)bias[o];
        for (int i = 0; i < ins; ++i) {
            float value = (float)x[(size_t)t * ins + i];
            const float* row = &turned[(size_t)i * outs];
            for (int o = 0; o < outs; ++o) sum[o] += value * row[o];
        }
        for (int o = 0; o < outs; ++o) {
            y[(size_t)t * outs + o] = (__half)(0.5f * sum[o] * (1.0f + erff(sum[o] * 0.70710678f)));
        }
    }
}
