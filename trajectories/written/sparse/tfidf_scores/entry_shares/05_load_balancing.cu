// Document scores: every warp takes 1024 entries, wherever documents begin; sums of cut documents are joined by atomics.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kShare = 1024;  // entries of a warp
constexpr int kWarps = 8;

__device__ float warp_sum(float value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

// The document of entry k: the last one that starts at or before it.
__device__ int document_of(int k, int docs, const int* first) {
    int low = 0, high = docs;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (first[middle] <= k)
            low = middle;
        else
            high = middle;
    }
    return low;
}

__global__ void pair(int terms, const float* idf, const float* query, float2* weights) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < terms) weights[t] = make_float2(idf[t], query[t]);
}

// sums[d] = (match, square), cleared before.
__global__ void add_up(int docs, int entries, const int* first, const int* term, const uint8_t* count, const float2* weights,
                       float2* sums) {
    __shared__ float scale[256];
    for (int c = threadIdx.x; c < 256; c += blockDim.x) scale[c] = c > 0 ? 1.0f + logf((float)c) : 0.0f;
    __syncthreads();
    int lane = threadIdx.x % 32, begin = (blockIdx.x * kWarps + threadIdx.x / 32) * kShare;
    int end = min(begin + kShare, entries);
    if (begin >= end) return;  // a whole warp
    for (int d = document_of(begin, docs, first); begin < end; ++d) {
        int stop = min(first[d + 1], end);
        if (stop <= begin) continue;  // an empty document
        float match = 0.0f, square = 0.0f;
        for (int k = begin + lane; k < stop; k += 32) {
            float2 known = __ldg(weights + term[k]);
            float weight = scale[count[k]] * known.x;
            match += weight * known.y;
            square += weight * weight;
        }
        match = warp_sum(match), square = warp_sum(square);
        if (lane == 0) {
            atomicAdd(&sums[d].x, match);
            atomicAdd(&sums[d].y, square);
        }
        begin = stop;
    }
}

__global__ void finish(int docs, const float2* sums, float* score) {
    int d = blockIdx.x * blockDim.x + threadIdx.x;
    if (d < docs) score[d] = sums[d].y > 0.0f ? sums[d].x / sqrtf(sums[d].y) : 0.0f;
}

extern "C" void tfidf_scores(int docs, int terms, int entries, const int* first, const int* term, const uint8_t* count, const float* idf,
                             const float* query, float* score) {
    float2 *weights = nullptr, *sums = nullptr;
    cudaMalloc(&weights, terms * sizeof(float2));
    cudaMalloc(&sums, docs * sizeof(float2));
    cudaMemsetAsync(sums, 0, docs * sizeof(float2));
    pair<<<(terms + 255) / 256, 256>>>(terms, idf, query, weights);
    int blocks = (int)(((long long)entries + kShare * kWarps - 1) / (kShare * kWarps));
    if (blocks > 0) add_up<<<blocks, kWarps * 32>>>(docs, entries, first, term, count, weights, sums);
    finish<<<(docs + 255) / 256, 256>>>(docs, sums, score);
    cudaFree(weights);
    cudaFree(sums);
}
