// Document scores: a thread for each document.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void rank(int docs, const int* first, const int* term, const uint8_t* count, const float* idf, const float* query,
                     float* score) {
    int d = blockIdx.x * blockDim.x + threadIdx.x;
    if (d >= docs) return;
    float match = 0.0f, square = 0.0f;
    for (int k = first[d]; k < first[d + 1]; ++k) {
        float weight = (1.0f + logf((float)count[k])) * idf[term[k]];
        match += weight * query[term[k]];
        square += weight * weight;
    }
    score[d] = square > 0.0f ? match / sqrtf(square) : 0.0f;
}

extern "C" void tfidf_scores(int docs, int terms, int entries, const int* first, const int* term, const uint8_t* count, const float* idf,
                             const float* query, float* score) {
    rank<<<(docs + 255) / 256, 256>>>(docs, first, term, count, idf, query, score);
}
