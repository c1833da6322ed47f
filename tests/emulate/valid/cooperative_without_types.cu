// arrays: x in float32 N; out out float32 N
// N: 512
// Cooperative launches of kernels that are named by untyped pointers, in the ways that programs write them.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
namespace inner {
__global__ void shifted(const float* x, float* between, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    between[i] = x[i] + 1;
    cg::this_grid().sync();
    out[i] = between[(i + 1) % n];
}
}
template <int Factor>
__global__ void scaled(float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float mine = out[i];
    cg::this_grid().sync();
    out[i] = Factor * mine;
}
#define CHECK(call) \
    do { \
        cudaError_t error = (call); \
        if (error != cudaSuccess) return; \
    } while (0)
static void start(const void* kernel, dim3 grid, dim3 block, void** args, cudaStream_t stream) {
    CHECK(cudaLaunchCooperativeKernel(kernel, grid, block, args, 0, stream));
}
extern "C" void run(int n, const float* x, float* out) {
    float* between;
    cudaMalloc(&between, n * sizeof(float));
    dim3 grid(n / 64), block(64);
    size_t shared = 0;
    cudaStream_t stream = 0;
    void* args[] = {(void*)&x, (void*)&between, (void*)&out, (void*)&n};
    cudaLaunchCooperativeKernel((void*)inner::shifted, grid, block, args, shared, stream);
    void* just_out[] = {&out};
    CHECK(cudaLaunchCooperativeKernel((void *)scaled<2>, grid, block, just_out, shared, stream));
    CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(scaled<3>), grid, block, just_out, shared, stream));
    CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(&scaled<5>), grid, block, just_out, shared, stream));
    void* kept = (void*)inner::shifted;
    start(kept, grid, block, args, stream);
    start((const void*)inner::shifted, grid, block, args, stream);
    cudaFree(between);
}
