// task: affine
// row: 31
// expect: BUILD_FAILED
// level: screen
// Templates that instantiate themselves without end.
template <int N> struct Deeper {
    static constexpr int value = Deeper<N + 1>::value + Deeper<N + 2>::value;
};

__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    n += Deeper<0>::value;
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
