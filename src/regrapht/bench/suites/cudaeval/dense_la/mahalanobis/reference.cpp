#include <cstdint>

// Squared Mahalanobis distance of every sample from the mean, for a general precision matrix.
void mahalanobis(int samples, int dims, const float* sample, const float* mean, const float* precision, float* distance) {
    for (int s = 0; s < samples; ++s) {
        const float* x = sample + (int64_t)s * dims;
        float total = 0.0f;
        for (int i = 0; i < dims; ++i) {
            float dot = 0.0f;
            for (int j = 0; j < dims; ++j) dot += precision[(int64_t)i * dims + j] * (x[j] - mean[j]);
            total += (x[i] - mean[i]) * dot;
        }
        distance[s] = total;
    }
}
