// Late-interaction scores: a thread for each document.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cfloat>

__global__ void rerank(int docs, int doc_tokens, int query_tokens, int dim, const __half* query, const __half* doc, float* score) {
    int d = blockIdx.x * blockDim.x + threadIdx.x;
    if (d >= docs) return;
    float sum = 0.0f;
    for (int q = 0; q < query_tokens; ++q) {
        float best = -FLT_MAX;
        for (int t = 0; t < doc_tokens; ++t) {
            const __half* token = doc + ((size_t)d * doc_tokens + t) * dim;
            float product = 0.0f;
            for (int k = 0; k < dim; ++k) product += __half2float(query[(size_t)q * dim + k]) * __half2float(token[k]);
            best = fmaxf(best, product);
        }
        sum += best;
    }
    score[d] = sum;
}

extern "C" void maxsim_rerank(int docs, int doc_tokens, int query_tokens, int dim, const __half* query, const __half* doc, float* score) {
    rerank<<<(docs + 63) / 64, 64>>>(docs, doc_tokens, query_tokens, dim, query, doc, score);
}
