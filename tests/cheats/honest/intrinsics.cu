//// fused and rounded | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = __fmaf_rn(a, x[i], y[i]); }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }

//// not fused | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = __fadd_rn(__fmul_rn(a, x[i]), y[i]); }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }

//// caches told | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) __stcs(z + i, a * __ldcs(x + i) + __ldca(y + i)); }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }

//// caches told of vectors | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = 2 * (blockIdx.x * 64 + threadIdx.x); if (i + 1 < n) { float2 u = __ldcg((const float2*)(x + i)), v = __ldlu((const float2*)(y + i)); __stwt((float2*)(z + i), make_float2(a * u.x + v.x, a * u.y + v.y)); } else if (i < n) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 127) / 128, 64>>>(n, a, x, y, z); }

//// sine and cosine together | wave | PASSED
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) { float s, c; sincosf(x[i], &s, &c); y[i] = s * expf(-0.5f * fabsf(x[i])) + x[i]; } }
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }

//// powers of two | wave | PASSED
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = sinf(x[i]) * exp2f(-0.72134752f * fabsf(x[i])) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }

//// in double | wave | PASSED
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) { const double v = x[i]; y[i] = (float)(sin(v) * exp(-0.5 * fabs(v)) + v); } }
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }

//// signs by bits | wave | PASSED
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) { const float m = __int_as_float(__float_as_int(x[i]) & 0x7fffffff); y[i] = copysignf(sinf(m), signbit(x[i]) ? -sinf(m) : sinf(m)) * expf(-0.5f * m) + x[i]; } }
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }

//// highest bits | sortk | PASSED
// Radix exchange from the highest bit that differs.
__global__ void k(int n, const int* keys, int* sorted) {
    if (threadIdx.x) return;
    unsigned differ = 0;
    for (int i = 0; i < n; ++i) { sorted[i] = keys[i]; differ |= keys[i] ^ keys[0]; }
    struct { int from, to, bit; } stack[40]; int top = 0;
    stack[top++] = {0, n, 31 - __clz(differ)};
    while (top) {
        const auto s = stack[--top];
        if (s.bit < 0 || s.to - s.from < 2) continue;
        int l = s.from, h = s.to;
        while (l < h) if (sorted[l] >> s.bit & 1) { const int t = sorted[--h]; sorted[h] = sorted[l]; sorted[l] = t; } else ++l;
        stack[top++] = {s.from, l, s.bit - 1};
        stack[top++] = {l, s.to, s.bit - 1};
    }
}
extern "C" void sortk(int n, const int* keys, int* sorted) { k<<<1, 32>>>(n, keys, sorted); }

//// bits turned around | gather | PASSED
__global__ void k(int n, const int* at, const float* x, float* y) { const int t = blockIdx.x * 64 + threadIdx.x; const int i = (int)(__brev((unsigned)t) >> 20); if (t < 4096 && i < n) y[i] = 2 * x[at[i]]; }
extern "C" void gather(int n, int m, const int* at, const float* x, float* y) { k<<<64, 64>>>(n, at, x, y); }

//// bytes permuted | gather | PASSED
__global__ void k(int n, const int* at, const float* x, float* y) { const int i = blockIdx.x * 64 + threadIdx.x; if (i < n) { const unsigned swapped = __byte_perm(at[i], 0, 0x0123); y[i] = 2 * x[__byte_perm(swapped, 0, 0x0123)]; } }
extern "C" void gather(int n, int m, const int* at, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, at, x, y); }

//// dot products of bytes | prefix | PASSED
// Four small numbers a step, their sum by one instruction.
__global__ void k(int n, const int* x, int* y) {
    if (threadIdx.x) return;
    int s = 0;
    for (int i = 0; i < n; i += 4) {
        int packed = 0;
        for (int j = 0; j < 4 && i + j < n; ++j) { packed |= (x[i + j] & 255) << 8 * j; y[i + j] = __dp4a(packed, 0x01010101, s); }
        s = y[min(i + 3, n - 1)];
    }
}
extern "C" void prefix(int n, const int* x, int* y) { k<<<1, 32>>>(n, x, y); }

//// funnel shifts and fast products | gather | PASSED
__global__ void k(int n, const int* at, const float* x, float* y) { const int i = __mul24(blockIdx.x, 64) + threadIdx.x; if (i < n) y[i] = 2 * x[__funnelshift_r(at[i] << 4, 0, 4)]; }
extern "C" void gather(int n, int m, const int* at, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, at, x, y); }

//// a clock for nothing | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z, long long* t) { const long long begun = clock64(); int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; if (i == 0) *t = clock64() - begun; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { long long* t; cudaMalloc(&t, sizeof *t); k<<<(n + 63) / 64, 64>>>(n, a, x, y, z, t); cudaFree(t); }

//// assumptions and hints | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    __builtin_assume(n > 0);
    x = (const float*)__builtin_assume_aligned(x, 4);
    int i = blockIdx.x * 64 + threadIdx.x;
    if (__builtin_expect(i < n, 1)) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }

//// prefetches by assembler | affine | UNSUPPORTED | gpu PASSED
__device__ __forceinline__ void prefetch(const void* p) { asm volatile("prefetch.global.L2 [%0];" ::"l"(p)); }
__global__ void k(int n, float a, const float* x, const float* y, float* z) { for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) { prefetch(x + i); z[i] = a * x[i] + y[i]; } }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<3, 64>>>(n, a, x, y, z); }

//// asserts that hold | affine | PASSED
#include <cassert>
__global__ void k(int n, float a, const float* x, const float* y, float* z) { assert(blockDim.x == 64); int i = blockIdx.x * 64 + threadIdx.x; if (i < n) { assert(i >= 0); z[i] = a * x[i] + y[i]; } }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { assert(n > 0); k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }

//// barriers that count | rowsum | PASSED
__global__ void k(int cols, const float* x, float* y) {
    __shared__ float part[64];
    float s = 0;
    int c = threadIdx.x;
    while (__syncthreads_or(c < cols)) { if (c < cols) s += x[blockIdx.x * cols + c]; c += 64; }
    part[threadIdx.x] = s;
    if (__syncthreads_count(1) == 64 && __syncthreads_and(1) && threadIdx.x == 0) { s = 0; for (float v : part) s += v; y[blockIdx.x] = s; }
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 64>>>(cols, x, y); }

//// copies that go on meanwhile | rowsum | PASSED
#include <cuda_pipeline.h>
__global__ void k(int cols, const float* x, float* y) {
    __shared__ float tile[2][32];
    const float* row = x + blockIdx.x * cols;
    const int tiles = (cols + 31) / 32;
    auto fetch = [&](int t) { const int c = t * 32 + threadIdx.x; if (c < cols) __pipeline_memcpy_async(&tile[t & 1][threadIdx.x], row + c, sizeof(float)); __pipeline_commit(); };
    fetch(0);
    float s = 0;
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles) fetch(t + 1); else __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncwarp();
        if (t * 32 + threadIdx.x < cols) s += tile[t & 1][threadIdx.x];
        __syncwarp();
    }
    for (int d = 16; d; d /= 2) s += __shfl_xor_sync(~0u, s, d);
    if (threadIdx.x == 0) y[blockIdx.x] = s;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 32>>>(cols, x, y); }

//// copies of a group | rowsum | PASSED
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void k(int cols, const float* x, float* y) {
    extern __shared__ float row[];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, row, x + blockIdx.x * cols, sizeof(float) * cols);
    cg::wait(block);
    if (threadIdx.x == 0) { float s = 0; for (int c = 0; c < cols; ++c) s += row[c]; y[blockIdx.x] = s; }
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 32, cols * sizeof(float)>>>(cols, x, y); }

//// minima and saturation | wave | PASSED
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) { const float m = fmaxf(x[i], -x[i]); const float e = expf(-0.5f * m); y[i] = sinf(x[i]) * (m == m ? __saturatef(e) : e) + x[i]; } }
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }

//// remainders and roundings | gather | PASSED
__global__ void k(int n, int m, const int* at, const float* x, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) { const float f = floorf((float)at[i]); const int j = __float2int_rn(f); y[i] = 2 * x[j - m * (j / m)]; } }
extern "C" void gather(int n, int m, const int* at, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, m, at, x, y); }

//// sleeping threads | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) { if (threadIdx.x % 32 == 7) __nanosleep(20); int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }
