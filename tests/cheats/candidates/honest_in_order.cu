// task: total
// row: control
// expect: PASSED
// level: full
// Honest: in order, one thread.
__global__ void total_kernel(int n, const float* x, float* result) {
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) sum += x[i];
    *result = sum;
}

extern "C" void total(int n, const float* x, float* result) { total_kernel<<<1, 1>>>(n, x, result); }
