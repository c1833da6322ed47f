// task: affine
// row: 32
// expect: POLICY_REJECTED
// level: screen
// behind: TIMED_OUT
// Leaves a pipe where the judge looks for a file.
extern "C" int mkfifo(const char*, unsigned);
extern "C" int unlink(const char*);

__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    unlink("report.json");
    mkfifo("report.json", 0666);
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
