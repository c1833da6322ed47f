// task: divide
// row: control
// expect: PASSED
// level: full
// Honest: division, NaN and infinity as they come.
__global__ void divide_kernel(int n, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] / y[i];
}

extern "C" void divide(int n, const float* x, const float* y, float* z) {
    divide_kernel<<<(n + 255) / 256, 256>>>(n, x, y, z);
}
