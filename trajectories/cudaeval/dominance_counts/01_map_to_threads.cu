// Dominance counts: one offer a thread.
#include <cuda_runtime.h>

#include <cstdint>

__device__ bool dominates(const uint8_t* one, const uint8_t* other) {
    bool better = false;
    for (int a = 0; a < 8; ++a) {
        if (one[a] > other[a]) return false;
        better |= one[a] < other[a];
    }
    return better;
}

__global__ void count(int n, const uint8_t* offer, int32_t* dominating) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int found = 0;
    for (int j = 0; j < n; ++j) found += dominates(offer + 8LL * j, offer + 8LL * i);
    dominating[i] = found;
}

extern "C" void dominance_counts(int n, const uint8_t* offer, int32_t* dominating) {
    count<<<(n - 1) / 128 + 1, 128>>>(n, offer, dominating);
}
