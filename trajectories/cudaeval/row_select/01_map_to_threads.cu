#include <cuda_runtime.h>

__device__ int selected(int* value, int low, int high, int wanted) {
    while (low < high) {
        int pivot = value[(low + high) / 2], i = low, j = high;
        while (i <= j) {
            while (value[i] < pivot) ++i;
            while (value[j] > pivot) --j;
            if (i <= j) {
                int kept = value[i];
                value[i++] = value[j];
                value[j--] = kept;
            }
        }
        if (wanted <= j) high = j;
        else if (wanted >= i) low = i;
        else break;
    }
    return value[wanted];
}

// One thread a row, each on a copy of its own.
__global__ void select_rows(int rows, int length, const int* table, const int* wanted, int* work, int* found) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    int* mine = work + (long long)r * length;
    for (int k = 0; k < length; ++k) mine[k] = table[(long long)r * length + k];
    found[r] = selected(mine, 0, length - 1, wanted[r]);
}

extern "C" void row_select(int rows, int length, const int* table, const int* wanted, int* found) {
    if (rows <= 0) return;
    int* work = nullptr;
    cudaMalloc(&work, sizeof(int) * (size_t)rows * length);
    select_rows<<<(rows + 63) / 64, 64>>>(rows, length, table, wanted, work, found);
    cudaFree(work);
}
