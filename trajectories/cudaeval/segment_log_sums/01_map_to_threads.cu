// Log-sum-exp of segments: one thread a segment.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void reduce(int segments, const int64_t* begin, const float* score, float* log_sum, int64_t* winner) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= segments) return;
    const int64_t first = begin[s], last = begin[s + 1];
    if (first == last) {
        log_sum[s] = -1.0e30f;
        winner[s] = -1;
        return;
    }
    int64_t top = first;
    for (int64_t i = first + 1; i < last; ++i)
        if (score[i] > score[top]) top = i;
    const float highest = score[top];
    double sum = 0.0;
    for (int64_t i = first; i < last; ++i) sum += expf(score[i] - highest);
    log_sum[s] = highest + (float)log(sum);
    winner[s] = top;
}

extern "C" void segment_log_sums(int segments, int64_t entries, const int64_t* begin, const float* score, float* log_sum,
                                 int64_t* winner) {
    (void)entries;
    reduce<<<(segments - 1) / 128 + 1, 128>>>(segments, begin, score, log_sum, winner);
}
