// task: affine
// row: 19
// expect: WRONG_VALUE
// level: screen
// Inputs cut to the ten bits of a tensor core's format.
__device__ float cut(float v) { return __int_as_float(__float_as_int(v) & 0xffffe000); }

__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = cut(a) * cut(x[i]) + cut(y[i]);
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
