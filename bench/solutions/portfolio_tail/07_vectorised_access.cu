// Tails of portfolio losses: tiles are loaded four numbers at a time.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kTile = 32;

// Four neighbouring entries of a row; `kWide`: rows are multiples of four entries and begin at multiples of 8 bytes.
template <bool kWide>
__device__ int4 four(const int16_t* row, int i, int end) {
    if (kWide) {
        if (i >= end) return {0, 0, 0, 0};
        const short4 quad = *(const short4*)(row + i);
        return {quad.x, quad.y, quad.z, quad.w};
    }
    return {i < end ? row[i] : 0, i + 1 < end ? row[i + 1] : 0, i + 2 < end ? row[i + 2] : 0, i + 3 < end ? row[i + 3] : 0};
}

// A tile of 32 scenarios by 8 portfolios; a thread loads four neighbouring moves at once.
template <bool kWide>
__global__ void revalue(int portfolios, int scenarios, int instruments, const int16_t* __restrict__ holding,
                        const int16_t* __restrict__ move, int32_t* __restrict__ loss) {
    __shared__ __align__(16) int held[8][kTile];
    __shared__ int moved[kTile][kTile + 1];
    const int x = threadIdx.x, y = threadIdx.y, s = blockIdx.x * kTile + x, p = blockIdx.y * 8 + y;
    const int row = (y * 32 + x) / 8, column = x % 8 * 4;  // of what this thread loads
    const int scenario = blockIdx.x * kTile + row, portfolio = blockIdx.y * 8 + row;
    int value = 0;
    for (int first = 0; first < instruments; first += kTile) {
        const int end = instruments - first;
        if (row < 8) {
            const int4 h = portfolio < portfolios ? four<kWide>(holding + (long long)portfolio * instruments + first, column, end) : int4{};
            *(int4*)&held[row][column] = h;
        }
        const int4 m = scenario < scenarios ? four<kWide>(move + (long long)scenario * instruments + first, column, end) : int4{};
        moved[row][column] = m.x;
        moved[row][column + 1] = m.y;
        moved[row][column + 2] = m.z;
        moved[row][column + 3] = m.w;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < kTile; k += 4) {
            const int4 h = *(const int4*)&held[y][k];
            value += h.x * moved[x][k] + h.y * moved[x][k + 1] + h.z * moved[x][k + 2] + h.w * moved[x][k + 3];
        }
        __syncthreads();
    }
    if (p < portfolios && s < scenarios) loss[(long long)p * scenarios + s] = -value;
}

constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr unsigned kAll = 0xffffffffu;

// For thread 0 only.
template <typename T>
__device__ T block_sum(T mine, T* part) {
    for (int apart = 16; apart > 0; apart /= 2) mine += __shfl_down_sync(kAll, mine, apart);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = mine;
    __syncthreads();
    for (int w = 1; threadIdx.x == 0 && w < kWarps; ++w) mine += part[w];
    return mine;
}

// Rank `worst` among the losses from above, eight bits at a time: a histogram of the next digit of those that share the digits so far.
__device__ unsigned select(int scenarios, int worst, const int32_t* mine, int* count, int* part, int* chosen) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned found = 0;
    for (int shift = 24; shift >= 0; shift -= 8) {
        count[threadIdx.x] = 0;
        __syncthreads();
        for (int s = threadIdx.x; s < scenarios; s += kThreads) {
            const unsigned key = (unsigned)mine[s] ^ 0x80000000u;
            if (shift == 24 || key >> (shift + 8) == found >> (shift + 8)) atomicAdd(&count[key >> shift & 255], 1);
        }
        __syncthreads();
        // Thread t holds digit 255 - t, so that a running sum counts the losses with that digit or a larger one.
        const int own = count[255 - threadIdx.x];
        int reach = own;
        for (int apart = 1; apart < 32; apart *= 2) {
            const int left = __shfl_up_sync(kAll, reach, apart);
            if (lane >= apart) reach += left;
        }
        if (lane == 31) part[warp] = reach;
        __syncthreads();
        for (int w = 0; w < warp; ++w) reach += part[w];
        if (reach - own < worst && reach >= worst) {
            chosen[0] = 255 - threadIdx.x;
            chosen[1] = reach - own;
        }
        __syncthreads();
        found |= (unsigned)chosen[0] << shift;
        worst -= chosen[1];
    }
    return found;
}

// The losses of a portfolio are read from global memory once and stay in shared memory.
__global__ void tail(int scenarios, int worst, const int32_t* loss, int32_t* at_risk, int64_t* shortfall) {
    extern __shared__ int32_t mine[];
    __shared__ int64_t wide[kWarps];
    __shared__ int part[kWarps], count[kThreads], chosen[2];
    const int p = blockIdx.x;
    for (int s = threadIdx.x; s < scenarios; s += kThreads) mine[s] = loss[(long long)p * scenarios + s];
    __syncthreads();
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
    const bool wide = instruments % 4 == 0 && ((uintptr_t)holding | (uintptr_t)move) % 8 == 0;
    if (wide)
        revalue<true><<<grid, dim3(kTile, 8)>>>(portfolios, scenarios, instruments, holding, move, loss);
    else
        revalue<false><<<grid, dim3(kTile, 8)>>>(portfolios, scenarios, instruments, holding, move, loss);
    const size_t bytes = sizeof(int32_t) * scenarios;
    cudaFuncSetAttribute(tail, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    tail<<<portfolios, kThreads, bytes>>>(scenarios, worst, loss, at_risk, shortfall);
    cudaFree(loss);
}
