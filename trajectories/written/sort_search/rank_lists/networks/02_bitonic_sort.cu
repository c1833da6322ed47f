// Ranking: a warp sorts each list by a bitonic network in shared memory.
#include <cuda_runtime.h>

#include <climits>

constexpr int kWarps = 4;  // lists of a block
constexpr int kMaxWidth = 256;

__device__ bool goes_before(int score_a, int doc_a, int score_b, int doc_b) {
    return score_a > score_b || (score_a == score_b && doc_a < doc_b);
}

__global__ void rank(int rows, int width, const int* length, int* score, int* doc) {
    __shared__ int scores[kWarps][kMaxWidth], docs[kWarps][kMaxWidth];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row = blockIdx.x * kWarps + warp;
    if (row >= rows) return;  // whole warps leave
    int *s = scores[warp], *d = docs[warp];
    size_t start = (size_t)row * width;
    int count = length[row], places = 32;
    while (places < count) places *= 2;
    for (int i = lane; i < places; i += 32) {
        s[i] = i < count ? score[start + i] : INT_MIN;
        d[i] = i < count ? doc[start + i] : INT_MAX;
    }
    __syncwarp();
    for (int size = 2; size <= places; size *= 2) {
        for (int stride = size / 2; stride > 0; stride /= 2) {
            for (int t = lane; t < places / 2; t += 32) {
                int i = 2 * t - (t & (stride - 1)), j = i + stride;
                bool in_order = (i & size) == 0;
                if (goes_before(s[j], d[j], s[i], d[i]) == in_order) {
                    int moved_score = s[i], moved_doc = d[i];
                    s[i] = s[j], d[i] = d[j];
                    s[j] = moved_score, d[j] = moved_doc;
                }
            }
            __syncwarp();
        }
    }
    for (int i = lane; i < count; i += 32) {
        score[start + i] = s[i];
        doc[start + i] = d[i];
    }
}

extern "C" void rank_lists(int rows, int width, const int* length, int* score, int* doc) {
    rank<<<(rows - 1) / kWarps + 1, 32 * kWarps>>>(rows, width, length, score, doc);
}
