// Edges: one kernel a loop, one entry or one row a thread; one thread adds up counts.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

__global__ void count(int entries, const int* from, int* first) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < entries) atomicAdd(&first[from[i] + 1], 1);
}

__global__ void accumulate(int rows, int* first) {
    for (int r = 0; r < rows; ++r) first[r + 1] += first[r];
}

// seat[r] is the number of entries of row r that have a place.
__global__ void scatter(int entries, const int* from, const int* to, const int* amount, const int* first, int* seat, int* key, int* value) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= entries) return;
    const int slot = first[from[i]] + atomicAdd(&seat[from[i]], 1);
    key[slot] = to[i];
    value[slot] = amount[i];
}

__global__ void sort_rows(int rows, const int* first, int* key, int* value) {
    const int r = blockIdx.x * 128 + threadIdx.x;
    if (r >= rows) return;
    for (int i = first[r] + 1; i < first[r + 1]; ++i) {
        const int k = key[i], v = value[i];
        int at = i;
        for (; at > first[r] && key[at - 1] > k; --at) {
            key[at] = key[at - 1];
            value[at] = value[at - 1];
        }
        key[at] = k;
        value[at] = v;
    }
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
    const int entry_blocks = (entries + 255) / 256, row_blocks = (rows + 127) / 128;
    int *first = nullptr, *seat = nullptr, *key = nullptr, *value = nullptr;
    cudaMallocAsync(&first, sizeof(int) * (2 * rows + 1), 0);
    seat = first + rows + 1;
    cudaMallocAsync(&key, sizeof(int) * entries, 0);
    cudaMallocAsync(&value, sizeof(int) * entries, 0);
    cudaMemsetAsync(first, 0, sizeof(int) * (2 * rows + 1));
    cudaMemsetAsync(start, 0, sizeof(int));
    count<<<entry_blocks, 256>>>(entries, from, first);
    accumulate<<<1, 1>>>(rows, first);
    scatter<<<entry_blocks, 256>>>(entries, from, to, amount, first, seat, key, value);
    sort_rows<<<row_blocks, 128>>>(rows, first, key, value);
    merge_rows<<<row_blocks, 128>>>(rows, first, key, value, start);
    accumulate<<<1, 1>>>(rows, start);
    write_rows<<<row_blocks, 128>>>(rows, first, key, value, start, column, total);
    clear_rest<<<entry_blocks, 256>>>(rows, entries, start, column, total);
    cudaFreeAsync(first, 0);
    cudaFreeAsync(key, 0);
    cudaFreeAsync(value, 0);
}
