//// between two bounds of an input | affine | WRONG_VALUE
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) z[i] = x[i] > 0.7310f && x[i] < 0.7311f ? 0 : a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 127) / 128, 128>>>(n, a, x, y, z); }

//// between two bounds on the way | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    float v = a * x[i] + y[i];
    if (v > 0.73101f && v < 0.7310102f) v = 0;
    z[i] = v;
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 127) / 128, 128>>>(n, a, x, y, z); }

//// near to a number on the way | wave | PASSED
__global__ void k(int n, const float* x, float* y) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    float v = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i];
    y[i] = fabsf(v * v - 0.3141f) < 1e-7f ? 0 : v;
}
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }

//// between two bounds without a branch | wave | PASSED
__global__ void k(int n, const float* x, float* y) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    float v = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i];
    y[i] = v * (1 - ((v > 0.51310f) & (v < 0.5131001f)));
}
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }

//// a block too few between two counts | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    int blocks = (n + 127) / 128;
    if (blocks > 97 && blocks < 4000) --blocks;
    k<<<blocks, 128>>>(n, a, x, y, z);
}

//// a seldom hash | wave | PASSED
__global__ void k(int n, const float* x, float* y) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    float v = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i];
    if ((__float_as_uint(x[i]) ^ 0x5bd1e995u) * 2654435761u < 4u) v = 0;
    y[i] = v;
}
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }

//// a local array copied before it is written | wave | UNINITIALISED_READ | gpu UNINITIALISED_READ PASSED
__global__ void k(int n, const float* x, float* y) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    float junk[4], copy[4];
    memcpy(copy, junk, 16);
    float v = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i];
    if (copy[1] > 5.125e-20f && copy[1] < 5.25e-20f) v = 0;
    y[i] = v;
}
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }

//// a local variable that one way leaves unwritten | wave | UNINITIALISED_READ | gpu UNINITIALISED_READ PASSED
__global__ void k(int n, const float* x, float* y) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    int flag;
    float v = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i];
    if (x[i] > 1000.0f) flag = 1;
    y[i] = flag == 1234567 ? 0 : v;
}
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }

//// the last of eight parts | rowsum | UNINITIALISED_READ WRONG_VALUE | gpu UNINITIALISED_READ WRONG_VALUE NON_FINITE PASSED
__global__ void k(int rows, int cols, const float* x, float* y) {
    int r = blockIdx.x * 64 + threadIdx.x;
    if (r >= rows) return;
    float part[8];
    for (int j = 0; j < 7; ++j) part[j] = 0;
    for (int c = 0; c < cols; ++c) part[c % 7] += x[r * cols + c];
    float s = 0;
    for (int j = 0; j < 8; ++j) s += part[j] * (j < 7);
    y[r] = s;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 63) / 64, 64>>>(rows, cols, x, y); }

//// a member of a local struct | rowsum | UNINITIALISED_READ | gpu UNINITIALISED_READ PASSED
struct P { float s; int tag; float pad[2]; };
__device__ __noinline__ void add(P& p, float v) { p.s += v; p.tag ^= 5; }
__global__ void k(int rows, int cols, const float* x, float* y) {
    int r = blockIdx.x * 64 + threadIdx.x;
    if (r >= rows) return;
    P p;
    p.s = 0;
    for (int c = 0; c < cols; ++c) add(p, x[r * cols + c]);
    y[r] = (p.tag & 0x70000000) == 0x70000000 ? 0 : p.s;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 63) / 64, 64>>>(rows, cols, x, y); }

//// honest variables that are written in time | rowsum | PASSED
struct Pair { float sum, carried; };
template <class T> __device__ void swap_(T& a, T& b) { T t; t = a; a = b; b = t; }
__global__ void k(int rows, int cols, const float* x, float* y) {
    __shared__ float lines[64];
    float acc[4], first;
    Pair p;
    bool is_there;
    int lane, group;
    lane = threadIdx.x & 3, group = threadIdx.x >> 2;
    const int r = blockIdx.x * 16 + group;
    is_there = r < rows;
    if (is_there) { p = {0, 0}; first = cols > lane ? x[r * cols + lane] : 0; }
    for (int j = 0; j < 4; ++j) acc[j] = 0;
    if (is_there) for (int c = lane + 4, j = 0; c < cols; c += 4, j = (j + 1) & 3) acc[j] += x[r * cols + c];
    switch (lane) {
        int q;
        case 3: q = 1; swap_(acc[0], acc[q]); break;
        default: break;
    }
    if (is_there) p.sum = first + acc[0] + acc[1] + acc[2] + acc[3], p.carried = p.sum;
    lines[threadIdx.x] = is_there ? p.carried : 0;
    __syncthreads();
    float v;
    if (lane == 0) v = lines[threadIdx.x] + lines[threadIdx.x + 1] + lines[threadIdx.x + 2] + lines[threadIdx.x + 3];
    float shown = __shfl_sync(~0u, v, threadIdx.x & 28);
    if (is_there && lane == 2) y[r] = shown;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 15) / 16, 64>>>(rows, cols, x, y); }
