#include <cuda_runtime.h>

__global__ void count(int pairs, const long long* first, const unsigned char* gap, const int* left, const int* right, int* shared) {
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= pairs) return;
    long long i = first[left[p]], j = first[right[p]], i_end = first[left[p] + 1], j_end = first[right[p] + 1];
    int a = i < i_end ? gap[i] : 0, b = j < j_end ? gap[j] : 0, common = 0;
    while (i < i_end && j < j_end) {
        if (a == b) ++common;
        bool advance_left = a <= b, advance_right = b <= a;
        if (advance_left && ++i < i_end) a += gap[i];
        if (advance_right && ++j < j_end) b += gap[j];
    }
    shared[p] = common;
}

extern "C" void shared_features(int rows, long long entries, int pairs, const long long* first, const unsigned char* gap, const int* left,
                                const int* right, int* shared) {
    if (pairs > 0) count<<<(pairs + 127) / 128, 128>>>(pairs, first, gap, left, right, shared);
}
