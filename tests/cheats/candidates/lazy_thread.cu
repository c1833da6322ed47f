// task: affine
// row: 7
// expect: POLICY_REJECTED
// level: screen
// A worker thread that goes on after the return.
#include <thread>

__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    std::thread([=] { affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z); }).detach();
}
