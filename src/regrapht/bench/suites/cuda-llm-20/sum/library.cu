// CUB's device-wide reduction over a transformed range.
#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

struct Term {
    const float* x;
    __host__ __device__ float operator()(int i) const { return x[i]; }
};

extern "C" void sum(int n, const float* x, float* result) {
    const auto terms = thrust::make_transform_iterator(thrust::make_counting_iterator(0), Term{x});
    size_t bytes = 0;
    void* scratch = nullptr;
    cub::DeviceReduce::Sum(nullptr, bytes, terms, result, n);
    cudaMalloc(&scratch, bytes);
    cub::DeviceReduce::Sum(scratch, bytes, terms, result, n);
    cudaFree(scratch);
}
