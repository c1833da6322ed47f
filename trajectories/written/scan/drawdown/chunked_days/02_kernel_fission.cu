// Drawdown: chunks of days find their maximum, then the level before each chunk, then every chunk runs by itself.
#include <cuda_runtime.h>

constexpr int kChunk = 256;

__global__ void tops(int series, int days, int chunks, const float* price, float* top) {
    int k = blockIdx.x * blockDim.x + threadIdx.x, s = blockIdx.y;
    if (k >= chunks) return;
    float high = 0.0f;
    for (int d = k * kChunk; d < min((k + 1) * kChunk, days); ++d) high = fmaxf(high, price[(size_t)s * days + d]);
    top[(size_t)s * chunks + k] = high;
}

// Replaces the maximum of each chunk by that of the chunks before it.
__global__ void levels(int series, int chunks, float* top, int* worst) {
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= series) return;
    float before = 0.0f;
    for (int k = 0; k < chunks; ++k) {
        float own = top[(size_t)s * chunks + k];
        top[(size_t)s * chunks + k] = before;
        before = fmaxf(before, own);
    }
    worst[s] = 0;
}

// The bits of floats that are not negative order as integers do, so the worst is an integer maximum.
__global__ void fall(int series, int days, int chunks, const float* price, const float* level, float* below, int* worst) {
    int k = blockIdx.x * blockDim.x + threadIdx.x, s = blockIdx.y;
    if (k >= chunks) return;
    float high = level[(size_t)s * chunks + k], deepest = 0.0f;
    for (int d = k * kChunk; d < min((k + 1) * kChunk, days); ++d) {
        size_t i = (size_t)s * days + d;
        high = fmaxf(high, price[i]);
        float depth = (high - price[i]) / high;
        below[i] = depth;
        deepest = fmaxf(deepest, depth);
    }
    atomicMax(worst + s, __float_as_int(deepest));
}

extern "C" void drawdown(int series, int days, const float* price, float* below, float* worst) {
    int chunks = (days + kChunk - 1) / kChunk;
    float* top = nullptr;
    cudaMalloc(&top, (size_t)series * chunks * sizeof(float));
    int* bits = reinterpret_cast<int*>(worst);
    dim3 grid((chunks + 63) / 64, series);
    tops<<<grid, 64>>>(series, days, chunks, price, top);
    levels<<<(series + 63) / 64, 64>>>(series, chunks, top, bits);
    fall<<<grid, 64>>>(series, days, chunks, price, top, below, bits);
    cudaFree(top);
}
