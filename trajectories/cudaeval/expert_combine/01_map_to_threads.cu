// Expert combine: one token a thread.
#include <cuda_runtime.h>

#include <cstdint>

__device__ float share_of(const int32_t* slot, const float* logit, int k) {
    if (slot[k] < 0) return 0.0f;
    if (slot[1 - k] < 0) return 1.0f;
    return 1.0f / (1.0f + expf(logit[1 - k] - logit[k]));
}

__global__ void combine(int tokens, int width, float residual, const float* input, const float* expert, const int32_t* slot, const float* logit,
                        float* result, int32_t* dropped) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= tokens) return;
    const int32_t* own = slot + 2 * (size_t)t;
    if (own[0] < 0 && own[1] < 0) atomicAdd(dropped, 1);
    for (int c = 0; c < width; ++c) {
        float sum = residual * input[(size_t)t * width + c];
        for (int k = 0; k < 2; ++k)
            if (own[k] >= 0) sum += share_of(own, logit + 2 * (size_t)t, k) * expert[(size_t)own[k] * width + c];
        result[(size_t)t * width + c] = sum;
    }
}

extern "C" void expert_combine(int tokens, int, int width, float residual, const float* input, const float* expert, const int32_t* slot,
                               const float* logit, float* result, int32_t* dropped) {
    cudaMemsetAsync(dropped, 0, sizeof(int32_t));
    combine<<<(tokens + 127) / 128, 128>>>(tokens, width, residual, input, expert, slot, logit, result, dropped);
}
