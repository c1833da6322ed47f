// Log-probabilities: one block for each row, maximum and sum by trees in shared memory.
#include <cuda_runtime.h>

#include <cfloat>

constexpr int kThreads = 256;

__device__ float block_max(float value, float* scratch) {
    scratch[threadIdx.x] = value;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) scratch[threadIdx.x] = fmaxf(scratch[threadIdx.x], scratch[threadIdx.x + half]);
        __syncthreads();
    }
    float result = scratch[0];
    __syncthreads();  // before the scratch is used again
    return result;
}

__device__ float block_sum(float value, float* scratch) {
    scratch[threadIdx.x] = value;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) scratch[threadIdx.x] += scratch[threadIdx.x + half];
        __syncthreads();
    }
    return scratch[0];
}

__global__ void logprobs(int vocab, const float* logits, const float* temperature, float* logprob) {
    __shared__ float scratch[kThreads];
    const float* row = logits + (size_t)blockIdx.x * vocab;
    float* out = logprob + (size_t)blockIdx.x * vocab;
    float inverse = 1.0f / temperature[blockIdx.x];

    float top = -FLT_MAX;
    for (int t = threadIdx.x; t < vocab; t += kThreads) top = fmaxf(top, row[t] * inverse);
    top = block_max(top, scratch);
    float sum = 0.0f;
    for (int t = threadIdx.x; t < vocab; t += kThreads) sum += expf(row[t] * inverse - top);
    float normaliser = top + logf(block_sum(sum, scratch));
    for (int t = threadIdx.x; t < vocab; t += kThreads) out[t] = row[t] * inverse - normaliser;
}

extern "C" void token_logprobs(int rows, int vocab, const float* logits, const float* temperature, float* logprob) {
    logprobs<<<rows, kThreads>>>(vocab, logits, temperature, logprob);
}
