// task: affine
// row: 13
// expect: POLICY_REJECTED
// level: screen
// behind: PASSED
// Puts other files in the place of the descriptors that it inherits.
extern "C" int dup2(int, int);
extern "C" int close(int);

__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    for (int descriptor = 3; descriptor < 64; ++descriptor) close(descriptor);
    for (int descriptor = 3; descriptor < 8; ++descriptor) dup2(1, descriptor);
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
