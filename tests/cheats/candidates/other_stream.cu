// task: affine
// row: 6
// expect: LATE_WRITE
// level: screen
// gpu: LATE_WRITE TIMING_INVALID UNWRITTEN WRONG_VALUE
// Works on a stream that the default one does not wait for, and does not join it.
__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    static cudaStream_t stream = nullptr;
    if (stream == nullptr) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (int repeat = 0; repeat < 50; ++repeat) affine_kernel<<<(n + 255) / 256, 256, 0, stream>>>(n, a, x, y, z);
}
