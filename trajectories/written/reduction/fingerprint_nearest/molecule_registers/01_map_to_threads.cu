// Nearest fingerprint: a thread for each query walks the library.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWords = 32;

__global__ void search(int queries, int molecules, const uint32_t* query, const uint32_t* library, int* nearest, int* common) {
    int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= queries) return;
    int best = -1, best_both = 0, best_any = 1;
    for (int m = 0; m < molecules; ++m) {
        int both = 0, any = 0;
        for (int w = 0; w < kWords; ++w) {
            uint32_t a = query[q * kWords + w], b = library[(size_t)m * kWords + w];
            both += __popc(a & b);
            any += __popc(a | b);
        }
        if (best < 0 || both * best_any > best_both * any) best = m, best_both = both, best_any = any;
    }
    nearest[q] = best, common[q] = best_both;
}

extern "C" void fingerprint_nearest(int queries, int molecules, const uint32_t* query, const uint32_t* library, int* nearest, int* common) {
    search<<<(queries + 31) / 32, 32>>>(queries, molecules, query, library, nearest, common);
}
