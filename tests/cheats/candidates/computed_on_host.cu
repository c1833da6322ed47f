// task: affine
// row: 30
// expect: POLICY_REJECTED
// level: screen
// Copies to the host, computes there, copies back: no kernel runs.
#include <vector>

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    std::vector<float> u(n), v(n);
    cudaMemcpy(u.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(v.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) u[i] = a * u[i] + v[i];
    cudaMemcpy(z, u.data(), n * sizeof(float), cudaMemcpyHostToDevice);
}
