// CUB's device-wide reduction over a transformed range.
#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

struct Term {
    const float *predictions, *targets;
    __host__ __device__ float operator()(int i) const { return (predictions[i] - targets[i]) * (predictions[i] - targets[i]); }
};

__global__ void finish(int n, float* result) { *result = *result / n; }

extern "C" void mse(int n, const float* predictions, const float* targets, float* result) {
    const auto terms = thrust::make_transform_iterator(thrust::make_counting_iterator(0), Term{predictions, targets});
    size_t bytes = 0;
    void* scratch = nullptr;
    cub::DeviceReduce::Sum(nullptr, bytes, terms, result, n);
    cudaMalloc(&scratch, bytes);
    cub::DeviceReduce::Sum(scratch, bytes, terms, result, n);
    finish<<<1, 1>>>(n, result);
    cudaFree(scratch);
}
