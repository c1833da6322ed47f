// Rectified linear unit: one element a thread.
#include <cuda_runtime.h>

__device__ float rectified(float v) { return v > 0.0f ? v : 0.0f; }

__global__ void rectify(int count, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) y[i] = rectified(x[i]);
}

extern "C" void relu(int n, const float* x, float* y) {
    const int count = n;
    if (count > 0) rectify<<<(unsigned)((count - 1) / 256 + 1), 256>>>(count, x, y);
}
