// GRU: a block has eight sequences, so that a weight serves eight and all blocks run at once.
#include <cuda_runtime.h>

__device__ float logistic(float v) { return 1.0f / (1.0f + expf(-v)); }

constexpr int kMost = 128, kTogether = 8, kOwn = 3;  // units, sequences of a block, states of a thread

__global__ void turn(int width, const float* u, float* turned) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < 3 * width * width) turned[at % width * 3 * width + at / width] = u[at];
}

__global__ void __launch_bounds__(384) roll(int steps, int batch, int width, const float* __restrict__ x, const float* __restrict__ u, float* __restrict__ h, float* __restrict__ trace) {
    __shared__ __align__(16) float own[128][kTogether], part[384][kTogether];
    const int row = threadIdx.x, b = kTogether * blockIdx.x, here = min(kTogether, batch - b), mine = here * width;
    float weight[kMost];
#pragma unroll
    for (int j = 0; j < kMost; ++j) weight[j] = row < 3 * width && j < width ? u[j * 3 * width + row] : 0.0f;
    for (int e = threadIdx.x; e < kTogether * width; e += blockDim.x) own[e % width][e / width] = e < mine ? h[b * width + e] : 0.0f;
    __syncthreads();
    float gate[kOwn][3];  // what arrives for a thread's states in the step to come; there are at most kOwn of them
    const auto fetch = [&](int t) {
#pragma unroll
        for (int n = 0; n < kOwn; ++n) {
            const int e = threadIdx.x + n * blockDim.x;
            if (e >= mine) continue;
            const float* from = x + ((size_t)t * batch + b + e / width) * 3 * width + e % width;
#pragma unroll
            for (int g = 0; g < 3; ++g) gate[n][g] = from[g * width];
        }
    };
    for (int t = 0; t < steps; ++t) {
        fetch(t);
        if (row < 3 * width) {
            float4 sum = make_float4(0, 0, 0, 0), more = sum;
#pragma unroll
            for (int j = 0; j < kMost; ++j) {
                if (j >= width) break;
                const float4 state = *reinterpret_cast<const float4*>(own[j]), other = *reinterpret_cast<const float4*>(own[j] + 4);
                sum.x += weight[j] * state.x, sum.y += weight[j] * state.y, sum.z += weight[j] * state.z, sum.w += weight[j] * state.w;
                more.x += weight[j] * other.x, more.y += weight[j] * other.y, more.z += weight[j] * other.z, more.w += weight[j] * other.w;
            }
            *reinterpret_cast<float4*>(part[row]) = sum;
            *reinterpret_cast<float4*>(part[row] + 4) = more;
        }
        __syncthreads();
#pragma unroll
        for (int n = 0; n < kOwn; ++n) {
            const int e = threadIdx.x + n * blockDim.x, i = e % width, s = e / width;
            if (e >= mine) continue;
            const float r = logistic(gate[n][0] + part[i][s]), z = logistic(gate[n][1] + part[width + i][s]);
            const float c = tanhf(gate[n][2] + r * part[2 * width + i][s]);
            own[i][s] = (1.0f - z) * own[i][s] + z * c;
            trace[((size_t)t * batch + b) * width + e] = own[i][s];
        }
        __syncthreads();
    }
    for (int e = threadIdx.x; e < mine; e += blockDim.x) h[b * width + e] = own[e % width][e / width];
}

extern "C" void gru_rollout(int steps, int batch, int width, const float* x, const float* u, float* h, float* trace) {
    float* turned = nullptr;
    cudaMallocAsync(&turned, sizeof(float) * 3 * width * width, 0);
    turn<<<(3 * width * width + 255) / 256, 256>>>(width, u, turned);
    roll<<<(batch + kTogether - 1) / kTogether, (3 * width + 31) / 32 * 32>>>(steps, batch, width, x, turned, h, trace);
    cudaFreeAsync(turned, 0);
}
