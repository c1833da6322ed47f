// Log-sum-exp of segments: one warp a segment.
#include <cuda_runtime.h>

#include <cstdint>

constexpr unsigned kAll = 0xffffffffu;

__global__ void reduce(int segments, const int64_t* begin, const float* score, float* log_sum, int64_t* winner) {
    const int s = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (s >= segments) return;
    const int64_t first = begin[s], last = begin[s + 1];
    if (first == last) {
        if (lane > 0) return;
        log_sum[s] = -1.0e30f;
        winner[s] = -1;
        return;
    }
    int64_t top = first;  // of equal scores the first one
    float highest = score[first];
    for (int64_t i = first + lane; i < last; i += 32) {
        const float x = score[i];
        if (x <= highest) continue;
        highest = x;
        top = i;
    }
    for (int apart = 16; apart > 0; apart /= 2) {
        const float x = __shfl_xor_sync(kAll, highest, apart);
        const int64_t i = __shfl_xor_sync(kAll, top, apart);
        if (x < highest || (x == highest && i >= top)) continue;
        highest = x;
        top = i;
    }
    double sum = 0.0;
    for (int64_t i = first + lane; i < last; i += 32) sum += expf(score[i] - highest);
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(kAll, sum, apart);
    if (lane > 0) return;
    log_sum[s] = highest + (float)log(sum);
    winner[s] = top;
}

extern "C" void segment_log_sums(int segments, int64_t entries, const int64_t* begin, const float* score, float* log_sum,
                                 int64_t* winner) {
    (void)entries;
    reduce<<<(segments - 1) / 4 + 1, 128>>>(segments, begin, score, log_sum, winner);
}
