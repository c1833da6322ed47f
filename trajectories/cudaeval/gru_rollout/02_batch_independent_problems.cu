// GRU: a block keeps a sequence's state in shared memory through all steps; one launch.
#include <cuda_runtime.h>

__device__ float logistic(float v) { return 1.0f / (1.0f + expf(-v)); }

__device__ float row(int r, int width, const float* u, const float* h) {
    float sum = 0.0f;
    for (int j = 0; j < width; ++j) sum += u[r * width + j] * h[j];
    return sum;
}

__global__ void roll(int steps, int batch, int width, const float* x, const float* u, float* h, float* trace) {
    __shared__ float own[128];
    const int i = threadIdx.x, b = blockIdx.x;
    if (i < width) own[i] = h[b * width + i];
    __syncthreads();
    for (int t = 0; t < steps; ++t) {
        const float* gate = x + ((size_t)t * batch + b) * 3 * width;
        float next = 0.0f;
        if (i < width) {
            const float r = logistic(gate[i] + row(i, width, u, own)), z = logistic(gate[width + i] + row(width + i, width, u, own));
            const float c = tanhf(gate[2 * width + i] + r * row(2 * width + i, width, u, own));
            next = (1.0f - z) * own[i] + z * c;
            trace[((size_t)t * batch + b) * width + i] = next;
        }
        __syncthreads();
        if (i < width) own[i] = next;
        __syncthreads();
    }
    if (i < width) h[b * width + i] = own[i];
}

extern "C" void gru_rollout(int steps, int batch, int width, const float* x, const float* u, float* h, float* trace) {
    roll<<<batch, (width + 31) / 32 * 32>>>(steps, batch, width, x, u, h, trace);
}
