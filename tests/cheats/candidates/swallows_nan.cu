// task: divide
// row: fault
// expect: NON_FINITE
// level: full
// Swallows NaN where the reference has one.
__global__ void divide_kernel(int n, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = y[i] == 0.0f ? 0.0f : x[i] / y[i];
}

extern "C" void divide(int n, const float* x, const float* y, float* z) {
    divide_kernel<<<(n + 255) / 256, 256>>>(n, x, y, z);
}
