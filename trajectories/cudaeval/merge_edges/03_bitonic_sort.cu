// Edges: a warp sorts a row in registers.
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
}

// seat[r] is the number of entries of row r that have a place.
__global__ void scatter(int entries, const int* from, const int* to, const int* amount, const int* first, int* seat, int* key, int* value) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= entries) return;
    const int slot = first[from[i]] + atomicAdd(&seat[from[i]], 1);
    key[slot] = to[i];
    value[slot] = amount[i];
}

__device__ void sort_alone(int first, int last, int* key, int* value) {
    for (int i = first + 1; i < last; ++i) {
        const int k = key[i], v = value[i];
        int at = i;
        for (; at > first && key[at - 1] > k; --at) {
            key[at] = key[at - 1];
            value[at] = value[at - 1];
        }
        key[at] = k;
        value[at] = v;
    }
}

// A warp sorts a row of up to 32 entries by a bitonic network; longer ones are left to one lane.
__global__ void sort_rows(int rows, const int* first, int* key, int* value) {
    const int r = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    const int begin = first[r], length = first[r + 1] - begin;
    if (length > 32) {
        if (lane == 0) sort_alone(begin, begin + length, key, value);
        return;
    }
    int k = lane < length ? key[begin + lane] : 0x7fffffff, v = lane < length ? value[begin + lane] : 0;
#pragma unroll
    for (int run = 2; run <= 32; run *= 2) {
#pragma unroll
        for (int apart = run / 2; apart > 0; apart /= 2) {
            const int other = __shfl_xor_sync(0xffffffffu, k, apart), theirs = __shfl_xor_sync(0xffffffffu, v, apart);
            const bool takes_less = ((lane & apart) == 0) == ((lane & run) == 0);
            if (takes_less ? other < k : other > k) k = other, v = theirs;
        }
    }
    if (lane < length) key[begin + lane] = k, value[begin + lane] = v;
}

__global__ void merge_rows(int rows, const int* first, int* key, int* value, int* start) {
    const int r = blockIdx.x * 128 + threadIdx.x;
    if (r >= rows) return;
    int used = first[r];
    for (int i = first[r]; i < first[r + 1]; ++i) {
        if (used > first[r] && key[used - 1] == key[i]) {
            value[used - 1] += value[i];
        } else {
            key[used] = key[i];
            value[used++] = value[i];
        }
    }
    start[r + 1] = used - first[r];
}

__global__ void write_rows(int rows, const int* first, const int* key, const int* value, const int* start, int* column, int* total) {
    const int r = blockIdx.x * 128 + threadIdx.x;
    if (r >= rows) return;
    for (int i = start[r]; i < start[r + 1]; ++i) {
        column[i] = key[first[r] + i - start[r]];
        total[i] = value[first[r] + i - start[r]];
    }
}

__global__ void clear_rest(int rows, int entries, const int* start, int* column, int* total) {
    const int i = start[rows] + blockIdx.x * 256 + threadIdx.x;
    if (i >= entries) return;
    column[i] = -1;
    total[i] = 0;
}

extern "C" void merge_edges(int rows, int cols, int entries, const int32_t* from, const int32_t* to, const int32_t* amount, int32_t* start,
                            int32_t* column, int32_t* total) {
    (void)cols;
    const int entry_blocks = (entries + 255) / 256, row_blocks = (rows + 127) / 128, parts = (rows + kPart - 1) / kPart;
    int *first = nullptr, *seat = nullptr, *key = nullptr, *value = nullptr, *part = nullptr;
    cudaMallocAsync(&first, sizeof(int) * (2 * rows + 1), 0);
    seat = first + rows + 1;
    cudaMallocAsync(&key, sizeof(int) * entries, 0);
    cudaMallocAsync(&value, sizeof(int) * entries, 0);
    cudaMallocAsync(&part, sizeof(int) * parts, 0);
    cudaMemsetAsync(first, 0, sizeof(int) * (2 * rows + 1));
    cudaMemsetAsync(start, 0, sizeof(int));
    count<<<entry_blocks, 256>>>(entries, from, first);
    add_up_parts<<<parts, 256>>>(rows, first, part);
    accumulate<<<parts, 256>>>(rows, part, first);
    scatter<<<entry_blocks, 256>>>(entries, from, to, amount, first, seat, key, value);
    sort_rows<<<(rows + 3) / 4, 128>>>(rows, first, key, value);
    merge_rows<<<row_blocks, 128>>>(rows, first, key, value, start);
    add_up_parts<<<parts, 256>>>(rows, start, part);
    accumulate<<<parts, 256>>>(rows, part, start);
    write_rows<<<row_blocks, 128>>>(rows, first, key, value, start, column, total);
    clear_rest<<<entry_blocks, 256>>>(rows, entries, start, column, total);
    cudaFreeAsync(first, 0);
    cudaFreeAsync(key, 0);
    cudaFreeAsync(value, 0);
    cudaFreeAsync(part, 0);
}
