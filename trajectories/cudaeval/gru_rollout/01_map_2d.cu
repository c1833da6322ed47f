// GRU: a launch a time step, one unit of one sequence a thread, the state in two buffers.
#include <cuda_runtime.h>

__device__ float logistic(float v) { return 1.0f / (1.0f + expf(-v)); }

__device__ float row(int r, int width, const float* u, const float* h) {
    float sum = 0.0f;
    for (int j = 0; j < width; ++j) sum += u[r * width + j] * h[j];
    return sum;
}

__global__ void step(int batch, int width, const float* x, const float* u, const float* h, float* out) {
    const int i = blockIdx.x * 32 + threadIdx.x, b = blockIdx.y * 8 + threadIdx.y;
    if (i >= width || b >= batch) return;
    const float *own = h + b * width, *gate = x + (size_t)b * 3 * width;
    const float r = logistic(gate[i] + row(i, width, u, own)), z = logistic(gate[width + i] + row(width + i, width, u, own));
    const float c = tanhf(gate[2 * width + i] + r * row(2 * width + i, width, u, own));
    out[b * width + i] = (1.0f - z) * own[i] + z * c;
}

extern "C" void gru_rollout(int steps, int batch, int width, const float* x, const float* u, float* h, float* trace) {
    const dim3 grid((width + 31) / 32, (batch + 7) / 8), block(32, 8);
    const size_t size = (size_t)batch * width;
    for (int t = 0; t < steps; ++t)
        step<<<grid, block>>>(batch, width, x + 3 * t * size, u, t ? trace + (t - 1) * size : h, trace + t * size);
    cudaMemcpyAsync(h, trace + (steps - 1) * size, sizeof(float) * size, cudaMemcpyDeviceToDevice);
}
