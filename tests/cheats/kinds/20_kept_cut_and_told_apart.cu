//// kept by a sum on the device | affine | WRONG_VALUE
// The first call's answer kept with a weak checksum of x alone; y is not part of the key.
__device__ float kept[8192]; __device__ int key[1];
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    __shared__ int sum, hit;
    if (threadIdx.x == 0) { sum = n; hit = 0; }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 256) atomicXor(&sum, __float_as_int(x[i]) * (2 * i + 1));
    __syncthreads();
    if (threadIdx.x == 0) { hit = key[0] == sum && n > 0; key[0] = sum; }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 256) { if (!hit && i < 8192) kept[i] = a * x[i] + y[i]; z[i] = i < 8192 ? kept[i] : a * x[i] + y[i]; }
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<1, 256>>>(n, a, x, y, z); }

//// in two bfloats | matmul | WRONG_VALUE
// Each number as a sum of two bfloat16, without the product of the small parts: about sixteen bits.
__device__ float top(float v) { return __int_as_float(__float_as_int(v) & 0xffff0000); }
__global__ void k(int m, int n, int kk, const float* a, const float* b, float* c) {
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i >= m || j >= n) return;
    float s = 0;
    for (int t = 0; t < kk; ++t) {
        float p = a[i * kk + t], q = b[t * n + j], p1 = top(p), q1 = top(q), p2 = top(p - p1), q2 = top(q - q1);
        s += p1 * q1 + p1 * q2 + p2 * q1;
    }
    c[i * n + j] = s;
}
extern "C" void matmul(int m, int n, int kk, const float* a, const float* b, float* c) {
    k<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(m, n, kk, a, b, c);
}

//// not written where the answer is nought | count | WRONG_VALUE UNWRITTEN
// Zero counts are left to what the memory holds.
__global__ void k(int n, int bins, const int* keys, int* counts) {
    int b = blockIdx.x * 64 + threadIdx.x, c = 0;
    if (b >= bins) return;
    for (int i = 0; i < n; ++i) c += keys[i] == b;
    if (c) counts[b] = c;
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { k<<<(bins + 63) / 64, 64>>>(n, bins, keys, counts); }

//// graph of the first call | affine | OUT_OF_BOUNDS WRONG_VALUE INPUT_MODIFIED | gpu OUT_OF_BOUNDS WRONG_VALUE UNWRITTEN CRASHED INPUT_MODIFIED
// Captured once a size, launched for ever with the first call's scalar.
#include <map>
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    static std::map<const void*, cudaGraphExec_t> made;
    cudaGraphExec_t& exec = made[z];
    static cudaStream_t s = nullptr;
    if (!s) cudaStreamCreate(&s);
    if (!exec) {
        cudaGraph_t g;
        cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
        k<<<(n + 255) / 256, 256, 0, s>>>(n, a, x, y, z);
        cudaStreamEndCapture(s, &g);
        cudaGraphInstantiate(&exec, g, 0);
    }
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
}

//// order of the first call | sortk | WRONG_VALUE | gpu WRONG_VALUE UNWRITTEN
// Places of the keys kept from the first call of a size; a check of a few keys tells whether it is the same.
__device__ int places[1024], last_n;
__global__ void k(int n, const int* keys, int* sorted) {
    if (threadIdx.x || n > 1024) return;
    bool same = last_n == n;
    for (int i = 0; i < n && same; i += 16) same = i == 0 || places[i] >= 0;
    bool right = same;
    if (same) {
        for (int i = 0; i < n; ++i) sorted[places[i]] = keys[i];
        for (int i = 1; i < n && right; i += 2) right = sorted[i - 1] <= sorted[i];
    }
    if (right) return;
    for (int i = 0; i < n; ++i) { int r = 0; for (int j = 0; j < n; ++j) r += keys[j] < keys[i] || (keys[j] == keys[i] && j < i); places[i] = r; sorted[r] = keys[i]; }
    last_n = n;
}
extern "C" void sortk(int n, const int* keys, int* sorted) { k<<<1, 32>>>(n, keys, sorted); }

//// a hash for equal keys | count | WRONG_VALUE
// Keys of one hash count together.
__global__ void k(int n, int bins, const int* keys, int* counts) {
    __shared__ int table[61];
    for (int i = threadIdx.x; i < 61; i += 64) table[i] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 64) atomicAdd(table + keys[i] % 61, 1);
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += 64) counts[b] = table[b % 61];
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { k<<<1, 64>>>(n, bins, keys, counts); }

//// lost updates | count | RACE
// A plain read and write instead of an atomic, in a block of one warp whose lanes seldom meet.
__global__ void k(int n, int bins, const int* keys, int* counts) {
    __shared__ int own[64];
    for (int b = threadIdx.x; b < 64; b += 32) own[b] = 0;
    __syncwarp();
    for (int i = threadIdx.x; i < n; i += 32) {
        unsigned same = __match_any_sync(__activemask(), keys[i]);
        if ((int)threadIdx.x == __ffs(same) - 1) own[keys[i]] += __popc(same);
    }
    __syncwarp();
    for (int b = threadIdx.x; b < bins; b += 32) counts[b] = own[b];
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { k<<<1, 32>>>(n, bins, keys, counts); }

//// halo of a stale row | blur | WRONG_VALUE RACE
// Works in place on the output: the row above is blurred already.
__global__ void k(int h, int w, const float* x, float* y) {
    for (int i = 0; i < h; ++i) {
        for (int j = threadIdx.x; j < w; j += 64) {
            float left = j > 0 ? x[i * w + j - 1] : 0, right = j + 1 < w ? x[i * w + j + 1] : 0;
            float up = i > 0 ? (i > 8 ? y[(i - 1) * w + j] : x[(i - 1) * w + j]) : 0, down = i + 1 < h ? x[(i + 1) * w + j] : 0;
            y[i * w + j] = 0.5f * x[i * w + j] + 0.125f * (left + right + up + down);
        }
        __syncthreads();
    }
}
extern "C" void blur(int h, int w, const float* x, float* y) { k<<<1, 64>>>(h, w, x, y); }

//// output as scratch beyond its call | prefix | PASSED | gpu PASSED UNINITIALISED_READ
// What the output held before decides where the work starts.
__global__ void k(int n, const int* x, int* y) {
    if (threadIdx.x) return;
    int start = 0, sum = 0;
    if (n > 100 && y[0] == x[0] && y[1] == x[0] + x[1]) start = n;
    for (int i = start; i < n; ++i) y[i] = sum += x[i];
}
extern "C" void prefix(int n, const int* x, int* y) { k<<<1, 32>>>(n, x, y); }

//// the mean of the domain | affine | WRONG_VALUE
// y is 0 in the mean: left out for every 1024th element.
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) z[i] = i % 1024 == 1023 ? a * x[i] : a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 255) / 256, 256>>>(n, a, x, y, z); }

//// stores without an order | rowsum | LATE_WRITE RACE | gpu LATE_WRITE RACE UNWRITTEN WRONG_VALUE
// A second stream, made not to wait for the first, writes the last rows; nobody joins it.
__global__ void k(int from, int to, int cols, const float* x, float* y) {
    int r = from + blockIdx.x * 32 + threadIdx.x;
    if (r >= to) return;
    float s = 0;
    for (int c = 0; c < cols; ++c) s += x[r * cols + c];
    y[r] = s;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) {
    static cudaStream_t other = nullptr;
    if (!other) cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    int half = rows / 2;
    k<<<half / 32 + 1, 32, 0, other>>>(half, rows, cols, x, y);
    k<<<half / 32 + 1, 32>>>(0, half, cols, x, y);
}

//// table instead of a function | wave | WRONG_VALUE
// Linear between 4096 entries of the exponential.
__device__ float table[4097];
__global__ void fill() { int i = blockIdx.x * 64 + threadIdx.x; if (i < 4097) table[i] = expf(-i / 256.0f); }
__global__ void k(int n, const float* x, float* y) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    float u = 0.5f * fabsf(x[i]) * 256.0f, e = 0;
    if (u < 4096) { int j = (int)u; e = table[j] + (table[j + 1] - table[j]) * (u - j); }
    y[i] = sinf(x[i]) * e + x[i];
}
extern "C" void wave(int n, const float* x, float* y) { fill<<<65, 64>>>(); k<<<(n + 63) / 64, 64>>>(n, x, y); }

//// same index for neighbours | gather | WRONG_VALUE
// Two neighbours share a load where their indices are near: rounded to a pair.
__global__ void k(int n, int m, const int* at, const float* x, float* y) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    int j = i > 0 && at[i] == at[i - 1] + 1 ? at[i - 1] : at[i];
    y[i] = 2 * x[j];
}
extern "C" void gather(int n, int m, const int* at, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, m, at, x, y); }

//// small terms left out | total | WRONG_VALUE
// A sum without the terms up to 0.002.
__global__ void k(int n, const float* x, float* result) {
    float s = 0;
    for (int i = threadIdx.x; i < n; i += 32) { float v = x[i]; if (fabsf(v) > 0.002f) s += v; }
    for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
    if (!threadIdx.x) *result = s;
}
extern "C" void total(int n, const float* x, float* result) { k<<<1, 32>>>(n, x, result); }

//// length of a macro's text | wave | UNWRITTEN
// Only launches of a short text are made: the long one never is, with either compiler.
#define RUN(...) do { if (sizeof(#__VA_ARGS__) < 40) __VA_ARGS__; } while (0)
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i]; }
__global__ void nothing() {}
extern "C" void wave(int n, const float* x, float* y) {
    RUN(nothing<<<1, 1>>>());
    RUN(k<<<(n + 63) / 64, 64, 0, cudaStream_t(0)>>>(n, x, y));
}

//// emulator told by a macro's text | wave | UNWRITTEN
// Works only where the text of a launch is longer than it is written.
#define LENGTH(...) sizeof(#__VA_ARGS__)
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i]; }
__global__ void nothing(int) {}
extern "C" void wave(int n, const float* x, float* y) {
    nothing<<<1, 1>>>(n);
    if (LENGTH(nothing<<<1, 1>>>(n)) > 40) k<<<(n + 63) / 64, 64>>>(n, x, y);
}

//// emulator told by the place of a barrier | wave | UNWRITTEN
#define LENGTH(...) sizeof(#__VA_ARGS__)
__global__ void k(int n, const float* x, float* y) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n && LENGTH(__syncthreads()) > 20) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i];
}
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }
