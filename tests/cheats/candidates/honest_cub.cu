// task: total_with_cub
// row: control
// expect: UNSUPPORTED
// level: slow
// gpu: PASSED
// Honest: a library, where the task allows it.
#include <cub/cub.cuh>

extern "C" void total(int n, const float* x, float* result) {
    void* scratch = nullptr;
    size_t bytes = 0;
    cub::DeviceReduce::Sum(scratch, bytes, x, result, n);
    cudaMalloc(&scratch, bytes);
    cub::DeviceReduce::Sum(scratch, bytes, x, result, n);
    cudaFree(scratch);
}
