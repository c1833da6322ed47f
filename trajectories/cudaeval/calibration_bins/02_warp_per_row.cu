// Calibration: a warp takes a sample, with the greatest score and its class in one key.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void measure(const int* right, const unsigned long long* confidence, int64_t* gap) {
    long long own = threadIdx.x < 20 ? llabs(1000ll * right[threadIdx.x] - (long long)confidence[threadIdx.x]) : 0;
    for (int apart = 16; apart > 0; apart /= 2) own += __shfl_xor_sync(0xffffffffu, own, apart);
    if (threadIdx.x == 0) *gap = own;
}

__global__ void tally(int samples, int classes, const int* label, const uint16_t* score, int* count, int* right, unsigned long long* confidence) {
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (i >= samples) return;
    const uint16_t* row = score + (size_t)i * classes;
    long long best = -1, sum = 0;  // score above, classes from the end below
    for (int c = lane; c < classes; c += 32) {
        best = max(best, (long long)row[c] << 32 | (unsigned)(classes - c));
        sum += row[c];
    }
    for (int apart = 16; apart > 0; apart /= 2) {
        best = max(best, __shfl_xor_sync(0xffffffffu, best, apart));
        sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    }
    if (lane) return;
    const int share = sum ? (int)(1000 * (best >> 32) / sum) : 0, bin = min(19, share / 50);
    atomicAdd(&count[bin], 1);
    atomicAdd(&right[bin], classes - (int)(best & 0xffffffff) == label[i]);
    atomicAdd(&confidence[bin], (unsigned long long)share);
}

extern "C" void calibration_bins(int samples, int classes, const int32_t* label, const uint16_t* score, int32_t* count, int32_t* right, int64_t* confidence, int64_t* gap) {
    cudaMemsetAsync(count, 0, 20 * sizeof(int32_t));
    cudaMemsetAsync(right, 0, 20 * sizeof(int32_t));
    cudaMemsetAsync(confidence, 0, 20 * sizeof(int64_t));
    tally<<<(samples + 7) / 8, 256>>>(samples, classes, label, score, count, right, reinterpret_cast<unsigned long long*>(confidence));
    measure<<<1, 32>>>(right, reinterpret_cast<unsigned long long*>(confidence), gap);
}
