// Ranking: a thread sorts each list by insertion.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

__global__ void rank(int rows, int width, const int* length, int* score, int* doc) {
    int row = blockIdx.x * kThreads + threadIdx.x;
    if (row >= rows) return;
    int* s = score + (size_t)row * width;
    int* d = doc + (size_t)row * width;
    for (int i = 1; i < length[row]; ++i) {
        int the_score = s[i], the_doc = d[i], j = i;
        for (; j > 0 && (s[j - 1] < the_score || (s[j - 1] == the_score && d[j - 1] > the_doc)); --j) {
            s[j] = s[j - 1];
            d[j] = d[j - 1];
        }
        s[j] = the_score;
        d[j] = the_doc;
    }
}

extern "C" void rank_lists(int rows, int width, const int* length, int* score, int* doc) {
    rank<<<(rows - 1) / kThreads + 1, kThreads>>>(rows, width, length, score, doc);
}
