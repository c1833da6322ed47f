// arrays: x in float32 N; out out float32 N
// N: 2000
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void jacobi(float* a, float* b, int n, int steps) {
    auto g = cg::this_grid();
    float *s = a, *d = b;
    for (int k = 0; k < steps; k++) {
        for (int i = g.thread_rank(); i < n; i += g.size()) d[i] = i == 0 || i == n - 1 ? s[i] : 0.5f * (s[i - 1] + s[i + 1]);
        g.sync();
        float* t = s;
        s = d;
        d = t;
    }
}
extern "C" void run(int n, const float* x, float* out) {
    float* other;
    int steps = 6;
    cudaMalloc(&other, n * sizeof(float));
    cudaMemcpy(out, x, n * sizeof(float), cudaMemcpyDeviceToDevice);
    void* args[] = {&out, &other, &n, &steps};
    cudaLaunchCooperativeKernel(jacobi, dim3(6), dim3(64), args, 0, 0);
    cudaFree(other);
}
