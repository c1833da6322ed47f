// Quality trimming: one thread per read.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void trim(int reads, int length, int threshold, const uint8_t* quality, const float* chance, int* cut,
                     float* errors) {
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
    for (int k = 0; k < kept; ++k) expected += chance[q[k]];
    cut[r] = kept;
    errors[r] = expected;
}

extern "C" void phred_trim(int reads, int length, int threshold, const uint8_t* quality, const float* chance, int* cut,
                           float* errors) {
    const int threads = 128;
    trim<<<(reads - 1) / threads + 1, threads>>>(reads, length, threshold, quality, chance, cut, errors);
}
