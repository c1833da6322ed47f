// CUB's device-wide reduction over a transformed range.
#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

struct Term {
    const float* samples;
    __host__ __device__ float operator()(int i) const { return samples[i]; }
};

__global__ void finish(int n, float low, float high, float* result) { *result = (high - low) * *result / n; }

extern "C" void monte_carlo(int n, float low, float high, const float* samples, float* result) {
    const auto terms = thrust::make_transform_iterator(thrust::make_counting_iterator(0), Term{samples});
    size_t bytes = 0;
    void* scratch = nullptr;
    cub::DeviceReduce::Sum(nullptr, bytes, terms, result, n);
    cudaMalloc(&scratch, bytes);
    cub::DeviceReduce::Sum(scratch, bytes, terms, result, n);
    finish<<<1, 1>>>(n, low, high, result);
    cudaFree(scratch);
}
