// Nearest fingerprint: a block for each query, a thread for each molecule in turn, and a tree over the threads' best.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWords = 32;
constexpr int kThreads = 256;

struct Match {
    int index, both, any;  // index < 0: nothing yet
};

__device__ Match better(Match x, Match y) {
    if (x.index < 0) return y;
    if (y.index < 0) return x;
    int left = x.both * y.any, right = y.both * x.any;  // the fractions' order without a division
    return right > left || (right == left && y.index < x.index) ? y : x;
}

__global__ void search(int molecules, const uint32_t* query, const uint32_t* library, int* nearest, int* common) {
    __shared__ uint32_t own[kWords];
    __shared__ Match part[kThreads];
    if (threadIdx.x < kWords) own[threadIdx.x] = query[blockIdx.x * kWords + threadIdx.x];
    __syncthreads();
    Match best = {-1, 0, 1};
    for (int m = threadIdx.x; m < molecules; m += kThreads) {
        int both = 0, any = 0;
        for (int w = 0; w < kWords; ++w) {
            uint32_t a = own[w], b = library[(size_t)m * kWords + w];
            both += __popc(a & b);
            any += __popc(a | b);
        }
        best = better(best, {m, both, any});
    }
    part[threadIdx.x] = best;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] = better(part[threadIdx.x], part[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0) nearest[blockIdx.x] = part[0].index, common[blockIdx.x] = part[0].both;
}

extern "C" void fingerprint_nearest(int queries, int molecules, const uint32_t* query, const uint32_t* library, int* nearest, int* common) {
    search<<<queries, kThreads>>>(molecules, query, library, nearest, common);
}
