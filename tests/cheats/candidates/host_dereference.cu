// task: affine
// row: 30
// expect: BAD_POINTER
// level: screen
// gpu: CRASHED
// Computes on the host with the device's pointers.
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    for (int i = 0; i < n; ++i) z[i] = a * x[i] + y[i];
}
