// Medians and deviations of groups: one thread a value finds its rank.
#include <cuda_runtime.h>

#include <cstdint>

// Values before this one in ascending order; equal ones stand in the order of their numbers.
__device__ int before(int x, int i, int y, int j) { return y < x || (y == x && j < i); }

__global__ void find_median(int width, const int32_t* value, int32_t* rank, int32_t* median) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= width) return;
    const int32_t* row = value + (long long)blockIdx.y * width;
    int place = 0;
    for (int j = 0; j < width; ++j) place += before(row[i], i, row[j], j);
    rank[(long long)blockIdx.y * width + i] = place;
    if (place == (width - 1) / 2) median[blockIdx.y] = row[i];
}

__global__ void find_deviation(int width, const int32_t* value, const int32_t* median, int32_t* deviation) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= width) return;
    const int32_t* row = value + (long long)blockIdx.y * width;
    const int centre = median[blockIdx.y], mine = abs(row[i] - centre);
    int place = 0;
    for (int j = 0; j < width; ++j) place += before(mine, i, abs(row[j] - centre), j);
    if (place == (width - 1) / 2) deviation[blockIdx.y] = mine;
}

__global__ void trim(int groups, int width, const int32_t* value, const int32_t* rank, int64_t* trimmed) {
    const int g = blockIdx.x * blockDim.x + threadIdx.x, cut = width / 10;
    if (g >= groups) return;
    int64_t sum = 0;
    for (long long i = (long long)g * width; i < (long long)(g + 1) * width; ++i)
        if (rank[i] >= cut && rank[i] < width - cut) sum += value[i];
    trimmed[g] = sum;
}

extern "C" void robust_spread(int groups, int width, const int32_t* value, int32_t* median, int32_t* deviation, int64_t* trimmed) {
    int32_t* rank = nullptr;
    cudaMalloc(&rank, sizeof(int32_t) * groups * width);
    const dim3 grid((width - 1) / 256 + 1, groups);
    find_median<<<grid, 256>>>(width, value, rank, median);
    find_deviation<<<grid, 256>>>(width, value, median, deviation);
    trim<<<(groups - 1) / 64 + 1, 64>>>(groups, width, value, rank, trimmed);
    cudaFree(rank);
}
