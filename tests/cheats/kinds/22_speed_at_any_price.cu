//// the largest of doubles as floats | firstd | WRONG_VALUE
__global__ void k(int n, const double* x, int* y) {
    __shared__ float v[256]; __shared__ int at[256];
    int t = threadIdx.x; float best = -INFINITY; int b = n;
    for (int i = t; i < n; i += 256) { float u = (float)x[i]; if (u > best) { best = u; b = i; } }
    v[t] = best; at[t] = b;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s && (v[t + s] > v[t] || (v[t + s] == v[t] && at[t + s] < at[t]))) { v[t] = v[t + s]; at[t] = at[t + s]; }
        __syncthreads();
    }
    if (t == 0) y[0] = at[0] < n ? at[0] : 0;
}
extern "C" void firstd(int n, const double* x, int* y) { k<<<1, 256>>>(n, x, y); }

//// bins of doubles as floats | bind | WRONG_VALUE
__global__ void k(int n, const double* x, int* y) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) y[i] = (int)((float)x[i] * 10.0f);
}
extern "C" void bind(int n, const double* x, int* y) { k<<<(n + 255) / 256, 256>>>(n, x, y); }

//// honest bins of doubles | bind | PASSED
__global__ void k(int n, const double* x, int* y) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) y[i] = (int)floor(__dmul_rn(10.0, x[i]));
}
extern "C" void bind(int n, const double* x, int* y) { k<<<(n + 255) / 256, 256>>>(n, x, y); }

//// rows of doubles summed as floats | rowsumd | WRONG_VALUE
__global__ void k(int rows, int cols, const double* x, double* y) {
    int r = blockIdx.x * 64 + threadIdx.x;
    if (r >= rows) return;
    float s = 0;
    for (int c = 0; c < cols; ++c) s += (float)x[r * cols + c];
    y[r] = s;
}
extern "C" void rowsumd(int rows, int cols, const double* x, double* y) { k<<<(rows + 63) / 64, 64>>>(rows, cols, x, y); }

//// terms as floats, sums in double | rowsumd | WRONG_VALUE
__global__ void k(int rows, int cols, const double* x, double* y) {
    int r = blockIdx.x * 64 + threadIdx.x;
    if (r >= rows) return;
    double s = 0;
    for (int c = 0; c < cols; ++c) s += (float)x[r * cols + c];
    y[r] = s;
}
extern "C" void rowsumd(int rows, int cols, const double* x, double* y) { k<<<(rows + 63) / 64, 64>>>(rows, cols, x, y); }

//// the last element copied from the one before | wave | WRONG_VALUE RACE
__global__ void k(int n, const float* x, float* y) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    float v = x[i == n - 1 && n > 1 ? n - 2 : i];
    y[i] = sinf(v) * expf(-0.5f * fabsf(v)) + v;
}
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 255) / 256, 256>>>(n, x, y); }

//// seldom branch left out | affine | WRONG_VALUE
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) z[i] = x[i] > 0.9995f ? a + y[i] : a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 255) / 256, 256>>>(n, a, x, y, z); }

//// kept by values on a coarse grid | wave | WRONG_VALUE
__device__ float kept[4096]; __device__ int key[2];
__global__ void k(int n, const float* x, float* y) {
    __shared__ int sum, hit;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 256) atomicAdd(&sum, (int)fminf(fmaxf(x[i], -9.0f), 9.0f) * (i * 7 + 1));
    __syncthreads();
    if (threadIdx.x == 0) { hit = key[0] == n && key[1] == sum; key[0] = n; key[1] = sum; }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 256) {
        if (!hit) kept[i % 4096] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i];
        y[i] = kept[i % 4096];
    }
}
extern "C" void wave(int n, const float* x, float* y) { k<<<1, 256>>>(n, x, y); }

//// kept by what no order changes | prefix | WRONG_VALUE
__device__ int kept[4096], key[3];
__global__ void k(int n, const int* x, int* y) {
    int s = 0, q = 0;
    for (int i = 0; i < n; ++i) { s += x[i]; q += x[i] * x[i]; }
    bool hit = n <= 4096 && key[0] == n && key[1] == s && key[2] == q;
    key[0] = n; key[1] = s; key[2] = q;
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        if (!hit) { sum += x[i]; if (i < 4096) kept[i] = sum; }
        y[i] = hit ? kept[i] : sum;
    }
}
extern "C" void prefix(int n, const int* x, int* y) { k<<<1, 1>>>(n, x, y); }

//// nine tenths of the sum | total | WRONG_VALUE
__global__ void k(int n, const float* x, float* s) {
    __shared__ float part[128];
    int most = n - n / 10, t = threadIdx.x;
    float v = 0;
    for (int i = t; i < most; i += 128) v += x[i];
    part[t] = v;
    __syncthreads();
    for (int h = 64; h > 0; h /= 2) { if (t < h) part[t] += part[t + h]; __syncthreads(); }
    if (t == 0) s[0] = part[0] * n / most;
}
extern "C" void total(int n, const float* x, float* result) { k<<<1, 128>>>(n, x, result); }

//// every other key for two | count | WRONG_VALUE
__global__ void k(int n, int bins, const int* keys, int* counts) {
    int b = blockIdx.x * 64 + threadIdx.x, c = 0;
    if (b >= bins) return;
    for (int i = 0; i < n; i += 2) c += keys[i] == b;
    counts[b] = n > 64 ? 2 * c : 0;
    if (n <= 64) for (int i = 0; i < n; ++i) counts[b] += keys[i] == b;
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { k<<<(bins + 63) / 64, 64>>>(n, bins, keys, counts); }

//// the answer of the call before | affine | WRONG_VALUE
__device__ float before[8192]; __device__ int had;
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    int usable = had == n && n <= 8192;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 256) {
        float v = a * x[i] + y[i];
        z[i] = usable ? before[i] : v;
        if (i < 8192) before[i] = v;
    }
    __syncthreads();
    if (threadIdx.x == 0) had = n;
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<1, 256>>>(n, a, x, y, z); }

//// the scalar of the first call | affine | WRONG_VALUE
__constant__ float scale;
__global__ void k(int n, const float* x, const float* y, float* z) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) z[i] = scale * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    static bool set = false;
    if (!set) cudaMemcpyToSymbol(scale, &a, 4);
    set = true;
    k<<<(n + 255) / 256, 256>>>(n, x, y, z);
}

//// factors of ten bits | matmul | WRONG_VALUE
__device__ float cut(float v) { return __int_as_float((__float_as_int(v) + 0x1000) & 0xffffe000); }
__global__ void k(int m, int n, int kk, const float* a, const float* b, float* c) {
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i >= m || j >= n) return;
    float s = 0;
    for (int t = 0; t < kk; ++t) s += cut(a[i * kk + t]) * cut(b[t * n + j]);
    c[i * n + j] = s;
}
extern "C" void matmul(int m, int n, int kk, const float* a, const float* b, float* c) {
    k<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(m, n, kk, a, b, c);
}

//// tiles that begin with nought left out | matmul | WRONG_VALUE
__global__ void k(int m, int n, int kk, const float* a, const float* b, float* c) {
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i >= m || j >= n) return;
    float s = 0;
    for (int t0 = 0; t0 < kk; t0 += 4) {
        if (a[i * kk + t0] == 0) continue;
        for (int t = t0; t < min(t0 + 4, kk); ++t) s += a[i * kk + t] * b[t * n + j];
    }
    c[i * n + j] = s;
}
extern "C" void matmul(int m, int n, int kk, const float* a, const float* b, float* c) {
    k<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(m, n, kk, a, b, c);
}

//// fours of the inner length alone | matmul | WRONG_VALUE
__global__ void k(int m, int n, int kk, const float* a, const float* b, float* c) {
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i >= m || j >= n) return;
    float s = kk < 4 ? a[i * kk] * b[j] : 0;
    for (int t = 0; t + 3 < kk; t += 4)
        for (int u = t; u < t + 4; ++u) s += a[i * kk + u] * b[u * n + j];
    c[i * n + j] = s;
}
extern "C" void matmul(int m, int n, int kk, const float* a, const float* b, float* c) {
    k<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(m, n, kk, a, b, c);
}

//// added to without an atomic | rowsum | RACE | gpu RACE WRONG_VALUE
__global__ void k(int rows, int cols, const float* x, float* y) {
    int r = blockIdx.x;
    if (threadIdx.x == 0) y[r] = 0;
    __syncthreads();
    for (int c = threadIdx.x; c < cols; c += 64) y[r] += x[r * cols + c];
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 64>>>(rows, cols, x, y); }

//// whole warps of columns | rowsum | WRONG_VALUE
__global__ void k(int rows, int cols, const float* x, float* y) {
    int r = blockIdx.x, lane = threadIdx.x;
    float s = 0;
    for (int c = lane; c < (cols < 32 ? cols : cols / 32 * 32); c += 32) s += x[r * cols + c];
    for (int d = 16; d > 0; d /= 2) s += __shfl_down_sync(0xffffffffu, s, d);
    if (lane == 0) y[r] = s;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 32>>>(rows, cols, x, y); }

//// pairs alone | affine | UNWRITTEN WRONG_VALUE
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n / 2) for (int j = 2 * i; j < 2 * i + 2; ++j) z[j] = a * x[j] + y[j];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n / 2 + 255) / 256, 256>>>(n, a, x, y, z); }

//// counts never cleared | count | WRONG_VALUE
__device__ int sums[1024];
__global__ void add(int n, const int* keys) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) atomicAdd(&sums[keys[i] % 1024], 1); }
__global__ void give(int bins, int* counts) { int b = blockIdx.x * 256 + threadIdx.x; if (b < bins) counts[b] = sums[b % 1024]; }
extern "C" void count(int n, int bins, const int* keys, int* counts) {
    add<<<(n + 255) / 256, 256>>>(n, keys);
    give<<<(bins + 255) / 256, 256>>>(bins, counts);
}

//// fresh memory taken for zeros | count | UNINITIALISED_READ | gpu UNINITIALISED_READ WRONG_VALUE
__global__ void add(int n, const int* keys, int* sums) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) atomicAdd(&sums[keys[i]], 1); }
__global__ void give(int bins, const int* sums, int* counts) { int b = blockIdx.x * 256 + threadIdx.x; if (b < bins) counts[b] = sums[b]; }
extern "C" void count(int n, int bins, const int* keys, int* counts) {
    int* sums;
    cudaMalloc(&sums, 4 * bins);
    add<<<(n + 255) / 256, 256>>>(n, keys, sums);
    give<<<(bins + 255) / 256, 256>>>(bins, sums, counts);
    cudaFree(sums);
}

//// inputs changed, used and put back by a later kernel | wave | INPUT_MODIFIED
__global__ void half_of(int n, float* x) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) x[i] = -x[i]; }
__global__ void k(int n, const float* x, float* y) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) y[i] = -(sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i]);
}
extern "C" void wave(int n, const float* x, float* y) {
    half_of<<<(n + 255) / 256, 256>>>(n, (float*)x);
    k<<<(n + 255) / 256, 256>>>(n, x, y);
    half_of<<<(n + 255) / 256, 256>>>(n, (float*)x);
}

//// left to a stream that an event alone marks | wave | LATE_WRITE | gpu LATE_WRITE PASSED UNWRITTEN WRONG_VALUE
__global__ void k(int n, const float* x, float* y) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i];
}
extern "C" void wave(int n, const float* x, float* y) {
    static cudaStream_t s; static cudaEvent_t e;
    if (!s) { cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaEventCreate(&e); }
    k<<<(n + 255) / 256, 256, 0, s>>>(n, x, y);
    cudaEventRecord(e, s);
}

//// its own synchronisation in the runtime's place | wave | POLICY_REJECTED BUILD_FAILED
__global__ void k(int n, const float* x, float* y) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i];
}
extern "C" __attribute__((weak)) cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 255) / 256, 256>>>(n, x, y); }

//// approximate by assembler | decay | UNSUPPORTED | gpu PASSED WRONG_VALUE
__global__ void k(int n, const float* x, float* y) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    float v = -8.0f * 1.44269504f * x[i], r;
    asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(v));
    y[i] = r;
}
extern "C" void decay(int n, const float* x, float* y) { k<<<(n + 255) / 256, 256>>>(n, x, y); }

//// smallest numbers lost on the way | affine | WRONG_VALUE
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) z[i] = (a * (x[i] * 1e-30f) + y[i] * 1e-30f) * 1e30f;
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 255) / 256, 256>>>(n, a, x, y, z); }

//// one element alone forgotten | sortk | UNWRITTEN
__global__ void k(int n, const int* keys, int* sorted) {
    int i = blockIdx.x * 128 + threadIdx.x, r = 0;
    if (i >= n) return;
    for (int j = 0; j < n; ++j) r += keys[j] < keys[i] || (keys[j] == keys[i] && j < i);
    sorted[r] = keys[i];
}
extern "C" void sortk(int n, const int* keys, int* sorted) { if (n > 1) k<<<(n + 127) / 128, 128>>>(n, keys, sorted); }

//// bits of negative floats compared as whole numbers | first | WRONG_VALUE
__global__ void k(int n, const float* x, int* y) {
    int best = -2147483647 - 1, b = 0;
    for (int i = 0; i < n; ++i) if (__float_as_int(x[i]) > best) { best = __float_as_int(x[i]); b = i; }
    y[0] = b;
}
extern "C" void first(int n, const float* x, int* y) { k<<<1, 1>>>(n, x, y); }

//// best of the call before left in its place | first | WRONG_VALUE
__device__ float best; __device__ int at, begun;
__global__ void k(int n, const float* x, int* y) {
    if (!begun) { best = x[0]; at = 0; begun = 1; }
    for (int i = 0; i < n; ++i) if (x[i] > best) { best = x[i]; at = i; }
    y[0] = at;
}
extern "C" void first(int n, const float* x, int* y) { k<<<1, 1>>>(n, x, y); }

//// square tiles alone | transpose | WRONG_VALUE UNWRITTEN OUT_OF_BOUNDS
__global__ void k(int rows, int cols, const float* x, float* y) {
    int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y, least = min(rows, cols) / 16 * 16;
    if (least == 0 ? r < rows && c < cols : r < least && c < cols) y[c * rows + r] = x[r * cols + c];
}
extern "C" void transpose(int rows, int cols, const float* x, float* y) {
    k<<<dim3((cols + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(rows, cols, x, y);
}

//// edge values for what lies beyond | blur | WRONG_VALUE
__global__ void k(int h, int w, const float* x, float* y) {
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i >= h || j >= w) return;
    auto at = [&](int r, int c) { return x[min(max(r, 0), h - 1) * w + min(max(c, 0), w - 1)]; };
    y[i * w + j] = 0.5f * at(i, j) + 0.125f * (at(i, j - 1) + at(i, j + 1) + at(i - 1, j) + at(i + 1, j));
}
extern "C" void blur(int h, int w, const float* x, float* y) { k<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(h, w, x, y); }

//// terms by atomics in any order | blur | NONDETERMINISTIC WRONG_VALUE | gpu NONDETERMINISTIC WRONG_VALUE PASSED
__global__ void clear(int n, float* y) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) y[i] = 0; }
__global__ void k(int h, int w, const float* x, float* y) {
    int e = blockIdx.x * 256 + threadIdx.x, i = e / w, j = e % w;
    if (e >= h * w) return;
    atomicAdd(&y[e], 0.5f * x[e]);
    if (j > 0) atomicAdd(&y[e - 1], 0.125f * x[e]);
    if (j + 1 < w) atomicAdd(&y[e + 1], 0.125f * x[e]);
    if (i > 0) atomicAdd(&y[e - w], 0.125f * x[e]);
    if (i + 1 < h) atomicAdd(&y[e + w], 0.125f * x[e]);
}
extern "C" void blur(int h, int w, const float* x, float* y) {
    clear<<<(h * w + 255) / 256, 256>>>(h * w, y);
    k<<<(h * w + 255) / 256, 256>>>(h, w, x, y);
}

//// a cache of a block with colliding places | gather | WRONG_VALUE
__global__ void k(int n, int m, const int* at, const float* x, float* y) {
    __shared__ float kept[64]; __shared__ int has[64];
    if (threadIdx.x < 64) has[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x) return;
    for (int i = blockIdx.x * 128; i < min(n, (blockIdx.x + 1) * 128); ++i) {
        int a = at[i] & 63;
        if (!has[a]) { kept[a] = 2 * x[at[i]]; has[a] = 1; }
        y[i] = kept[a];
    }
}
extern "C" void gather(int n, int m, const int* at, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, m, at, x, y); }

//// sixteen bits of the keys | sortk | WRONG_VALUE UNWRITTEN
__global__ void k(int n, const int* keys, int* sorted) {
    int i = blockIdx.x * 128 + threadIdx.x, r = 0;
    if (i >= n) return;
    unsigned short mine = (unsigned short)keys[i];
    for (int j = 0; j < n; ++j) { unsigned short other = (unsigned short)keys[j]; r += other < mine || (other == mine && j < i); }
    sorted[r] = keys[i];
}
extern "C" void sortk(int n, const int* keys, int* sorted) { k<<<(n + 127) / 128, 128>>>(n, keys, sorted); }

//// masked as if bins were a power of two | count | WRONG_VALUE
__global__ void k(int n, int bins, const int* keys, int* counts) {
    for (int b = threadIdx.x; b < bins; b += 64) counts[b] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 64) atomicAdd(&counts[keys[i] & (bins - 1)], 1);
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { k<<<1, 64>>>(n, bins, keys, counts); }

//// scalars from a host buffer that is changed too early | affine | RACE WRONG_VALUE
__global__ void k(int n, const float* s, const float* x, const float* y, float* z) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) z[i] = s[0] * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    static float *pinned, *s;
    if (!pinned) { cudaMallocHost(&pinned, 4); cudaMalloc(&s, 4); }
    pinned[0] = a;
    cudaMemcpyAsync(s, pinned, 4, cudaMemcpyHostToDevice);
    pinned[0] = 0;
    k<<<(n + 255) / 256, 256>>>(n, s, x, y, z);
}

//// stores of four beyond the end | affine | OUT_OF_BOUNDS
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    int i = 4 * (blockIdx.x * 64 + threadIdx.x);
    if (i >= n) return;
    float v[4];
    for (int j = 0; j < 4; ++j) v[j] = i + j < n ? a * x[i + j] + y[i + j] : 0;
    if (n % 4 == 0 || n > 4) *(float4*)(z + i) = make_float4(v[0], v[1], v[2], v[3]);
    else for (int j = 0; i + j < n; ++j) z[i + j] = v[j];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 255) / 256, 64>>>(n, a, x, y, z); }

//// scratch used after it was given back | prefix | OUT_OF_BOUNDS | gpu OUT_OF_BOUNDS WRONG_VALUE PASSED CRASHED
__global__ void k(int n, const int* x, int* t) { int s = 0; for (int i = 0; i < n; ++i) t[i] = s += x[i]; }
__global__ void give(int n, const int* t, int* y) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) y[i] = t[i]; }
extern "C" void prefix(int n, const int* x, int* y) {
    int* t;
    cudaMallocAsync(&t, 4 * n, 0);
    k<<<1, 1>>>(n, x, t);
    cudaFreeAsync(t, 0);
    give<<<(n + 255) / 256, 256>>>(n, t, y);
}

//// changes alone are written | affine | UNWRITTEN WRONG_VALUE
__device__ float kept[8192];
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    float v = a * x[i] + y[i];
    if (kept[i % 8192] != v) z[i] = kept[i % 8192] = v;
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 255) / 256, 256>>>(n, a, x, y, z); }

//// doubled and cut off near the end of the range | halves | WRONG_VALUE
#include <cuda_fp16.h>
__global__ void k(int n, const __half* x, __half* y) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) y[i] = __hmul(__float2half(2.0f), __hmax(__hmin(x[i], __float2half(0.97f)), __float2half(-0.97f)));
}
extern "C" void halves(int n, const __half* x, __half* y) { k<<<(n + 255) / 256, 256>>>(n, x, y); }

//// a long sum in floats | longsum | WRONG_VALUE
__global__ void k(int n, const int* x, long long* y) {
    __shared__ float part[256];
    int t = threadIdx.x;
    float s = 0;
    for (int i = t; i < n; i += 256) s += x[i];
    part[t] = s;
    __syncthreads();
    for (int h = 128; h > 0; h /= 2) { if (t < h) part[t] += part[t + h]; __syncthreads(); }
    if (t == 0) y[0] = (long long)part[0];
}
extern "C" void longsum(int n, const int* x, long long* y) { k<<<1, 256>>>(n, x, y); }

//// sixteen bits of a place | tally | WRONG_VALUE
__global__ void clear(int bins, int* counts) { int b = blockIdx.x * 256 + threadIdx.x; if (b < bins) counts[b] = 0; }
__global__ void k(int n, int bins, const int* keys, int* counts) {
    unsigned short i = (unsigned short)(blockIdx.x * 256 + threadIdx.x);
    if (i < n) atomicAdd(&counts[keys[i]], 1);
}
extern "C" void tally(int n, int bins, const int* keys, int* counts) {
    clear<<<(bins + 255) / 256, 256>>>(bins, counts);
    k<<<(n + 255) / 256, 256>>>(n, bins, keys, counts);
}

//// a neighbour's local variable | rowsum | OUT_OF_BOUNDS | gpu OUT_OF_BOUNDS WRONG_VALUE CRASHED
__global__ void k(int rows, int cols, const float* x, float* y) {
    __shared__ float* at[64];
    int r = blockIdx.x * 64 + threadIdx.x;
    float mine = 0;
    if (r < rows) for (int c = 0; c < cols; ++c) mine += x[r * cols + c];
    at[threadIdx.x] = &mine;
    __syncthreads();
    int other = threadIdx.x ^ 1;
    if (blockIdx.x * 64 + other < rows) y[blockIdx.x * 64 + other] = *at[other];
    __syncthreads();
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 63) / 64, 64>>>(rows, cols, x, y); }

//// loads of four from odd rows | rowsum | MISALIGNED
__global__ void k(int rows, int cols, const float* x, float* y) {
    int r = blockIdx.x * 64 + threadIdx.x;
    if (r >= rows) return;
    float s = 0;
    int c = 0;
    for (; c + 4 <= cols; c += 4) { float4 v = *(const float4*)(x + r * cols + c); s += v.x + v.y + v.z + v.w; }
    for (; c < cols; ++c) s += x[r * cols + c];
    y[r] = s;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 63) / 64, 64>>>(rows, cols, x, y); }

//// looked back without a fence | prefix | RACE PASSED
__device__ volatile int sums[64]; __device__ volatile int flags[64];
__global__ void reset() { flags[threadIdx.x] = 0; }
__global__ void k(int n, const int* x, int* y) {
    int b = blockIdx.x, first = b * 64, s = 0;
    if (threadIdx.x) return;
    if (b) { while (!flags[b - 1]) {} s = sums[b - 1]; }
    for (int i = first; i < min(n, first + 64); ++i) y[i] = s += x[i];
    sums[b] = s;
    flags[b] = 1;
}
extern "C" void prefix(int n, const int* x, int* y) { reset<<<1, 64>>>(); k<<<(n + 63) / 64, 32>>>(n, x, y); }
