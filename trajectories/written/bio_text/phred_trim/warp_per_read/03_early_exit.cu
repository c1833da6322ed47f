// Quality trimming: one warp per read, the running sum as a scan over lanes that ends where the sum turns negative.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWarps = 8;  // reads per block
constexpr unsigned int kAll = 0xFFFFFFFFu;

__global__ void trim(int reads, int length, int threshold, const uint8_t* quality, const float* chance, int* cut,
                     float* errors) {
    const int r = blockIdx.x * kWarps + threadIdx.y, lane = threadIdx.x;
    if (r >= reads) return;  // the whole warp leaves
    const uint8_t* q = quality + (size_t)r * length;
    int carried = 0, best = 0;  // best: sum * 1024 + position, for sums above zero
    for (int from_end = 0; from_end < length; from_end += 32) {
        const int k = length - 1 - from_end - lane;
        int sum = k >= 0 ? threshold - q[k] : 0;
        for (int distance = 1; distance < 32; distance *= 2) {
            int below = __shfl_up_sync(kAll, sum, distance);
            if (lane >= distance) sum += below;
        }
        sum += carried;
        const unsigned int negative = __ballot_sync(kAll, sum < 0);
        const bool counts = k >= 0 && sum > 0 && (negative & ((2u << lane) - 1)) == 0;
        best = max(best, __reduce_max_sync(kAll, counts ? sum * 1024 + k : 0));
        if (negative != 0) break;
        carried = __shfl_sync(kAll, sum, 31);
    }
    const int kept = best > 0 ? best % 1024 : length;
    float expected = 0.0f;
    for (int k = lane; k < kept; k += 32) expected += chance[q[k]];
    for (int distance = 16; distance > 0; distance /= 2) expected += __shfl_xor_sync(kAll, expected, distance);
    if (lane == 0) {
        cut[r] = kept;
        errors[r] = expected;
    }
}

extern "C" void phred_trim(int reads, int length, int threshold, const uint8_t* quality, const float* chance, int* cut,
                           float* errors) {
    trim<<<(reads - 1) / kWarps + 1, dim3(32, kWarps)>>>(reads, length, threshold, quality, chance, cut, errors);
}
