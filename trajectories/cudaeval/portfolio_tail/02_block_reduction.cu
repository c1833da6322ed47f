// Tails of portfolio losses: a block a portfolio counts the losses that reach a bound.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void revalue(int portfolios, int scenarios, int instruments, const int16_t* holding, const int16_t* move, int32_t* loss) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x, p = blockIdx.y;
    if (s >= scenarios) return;
    const int16_t *held = holding + (long long)p * instruments, *moved = move + (long long)s * instruments;
    int value = 0;
    for (int i = 0; i < instruments; ++i) value += held[i] * moved[i];
    loss[(long long)p * scenarios + s] = -value;
}

constexpr int kThreads = 256;

template <typename T>
__device__ T block_sum(T mine, T* part) {
    __syncthreads();
    part[threadIdx.x] = mine;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    return part[0];
}

// The largest number that at least `worst` losses reach, found bit by bit from above; 2^31 is added to make numbers unsigned.
__global__ void tail(int scenarios, int worst, const int32_t* loss, int32_t* at_risk, int64_t* shortfall) {
    __shared__ int64_t wide[kThreads];
    __shared__ int part[kThreads];
    const int p = blockIdx.x;
    const int32_t* mine = loss + (long long)p * scenarios;
    unsigned found = 0;
    for (int bit = 31; bit >= 0; --bit) {
        const unsigned tried = found | 1u << bit;
        int reach = 0;
        for (int s = threadIdx.x; s < scenarios; s += kThreads) reach += ((unsigned)mine[s] ^ 0x80000000u) >= tried;
        if (block_sum(reach, part) >= worst) found = tried;
    }
    const int32_t value = (int32_t)(found ^ 0x80000000u);
    int64_t sum = 0;
    int above = 0;
    for (int s = threadIdx.x; s < scenarios; s += kThreads) {
        if (mine[s] <= value) continue;
        sum += mine[s];
        ++above;
    }
    sum = block_sum(sum, wide);
    above = block_sum(above, part);
    if (threadIdx.x > 0) return;
    at_risk[p] = value;
    shortfall[p] = sum + (int64_t)(worst - above) * value;
}

extern "C" void portfolio_tail(int portfolios, int scenarios, int instruments, int worst, const int16_t* holding, const int16_t* move,
                               int32_t* at_risk, int64_t* shortfall) {
    int32_t* loss = nullptr;
    cudaMalloc(&loss, sizeof(int32_t) * portfolios * scenarios);
    revalue<<<dim3((scenarios - 1) / 128 + 1, portfolios), 128>>>(portfolios, scenarios, instruments, holding, move, loss);
    tail<<<portfolios, kThreads>>>(scenarios, worst, loss, at_risk, shortfall);
    cudaFree(loss);
}
