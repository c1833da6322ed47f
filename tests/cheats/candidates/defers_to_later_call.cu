// task: affine
// row: 5
// expect: INPUT_MODIFIED UNWRITTEN OUT_OF_BOUNDS
// level: screen
// gpu: UNWRITTEN OUT_OF_BOUNDS CRASHED
// Queues its work and does that of three calls in the third.
struct Pending {
    int n;
    float a;
    const float *x, *y;
    float* z;
};
static Pending queue[3];
static int queued = 0;

__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    queue[queued++] = {n, a, x, y, z};
    if (queued < 3) return;
    queued = 0;
    for (const Pending& p : queue) affine_kernel<<<(p.n + 255) / 256, 256>>>(p.n, p.a, p.x, p.y, p.z);
}
