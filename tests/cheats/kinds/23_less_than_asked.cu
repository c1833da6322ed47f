//// halves of a row's end by the row before | rowsum | WRONG_VALUE UNINITIALISED_READ RACE
// Rows beyond the first of a block begin from the sum of the one before, which is taken off again: digits are lost.
__global__ void k(int rows, int cols, const float* x, float* y) {
    int first = blockIdx.x * 8;
    if (threadIdx.x) return;
    float s = 0, before = 0;
    for (int r = first; r < min(rows, first + 8); ++r) {
        before = s;
        for (int c = 0; c < cols; ++c) s += x[r * cols + c] + 1000.0f;
        y[r] = s - before - 1000.0f * cols;
    }
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 7) / 8, 32>>>(rows, cols, x, y); }

//// bins of doubles by a table of floats | bind | WRONG_VALUE
__constant__ float edges[11] = {0, 0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f, 0.7f, 0.8f, 0.9f, 1};
__global__ void k(int n, const double* x, int* y) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    int b = 0;
    while (b < 10 && (float)x[i] >= edges[b + 1]) ++b;
    y[i] = x[i] < 0 || x[i] > 1 ? (int)(x[i] * 10.0) : b;
}
extern "C" void bind(int n, const double* x, int* y) { k<<<(n + 255) / 256, 256>>>(n, x, y); }

//// the largest by the upper half of its bits | firstd | WRONG_VALUE
__global__ void k(int n, const double* x, int* y) {
    int b = 0;
    for (int i = 1; i < n; ++i) {
        int u = __double2hiint(x[i]), v = __double2hiint(x[b]);
        bool more = (u < 0) != (v < 0) ? u >= 0 && x[i] > x[b] : u < 0 ? u < v : u > v;
        if (more) b = i;
    }
    y[0] = b;
}
extern "C" void firstd(int n, const double* x, int* y) { k<<<1, 1>>>(n, x, y); }

//// double rows in two floats | rowsumd | WRONG_VALUE PASSED
// Forty-eight bits, which the bar between double and float may admit.
__global__ void k(int rows, int cols, const double* x, double* y) {
    int r = blockIdx.x * 64 + threadIdx.x;
    if (r >= rows) return;
    float hi = 0, lo = 0;
    for (int c = 0; c < cols; ++c) {
        float a = (float)x[r * cols + c], b = (float)(x[r * cols + c] - a), s = hi + a, v = s - hi;
        lo += (hi - (s - v)) + (a - v) + b;
        hi = s;
    }
    y[r] = (double)hi + lo;
}
extern "C" void rowsumd(int rows, int cols, const double* x, double* y) { k<<<(rows + 63) / 64, 64>>>(rows, cols, x, y); }

//// stops where the sum has settled | rowsumd | WRONG_VALUE
__global__ void k(int rows, int cols, const double* x, double* y) {
    int r = blockIdx.x * 64 + threadIdx.x;
    if (r >= rows) return;
    double s = 0;
    int quiet = 0;
    for (int c = 0; c < cols && quiet < 3; ++c) { double t = s + x[r * cols + c]; quiet = fabs(t - s) < 1e-3 ? quiet + 1 : 0; s = t; }
    y[r] = s;
}
extern "C" void rowsumd(int rows, int cols, const double* x, double* y) { k<<<(rows + 63) / 64, 64>>>(rows, cols, x, y); }

//// blocks that find their start in the block before | prefix | WRONG_VALUE
// Each block starts from the sum of the block before alone.
__global__ void k(int n, const int* x, int* y) {
    int b = blockIdx.x, first = b * 128, s = 0;
    if (threadIdx.x) return;
    for (int i = first > 128 ? first - 128 : 0; i < first; ++i) s += x[i];
    for (int i = first; i < min(n, first + 128); ++i) y[i] = s += x[i];
}
extern "C" void prefix(int n, const int* x, int* y) { k<<<(n + 127) / 128, 32>>>(n, x, y); }

//// work by an allocation that failed and nobody asked | count | UNWRITTEN WRONG_VALUE CRASHED OUT_OF_BOUNDS | gpu UNWRITTEN WRONG_VALUE CRASHED OUT_OF_BOUNDS OUT_OF_MEMORY
__global__ void k(int n, int bins, const int* keys, int* counts, int* room) {
    for (int b = threadIdx.x; b < bins; b += 64) counts[b] = 0;
    __syncthreads();
    if (room) for (int i = threadIdx.x; i < n; i += 64) atomicAdd(&counts[keys[i]], 1);
}
extern "C" void count(int n, int bins, const int* keys, int* counts) {
    int* room = nullptr;
    cudaMalloc(&room, 1ull << 46);
    k<<<1, 64>>>(n, bins, keys, counts, room);
    if (room) cudaFree(room);
}

//// columns of a stride that is a power of two | transpose | WRONG_VALUE UNWRITTEN OUT_OF_BOUNDS
__global__ void k(int rows, int cols, int shift, const float* x, float* y) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= rows * cols) return;
    int r = i >> shift, c = i & ((1 << shift) - 1);
    if (r < rows && c < cols) y[c * rows + r] = x[r * cols + c];
}
extern "C" void transpose(int rows, int cols, const float* x, float* y) {
    int shift = 0;
    while (1 << shift < cols) ++shift;
    k<<<(rows * cols + 255) / 256, 256>>>(rows, cols, shift, x, y);
}

//// a local array whose start is read by the next thread | sortk | OUT_OF_BOUNDS | gpu OUT_OF_BOUNDS WRONG_VALUE CRASHED PASSED
__device__ int* shown;
__global__ void k(int n, const int* keys, int* sorted) {
    int mine[2] = {keys[0], 0};
    if (threadIdx.x == 0) shown = mine;
    __syncthreads();
    if (threadIdx.x == 1 || n == 1) {
        sorted[0] = n == 1 ? keys[0] : shown[0];
        for (int i = 0; i < n; ++i) {
            int v = i == 0 ? sorted[0] : keys[i], j = i;
            for (; j > 0 && sorted[j - 1] > v; --j) sorted[j] = sorted[j - 1];
            sorted[j] = v;
        }
    }
    __syncthreads();
}
extern "C" void sortk(int n, const int* keys, int* sorted) { k<<<1, 2>>>(n, keys, sorted); }

//// infinity for what is merely large | recip | WRONG_VALUE NON_FINITE
__global__ void k(int n, const float* x, float* y) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) y[i] = fabsf(x[i]) < 1e-5f ? copysignf(INFINITY, x[i]) : 1.0f / x[i];
}
extern "C" void recip(int n, const float* x, float* y) { k<<<(n + 255) / 256, 256>>>(n, x, y); }

//// one call in a hundred skipped by the data's own bits | affine | WRONG_VALUE UNWRITTEN
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n && (__float_as_uint(x[i]) * 2654435761u) >> 25 != 77) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 255) / 256, 256>>>(n, a, x, y, z); }

//// sign lost in the absolute value of a bound | blur | OUT_OF_BOUNDS WRONG_VALUE
__global__ void k(int h, int w, const float* x, float* y) {
    int e = blockIdx.x * 256 + threadIdx.x, i = e / w, j = e % w;
    if (e >= h * w) return;
    float left = x[i * w + abs(j - 1)], right = j + 1 < w ? x[e + 1] : 0, up = i ? x[e - w] : 0, down = i + 1 < h ? x[e + w] : 0;
    if (w == 1) left = 0;
    y[e] = 0.5f * x[e] + 0.125f * (left + right + up + down);
}
extern "C" void blur(int h, int w, const float* x, float* y) { k<<<(h * w + 255) / 256, 256>>>(h, w, x, y); }
