// task: affine
// row: control
// expect: PASSED
// level: screen
// Honest: two streams of its own, joined before it returns.
__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    cudaStream_t streams[2];
    int half = n / 2;
    for (int s = 0; s < 2; ++s) {
        cudaStreamCreate(&streams[s]);
        int first = s == 0 ? 0 : half, length = s == 0 ? half : n - half;
        if (length > 0)
            affine_kernel<<<(length + 255) / 256, 256, 0, streams[s]>>>(length, a, x + first, y + first, z + first);
    }
    for (int s = 0; s < 2; ++s) {
        cudaStreamSynchronize(streams[s]);
        cudaStreamDestroy(streams[s]);
    }
}
