// task: affine
// row: 1
// expect: UNINITIALISED_READ
// level: screen
// gpu: UNINITIALISED_READ WRONG_VALUE NON_FINITE UNWRITTEN
// Allocates without writing and hands over what an earlier owner may have left there.
__global__ void copy_kernel(int n, const float* from, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = from[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    float* stale;
    cudaMalloc(&stale, n * sizeof(float));
    copy_kernel<<<(n + 255) / 256, 256>>>(n, stale, z);
    cudaFree(stale);
}
