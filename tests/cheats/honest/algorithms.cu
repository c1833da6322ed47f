//// sums of blocks, then offsets | prefix | PASSED
__global__ void sums(int n, const int* x, int* s) { __shared__ int p[64]; int i = blockIdx.x * 64 + threadIdx.x; p[threadIdx.x] = i < n ? x[i] : 0; __syncthreads(); for (int d = 32; d; d /= 2) { if (threadIdx.x < d) p[threadIdx.x] += p[threadIdx.x + d]; __syncthreads(); } if (!threadIdx.x) s[blockIdx.x] = p[0]; }
__global__ void scan(int b, int* s) { int t = 0; for (int i = 0; i < b; ++i) { const int v = s[i]; s[i] = t; t += v; } }
__global__ void offsets(int n, const int* x, const int* s, int* y) { __shared__ int p[64]; int i = blockIdx.x * 64 + threadIdx.x; p[threadIdx.x] = i < n ? x[i] : 0; __syncthreads(); int t = s[blockIdx.x]; for (int j = 0; j <= threadIdx.x; ++j) t += p[j]; if (i < n) y[i] = t; }
extern "C" void prefix(int n, const int* x, int* y) { int *s, b = (n + 63) / 64; cudaMalloc(&s, b * sizeof(int)); sums<<<b, 64>>>(n, x, s); scan<<<1, 1>>>(b, s); offsets<<<b, 64>>>(n, x, s, y); cudaFree(s); }

//// doubling over the device | prefix | PASSED
__global__ void step(int n, int d, const int* from, int* to) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) to[i] = from[i] + (i >= d ? from[i - d] : 0); }
extern "C" void prefix(int n, const int* x, int* y) {
    int *a, *b; cudaMalloc(&a, n * sizeof(int)); cudaMalloc(&b, n * sizeof(int));
    cudaMemcpy(a, x, n * sizeof(int), cudaMemcpyDeviceToDevice);
    for (int d = 1; d < n; d *= 2) { step<<<(n + 63) / 64, 64>>>(n, d, a, b); int* t = a; a = b; b = t; }
    cudaMemcpy(y, a, n * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaFree(a); cudaFree(b);
}

//// each sum by itself | prefix | PASSED
__global__ void k(int n, const int* x, int* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) { int s = 0; for (int j = 0; j <= i; ++j) s += x[j]; y[i] = s; } }
extern "C" void prefix(int n, const int* x, int* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }

//// two ends meet | prefix | PASSED
// From the right: all, less what comes behind.
__global__ void k(int n, const int* x, int* y) { if (threadIdx.x) return; int s = 0; for (int i = 0; i < n; ++i) s += x[i]; for (int i = n - 1; i >= 0; --i) { y[i] = s; s -= x[i]; } }
extern "C" void prefix(int n, const int* x, int* y) { k<<<1, 32>>>(n, x, y); }

//// a tree in place | total | PASSED
__global__ void first(int n, const float* x, float* s) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) s[i] = x[i]; }
__global__ void halve(int n, int half, float* s) { int i = blockIdx.x * 64 + threadIdx.x; if (i + half < n && i < half) s[i] += s[i + half]; }
extern "C" void total(int n, const float* x, float* result) {
    float* s; cudaMalloc(&s, n * sizeof(float));
    first<<<(n + 63) / 64, 64>>>(n, x, s);
    for (int m = n; m > 1; m = (m + 1) / 2) halve<<<((m + 1) / 2 + 63) / 64, 64>>>(m, (m + 1) / 2, s);
    cudaMemcpy(result, s, sizeof(float), cudaMemcpyDeviceToDevice);
    cudaFree(s);
}

//// one launch, many passes | total | PASSED
__global__ void k(int n, const float* x, float* result) {
    __shared__ float s[128];
    float t = 0;
    for (int i = threadIdx.x; i < n; i += 128) t += x[i];
    s[threadIdx.x] = t;
    for (int d = 1; d < 128; d *= 2) { __syncthreads(); if (threadIdx.x % (2 * d) == 0) s[threadIdx.x] += s[threadIdx.x + d]; }
    if (threadIdx.x == 0) *result = s[0];
}
extern "C" void total(int n, const float* x, float* result) { k<<<1, 128>>>(n, x, result); }

//// unrolled last warp | total | PASSED
__device__ void last(volatile float* s, int t) { s[t] += s[t + 32]; __syncwarp(); if (t < 16) s[t] += s[t + 16]; __syncwarp(); if (t < 8) s[t] += s[t + 8]; __syncwarp(); if (t < 4) s[t] += s[t + 4]; __syncwarp(); if (t < 2) s[t] += s[t + 2]; __syncwarp(); if (t < 1) s[t] += s[t + 1]; }
__global__ void k(int n, const float* x, float* result) {
    __shared__ float s[64];
    float t = 0;
    for (int i = threadIdx.x; i < n; i += 64) t += x[i];
    s[threadIdx.x] = t;
    __syncthreads();
    if (threadIdx.x < 32) last(s, threadIdx.x);
    if (threadIdx.x == 0) *result = s[0];
}
extern "C" void total(int n, const float* x, float* result) { k<<<1, 64>>>(n, x, result); }

//// merged runs | sortk | PASSED
__global__ void runs(int n, int w, const int* from, int* to) {
    const int a = 2 * w * (blockIdx.x * 32 + threadIdx.x);
    if (a >= n) return;
    const int m = min(a + w, n), e = min(a + 2 * w, n);
    for (int i = a, j = m, o = a; o < e; ++o) to[o] = i < m && (j >= e || from[i] <= from[j]) ? from[i++] : from[j++];
}
extern "C" void sortk(int n, const int* keys, int* sorted) {
    int* other; cudaMalloc(&other, n * sizeof(int));
    cudaMemcpy(other, keys, n * sizeof(int), cudaMemcpyDeviceToDevice);
    int *a = other, *b = sorted;
    for (int w = 1; w < n; w *= 2) { runs<<<(n + 64 * w - 1) / (64 * w), 32>>>(n, w, a, b); int* t = a; a = b; b = t; }
    if (a != sorted) cudaMemcpy(sorted, a, n * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaFree(other);
}

//// merge by search | sortk | PASSED
__global__ void ranks(int n, int w, const int* from, int* to) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    const int a = i / (2 * w) * 2 * w, m = min(a + w, n), e = min(a + 2 * w, n);
    const bool left = i < m;
    int l = left ? m : a, h = left ? e : m;
    while (l < h) { const int c = (l + h) / 2; if (left ? from[c] < from[i] : from[c] <= from[i]) l = c + 1; else h = c; }
    to[a + (i - (left ? a : m)) + (l - (left ? m : a))] = from[i];
}
extern "C" void sortk(int n, const int* keys, int* sorted) {
    int *a, *b; cudaMalloc(&a, n * sizeof(int)); cudaMalloc(&b, n * sizeof(int));
    cudaMemcpy(a, keys, n * sizeof(int), cudaMemcpyDeviceToDevice);
    for (int w = 1; w < n; w *= 2) { ranks<<<(n + 63) / 64, 64>>>(n, w, a, b); int* t = a; a = b; b = t; }
    cudaMemcpy(sorted, a, n * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaFree(a); cudaFree(b);
}

//// bits split by a scan | sortk | PASSED
__global__ void k(int n, const int* keys, int* sorted) {
    extern __shared__ int s[];
    int *a = s, *b = s + n, *zeros = s + 2 * n;
    for (int i = threadIdx.x; i < n; i += 64) a[i] = keys[i];
    for (int bit = 0; bit < 17; ++bit) {
        __syncthreads();
        if (threadIdx.x == 0) { int z = 0; for (int i = 0; i < n; ++i) { zeros[i] = z; z += !(a[i] >> bit & 1); } zeros[n] = z; }
        __syncthreads();
        for (int i = threadIdx.x; i < n; i += 64) b[a[i] >> bit & 1 ? zeros[n] + i - zeros[i] : zeros[i]] = a[i];
        int* t = a; a = b; b = t;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 64) sorted[i] = a[i];
}
extern "C" void sortk(int n, const int* keys, int* sorted) { k<<<1, 64, (3 * n + 1) * sizeof(int)>>>(n, keys, sorted); }

//// a heap of one thread | sortk | PASSED
__device__ void sift(int* h, int i, int n) { for (;;) { int c = 2 * i + 1; if (c >= n) return; if (c + 1 < n && h[c + 1] > h[c]) ++c; if (h[i] >= h[c]) return; const int t = h[i]; h[i] = h[c]; h[c] = t; i = c; } }
__global__ void k(int n, const int* keys, int* sorted) {
    if (threadIdx.x) return;
    for (int i = 0; i < n; ++i) sorted[i] = keys[i];
    for (int i = n / 2 - 1; i >= 0; --i) sift(sorted, i, n);
    for (int e = n - 1; e > 0; --e) { const int t = sorted[0]; sorted[0] = sorted[e]; sorted[e] = t; sift(sorted, 0, e); }
}
extern "C" void sortk(int n, const int* keys, int* sorted) { k<<<1, 32>>>(n, keys, sorted); }

//// sorted keys counted | count | PASSED
// A bit vector a bin would do; here each bin searches.
__global__ void k(int n, const int* keys, int* counts) { const int b = blockIdx.x * 8 + threadIdx.y; int c = 0; for (int i = threadIdx.x; i < n; i += 8) c += keys[i] == b; c += __shfl_xor_sync(~0u, c, 4); c += __shfl_xor_sync(~0u, c, 2); c += __shfl_xor_sync(~0u, c, 1); if (threadIdx.x == 0 && b < gridDim.y) counts[b] = c; }
extern "C" void count(int n, int bins, const int* keys, int* counts) { dim3 g((bins + 7) / 8, bins); k<<<g, dim3(8, 8)>>>(n, keys, counts); }

//// counts by subtraction of ranks | count | PASSED
__global__ void below(int n, const int* keys, int* less) { int c = 0; for (int i = threadIdx.x; i < n; i += 32) c += keys[i] < blockIdx.x; c = __reduce_add_sync(~0u, c); if (!threadIdx.x) less[blockIdx.x] = c; }
__global__ void differ(int bins, const int* less, int* counts) { int b = blockIdx.x * 32 + threadIdx.x; if (b < bins) counts[b] = less[b + 1] - less[b]; }
extern "C" void count(int n, int bins, const int* keys, int* counts) { int* less; cudaMalloc(&less, (bins + 1) * sizeof(int)); below<<<bins + 1, 32>>>(n, keys, less); differ<<<(bins + 31) / 32, 32>>>(bins, less, counts); cudaFree(less); }

//// outer products | matmul | PASSED
__global__ void zero(int mn, float* c) { int i = blockIdx.x * 64 + threadIdx.x; if (i < mn) c[i] = 0; }
__global__ void outer(int m, int n, int k, int t, const float* a, const float* b, float* c) { int i = blockIdx.x * 64 + threadIdx.x; if (i < m * n) c[i] += a[i / n * k + t] * b[t * n + i % n]; }
extern "C" void matmul(int m, int n, int k, const float* a, const float* b, float* c) { const int g = (m * n + 63) / 64; zero<<<g, 64>>>(m * n, c); for (int t = 0; t < k; ++t) outer<<<g, 64>>>(m, n, k, t, a, b, c); }

//// a warp an element | matmul | PASSED
__global__ void mm(int m, int n, int k, const float* a, const float* b, float* c) { const int e = blockIdx.x * 4 + threadIdx.y, i = e / n, j = e % n; float s = 0; if (e < m * n) for (int t = threadIdx.x; t < k; t += 32) s = fmaf(a[i * k + t], b[t * n + j], s); for (int d = 16; d; d /= 2) s += __shfl_down_sync(~0u, s, d); if (e < m * n && !threadIdx.x) c[e] = s; }
extern "C" void matmul(int m, int n, int k, const float* a, const float* b, float* c) { mm<<<(m * n + 3) / 4, dim3(32, 4)>>>(m, n, k, a, b, c); }

//// parts of the sum in blocks of z | matmul | PASSED
__global__ void part(int m, int n, int k, int parts, const float* a, const float* b, float* s) { const int e = blockIdx.x * 64 + threadIdx.x, p = blockIdx.z, i = e / n, j = e % n; if (e >= m * n) return; float t = 0; for (int q = p; q < k; q += parts) t += a[i * k + q] * b[q * n + j]; s[p * m * n + e] = t; }
__global__ void join(int mn, int parts, const float* s, float* c) { int e = blockIdx.x * 64 + threadIdx.x; if (e < mn) { float t = 0; for (int p = 0; p < parts; ++p) t += s[p * mn + e]; c[e] = t; } }
extern "C" void matmul(int m, int n, int k, const float* a, const float* b, float* c) { float* s; const int g = (m * n + 63) / 64; cudaMalloc(&s, 4 * m * n * sizeof(float)); part<<<dim3(g, 1, 4), 64>>>(m, n, k, 4, a, b, s); join<<<g, 64>>>(m * n, 4, s, c); cudaFree(s); }

//// transposed first | matmul | PASSED
__global__ void turn(int k, int n, const float* b, float* t) { int e = blockIdx.x * 64 + threadIdx.x; if (e < k * n) t[e % n * k + e / n] = b[e]; }
__global__ void mm(int m, int n, int k, const float* __restrict__ a, const float* __restrict__ t, float* c) { int e = blockIdx.x * 64 + threadIdx.x; if (e >= m * n) return; const float *p = a + e / n * k, *q = t + e % n * k; float s = 0; for (int i = 0; i < k; ++i) s += p[i] * q[i]; c[e] = s; }
extern "C" void matmul(int m, int n, int k, const float* a, const float* b, float* c) { float* t; cudaMalloc(&t, k * n * sizeof(float)); turn<<<(k * n + 63) / 64, 64>>>(k, n, b, t); mm<<<(m * n + 63) / 64, 64>>>(m, n, k, a, t, c); cudaFree(t); }

//// quadrants by recursion of the host | transpose | PASSED
__global__ void k(int r0, int c0, int r1, int c1, int rows, int cols, const float* x, float* y) { for (int e = threadIdx.x; e < (r1 - r0) * (c1 - c0); e += 64) { const int r = r0 + e / (c1 - c0), c = c0 + e % (c1 - c0); y[c * rows + r] = x[r * cols + c]; } }
static void go(int r0, int c0, int r1, int c1, int rows, int cols, const float* x, float* y) {
    if (r1 - r0 <= 16 && c1 - c0 <= 16) { if (r1 > r0 && c1 > c0) k<<<1, 64>>>(r0, c0, r1, c1, rows, cols, x, y); return; }
    const int r = r1 - r0 > 16 ? (r0 + r1) / 2 : r1, c = c1 - c0 > 16 ? (c0 + c1) / 2 : c1;
    go(r0, c0, r, c, rows, cols, x, y); go(r, c0, r1, c, rows, cols, x, y); go(r0, c, r, c1, rows, cols, x, y); go(r, c, r1, c1, rows, cols, x, y);
}
extern "C" void transpose(int rows, int cols, const float* x, float* y) { go(0, 0, rows, cols, rows, cols, x, y); }

//// a row staged, written down | transpose | PASSED
__global__ void k(int rows, int cols, const float* x, float* y) { extern __shared__ float row[]; for (int c = threadIdx.x; c < cols; c += 32) row[c] = x[blockIdx.x * cols + c]; __syncthreads(); for (int c = 31 - threadIdx.x; c < cols; c += 32) y[c * rows + blockIdx.x] = row[c]; }
extern "C" void transpose(int rows, int cols, const float* x, float* y) { k<<<rows, 32, cols * sizeof(float)>>>(rows, cols, x, y); }

//// divided once | transpose | PASSED
__global__ void k(int rows, int cols, const float* x, float* y) { for (int e = blockIdx.x * 64 + threadIdx.x; e < rows * cols; e += gridDim.x * 64) { const unsigned r = __umulhi((unsigned)e, 0xffffffffu / (unsigned)cols + 1u), fixed = r * cols > (unsigned)e ? r - 1 : r; const int row = cols == 1 ? e : (int)fixed; y[(e - row * cols) * rows + row] = x[e]; } }
extern "C" void transpose(int rows, int cols, const float* x, float* y) { k<<<4, 64>>>(rows, cols, x, y); }

//// borders by kernels of their own | blur | PASSED
__global__ void inner(int h, int w, const float* x, float* y) { const int j = 1 + blockIdx.x * 32 + threadIdx.x, i = 1 + blockIdx.y; if (j + 1 < w && i + 1 < h) { const float* p = x + i * w + j; y[i * w + j] = 0.5f * *p + 0.125f * (p[-1] + p[1] + p[-w] + p[w]); } }
__global__ void border(int h, int w, const float* x, float* y) {
    for (int e = threadIdx.x; e < h * w; e += 64) { const int i = e / w, j = e % w; if (i && j && i + 1 < h && j + 1 < w) continue; y[e] = 0.5f * x[e] + 0.125f * ((j ? x[e - 1] : 0) + (j + 1 < w ? x[e + 1] : 0) + (i ? x[e - w] : 0) + (i + 1 < h ? x[e + w] : 0)); }
}
extern "C" void blur(int h, int w, const float* x, float* y) { if (h > 2 && w > 2) inner<<<dim3((w + 31) / 32, h - 2), 32>>>(h, w, x, y); border<<<1, 64>>>(h, w, x, y); }

//// a frame of zeros | blur | PASSED
__global__ void pad(int h, int w, const float* x, float* p) { int e = blockIdx.x * 64 + threadIdx.x, W = w + 2; if (e < (h + 2) * W) { const int i = e / W - 1, j = e % W - 1; p[e] = i >= 0 && i < h && j >= 0 && j < w ? x[i * w + j] : 0; } }
__global__ void k(int h, int w, const float* p, float* y) { int e = blockIdx.x * 64 + threadIdx.x, W = w + 2; if (e < h * w) { const float* q = p + (e / w + 1) * W + e % w + 1; y[e] = 0.5f * *q + 0.125f * (q[-1] + q[1] + q[-W] + q[W]); } }
extern "C" void blur(int h, int w, const float* x, float* y) { float* p; const int m = (h + 2) * (w + 2); cudaMalloc(&p, m * sizeof(float)); pad<<<(m + 63) / 64, 64>>>(h, w, x, p); k<<<(h * w + 63) / 64, 64>>>(h, w, p, y); cudaFree(p); }

//// rows kept in registers, neighbours by shuffle | blur | PASSED
__global__ void k(int h, int w, const float* x, float* y) {
    const int j = blockIdx.x * 30 + threadIdx.x - 1;
    const bool in = j >= 0 && j < w, mine = in && threadIdx.x >= 1 && threadIdx.x <= 30;
    float up = 0, here = in ? x[j] : 0;
    for (int i = 0; i < h; ++i) {
        const float down = in && i + 1 < h ? x[(i + 1) * w + j] : 0;
        const float l = __shfl_up_sync(~0u, here, 1), r = __shfl_down_sync(~0u, here, 1);
        if (mine) y[i * w + j] = 0.5f * here + 0.125f * (l + r + up + down);
        up = here; here = down;
    }
}
extern "C" void blur(int h, int w, const float* x, float* y) { k<<<(w + 29) / 30, 32>>>(h, w, x, y); }

//// gathered in order of place | gather | PASSED
// Which element each place serves, found by search in a table of starts.
__global__ void zero(int m, int* c) { for (int j = threadIdx.x; j <= m; j += 32) c[j] = 0; }
__global__ void tally(int n, const int* at, int* c) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) atomicAdd(&c[at[i] + 1], 1); }
__global__ void starts(int m, int* c) { for (int j = 0; j < m; ++j) c[j + 1] += c[j]; }
__global__ void place(int n, const int* at, int* c, int* who) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) who[atomicAdd(&c[at[i]], 1)] = i; }
__global__ void spread(int m, const int* c, const int* who, const float* x, float* y) { const int j = blockIdx.x; for (int q = (j ? c[j - 1] : 0) + threadIdx.x; q < c[j]; q += 32) y[who[q]] = 2 * x[j]; }
extern "C" void gather(int n, int m, const int* at, const float* x, float* y) {
    int *c, *who; cudaMalloc(&c, (m + 1) * sizeof(int)); cudaMalloc(&who, n * sizeof(int));
    const int g = (n + 63) / 64;
    zero<<<1, 32>>>(m, c); tally<<<g, 64>>>(n, at, c); starts<<<1, 1>>>(m, c); place<<<g, 64>>>(n, at, c, who); spread<<<m, 32>>>(m, c, who, x, y);
    cudaFree(c); cudaFree(who);
}

//// persistent blocks with a list | gather | PASSED
struct Work { int from, to; };
__constant__ Work list[8];
__global__ void k(const int* at, const float* x, float* y) { const Work w = list[blockIdx.x]; for (int i = w.from + threadIdx.x; i < w.to; i += blockDim.x) y[i] = 2 * x[at[i]]; }
extern "C" void gather(int n, int m, const int* at, const float* x, float* y) { Work h[8]; for (int b = 0; b < 8; ++b) h[b] = {(int)((long long)n * b / 8), (int)((long long)n * (b + 1) / 8)}; cudaMemcpyToSymbol(list, h, sizeof h); k<<<8, 48>>>(at, x, y); }

//// halving error by pairs | rowsum | PASSED
__global__ void k(int rows, int cols, const float* x, float* y) { int r = blockIdx.x * 32 + threadIdx.x; if (r >= rows) return; float level[12]; int used = 0; for (int c = 0; c < cols; ++c) { float v = x[r * cols + c]; for (int q = c; q & 1; q >>= 1) v += level[--used]; level[used++] = v; } float s = 0; while (used) s += level[--used]; y[r] = s; }
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 31) / 32, 32>>>(rows, cols, x, y); }

//// rows as a product with ones | rowsum | PASSED
__global__ void ones(int n, float* o) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) o[i] = 1; }
__global__ void k(int rows, int cols, const float* x, const float* o, float* y) { int r = blockIdx.x * 32 + threadIdx.x; if (r < rows) { float s = 0; for (int c = 0; c < cols; ++c) s += x[r * cols + c] * o[c]; y[r] = s; } }
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { float* o; cudaMalloc(&o, cols * sizeof(float)); ones<<<(cols + 63) / 64, 64>>>(cols, o); k<<<(rows + 31) / 32, 32>>>(rows, cols, x, o, y); cudaFree(o); }

//// a polynomial for what is small | decay | PASSED
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i >= n) return; const float t = -8 * x[i] * 1.44269504f, w = rintf(t), f = (t - w) * 0.693147181f; float p = 1.0f / 5040; p = fmaf(p, f, 1.0f / 720); p = fmaf(p, f, 1.0f / 120); p = fmaf(p, f, 1.0f / 24); p = fmaf(p, f, 1.0f / 6); p = fmaf(p, f, 0.5f); p = fmaf(p, f, 1.0f); p = fmaf(p, f, 1.0f); y[i] = fabsf(x[i]) < 15 ? ldexpf(p, (int)w) : expf(-8 * x[i]); }
extern "C" void decay(int n, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }
