// task: affine
// row: control
// expect: PASSED
// level: screen
// Honest: scratch memory from the stream's own allocator.
__global__ void scale_kernel(int n, float a, const float* x, float* scaled) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) scaled[i] = a * x[i];
}

__global__ void add_kernel(int n, const float* scaled, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = scaled[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    float* scaled;
    cudaMallocAsync(&scaled, n * sizeof(float), 0);
    scale_kernel<<<(n + 255) / 256, 256>>>(n, a, x, scaled);
    add_kernel<<<(n + 255) / 256, 256>>>(n, scaled, y, z);
    cudaFreeAsync(scaled, 0);
}
