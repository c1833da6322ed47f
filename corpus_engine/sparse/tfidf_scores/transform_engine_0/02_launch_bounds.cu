#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// tfidf_scores: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// launch_bounds(blocks 2): registers limited, so that several blocks share a multiprocessor.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void __launch_bounds__(256, 2)
    tfidf_scores_1_map(int docs, const int* first, const int* term, const unsigned char* count, const float* idf,
                       const float* query, float* score) {
    const int d = blockIdx.x * 256 + threadIdx.x;
    if (d < docs) {
        float match = 0.0f;
        float square = 0.0f;
        for (int k = first[d]; k < first[d + 1]; ++k) {
            const float weight = (1.0f + log((float)count[k])) * idf[term[k]];
            match += weight * query[term[k]];
            square += weight * weight;
        }
        score[d] = square > 0.0f ? match / sqrt(square) : 0.0f;
    }
}

extern "C" void tfidf_scores(int docs, int terms, int entries, const int* first, const int* term,
                             const unsigned char* count, const float* idf, const float* query, float* score) {
    (void)terms;
    (void)entries;
    if (docs >= 1) {
        tfidf_scores_1_map<<<(docs - 1) / 256 + 1, 256>>>(docs, first, term, count, idf, query, score);
    }
}