// Late-interaction scores: a block for each document, a warp for each token of the query.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cfloat>

constexpr int kThreads = 256;
constexpr int kMostQueries = 64;

__global__ void rerank(int doc_tokens, int query_tokens, int dim, const __half* query, const __half* doc, float* score) {
    __shared__ float best_of[kMostQueries];
    int lane = threadIdx.x % 32;
    for (int q = threadIdx.x / 32; q < query_tokens; q += kThreads / 32) {
        float best = -FLT_MAX;
        for (int t = lane; t < doc_tokens; t += 32) {
            const __half* token = doc + ((size_t)blockIdx.x * doc_tokens + t) * dim;
            float product = 0.0f;
            for (int k = 0; k < dim; ++k) product += __half2float(query[(size_t)q * dim + k]) * __half2float(token[k]);
            best = fmaxf(best, product);
        }
        for (int offset = 16; offset > 0; offset /= 2) best = fmaxf(best, __shfl_xor_sync(0xffffffffu, best, offset));
        if (lane == 0) best_of[q] = best;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0.0f;
        for (int q = 0; q < query_tokens; ++q) sum += best_of[q];
        score[blockIdx.x] = sum;
    }
}

extern "C" void maxsim_rerank(int docs, int doc_tokens, int query_tokens, int dim, const __half* query, const __half* doc, float* score) {
    rerank<<<docs, kThreads>>>(doc_tokens, query_tokens, dim, query, doc, score);
}
