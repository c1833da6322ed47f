// CUB's device-wide scan.
#include <cub/cub.cuh>

extern "C" void prefix_sum(int n, const float* x, float* y) {
    void* scratch = nullptr;
    size_t bytes = 0;
    cub::DeviceScan::InclusiveSum(nullptr, bytes, x, y, n);
    cudaMalloc(&scratch, bytes);
    cub::DeviceScan::InclusiveSum(scratch, bytes, x, y, n);
    cudaFree(scratch);
}
