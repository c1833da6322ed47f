// Ranking: each entry counts the entries that go before it.
#include <cuda_runtime.h>

constexpr int kThreads = 256;  // at least the width

using Key = unsigned long long;
constexpr unsigned kSign = 0x80000000u;

__global__ void rank(int width, const int* length, int* score, int* doc) {
    int* s = score + (size_t)blockIdx.x * width;
    int* d = doc + (size_t)blockIdx.x * width;
    int count = length[blockIdx.x], i = threadIdx.x, place = 0;
    __shared__ Key keys[kThreads];
    int own_score = i < count ? s[i] : 0, own_doc = i < count ? d[i] : 0;
    Key own = (Key) ~((unsigned)own_score ^ kSign) << 32 | ((unsigned)own_doc ^ kSign);
    keys[i] = own;
    __syncthreads();  // from here on the list is read from the copy alone
    if (i < count) {
        for (int j = 0; j < i; ++j) place += keys[j] <= own ? 1 : 0;
        for (int j = i + 1; j < count; ++j) place += keys[j] < own ? 1 : 0;
    }
    if (i < count) {
        s[place] = own_score;
        d[place] = own_doc;
    }
}

extern "C" void rank_lists(int rows, int width, const int* length, int* score, int* doc) {
    rank<<<rows, kThreads>>>(width, length, score, doc);
}
