// Tails of portfolio losses: moves and holdings are staged in tiles.
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
    const dim3 grid((scenarios - 1) / kTile + 1, (portfolios - 1) / 8 + 1);
    revalue<<<grid, dim3(kTile, 8)>>>(portfolios, scenarios, instruments, holding, move, loss);
    tail<<<portfolios, kThreads>>>(scenarios, worst, loss, at_risk, shortfall);
    cudaFree(loss);
}
