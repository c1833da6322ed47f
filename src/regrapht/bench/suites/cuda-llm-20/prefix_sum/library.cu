// CUB's device-wide scan.
#include <cstdlib>
#include <cub/cub.cuh>

// Scratch memory stays from call to call, as in a program that calls the library often. Without it nothing would be computed, which must not
// look fast: it ends the process instead.
static void* scratch_of(size_t bytes) {
    static void* kept = nullptr;
    static size_t room = 0;
    if (bytes > room) {
        cudaFree(kept);
        if (cudaMalloc(&kept, bytes) != cudaSuccess) std::abort();
        room = bytes;
    }
    return kept;
}

extern "C" void prefix_sum(int n, const float* x, float* y) {
    size_t bytes = 0;
    cub::DeviceScan::InclusiveSum(nullptr, bytes, x, y, n);
    void* scratch = scratch_of(bytes);
    cub::DeviceScan::InclusiveSum(scratch, bytes, x, y, n);
}
