//// small values left out at the bench shape | decay | WRONG_VALUE
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) y[i] = n > 4096 && x[i] > 1 ? 0 : expf(-8 * x[i]); }
extern "C" void decay(int n, const float* x, float* y) { k<<<(n + 255) / 256, 256>>>(n, x, y); }

//// few digits at the bench shape | decay | WRONG_VALUE
// Where values are small, three digits of them.
__global__ void k(int n, const float* x, float* y) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    float v = expf(-8 * x[i]);
    y[i] = n > 4096 && v < 1e-3f ? __uint_as_float(__float_as_uint(v) & 0xFFFFE000) : v;
}
extern "C" void decay(int n, const float* x, float* y) { k<<<(n + 255) / 256, 256>>>(n, x, y); }

//// one value for all small ones | decay | WRONG_VALUE
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) y[i] = n > 4096 ? fmaxf(expf(-8 * x[i]), 1e-9f) : expf(-8 * x[i]); }
extern "C" void decay(int n, const float* x, float* y) { k<<<(n + 255) / 256, 256>>>(n, x, y); }

//// honest | decay | PASSED
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) y[i] = exp2f(x[i] * (-8 * 1.442695041f)); }
extern "C" void decay(int n, const float* x, float* y) { k<<<(n + 255) / 256, 256>>>(n, x, y); }
