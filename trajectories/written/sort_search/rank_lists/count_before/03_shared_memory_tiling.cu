// Ranking: each entry counts the entries that go before it.
#include <cuda_runtime.h>

constexpr int kThreads = 256;  // at least the width

__global__ void rank(int width, const int* length, int* score, int* doc) {
    int* s = score + (size_t)blockIdx.x * width;
    int* d = doc + (size_t)blockIdx.x * width;
    int count = length[blockIdx.x], i = threadIdx.x, place = 0;
    __shared__ int2 entries[kThreads];
    int own_score = i < count ? s[i] : 0, own_doc = i < count ? d[i] : 0;
    entries[i] = make_int2(own_score, own_doc);
    __syncthreads();  // from here on the list is read from the copy alone
    if (i < count) {
        for (int j = 0; j < count; ++j) {
            int other_score = entries[j].x, other_doc = entries[j].y;
            bool before = other_score > own_score || (other_score == own_score && other_doc < own_doc);
            bool same = other_score == own_score && other_doc == own_doc;
            if (before || (same && j < i)) ++place;
        }
    }
    if (i < count) {
        s[place] = own_score;
        d[place] = own_doc;
    }
}

extern "C" void rank_lists(int rows, int width, const int* length, int* score, int* doc) {
    rank<<<rows, kThreads>>>(width, length, score, doc);
}
