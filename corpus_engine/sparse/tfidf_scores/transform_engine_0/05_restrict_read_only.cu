#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// tfidf_scores: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// launch_bounds(blocks 2): registers limited, so that several blocks share a multiprocessor.
// block_size_tuning(block 128): another block shape.
// streaming_stores: what is touched once goes past the caches.
// restrict_read_only: __restrict__ pointers, read-only ones const.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void __launch_bounds__(128, 2)
    tfidf_scores_1_map(int docs, const int* __restrict__ first, const int* __restrict__ term,
                       const unsigned char* __restrict__ count, const float* __restrict__ idf,
                       const float* __restrict__ query, float* __restrict__ score) {
    const int d = blockIdx.x * 128 + threadIdx.x;
    if (d < docs) {
        float match = 0.0f;
        float square = 0.0f;
        for (int k = first[d]; k < first[d + 1]; ++k) {
            const float weight = (1.0f + log((float)count[k])) * idf[term[k]];
            match += weight * query[term[k]];
            square += weight * weight;
        }
        __stcs(&score[d], square > 0.0f ? match / sqrt(square) : 0.0f);
    }
}

extern "C" void tfidf_scores(int docs, int terms, int entries, const int* first, const int* term,
                             const unsigned char* count, const float* idf, const float* query, float* score) {
    (void)terms;
    (void)entries;
    if (docs >= 1) {
        tfidf_scores_1_map<<<(docs - 1) / 128 + 1, 128>>>(docs, first, term, count, idf, query, score);
    }
}