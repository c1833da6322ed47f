// Inversions: one row a thread, which merges runs in scratch memory.
#include <cuda_runtime.h>

#include <cstdint>

__device__ int merged(const int32_t* from, int first, int middle, int end, int32_t* to) {
    int crossed = 0, left = first, right = middle;
    for (int at = first; at < end; ++at) {
        if (right == end || (left != middle && from[left] <= from[right])) {
            to[at] = from[left++];
        } else {
            crossed += middle - left;
            to[at] = from[right++];
        }
    }
    return crossed;
}

__global__ void count(int rows, int length, const int32_t* rank, int32_t* scratch, int32_t* inversions) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    int32_t *from = scratch + 2LL * r * length, *to = from + length;
    for (int k = 0; k < length; ++k) from[k] = rank[(long long)r * length + k];
    int crossed = 0;
    for (int run = 1; run < length; run *= 2) {
        for (int first = 0; first < length; first += 2 * run)
            crossed += merged(from, first, min(first + run, length), min(first + 2 * run, length), to);
        int32_t* other = from;
        from = to;
        to = other;
    }
    inversions[r] = crossed;
}

extern "C" void inversion_counts(int rows, int length, const int32_t* rank, int32_t* inversions) {
    int32_t* scratch = nullptr;
    cudaMalloc(&scratch, 2 * sizeof(int32_t) * rows * length);
    count<<<(rows - 1) / 64 + 1, 64>>>(rows, length, rank, scratch, inversions);
    cudaFree(scratch);
}
