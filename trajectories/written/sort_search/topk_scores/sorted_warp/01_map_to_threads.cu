// Top eight: a thread for each row.
#include <cuda_runtime.h>

constexpr int kThreads = 64;
constexpr int kKept = 8;

__global__ void select(int rows, int n, const float* score, const unsigned char* allowed, int* best) {
    int row = blockIdx.x * kThreads + threadIdx.x;
    if (row >= rows) return;
    float top[kKept];
    int ids[kKept], filled = 0;
    for (int item = 0; item < n; ++item) {
        float s = score[(size_t)row * n + item];
        if (!allowed[item] || (filled == kKept && s <= top[kKept - 1])) continue;
        int place = filled < kKept ? filled++ : kKept - 1;
        for (; place > 0 && top[place - 1] < s; --place) {
            top[place] = top[place - 1];
            ids[place] = ids[place - 1];
        }
        top[place] = s;
        ids[place] = item;
    }
    for (int k = 0; k < kKept; ++k) best[(size_t)row * kKept + k] = k < filled ? ids[k] : -1;
}

extern "C" void topk_scores(int rows, int n, const float* score, const unsigned char* allowed, int* best) {
    select<<<(rows - 1) / kThreads + 1, kThreads>>>(rows, n, score, allowed, best);
}
