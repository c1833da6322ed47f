// task: affine
// row: 3
// expect: WRONG_VALUE
// level: screen
// gpu: WRONG_VALUE
// Remembers a result by the addresses of its arguments and gives it again when they return.
__device__ float saved[8192];
static const float* seen_x = nullptr;
static int seen_n = 0;

__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = saved[i] = a * x[i] + y[i];
}

__global__ void repeat_kernel(int n, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = saved[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    if (x == seen_x && n == seen_n) {
        repeat_kernel<<<(n + 255) / 256, 256>>>(n, z);
        return;
    }
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
    seen_x = x;
    seen_n = n;
}
