// Expert combine: a warp has a token, shares are computed once, columns are read side by side.
#include <cuda_runtime.h>

#include <cstdint>

__device__ float share_of(const int32_t* slot, const float* logit, int k) {
    if (slot[k] < 0) return 0.0f;
    if (slot[1 - k] < 0) return 1.0f;
    return 1.0f / (1.0f + expf(logit[1 - k] - logit[k]));
}

__global__ void combine(int tokens, int width, float residual, const float* input, const float* expert, const int32_t* slot, const float* logit,
                        float* result, int32_t* dropped) {
    const int t = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (t >= tokens) return;
    const int32_t* own = slot + 2 * (size_t)t;
    const int first = own[0], second = own[1];
    if (lane == 0 && first < 0 && second < 0) atomicAdd(dropped, 1);
    const float one = share_of(own, logit + 2 * (size_t)t, 0), two = share_of(own, logit + 2 * (size_t)t, 1);
    for (int c = lane; c < width; c += 32) {
        float sum = residual * input[(size_t)t * width + c];
        if (first >= 0) sum += one * expert[(size_t)first * width + c];
        if (second >= 0) sum += two * expert[(size_t)second * width + c];
        result[(size_t)t * width + c] = sum;
    }
}

extern "C" void expert_combine(int tokens, int, int width, float residual, const float* input, const float* expert, const int32_t* slot,
                               const float* logit, float* result, int32_t* dropped) {
    cudaMemsetAsync(dropped, 0, sizeof(int32_t));
    combine<<<(tokens + 3) / 4, 128>>>(tokens, width, residual, input, expert, slot, logit, result, dropped);
}
