// Tails of portfolio losses: a thread revalues eight portfolios under four scenarios and uses what it reads of shared memory for all pairs.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kTile = 32;  // instruments of a tile
constexpr int kRows = 8;   // threads along portfolios
constexpr int kOwnBooks = 8, kOwnScenarios = 4;
constexpr int kBooks = kRows * kOwnBooks, kScenarios = 32 * kOwnScenarios;

// A tile of 128 scenarios by 64 portfolios; both factors pass through shared memory in rows, which end in zeros.
__global__ void revalue(int portfolios, int scenarios, int instruments, const int16_t* __restrict__ holding,
                        const int16_t* __restrict__ move, int32_t* __restrict__ loss) {
    __shared__ __align__(16) int held[kBooks][kTile];
    __shared__ int moved[kScenarios][kTile + 1];
    const int x = threadIdx.x, y = threadIdx.y, first_scenario = blockIdx.x * kScenarios, first_book = blockIdx.y * kBooks;
    int value[kOwnBooks][kOwnScenarios] = {};
    for (int first = 0; first < instruments; first += kTile) {
        const int i = first + x;
#pragma unroll
        for (int j = 0; j < kBooks / kRows; ++j) {
            const int row = y + j * kRows, p = first_book + row;
            held[row][x] = p < portfolios && i < instruments ? holding[(long long)p * instruments + i] : 0;
        }
#pragma unroll 8
        for (int j = 0; j < kScenarios / kRows; ++j) {
            const int row = y + j * kRows, s = first_scenario + row;
            moved[row][x] = s < scenarios && i < instruments ? move[(long long)s * instruments + i] : 0;
        }
        __syncthreads();
        const int end = min(kTile, instruments - first);
        for (int k = 0; k < end; k += 4) {
            int m[kOwnScenarios][4];
#pragma unroll
            for (int j = 0; j < kOwnScenarios; ++j) {
#pragma unroll
                for (int l = 0; l < 4; ++l) m[j][l] = moved[x + 32 * j][k + l];
            }
#pragma unroll
            for (int own = 0; own < kOwnBooks; ++own) {
                const int4 h = *(const int4*)&held[y * kOwnBooks + own][k];
#pragma unroll
                for (int j = 0; j < kOwnScenarios; ++j) value[own][j] += h.x * m[j][0] + h.y * m[j][1] + h.z * m[j][2] + h.w * m[j][3];
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int own = 0; own < kOwnBooks; ++own) {
        const int p = first_book + y * kOwnBooks + own;
#pragma unroll
        for (int j = 0; j < kOwnScenarios; ++j) {
            const int s = first_scenario + x + 32 * j;
            if (p < portfolios && s < scenarios) loss[(long long)p * scenarios + s] = -value[own][j];
        }
    }
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

__global__ void tail(int scenarios, int worst, const int32_t* loss, int32_t* at_risk, int64_t* shortfall) {
    __shared__ int64_t wide[kWarps];
    __shared__ int part[kWarps], count[kThreads], chosen[2];
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
    cudaMallocAsync(&loss, sizeof(int32_t) * portfolios * scenarios, 0);
    const dim3 grid((scenarios - 1) / kScenarios + 1, (portfolios - 1) / kBooks + 1);
    revalue<<<grid, dim3(32, kRows)>>>(portfolios, scenarios, instruments, holding, move, loss);
    tail<<<portfolios, kThreads>>>(scenarios, worst, loss, at_risk, shortfall);
    cudaFreeAsync(loss, 0);
}
