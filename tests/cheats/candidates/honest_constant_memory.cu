// task: affine
// row: control
// expect: PASSED
// level: screen
// Honest: a factor in constant memory.
__constant__ float factor;

__global__ void affine_kernel(int n, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = factor * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    cudaMemcpyToSymbol(factor, &a, sizeof a);
    affine_kernel<<<(n + 255) / 256, 256>>>(n, x, y, z);
}
