// Runs and levels of residual blocks: one pass: teams look back at the counts of those before them, levels never leave registers.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kPlaces = 16;
constexpr int kThreads = 128;

// Place i of the zigzag, four bits each.
__device__ constexpr int zigzag(int i) { return (int)(0xfeb7adc963258410ull >> 4 * i & 15); }

__device__ void transform_line(int& a, int& b, int& c, int& d) {
    const int outer = a + d, inner = b + c, bend = b - c, slope = a - d;
    a = outer + inner;
    b = 2 * slope + bend;
    c = outer - inner;
    d = slope - 2 * bend;
}

__device__ void transform_block(int* v) {
#pragma unroll
    for (int y = 0; y < 4; ++y) transform_line(v[4 * y], v[4 * y + 1], v[4 * y + 2], v[4 * y + 3]);
#pragma unroll
    for (int x = 0; x < 4; ++x) transform_line(v[x], v[4 + x], v[8 + x], v[12 + x]);
}

__device__ int quantise(int place, int value, int coarseness) {
    const int odd = (place & 1) + (place >> 2 & 1), factor = odd == 0 ? 13107 : odd == 1 ? 8066 : 5243, shift = 15 + coarseness;
    const int size = (int)(((int64_t)abs(value) * factor + (1 << shift) / 3) >> shift);
    return value < 0 ? -size : size;
}

__device__ void load_block(int64_t block, int across, const int16_t* residual, int* v) {
    const short4* corner = reinterpret_cast<const short4*>(residual) + block / across * 4 * across + block % across;  // a row's four
#pragma unroll
    for (int y = 0; y < 4; ++y) {
        const short4 row = corner[y * (int64_t)across];
        v[4 * y] = row.x;
        v[4 * y + 1] = row.y;
        v[4 * y + 2] = row.z;
        v[4 * y + 3] = row.w;
    }
}

// The sum of the values before this thread's one, and of all of the block's.
__device__ int2 scan_threads(int value) {
    __shared__ int partial[kThreads / 32];
    int sum = value;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        const int before = __shfl_up_sync(~0u, sum, step);
        sum += (int)(threadIdx.x % 32) >= step ? before : 0;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 31) partial[threadIdx.x / 32] = sum;
    __syncthreads();
    int2 found = make_int2(sum - value, 0);
#pragma unroll
    for (int w = 0; w < kThreads / 32; ++w) {
        found.x += w < (int)threadIdx.x / 32 ? partial[w] : 0;
        found.y += partial[w];
    }
    return found;
}

// What is known of a team of blocks: its own codes (bit 30 set) or those of all up to it (bit 31 set as well).
constexpr uint32_t kKnown = 1u << 30, kWhole = 3u << 30;

// The codes of all teams before this one: the first warp looks back, 32 teams at a time, until one knows the whole.
__device__ int codes_before(int team, uint32_t* known) {
    int sum = 0;
    for (int nearest = team - 1; nearest >= 0; nearest -= 32) {
        const int at = nearest - (int)threadIdx.x;
        uint32_t seen = kWhole;
        while (at >= 0 && (seen = atomicOr(known + at, 0)) < kKnown) __nanosleep(32);
        const uint32_t whole = __ballot_sync(~0u, seen >= kWhole);
        const int end = whole ? __ffs(whole) : 32;
        sum += __reduce_add_sync(~0u, (int)threadIdx.x < end ? seen & (kKnown - 1) : 0);
        if (whole) break;
    }
    return sum;
}

// From residuals to codes in one pass: levels stay in registers, teams of blocks take their places by a ticket.
__global__ void __launch_bounds__(kThreads) code_blocks(int64_t blocks, int across, int coarseness, const int16_t* residual, int32_t* start,
                                                        uint16_t* code, int32_t* codes, uint32_t* known) {
    __shared__ int ticket, earlier;
    if (threadIdx.x == 0) ticket = atomicAdd(known + gridDim.x, 1);
    __syncthreads();
    const int64_t block = (int64_t)ticket * kThreads + threadIdx.x;
    int level[kPlaces] = {}, count = 0;
    if (block < blocks) {
        int v[kPlaces];
        load_block(block, across, residual, v);
        transform_block(v);
#pragma unroll
        for (int i = 0; i < kPlaces; ++i) {
            level[i] = quantise(zigzag(i), v[zigzag(i)], coarseness);
            count += level[i] != 0;
        }
    }
    const int2 sum = scan_threads(count);
    if (threadIdx.x < 32) {
        const int team = ticket;
        if (threadIdx.x == 0) atomicExch(known + team, (team == 0 ? kWhole : kKnown) | sum.y);
        const int before = codes_before(team, known);
        if (threadIdx.x == 0) {
            if (team > 0) atomicExch(known + team, kWhole | (before + sum.y));
            earlier = before;
            if (team + 1 == (int)gridDim.x) *codes = before + sum.y;
        }
    }
    __syncthreads();
    if (block >= blocks) return;
    start[block] = earlier + sum.x;
    uint16_t* next = code + earlier + sum.x;
#pragma unroll
    for (int i = 0, run = 0; i < kPlaces; ++i, ++run) {
        if (level[i] == 0) continue;
        *next++ = run << 12 | (level[i] & 0xfff);
        run = -1;
    }
}

extern "C" void residual_runs(int down, int across, int coarseness, const int16_t* residual, int32_t* start, uint16_t* code,
                              int32_t* codes) {
    const int64_t blocks = (int64_t)down * across;
    const int teams = (int)((blocks - 1) / kThreads + 1);
    uint32_t* known = nullptr;
    cudaMalloc(&known, (teams + 1) * sizeof(uint32_t));
    cudaMemsetAsync(known, 0, (teams + 1) * sizeof(uint32_t));
    code_blocks<<<teams, kThreads>>>(blocks, across, coarseness, residual, start, code, codes, known);
    cudaFree(known);
}
