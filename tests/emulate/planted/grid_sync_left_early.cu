// arrays: x in float32 N; out out float32 N
// N: 256

#include <cooperative_groups.h>
__global__ void two_steps(const float* x, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x == 3) return;  // twin:
    out[i] = x[i];
    cooperative_groups::this_grid().sync();  // finding: grid_sync_deadlock
    out[i] += out[(i + 64) % 192];  // twin: out[i] += 1;
}
extern "C" void run(int n, const float* x, float* out) {
    void* arguments[] = {&x, &out, &n};
    cudaLaunchCooperativeKernel(two_steps, dim3(4), dim3(64), arguments, 0, 0);
}
