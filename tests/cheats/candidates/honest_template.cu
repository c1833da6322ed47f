// task: affine
// row: control
// expect: PASSED
// level: screen
// Honest: a template kernel with a functor.
struct Affine {
    float a;
    __device__ float operator()(float x, float y) const { return fmaf(a, x, y); }
};

template <int kBlock, class F> __global__ void __launch_bounds__(kBlock) zip_kernel(int n, F f, const float* x, const float* y, float* z) {
    int i = blockIdx.x * kBlock + threadIdx.x;
    if (i < n) z[i] = f(x[i], y[i]);
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    zip_kernel<128><<<(n + 127) / 128, 128>>>(n, Affine{a}, x, y, z);
}
