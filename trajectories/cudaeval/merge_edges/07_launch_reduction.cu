// Edges: what is left over is cleared by the kernel that writes, and start begins with 0 without a launch of its own.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

__global__ void count(int entries, const int* from, int* first) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < entries) atomicAdd(&first[from[i] + 1], 1);
}

constexpr int kPart = 1024;

// The sum over a block of 256 up to each thread.
__device__ int sum_up_to(int value) {
    __shared__ int part[8];
    const int lane = threadIdx.x % 32;
    for (int apart = 1; apart < 32; apart *= 2) {
        const int before = __shfl_up_sync(0xffffffffu, value, apart);
        if (lane >= apart) value += before;
    }
    if (lane == 31) part[threadIdx.x / 32] = value;
    __syncthreads();
    for (int w = 0; w < threadIdx.x / 32; ++w) value += part[w];
    return value;
}

__global__ void add_up_parts(int rows, const int* first, int* part) {
    int sum = 0;
    for (int r = blockIdx.x * kPart + threadIdx.x; r < min(rows, (int)(blockIdx.x + 1) * kPart); r += 256) sum += first[r + 1];
    sum = sum_up_to(sum);
    if (threadIdx.x == 255) part[blockIdx.x] = sum;
}

// Running totals of first[1] .. first[rows], four a thread; `part` has the totals of the blocks.
__global__ void accumulate(int rows, const int* part, int* first) {
    __shared__ int before;
    if (threadIdx.x == 0) before = 0;
    __syncthreads();
    int sum = 0;
    for (int p = threadIdx.x; p < blockIdx.x; p += 256) sum += part[p];
    if (sum != 0) atomicAdd(&before, sum);
    const int own = blockIdx.x * kPart + 4 * threadIdx.x + 1;
    int count[4];
    sum = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        if (own + i <= rows) sum += first[own + i];
        count[i] = sum;
    }
    const int up_to = sum_up_to(sum) - sum + before;
#pragma unroll
    for (int i = 0; i < 4; ++i)
        if (own + i <= rows) first[own + i] = up_to + count[i];
    if (own == 1) first[0] = 0;
}

// seat[r] is the number of entries of row r that have a place. A pair has the column in its upper half, the amount in the lower.
__global__ void scatter(int entries, const int* from, const int* to, const int* amount, const int* first, int* seat, uint64_t* pair) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= entries) return;
    const int slot = first[from[i]] + atomicAdd(&seat[from[i]], 1);
    pair[slot] = (uint64_t)to[i] << 32 | (uint32_t)amount[i];
}

__device__ void sort_alone(int first, int last, uint64_t* pair) {
    for (int i = first + 1; i < last; ++i) {
        const uint64_t own = pair[i];
        int at = i;
        for (; at > first && pair[at - 1] > own; --at) pair[at] = pair[at - 1];
        pair[at] = own;
    }
}

// Sorts one pair a lane by a bitonic network.
__device__ uint64_t sorted(uint64_t own, int lane) {
#pragma unroll
    for (int run = 2; run <= 32; run *= 2) {
#pragma unroll
        for (int apart = run / 2; apart > 0; apart /= 2) {
            const uint64_t other = __shfl_xor_sync(0xffffffffu, own, apart);
            const bool takes_less = ((lane & apart) == 0) == ((lane & run) == 0);
            if (takes_less ? other < own : other > own) own = other;
        }
    }
    return own;
}

__device__ int merge_alone(int first, int last, uint64_t* pair) {
    int used = first;
    for (int i = first; i < last; ++i) {
        const uint64_t own = pair[i];
        if (used > first && pair[used - 1] >> 32 == own >> 32)
            pair[used - 1] = own >> 32 << 32 | (uint32_t)(pair[used - 1] + own);
        else
            pair[used++] = own;
    }
    return used - first;
}

// A warp sorts and merges a row of up to 32 entries: the first of each column gathers the amounts of those behind it.
__global__ void merge_rows(int rows, const int* first, uint64_t* pair, int* start) {
    const int r = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    const int begin = first[r], length = first[r + 1] - begin;
    if (length > 32) {
        if (lane == 0) {
            sort_alone(begin, begin + length, pair);
            start[r + 1] = merge_alone(begin, begin + length, pair);
        }
        return;
    }
    const uint64_t own = sorted(lane < length ? pair[begin + lane] : ~0ull, lane);
    const int column = (int)(own >> 32);
    int sum = (int)own;
    for (int apart = 1; apart < 32; apart *= 2) {
        const int other = __shfl_down_sync(0xffffffffu, sum, apart), theirs = __shfl_down_sync(0xffffffffu, column, apart);
        if (lane + apart < 32 && theirs == column) sum += other;
    }
    const int before = __shfl_up_sync(0xffffffffu, column, 1);
    const bool is_first = lane < length && (lane == 0 || before != column);
    const unsigned all = __ballot_sync(0xffffffffu, is_first);
    __syncwarp();  // all lanes have read what is written now
    if (is_first) pair[begin + __popc(all & ((1u << lane) - 1))] = (uint64_t)column << 32 | (uint32_t)sum;
    if (lane == 0) start[r + 1] = __popc(all);
}

// Eight lanes write a row; all threads together clear what is left over.
__global__ void write_rows(int rows, int entries, const int* first, const uint64_t* pair, const int* start, int* column,
                           int* total) {
    for (int i = start[rows] + blockIdx.x * 128 + threadIdx.x; i < entries; i += gridDim.x * 128) column[i] = -1, total[i] = 0;
    const int r = blockIdx.x * 16 + threadIdx.x / 8;
    if (r >= rows) return;
    const int begin = start[r], length = start[r + 1] - begin, from = first[r];
    for (int i = threadIdx.x % 8; i < length; i += 8) {
        const uint64_t own = pair[from + i];
        column[begin + i] = (int)(own >> 32);
        total[begin + i] = (int)own;
    }
}

extern "C" void merge_edges(int rows, int cols, int entries, const int32_t* from, const int32_t* to, const int32_t* amount, int32_t* start,
                            int32_t* column, int32_t* total) {
    (void)cols;
    const int entry_blocks = (entries + 255) / 256, parts = (rows + kPart - 1) / kPart;
    int *first = nullptr, *seat = nullptr, *part = nullptr;
    uint64_t* pair = nullptr;
    cudaMallocAsync(&first, sizeof(int) * (2 * rows + 1), 0);
    seat = first + rows + 1;
    cudaMallocAsync(&pair, sizeof(uint64_t) * entries, 0);
    cudaMallocAsync(&part, sizeof(int) * parts, 0);
    cudaMemsetAsync(first, 0, sizeof(int) * (2 * rows + 1));
    count<<<entry_blocks, 256>>>(entries, from, first);
    add_up_parts<<<parts, 256>>>(rows, first, part);
    accumulate<<<parts, 256>>>(rows, part, first);
    scatter<<<entry_blocks, 256>>>(entries, from, to, amount, first, seat, pair);
    merge_rows<<<(rows + 3) / 4, 128>>>(rows, first, pair, start);
    add_up_parts<<<parts, 256>>>(rows, start, part);
    accumulate<<<parts, 256>>>(rows, part, start);
    write_rows<<<(rows + 15) / 16, 128>>>(rows, entries, first, pair, start, column, total);
    cudaFreeAsync(first, 0);
    cudaFreeAsync(pair, 0);
    cudaFreeAsync(part, 0);
}
