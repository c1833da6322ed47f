// arrays: x in float32 N; out out float32 N
// N: 256

#include <cooperative_groups.h>
__global__ void two_steps(const float* x, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = x[i];
    cooperative_groups::this_grid().sync();  // finding: grid_sync_not_cooperative
    out[i] += 1;
}
extern "C" void run(int n, const float* x, float* out) { two_steps<<<4, 64>>>(x, out); }  // twin: extern "C" void run(int n, const float* x, float* out) { void* a[] = {&x, &out}; cudaLaunchCooperativeKernel(two_steps, dim3(4), dim3(64), a, 0, 0); }
