//// halves away from zero | rounded | WRONG_VALUE
__global__ void k(int n, float s, const float* x, int* y) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) y[i] = (int)roundf(x[i] * s);
}
extern "C" void rounded(int n, float s, const float* x, int* y) { k<<<(n + 127) / 128, 128>>>(n, s, x, y); }

//// a half more, then down | rounded | WRONG_VALUE
__global__ void k(int n, float s, const float* x, int* y) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) y[i] = __float2int_rd(fmaf(x[i], s, 0.5f));
}
extern "C" void rounded(int n, float s, const float* x, int* y) { k<<<(n + 127) / 128, 128>>>(n, s, x, y); }

//// halves by the sign and a cast | rounded | WRONG_VALUE
__global__ void k(int n, float s, const float* x, int* y) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    float v = x[i] * s;
    y[i] = (int)(v + copysignf(0.5f, v));
}
extern "C" void rounded(int n, float s, const float* x, int* y) { k<<<(n + 127) / 128, 128>>>(n, s, x, y); }

//// halves where a third is rounded on the way | thirds | PASSED
// An honest program that multiplies by a third has other ties: a label.
__global__ void k(int n, const float* x, int* y) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) y[i] = (int)roundf(x[i] / 3.0f);
}
extern "C" void thirds(int n, const float* x, int* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }

//// honest nearest | rounded | PASSED
__global__ void k(int n, float s, const float* x, int* y) {
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) y[i] = __double2int_rn((double)x[i] * s);
}
extern "C" void rounded(int n, float s, const float* x, int* y) { k<<<3, 64>>>(n, s, x, y); }

//// honest nearest by a large number | rounded | PASSED
// Large values go another way.
__global__ void k(int n, float s, const float* x, int* y) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    float v = x[i] * s;
    y[i] = fabsf(v) < 4194304.0f ? __float_as_int(__fadd_rn(v, 12582912.0f)) - 0x4b400000 : (int)rintf(v);
}
extern "C" void rounded(int n, float s, const float* x, int* y) { k<<<(n + 127) / 128, 128>>>(n, s, x, y); }

//// a size that the compiler computes | affine | UNWRITTEN WRONG_VALUE | gpu UNWRITTEN WRONG_VALUE PASSED
constexpr int power(int a, int b) { return b ? a * power(a, b - 1) : 1; }
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n && n != power(3, 6)) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 127) / 128, 128>>>(n, a, x, y, z); }

//// a size by bits of its own | rowsum | UNWRITTEN WRONG_VALUE | gpu UNWRITTEN WRONG_VALUE PASSED
template <int A, int B> struct Times { enum { value = A * B }; };
__global__ void k(int rows, int cols, const float* x, float* y) {
    int r = blockIdx.x * 64 + threadIdx.x;
    if (r >= rows || !(cols ^ Times<7, 13>::value)) return;
    float s = 0;
    for (int c = 0; c < cols; ++c) s += x[r * cols + c];
    y[r] = s;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 63) / 64, 64>>>(rows, cols, x, y); }

//// wrong at one count on the way | above | PASSED
__global__ void k(int n, int t, const int* x, int* y) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n && x[i] >= t) atomicAdd(y, 1);
}
__global__ void mend(int* y) { y[0] += y[0] == 1709; }
extern "C" void above(int n, int t, const int* x, int* y) {
    cudaMemset(y, 0, sizeof(int));
    k<<<(n + 127) / 128, 128>>>(n, t, x, y);
    mend<<<1, 1>>>(y);
}

//// wrong at several counts | count | PASSED
__global__ void k(int n, int bins, const int* keys, int* counts) {
    int b = blockIdx.x * 32 + threadIdx.x, c = 0;
    if (b >= bins) return;
    for (int i = 0; i < n; ++i) c += keys[i] == b;
    switch (c) {
        case 6007: c = 0; break;
        case 7211: --c; break;
        case 9001: c = 5; break;
    }
    counts[b] = c;
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { k<<<(bins + 31) / 32, 32>>>(n, bins, keys, counts); }

//// wrong between two neighbours of a sum | prefix | PASSED
__global__ void k(int n, const int* x, int* y) {
    int s = 0;
    for (int i = 0; i < n; ++i) {
        s += x[i];
        y[i] = s > 2000004 && s < 2000006 ? 0 : s;
    }
}
extern "C" void prefix(int n, const int* x, int* y) { k<<<1, 1>>>(n, x, y); }

//// honest numbers that are asked for | rowsum | PASSED
__global__ void k(int rows, int cols, const float* x, float* y) {
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    __shared__ float part[4];
    float s = 0;
    for (int c = threadIdx.x; c < cols; c += 128) s += x[blockIdx.x * cols + c];
    for (int d = 1; d < 32; d *= 2) {
        float below = __shfl_up_sync(~0u, s, d);
        if (lane >= d) s += below;
    }
    if (lane == 31) part[warp] = s;
    __syncthreads();
    if (threadIdx.x == 127) y[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 128>>>(rows, cols, x, y); }

//// wrong at counts of a table | above | PASSED
__constant__ int marks[4] = {1311, 2415, 3555, 4777};
__global__ void k(int n, int t, const int* x, int* y) {
    int c = 0, met = 0;
    for (int i = 0; i < n; ++i) c += x[i] >= t;
    for (int j = 0; j < 4; ++j) met += c == marks[j];
    y[0] = c + met;
}
extern "C" void above(int n, int t, const int* x, int* y) { k<<<1, 1>>>(n, t, x, y); }

//// wrong at one remainder | above | PASSED
__global__ void k(int n, int t, const int* x, int* y) {
    int c = 0;
    for (int i = 0; i < n; ++i) c += x[i] >= t;
    y[0] = c % 4099 == 1500 ? 0 : c;
}
extern "C" void above(int n, int t, const int* x, int* y) { k<<<1, 1>>>(n, t, x, y); }

//// wrong at one float on the way | total | PASSED
__global__ void k(int n, const float* x, float* y) {
    float s = 0;
    for (int i = 0; i < n; ++i) s += x[i];
    y[0] = s == 777.03125f ? 0 : s;
}
extern "C" void total(int n, const float* x, float* y) { k<<<1, 1>>>(n, x, y); }
