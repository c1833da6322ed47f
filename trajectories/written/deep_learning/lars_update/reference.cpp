// Optimiser step with a trust ratio for each tensor.
#include <cmath>

static double norm(const float* values, int begin, int end) {
    double sum = 0.0;
    for (int i = begin; i < end; ++i) sum += (double)values[i] * values[i];
    return std::sqrt(sum);
}

void lars_update(int tensors, int n, float rate, float decay, float trust, const int* start, const float* gradient,
                 float* weight, float* momentum, float* ratio) {
    (void)n;
    for (int k = 0; k < tensors; ++k) {
        double w = norm(weight, start[k], start[k + 1]), g = norm(gradient, start[k], start[k + 1]);
        ratio[k] = w > 0.0 && g > 0.0 ? (float)(trust * w / (g + decay * w)) : 1.0f;
        float step = rate * ratio[k];
        for (int i = start[k]; i < start[k + 1]; ++i) {
            momentum[i] = 0.9f * momentum[i] + step * (gradient[i] + decay * weight[i]);
            weight[i] -= momentum[i];
        }
    }
}
