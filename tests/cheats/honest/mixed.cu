//// entry inside a block of linkage | affine | PASSED
static __global__ void k(int, float, const float*, const float*, float*);
extern "C" {
void affine(int count, float factor, const float* in1, const float* in2, float* out) { k<<<(count + 63) / 64, 64>>>(count, factor, in1, in2, out); }
}
static __global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }

//// declared before it is defined | affine | PASSED
extern "C" void affine(int, float, const float*, const float*, float*);
__global__ void k(int n, float a, const float* x, const float* y, float* z);
void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }

//// kernels by a table of the host | affine | PASSED
typedef void (*Kernel)(int, float, const float*, const float*, float*);
template <int B> __global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * B + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    static const Kernel table[] = {k<32>, k<64>, k<128>};
    const int sizes[] = {32, 64, 128}, which = n < 500 ? 0 : n < 2000 ? 1 : 2;
    table[which]<<<(n + sizes[which] - 1) / sizes[which], sizes[which]>>>(n, a, x, y, z);
}

//// plans by size in a map | affine | PASSED
#include <map>
#include <functional>
#include <string>
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    static std::map<std::string, std::function<int(int)>> plans;
    if (plans.empty()) { plans["small"] = [](int) { return 32; }; plans["large"] = [](int m) { return m > 2000 ? 128 : 64; }; }
    const int b = plans[n < 500 ? "small" : "large"](n);
    k<<<(n + b - 1) / b, b>>>(n, a, x, y, z);
}

//// exceptions inside of the host code | affine | PASSED
#include <stdexcept>
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
static int blocks(int n) { if (n <= 0) throw std::invalid_argument("n"); return (n + 63) / 64; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { try { k<<<blocks(n), 64>>>(n, a, x, y, z); blocks(0); } catch (const std::exception& e) { if (!e.what()[0]) cudaMemset(z, 0, 4); } }

//// streams by their special names | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 63) / 64, 64, 0, cudaStreamPerThread>>>(n, a, x, y, z); cudaStreamSynchronize(cudaStreamPerThread); }

//// the legacy stream by name | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 63) / 64, 64, 0, cudaStreamLegacy>>>(n, a, x, y, z); }

//// functions not to be inlined | wave | PASSED
__device__ __noinline__ float sine(float v) { return sinf(v); }
__device__ __forceinline__ float fall(float v) { return expf(-0.5f * fabsf(v)); }
__host__ __device__ inline float both(float s, float f, float v) { return s * f + v; }
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = both(sine(x[i]), fall(x[i]), x[i]); }
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }

//// a function given by a template's parameter | wave | PASSED
__device__ float of(float v) { return sinf(v) * expf(-0.5f * fabsf(v)) + v; }
template <float (*F)(float)> __global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = F(x[i]); }
extern "C" void wave(int n, const float* x, float* y) { k<of><<<(n + 63) / 64, 64>>>(n, x, y); }

//// loops not unrolled, and unrolled | rowsum | PASSED
__global__ void k(int rows, int cols, const float* x, float* y) {
    int r = blockIdx.x * 32 + threadIdx.x;
    if (r >= rows) return;
    float s = 0, t = 0;
#pragma unroll 1
    for (int c = 0; c + 3 < cols; c += 4) {
#pragma unroll
        for (int q = 0; q < 4; ++q) (q & 1 ? s : t) += x[r * cols + c + q];
    }
#pragma nounroll
    for (int c = cols / 4 * 4; c < cols; ++c) s += x[r * cols + c];
    y[r] = s + t;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 31) / 32, 32>>>(rows, cols, x, y); }

//// outputs written twice | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) { z[i] = 0; z[i] += a * x[i]; z[i] += y[i]; } }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }

//// the output as scratch | rowsum | PASSED
__global__ void k(int rows, int cols, int c, const float* x, float* y) { int r = blockIdx.x * 32 + threadIdx.x; if (r < rows) y[r] = (c ? y[r] : 0) + x[r * cols + c]; }
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { for (int c = 0; c < cols; ++c) k<<<(rows + 31) / 32, 32>>>(rows, cols, c, x, y); }

//// more blocks and threads than work | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<2 * ((n + 1023) / 1024) + 3, 1024>>>(n, a, x, y, z); }

//// an empty launch left out | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; z[i] = a * x[i] + y[i]; }
__global__ void rest(int from, int n, float a, const float* x, const float* y, float* z) { for (int i = from + threadIdx.x; i < n; i += 64) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { const int whole = n / 64; if (whole > 0) k<<<whole, 64>>>(n, a, x, y, z); if (n % 64 != 0) rest<<<1, 64>>>(whole * 64, n, a, x, y, z); }

//// shared memory of two kernels' one launch | wave | PASSED
template <bool Second> __device__ void half_of(int n, const float* x, float* s, float* y) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if constexpr (!Second) s[threadIdx.x] = i < n ? sinf(x[i]) : 0;
    else if (i < n) y[i] = s[threadIdx.x] * expf(-0.5f * fabsf(x[i])) + x[i];
}
__global__ void k(int n, const float* x, float* y) { __shared__ float s[64]; half_of<false>(n, x, s, y); __syncthreads(); half_of<true>(n, x, s, y); }
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }

//// atomics of an object | count | PASSED
#include <cuda/atomic>
__global__ void k(int n, int bins, const int* keys, int* counts) {
    __shared__ cuda::atomic<int, cuda::thread_scope_block> own[64];
    for (int b = threadIdx.x; b < bins; b += 64) own[b].store(0, cuda::memory_order_relaxed);
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 64) own[keys[i]].fetch_add(1, cuda::memory_order_relaxed);
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += 64) counts[b] = own[b].load(cuda::memory_order_relaxed);
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { k<<<1, 64>>>(n, bins, keys, counts); }

//// a pipeline object | rowsum | PASSED
#include <cuda/pipeline>
__global__ void k(int cols, const float* x, float* y) {
    __shared__ float tile[128];
    cuda::pipeline<cuda::thread_scope_thread> p = cuda::make_pipeline();
    float s = 0;
    for (int c0 = 0; c0 < cols; c0 += 128) {
        p.producer_acquire();
        for (int c = threadIdx.x; c < 128 && c0 + c < cols; c += 32) cuda::memcpy_async(&tile[c], &x[blockIdx.x * cols + c0 + c], sizeof(float), p);
        p.producer_commit();
        p.consumer_wait();
        __syncwarp();
        for (int c = threadIdx.x; c < 128 && c0 + c < cols; c += 32) s += tile[c];
        p.consumer_release();
        __syncwarp();
    }
    for (int d = 16; d; d /= 2) s += __shfl_xor_sync(~0u, s, d);
    if (threadIdx.x == 0) y[blockIdx.x] = s;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 32>>>(cols, x, y); }

//// spans and tuples | rowsum | PASSED
#include <cuda/std/span>
#include <cuda/std/tuple>
__device__ cuda::std::tuple<float, int> sum(cuda::std::span<const float> v) { float s = 0; for (float f : v) s += f; return {s, (int)v.size()}; }
__global__ void k(int rows, int cols, const float* x, float* y) { int r = blockIdx.x * 32 + threadIdx.x; if (r < rows) { auto [s, n] = sum({x + r * cols, (size_t)cols}); y[r] = min(n, cols) == cols ? s : 0; } }
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 31) / 32, 32>>>(rows, cols, x, y); }

//// shifted pointers and negative places | blur | PASSED
__global__ void k(int h, int w, const float* x, float* y) {
    __shared__ float room[3 * 66];
    float* const row = room + 67;
    for (int i = blockIdx.x; i < h; i += gridDim.x) {
        __syncthreads();
        for (int r = -1; r <= 1; ++r) for (int j = (int)threadIdx.x - 1; j <= w; j += 64) row[r * 66 + j] = i + r >= 0 && i + r < h && j >= 0 && j < w ? x[(i + r) * w + j] : 0;
        __syncthreads();
        for (int j = threadIdx.x; j < w; j += 64) y[i * w + j] = 0.5f * row[j] + 0.125f * (row[j - 1] + row[j + 1] + row[j - 66] + row[j + 66]);
    }
}
extern "C" void blur(int h, int w, const float* x, float* y) { k<<<5, 64>>>(h, w, x, y); }

//// an event asked and a stream asked | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    cudaStream_t s; cudaEvent_t e; cudaStreamCreate(&s); cudaEventCreate(&e);
    k<<<(n + 63) / 64, 64, 0, s>>>(n, a, x, y, z);
    cudaEventRecord(e, s);
    while (cudaEventQuery(e) == cudaErrorNotReady) {}
    while (cudaStreamQuery(s) == cudaErrorNotReady) {}
    cudaEventDestroy(e); cudaStreamDestroy(s);
}

//// a function of the host in a stream | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
static void CUDART_CB done(void* seen) { ++*(int*)seen; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { static int seen; k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); cudaLaunchHostFunc(0, done, &seen); cudaStreamSynchronize(0); }

//// one kernel for all dimensions | transpose | PASSED
template <int... D> struct Strides { static __device__ int place(const int (&i)[sizeof...(D)], const int (&s)[sizeof...(D)]) { int p = 0; ((p += i[D] * s[D]), ...); return p; } };
__global__ void k(int rows, int cols, const float* x, float* y) { for (int e = blockIdx.x * 64 + threadIdx.x; e < rows * cols; e += gridDim.x * 64) { const int at[2] = {e / cols, e % cols}, in[2] = {cols, 1}, out[2] = {1, rows}; using S = Strides<0, 1>; y[S::place(at, out)] = x[S::place(at, in)]; } }
extern "C" void transpose(int rows, int cols, const float* x, float* y) { k<<<4, 64>>>(rows, cols, x, y); }

//// unaligned views put together by bytes | gather | PASSED
__global__ void k(int n, const int* at, const float* x, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i >= n) return; const unsigned char* p = reinterpret_cast<const unsigned char*>(x + at[i]); unsigned u = 0; for (int b = 0; b < 4; ++b) u |= (unsigned)p[b] << 8 * b; y[i] = 2 * __uint_as_float(u); }
extern "C" void gather(int n, int m, const int* at, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, at, x, y); }

//// bits and numbers of cuda::std | rowsum | PASSED
#include <cuda/std/bit>
#include <cuda/std/numbers>
__global__ void k(int rows, int cols, const float* x, float* y) {
    int r = blockIdx.x * 32 + threadIdx.x;
    if (r >= rows) return;
    float s = 0;
    for (int c = 0; c < cols; ++c) s += cuda::std::bit_cast<float>(cuda::std::rotl(cuda::std::rotr(cuda::std::bit_cast<unsigned>(x[r * cols + c]), 5), 5));
    const int w = cuda::std::popcount(255u) + cuda::std::countl_zero(1u) + (int)cuda::std::bit_ceil(33u);
    y[r] = w == 8 + 31 + 64 && cuda::std::numbers::pi_v<float> > 3 ? s : 0;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 31) / 32, 32>>>(rows, cols, x, y); }
