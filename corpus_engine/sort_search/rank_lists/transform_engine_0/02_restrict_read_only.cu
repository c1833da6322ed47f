#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// rank_lists: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// restrict_read_only: __restrict__ pointers, read-only ones const.
//
// The nest at line 5 of the reference runs in one thread: its iterations depend on each other.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void rank_lists_1_serial(int rows, int width, const int* __restrict__ length, int* __restrict__ score,
                                    int* __restrict__ doc) {
    for (int row = 0; row < rows; ++row) {
        for (int i = 1; i < length[row]; ++i) {
            const int the_score = score[(unsigned long long)row * width + i];
            const int the_doc = doc[(unsigned long long)row * width + i];
            int j = i;
            while (j > 0 && (score[(unsigned long long)row * width + (j - 1)] < the_score ||
                             (score[(unsigned long long)row * width + (j - 1)] == the_score &&
                              doc[(unsigned long long)row * width + (j - 1)] > the_doc))) {
                score[(unsigned long long)row * width + j] = score[(unsigned long long)row * width + (j - 1)];
                doc[(unsigned long long)row * width + j] = doc[(unsigned long long)row * width + (j - 1)];
                j -= 1;
            }
            score[(unsigned long long)row * width + j] = the_score;
            doc[(unsigned long long)row * width + j] = the_doc;
        }
    }
}

extern "C" void rank_lists(int rows, int width, const int* length, int* score, int* doc) {
    rank_lists_1_serial<<<1, 1>>>(rows, width, length, score, doc);
}