// Calibration: a block counts 256 samples in shared memory; eight lanes a sample.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void measure(const int* right, const unsigned long long* confidence, int64_t* gap) {
    long long own = threadIdx.x < 20 ? llabs(1000ll * right[threadIdx.x] - (long long)confidence[threadIdx.x]) : 0;
    for (int apart = 16; apart > 0; apart /= 2) own += __shfl_xor_sync(0xffffffffu, own, apart);
    if (threadIdx.x == 0) *gap = own;
}

__global__ void tally(int samples, int classes, const int* __restrict__ label, const uint16_t* __restrict__ score, int* count, int* right, unsigned long long* confidence) {
    __shared__ int own[3][20];
    if (threadIdx.x < 60) own[threadIdx.x / 20][threadIdx.x % 20] = 0;
    __syncthreads();
    const int lane = threadIdx.x % 8;
    for (int k = threadIdx.x / 8; k < 256; k += 32) {
        const int i = blockIdx.x * 256 + k;
        const uint16_t* row = score + (size_t)min(i, samples - 1) * classes;
        int best = 0, where = classes, sum = 0;
        for (int c = lane; c < classes; c += 8) {
            const int value = row[c];
            if (value > best || where == classes) best = value, where = c;
            sum += value;
        }
        for (int apart = 4; apart > 0; apart /= 2) {
            const int other = __shfl_xor_sync(0xffffffffu, best, apart), there = __shfl_xor_sync(0xffffffffu, where, apart);
            sum += __shfl_xor_sync(0xffffffffu, sum, apart);
            if (other > best || (other == best && there < where)) best = other, where = there;
        }
        if (lane || i >= samples) continue;
        const int share = sum ? (int)(1000ll * best / sum) : 0, bin = min(19, share / 50);
        atomicAdd(&own[0][bin], 1);
        if (where == label[i]) atomicAdd(&own[1][bin], 1);
        atomicAdd(&own[2][bin], share);
    }
    __syncthreads();
    if (threadIdx.x >= 20 || !own[0][threadIdx.x]) return;
    atomicAdd(&count[threadIdx.x], own[0][threadIdx.x]);
    atomicAdd(&right[threadIdx.x], own[1][threadIdx.x]);
    atomicAdd(&confidence[threadIdx.x], (unsigned long long)own[2][threadIdx.x]);
}

extern "C" void calibration_bins(int samples, int classes, const int32_t* label, const uint16_t* score, int32_t* count, int32_t* right, int64_t* confidence, int64_t* gap) {
    cudaMemsetAsync(count, 0, 20 * sizeof(int32_t));
    cudaMemsetAsync(right, 0, 20 * sizeof(int32_t));
    cudaMemsetAsync(confidence, 0, 20 * sizeof(int64_t));
    tally<<<(samples + 255) / 256, 256>>>(samples, classes, label, score, count, right, reinterpret_cast<unsigned long long*>(confidence));
    measure<<<1, 32>>>(right, reinterpret_cast<unsigned long long*>(confidence), gap);
}
