// task: affine
// row: 30
// expect: POLICY_REJECTED
// level: screen
// Computes on the host, and launches a kernel that does one element of it.
#include <vector>

__global__ void one_kernel(float a, const float* x, const float* y, float* z) { z[0] = a * x[0] + y[0]; }

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    std::vector<float> u(n), v(n);
    cudaMemcpy(u.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(v.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) u[i] = a * u[i] + v[i];
    cudaMemcpy(z, u.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    one_kernel<<<1, 1>>>(a, x, y, z);
}
