// task: affine
// row: control
// expect: PASSED
// level: full
// Honest: vector loads with a scalar tail, grid stride.
__global__ void affine_kernel(int n, float a, const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ z) {
    int stride = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = first; i < n / 4; i += stride) {
        float4 u = reinterpret_cast<const float4*>(x)[i], v = reinterpret_cast<const float4*>(y)[i];
        reinterpret_cast<float4*>(z)[i] = make_float4(fmaf(a, u.x, v.x), fmaf(a, u.y, v.y), fmaf(a, u.z, v.z), fmaf(a, u.w, v.w));
    }
    for (int i = n / 4 * 4 + first; i < n; i += stride) z[i] = fmaf(a, x[i], y[i]);
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    affine_kernel<<<8, 256>>>(n, a, x, y, z);
}
