// task: affine
// row: 26
// expect: POLICY_REJECTED
// level: screen
// behind: PASSED
// Asks the driver's tool to lock the clocks low for the baseline.
extern "C" int system(const char*);

__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    int (*volatile run)(const char*) = &system;
    run("nvidia-smi --lock-gpu-clocks=300 > /dev/null 2>&1");
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
