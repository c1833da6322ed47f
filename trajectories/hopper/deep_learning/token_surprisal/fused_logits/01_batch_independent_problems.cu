// Surprisal from hidden states: a block for each token, a thread for every 256th class, nothing kept but a maximum and a sum.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cfloat>

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kMostPairs = 256;  // of inputs of a token

// The largest logit seen so far and the sum of exp(logit - top).
struct Partial {
    float top, sum;
};

__device__ Partial merged(Partial a, Partial b) {
    float top = fmaxf(a.top, b.top);
    return {top, a.sum * __expf(a.top - top) + b.sum * __expf(b.top - top)};
}

__global__ void __launch_bounds__(kThreads)
    surprise(int pairs, int classes, const __half2* x, const __half2* weight, const int* target, float* surprisal) {
    __shared__ float2 hidden[kMostPairs];
    __shared__ Partial of_warp[kWarps];
    __shared__ float of_target;
    for (int p = threadIdx.x; p < pairs; p += kThreads) hidden[p] = __half22float2(x[(size_t)blockIdx.x * pairs + p]);
    __syncthreads();

    Partial all = {-FLT_MAX, 0.0f};  // finite, so that the merge of two empty parts has no inf - inf
    int wanted = target[blockIdx.x];
    for (int c = threadIdx.x; c < classes; c += kThreads) {
        float logit = 0.0f;
        for (int p = 0; p < pairs; ++p) {
            float2 w = __half22float2(weight[(size_t)c * pairs + p]);
            logit += hidden[p].x * w.x + hidden[p].y * w.y;
        }
        if (c == wanted) of_target = logit;
        all = merged(all, {logit, 1.0f});
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        float top = __shfl_xor_sync(0xffffffffu, all.top, offset), sum = __shfl_xor_sync(0xffffffffu, all.sum, offset);
        all = merged(all, {top, sum});
    }
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = all;
    __syncthreads();
    if (threadIdx.x > 0) return;
    for (int w = 1; w < kWarps; ++w) all = merged(all, of_warp[w]);
    surprisal[blockIdx.x] = all.top + logf(all.sum) - of_target;
}

extern "C" void token_surprisal(int tokens, int dim, int classes, const __half* x, const __half* weight, const int* target,
                                float* surprisal) {
    surprise<<<tokens, kThreads>>>(dim / 2, classes, reinterpret_cast<const __half2*>(x), reinterpret_cast<const __half2*>(weight),
                                   target, surprisal);
}
