// Quality trimming: one thread per read, table of error chances in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void trim(int reads, int length, int threshold, const uint8_t* quality, const float* chance, int* cut,
                     float* errors) {
    __shared__ float table[64];
    if (threadIdx.x < 64) table[threadIdx.x] = chance[threadIdx.x];
    __syncthreads();
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= reads) return;
    const uint8_t* q = quality + (size_t)r * length;
    int kept = length, best = 0;
    for (int k = length - 1, sum = 0; k >= 0; --k) {
        sum += threshold - q[k];
        if (sum < 0) break;
        if (sum > best) {
            best = sum;
            kept = k;
        }
    }
    float expected = 0.0f;
    for (int k = 0; k < kept; ++k) expected += table[q[k]];
    cut[r] = kept;
    errors[r] = expected;
}

extern "C" void phred_trim(int reads, int length, int threshold, const uint8_t* quality, const float* chance, int* cut,
                           float* errors) {
    const int threads = 128;
    trim<<<(reads - 1) / threads + 1, threads>>>(reads, length, threshold, quality, chance, cut, errors);
}
