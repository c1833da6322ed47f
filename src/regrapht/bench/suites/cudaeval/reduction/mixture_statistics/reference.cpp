#include <cmath>
#include <vector>

constexpr int kDim = 4;

constexpr int kNumbers = 2 * kDim + 1;  // of a component: means, precisions, and the bias, a logarithm of weight and norm

// One step of expectation and maximisation for a mixture of axis-parallel Gaussians: what the new parameters are made of.
void mixture_statistics(int points, int components, const float* point, const float* component, float* weight, float* first,
                        float* second) {
    std::vector<float> share(components);
    std::vector<double> sums((size_t)components * (1 + 2 * kDim), 0.0);
    for (int i = 0; i < points; ++i) {
        const float* x = point + (size_t)i * kDim;
        float highest = -INFINITY;
        for (int k = 0; k < components; ++k) {
            float away = 0.0f;
            for (int d = 0; d < kDim; ++d) {
                const float apart = x[d] - component[k * kNumbers + d];
                away += apart * apart * component[k * kNumbers + kDim + d];
            }
            share[k] = component[k * kNumbers + 2 * kDim] - 0.5f * away;
            highest = std::fmax(highest, share[k]);
        }
        float all = 0.0f;
        for (int k = 0; k < components; ++k) {
            share[k] = std::exp(share[k] - highest);
            all += share[k];
        }
        for (int k = 0; k < components; ++k) {
            const float s = share[k] / all;
            double* sum = &sums[(size_t)k * (1 + 2 * kDim)];
            sum[0] += s;
            for (int d = 0; d < kDim; ++d) {
                sum[1 + d] += s * x[d];
                sum[1 + kDim + d] += s * x[d] * x[d];
            }
        }
    }
    for (int k = 0; k < components; ++k) {
        const double* sum = &sums[(size_t)k * (1 + 2 * kDim)];
        weight[k] = (float)sum[0];
        for (int d = 0; d < kDim; ++d) {
            first[k * kDim + d] = (float)sum[1 + d];
            second[k * kDim + d] = (float)sum[1 + kDim + d];
        }
    }
}
