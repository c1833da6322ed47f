// Document scores: a warp for each document, logarithms from a table of the 255 possible counts.
#include <cuda_runtime.h>

#include <cstdint>

__device__ float warp_sum(float value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

__global__ void rank(int docs, const int* first, const int* term, const uint8_t* count, const float* idf, const float* query,
                     float* score) {
    __shared__ float scale[256];
    for (int c = threadIdx.x; c < 256; c += blockDim.x) scale[c] = c > 0 ? 1.0f + logf((float)c) : 0.0f;
    __syncthreads();
    int d = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (d >= docs) return;  // a whole warp
    float match = 0.0f, square = 0.0f;
    for (int k = first[d] + lane; k < first[d + 1]; k += 32) {
        float weight = scale[count[k]] * idf[term[k]];
        match += weight * query[term[k]];
        square += weight * weight;
    }
    match = warp_sum(match), square = warp_sum(square);
    if (lane == 0) score[d] = square > 0.0f ? match / sqrtf(square) : 0.0f;
}

extern "C" void tfidf_scores(int docs, int terms, int entries, const int* first, const int* term, const uint8_t* count, const float* idf,
                             const float* query, float* score) {
    rank<<<(docs + 7) / 8, 256>>>(docs, first, term, count, idf, query, score);
}
