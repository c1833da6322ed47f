// Levinson-Durbin recursions: one thread a frame.
#include <cuda_runtime.h>

__global__ void solve(int frames, int order, const float* energy, const float* lag, float* filter, float* residue) {
    int f = blockIdx.x * blockDim.x + threadIdx.x;
    if (f >= frames) return;
    const float* r = lag + (long long)f * order;
    float* a = filter + (long long)f * order;
    float before[32], error = energy[f];
    for (int j = 0; j < order; ++j) a[j] = 0.0f;
    for (int m = 0; m < order && error > 0.0f; ++m) {
        float gap = r[m];
        for (int j = 0; j < m; ++j) gap += a[j] * r[m - 1 - j];
        float reflection = -gap / error;
        for (int j = 0; j < m; ++j) before[j] = a[j];
        for (int j = 0; j < m; ++j) a[j] += reflection * before[m - 1 - j];
        a[m] = reflection;
        error *= 1.0f - reflection * reflection;
    }
    residue[f] = error;
}

extern "C" void levinson_filters(int frames, int order, const float* energy, const float* lag, float* filter, float* residue) {
    if (frames > 0) solve<<<(frames + 127) / 128, 128>>>(frames, order, energy, lag, filter, residue);
}
