//// fast sine | wave | WRONG_VALUE
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] = __sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }

//// fast cosine turned | wave | WRONG_VALUE
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] = __cosf(x[i] - 1.570796327f) * expf(-0.5f * fabsf(x[i])) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }

//// fast pair | wave | WRONG_VALUE
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 128 + threadIdx.x; float s, c; if (i < n) { __sincosf(x[i], &s, &c); y[i] = s * expf(-0.5f * fabsf(x[i])) + x[i]; } }
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }

//// honest fast exponential | wave | PASSED
// Its error grows with its argument, and what it is multiplied with falls faster.
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] = sinf(x[i]) * __expf(-0.5f * fabsf(x[i])) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }
