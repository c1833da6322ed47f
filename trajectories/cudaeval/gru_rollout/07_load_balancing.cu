// GRU: a thread has one row of one gate, so that three times as many threads share a step; gates meet in shared memory.
#include <cuda_runtime.h>

__device__ float logistic(float v) { return 1.0f / (1.0f + expf(-v)); }

__global__ void turn(int width, const float* u, float* turned) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < 3 * width * width) turned[at % width * 3 * width + at / width] = u[at];
}

__global__ void roll(int steps, int batch, int width, const float* __restrict__ x, const float* __restrict__ u, float* __restrict__ h, float* __restrict__ trace) {
    extern __shared__ float weights[];  // [width][3 * width], as turned
    __shared__ __align__(16) float own[128][4], part[384][4];
    const int row = threadIdx.x, b = 4 * blockIdx.x, here = min(4, batch - b), mine = here * width;
    for (int e = threadIdx.x; e < 3 * width * width; e += blockDim.x) weights[e] = u[e];
    for (int e = threadIdx.x; e < 4 * width; e += blockDim.x) own[e % width][e / width] = e < mine ? h[b * width + e] : 0.0f;
    __syncthreads();
    for (int t = 0; t < steps; ++t) {
        if (row < 3 * width) {
            float4 sum = make_float4(0, 0, 0, 0);
            for (int j = 0; j < width; ++j) {
                const float weight = weights[j * 3 * width + row];
                const float4 state = *reinterpret_cast<const float4*>(own[j]);
                sum.x += weight * state.x, sum.y += weight * state.y, sum.z += weight * state.z, sum.w += weight * state.w;
            }
            *reinterpret_cast<float4*>(part[row]) = sum;
        }
        __syncthreads();
        for (int e = threadIdx.x; e < mine; e += blockDim.x) {
            const int i = e % width, s = e / width;
            const float* gate = x + ((size_t)t * batch + b + s) * 3 * width;
            const float r = logistic(gate[i] + part[i][s]), z = logistic(gate[width + i] + part[width + i][s]);
            const float c = tanhf(gate[2 * width + i] + r * part[2 * width + i][s]);
            own[i][s] = (1.0f - z) * own[i][s] + z * c;
            trace[((size_t)t * batch + b) * width + e] = own[i][s];
        }
        __syncthreads();
    }
    for (int e = threadIdx.x; e < mine; e += blockDim.x) h[b * width + e] = own[e % width][e / width];
}

extern "C" void gru_rollout(int steps, int batch, int width, const float* x, const float* u, float* h, float* trace) {
    const size_t bytes = sizeof(float) * 3 * width * width;
    float* turned = nullptr;
    cudaMallocAsync(&turned, bytes, 0);
    turn<<<(3 * width * width + 255) / 256, 256>>>(width, u, turned);
    cudaFuncSetAttribute(roll, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    roll<<<(batch + 3) / 4, (3 * width + 31) / 32 * 32, bytes>>>(steps, batch, width, x, turned, h, trace);
    cudaFreeAsync(turned, 0);
}
