// Late-interaction scores: query and tiles of the document in shared memory, as pairs of halves.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cfloat>

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kMostQueries = 64;
constexpr int kEach = kMostQueries / kWarps;  // query tokens of a warp
constexpr int kTile = 32;                     // tokens of the document, one for each lane

__global__ void __launch_bounds__(kThreads)
    rerank(int doc_tokens, int query_tokens, int dim, const __half* query, const __half* doc, float* score) {
    extern __shared__ __half2 staged[];
    __shared__ float best_of[kMostQueries];
    // One more pair in each row puts the rows of neighbouring lanes into different banks: pairs is a multiple of 4, pitch is odd.
    int pairs = dim / 2, pitch = pairs + 1, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    __half2 *queries = staged, *tile = staged + query_tokens * pitch;
    const __half2* wanted = reinterpret_cast<const __half2*>(query);
    const __half2* tokens = reinterpret_cast<const __half2*>(doc) + (size_t)blockIdx.x * doc_tokens * pairs;
    for (int i = threadIdx.x; i < query_tokens * pairs; i += kThreads) queries[i / pairs * pitch + i % pairs] = wanted[i];

    float best[kEach];
    for (int j = 0; j < kEach; ++j) best[j] = -FLT_MAX;
    for (int first = 0; first < doc_tokens; first += kTile) {
        int size = min(kTile, doc_tokens - first);
        __syncthreads();  // the tile before has been used
        for (int i = threadIdx.x; i < size * pairs; i += kThreads) {
            tile[i / pairs * pitch + i % pairs] = tokens[(size_t)first * pairs + i];
        }
        __syncthreads();
#pragma unroll
        for (int j = 0; j < kEach; ++j) {
            int q = warp + j * kWarps;
            if (q >= query_tokens || lane >= size) continue;
            float product = 0.0f;
            for (int k = 0; k < pairs; ++k) {
                float2 a = __half22float2(queries[q * pitch + k]), b = __half22float2(tile[lane * pitch + k]);
                product += a.x * b.x + a.y * b.y;
            }
            best[j] = fmaxf(best[j], product);
        }
    }
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
        for (int offset = 16; offset > 0; offset /= 2) best[j] = fmaxf(best[j], __shfl_xor_sync(0xffffffffu, best[j], offset));
        if (lane == 0) best_of[warp + j * kWarps] = best[j];
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0.0f;
        for (int q = 0; q < query_tokens; ++q) sum += best_of[q];
        score[blockIdx.x] = sum;
    }
}

extern "C" void maxsim_rerank(int docs, int doc_tokens, int query_tokens, int dim, const __half* query, const __half* doc, float* score) {
    int bytes = (query_tokens + kTile) * (dim / 2 + 1) * (int)sizeof(__half2);
    cudaFuncSetAttribute(rerank, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    rerank<<<docs, kThreads, bytes>>>(doc_tokens, query_tokens, dim, query, doc, score);
}
