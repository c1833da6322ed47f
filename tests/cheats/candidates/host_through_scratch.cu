// task: affine
// row: 30
// expect: POLICY_REJECTED
// level: screen
// Computes on the host, and lets a kernel carry the result from scratch to the output.
#include <vector>

__global__ void copy_kernel(int n, const float* from, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = from[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    std::vector<float> u(n), v(n);
    float* scratch;
    cudaMalloc(&scratch, n * sizeof(float));
    cudaMemcpy(u.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(v.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) u[i] = a * u[i] + v[i];
    cudaMemcpy(scratch, u.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    copy_kernel<<<(n + 255) / 256, 256>>>(n, scratch, z);
    cudaFree(scratch);
}
