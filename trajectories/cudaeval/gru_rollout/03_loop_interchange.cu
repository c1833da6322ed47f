// GRU: weights are turned once, so that a warp reads them side by side; one loop serves three gates.
#include <cuda_runtime.h>

__device__ float logistic(float v) { return 1.0f / (1.0f + expf(-v)); }

__global__ void turn(int width, const float* u, float* turned) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < 3 * width * width) turned[at % width * 3 * width + at / width] = u[at];
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
            float reset = 0.0f, update = 0.0f, fresh = 0.0f;
            for (int j = 0; j < width; ++j) {
                const float value = own[j], *weight = u + j * 3 * width + i;
                reset += weight[0] * value;
                update += weight[width] * value;
                fresh += weight[2 * width] * value;
            }
            const float r = logistic(gate[i] + reset), z = logistic(gate[width + i] + update);
            const float c = tanhf(gate[2 * width + i] + r * fresh);
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
    float* turned = nullptr;
    cudaMallocAsync(&turned, sizeof(float) * 3 * width * width, 0);
    turn<<<(3 * width * width + 255) / 256, 256>>>(width, u, turned);
    roll<<<batch, (width + 31) / 32 * 32>>>(steps, batch, width, x, turned, h, trace);
    cudaFreeAsync(turned, 0);
}
