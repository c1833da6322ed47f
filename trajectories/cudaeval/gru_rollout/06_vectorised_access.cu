// GRU: the states of four sequences are one read of 16 bytes.
#include <cuda_runtime.h>

__device__ float logistic(float v) { return 1.0f / (1.0f + expf(-v)); }

__global__ void turn(int width, const float* u, float* turned) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < 3 * width * width) turned[at % width * 3 * width + at / width] = u[at];
}

__global__ void roll(int steps, int batch, int width, const float* __restrict__ x, const float* __restrict__ u, float* __restrict__ h, float* __restrict__ trace) {
    extern __shared__ float weights[];  // [width][3 * width], as turned
    __shared__ __align__(16) float own[128][4];
    const int i = threadIdx.x, b = 4 * blockIdx.x, here = min(4, batch - b);
    for (int e = threadIdx.x; e < 3 * width * width; e += blockDim.x) weights[e] = u[e];
    if (i < width)
        for (int s = 0; s < 4; ++s) own[i][s] = s < here ? h[(b + s) * width + i] : 0.0f;
    __syncthreads();
    for (int t = 0; t < steps; ++t) {
        float next[4] = {};
        if (i < width) {
            float reset[4] = {}, update[4] = {}, fresh[4] = {};
            for (int j = 0; j < width; ++j) {
                const float *weight = weights + j * 3 * width + i, first = weight[0], second = weight[width], third = weight[2 * width];
                const float4 state = *reinterpret_cast<const float4*>(own[j]);
                const float all[4] = {state.x, state.y, state.z, state.w};
#pragma unroll
                for (int s = 0; s < 4; ++s) {
                    reset[s] += first * all[s];
                    update[s] += second * all[s];
                    fresh[s] += third * all[s];
                }
            }
#pragma unroll
            for (int s = 0; s < 4; ++s) {
                if (s >= here) break;
                const float* gate = x + ((size_t)t * batch + b + s) * 3 * width;
                const float r = logistic(gate[i] + reset[s]), z = logistic(gate[width + i] + update[s]);
                const float c = tanhf(gate[2 * width + i] + r * fresh[s]);
                next[s] = (1.0f - z) * own[i][s] + z * c;
                trace[((size_t)t * batch + b + s) * width + i] = next[s];
            }
        }
        __syncthreads();
        if (i < width)
            for (int s = 0; s < 4; ++s) own[i][s] = next[s];
        __syncthreads();
    }
    if (i < width)
        for (int s = 0; s < here; ++s) h[(b + s) * width + i] = own[i][s];
}

extern "C" void gru_rollout(int steps, int batch, int width, const float* x, const float* u, float* h, float* trace) {
    const size_t bytes = sizeof(float) * 3 * width * width;
    float* turned = nullptr;
    cudaMallocAsync(&turned, bytes, 0);
    turn<<<(3 * width * width + 255) / 256, 256>>>(width, u, turned);
    cudaFuncSetAttribute(roll, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    roll<<<(batch + 3) / 4, (width + 31) / 32 * 32, bytes>>>(steps, batch, width, x, turned, h, trace);
    cudaFreeAsync(turned, 0);
}
