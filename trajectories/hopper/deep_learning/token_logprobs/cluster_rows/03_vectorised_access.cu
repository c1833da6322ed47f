// Log-probabilities: the row in quads where it is aligned.
#include <cuda_runtime.h>

#include <cfloat>
#include <cstdint>

constexpr int kThreads = 512;
constexpr int kWarps = kThreads / 32;

// The largest value seen so far and the sum of exp(value - top).
struct Partial {
    float top, sum;
};

__device__ Partial merged(Partial a, Partial b) {
    float top = fmaxf(a.top, b.top);
    return {top, a.sum * __expf(a.top - top) + b.sum * __expf(b.top - top)};
}

__device__ void absorb(Partial& p, float value) {
    if (value > p.top) {
        p.sum *= __expf(p.top - value);
        p.top = value;
    }
    p.sum += __expf(value - p.top);
}

// The merge over the block, in every thread.
__device__ Partial block_merged(Partial p) {
    __shared__ Partial of_warp[kWarps];
    for (int offset = 16; offset > 0; offset /= 2) {
        Partial other;
        other.top = __shfl_xor_sync(0xffffffffu, p.top, offset);
        other.sum = __shfl_xor_sync(0xffffffffu, p.sum, offset);
        p = merged(p, other);
    }
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = p;
    __syncthreads();
    Partial all = of_warp[0];
    for (int warp = 1; warp < kWarps; ++warp) all = merged(all, of_warp[warp]);
    return all;
}

__global__ void __launch_bounds__(kThreads) logprobs(int vocab, const float* logits, const float* temperature, float* logprob) {
    const float* row = logits + (size_t)blockIdx.x * vocab;
    float* out = logprob + (size_t)blockIdx.x * vocab;
    float inverse = 1.0f / temperature[blockIdx.x];
    bool aligned = (reinterpret_cast<uintptr_t>(row) | reinterpret_cast<uintptr_t>(out)) % 16 == 0;
    int quads = aligned ? vocab / 4 : 0;

    Partial p = {-FLT_MAX, 0.0f};  // finite, so that the merge of two empty parts has no inf - inf
    for (int q = threadIdx.x; q < quads; q += kThreads) {
        float4 v = reinterpret_cast<const float4*>(row)[q];
        absorb(p, v.x * inverse);
        absorb(p, v.y * inverse);
        absorb(p, v.z * inverse);
        absorb(p, v.w * inverse);
    }
    for (int t = 4 * quads + threadIdx.x; t < vocab; t += kThreads) absorb(p, row[t] * inverse);
    p = block_merged(p);
    float normaliser = p.top + logf(p.sum);

    for (int q = threadIdx.x; q < quads; q += kThreads) {
        float4 v = reinterpret_cast<const float4*>(row)[q];
        float4 z = {v.x * inverse - normaliser, v.y * inverse - normaliser, v.z * inverse - normaliser, v.w * inverse - normaliser};
        reinterpret_cast<float4*>(out)[q] = z;
    }
    for (int t = 4 * quads + threadIdx.x; t < vocab; t += kThreads) out[t] = row[t] * inverse - normaliser;
}

extern "C" void token_logprobs(int rows, int vocab, const float* logits, const float* temperature, float* logprob) {
    logprobs<<<rows, kThreads>>>(vocab, logits, temperature, logprob);
}
