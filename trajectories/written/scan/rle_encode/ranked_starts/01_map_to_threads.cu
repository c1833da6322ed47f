// Run lengths: threads count the runs that start in their slice, one thread turns counts into places, threads write.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kSlices = 2048;

__device__ bool starts(const uint8_t* mask, int i) { return i == 0 || mask[i] != mask[i - 1]; }

__global__ void count(int n, int slice, const uint8_t* mask, int* counts) {
    int s = blockIdx.x * blockDim.x + threadIdx.x, found = 0;
    for (long long i = (long long)s * slice; i < min((long long)(s + 1) * slice, (long long)n); ++i) found += starts(mask, i);
    counts[s] = found;
}

__global__ void place(int* counts, int* runs) {
    int before = 0;
    for (int s = 0; s < kSlices; ++s) {
        int found = counts[s];
        counts[s] = before;
        before += found;
    }
    *runs = before;
}

__global__ void write(int n, int slice, const uint8_t* mask, const int* places, uint8_t* value, int* start) {
    int s = blockIdx.x * blockDim.x + threadIdx.x, k = places[s];
    for (long long i = (long long)s * slice; i < min((long long)(s + 1) * slice, (long long)n); ++i) {
        if (!starts(mask, i)) continue;
        value[k] = mask[i], start[k] = i;
        ++k;
    }
}

// The length of a run is the distance to the next run's start.
__global__ void lengths(int n, const int* start, const int* runs, int* length) {
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < *runs; k += gridDim.x * blockDim.x)
        length[k] = (k + 1 < *runs ? start[k + 1] : n) - start[k];
}

extern "C" void rle_encode(int n, const uint8_t* mask, uint8_t* value, int* length, int* runs) {
    int slice = (n - 1) / kSlices + 1;
    int *counts = nullptr, *start = nullptr;
    cudaMalloc(&counts, kSlices * sizeof(int));
    cudaMalloc(&start, (size_t)n * sizeof(int));
    count<<<kSlices / 128, 128>>>(n, slice, mask, counts);
    place<<<1, 1>>>(counts, runs);
    write<<<kSlices / 128, 128>>>(n, slice, mask, counts, value, start);
    lengths<<<1024, 256>>>(n, start, runs, length);
    cudaFree(counts);
    cudaFree(start);
}
