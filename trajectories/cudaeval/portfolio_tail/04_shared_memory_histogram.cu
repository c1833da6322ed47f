// Tails of portfolio losses: the rank is found from histograms of eight bits, four passes in place of 32.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kTile = 32;

// A tile of 32 scenarios by 8 portfolios; both factors pass through shared memory in rows.
__global__ void revalue(int portfolios, int scenarios, int instruments, const int16_t* holding, const int16_t* move, int32_t* loss) {
    __shared__ int held[8][kTile], moved[kTile][kTile + 1];
    const int x = threadIdx.x, y = threadIdx.y, s = blockIdx.x * kTile + x, p = blockIdx.y * 8 + y;
    int value = 0;
    for (int first = 0; first < instruments; first += kTile) {
        const int i = first + x;
        held[y][x] = p < portfolios && i < instruments ? holding[(long long)p * instruments + i] : 0;
        for (int row = y; row < kTile; row += 8) {
            const int scenario = blockIdx.x * kTile + row;
            moved[row][x] = scenario < scenarios && i < instruments ? move[(long long)scenario * instruments + i] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < kTile; ++k) value += held[y][k] * moved[x][k];
        __syncthreads();
    }
    if (p < portfolios && s < scenarios) loss[(long long)p * scenarios + s] = -value;
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

// Rank `worst` among the losses from above, eight bits at a time: a histogram of the next digit of those that share the digits so far.
__device__ unsigned select(int scenarios, int worst, const int32_t* mine, int* count, int* part, int* chosen) {
    unsigned found = 0;
    for (int shift = 24; shift >= 0; shift -= 8) {
        count[threadIdx.x] = 0;
        __syncthreads();
        for (int s = threadIdx.x; s < scenarios; s += kThreads) {
            const unsigned key = (unsigned)mine[s] ^ 0x80000000u;
            if (shift == 24 || key >> (shift + 8) == found >> (shift + 8)) atomicAdd(&count[key >> shift & 255], 1);
        }
        __syncthreads();
        // After each step a digit's entry is the number of losses with that digit or a larger one, as far as 2 * apart - 1 above it.
        part[threadIdx.x] = count[threadIdx.x];
        __syncthreads();
        for (int apart = 1; apart < 256; apart *= 2) {
            const int more = threadIdx.x + apart < 256 ? part[threadIdx.x + apart] : 0;
            __syncthreads();
            part[threadIdx.x] += more;
            __syncthreads();
        }
        const int larger = part[threadIdx.x] - count[threadIdx.x];
        if (larger < worst && part[threadIdx.x] >= worst) {
            chosen[0] = threadIdx.x;
            chosen[1] = larger;
        }
        __syncthreads();
        found |= (unsigned)chosen[0] << shift;
        worst -= chosen[1];
    }
    return found;
}

__global__ void tail(int scenarios, int worst, const int32_t* loss, int32_t* at_risk, int64_t* shortfall) {
    __shared__ int64_t wide[kThreads];
    __shared__ int part[kThreads], count[kThreads], chosen[2];
    const int p = blockIdx.x;
    const int32_t* mine = loss + (long long)p * scenarios;
    const int32_t value = (int32_t)(select(scenarios, worst, mine, count, part, chosen) ^ 0x80000000u);
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
    const dim3 grid((scenarios - 1) / kTile + 1, (portfolios - 1) / 8 + 1);
    revalue<<<grid, dim3(kTile, 8)>>>(portfolios, scenarios, instruments, holding, move, loss);
    tail<<<portfolios, kThreads>>>(scenarios, worst, loss, at_risk, shortfall);
    cudaFree(loss);
}
