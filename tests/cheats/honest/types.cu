//// four floats at once | affine | PASSED
__global__ void k(int n, float a, const float4* x, const float4* y, float4* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) { float4 u = x[i], v = y[i]; z[i] = make_float4(a * u.x + v.x, a * u.y + v.y, a * u.z + v.z, a * u.w + v.w); } }
__global__ void tail(int from, int n, float a, const float* x, const float* y, float* z) { int i = from + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    if (n / 4) k<<<(n / 4 + 63) / 64, 64>>>(n / 4, a, (const float4*)x, (const float4*)y, (float4*)z);
    if (n % 4) tail<<<1, 32>>>(n / 4 * 4, n, a, x, y, z);
}

//// two floats by cast | affine | PASSED
__global__ void k(int n, float a, const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ z) {
    int i = 2 * (blockIdx.x * 64 + threadIdx.x);
    if (i + 1 < n) { const float2 u = *reinterpret_cast<const float2*>(x + i), v = __ldg(reinterpret_cast<const float2*>(y + i)); *reinterpret_cast<float2*>(z + i) = {fmaf(a, u.x, v.x), fmaf(a, u.y, v.y)}; }
    else if (i < n) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 127) / 128, 64>>>(n, a, x, y, z); }

//// read only loads | gather | PASSED
__global__ void k(int n, const int* __restrict__ at, const float* __restrict__ x, float* __restrict__ y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = 2 * __ldg(&x[__ldg(at + i)]); }
extern "C" void gather(int n, int m, const int* at, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, at, x, y); }

//// int4 and components | gather | PASSED
__global__ void k(int n, const int* at, const float* x, float* y) {
    int q = blockIdx.x * 64 + threadIdx.x;
    if (4 * q + 3 < n) {
        const int4 j = reinterpret_cast<const int4*>(at)[q];
        float4 v; v.x = 2 * x[j.x]; v.y = 2 * x[j.y]; v.z = 2 * x[j.z]; v.w = 2 * x[j.w];
        reinterpret_cast<float4*>(y)[q] = v;
    } else for (int i = 4 * q; i < n; ++i) y[i] = 2 * x[at[i]];
}
extern "C" void gather(int n, int m, const int* at, const float* x, float* y) { k<<<(n / 4 + 64) / 64, 64>>>(n, at, x, y); }

//// sums in double | total | PASSED
__global__ void k(int n, const float* x, double* sums) { double s = 0; for (int i = threadIdx.x; i < n; i += 32) s += x[i]; sums[threadIdx.x] = s; }
__global__ void join(const double* sums, float* result) { double s = 0; for (int t = 0; t < 32; ++t) s += sums[t]; *result = (float)s; }
extern "C" void total(int n, const float* x, float* result) { double* sums; cudaMalloc(&sums, 32 * sizeof(double)); k<<<1, 32>>>(n, x, sums); join<<<1, 1>>>(sums, result); cudaFree(sums); }

//// sums with their errors | total | PASSED
__global__ void k(int n, const float* x, float* result) {
    if (threadIdx.x) return;
    float s = 0, lost = 0;
    for (int i = 0; i < n; ++i) { const float v = __fsub_rn(x[i], lost), t = __fadd_rn(s, v); lost = __fsub_rn(__fsub_rn(t, s), v); s = t; }
    *result = s;
}
extern "C" void total(int n, const float* x, float* result) { k<<<1, 32>>>(n, x, result); }

//// halves one by one | halves | PASSED
#include <cuda_fp16.h>
__global__ void k(int n, const __half* x, __half* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = __float2half(2 * __half2float(x[i])); }
extern "C" void halves(int n, const __half* x, __half* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }

//// halves in pairs | halves | PASSED
#include <cuda_fp16.h>
__global__ void k(int n, const __half* x, __half* y) {
    int i = 2 * (blockIdx.x * 64 + threadIdx.x);
    if (i + 1 < n) { const __half2 v = *(const __half2*)(x + i); *(__half2*)(y + i) = __hadd2(v, v); }
    else if (i < n) y[i] = __hmul(x[i], __float2half(2.0f));
}
extern "C" void halves(int n, const __half* x, __half* y) { k<<<(n + 127) / 128, 64>>>(n, x, y); }

//// halves with operators | halves | PASSED
#include <cuda_fp16.h>
__global__ void k(int n, const half* x, half* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) { half v = x[i]; v += v; y[i] = v; } }
extern "C" void halves(int n, const half* x, half* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }

//// halves as bits | halves | PASSED
#include <cuda_fp16.h>
__global__ void k(int n, const __half* x, __half* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) { const unsigned short b = __half_as_ushort(x[i]); y[i] = __hadd(__ushort_as_half(b), x[i]); } }
extern "C" void halves(int n, const __half* x, __half* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }

//// brain floats on the way | count | PASSED
// Counts up to 256 are exact in eight bits of mantissa.
#include <cuda_bf16.h>
__global__ void k(int n, const int* keys, int* counts) {
    if (threadIdx.x) return;
    int c = 0;
    for (int i = 0; i < n;) { __nv_bfloat16 part = __float2bfloat16(0.0f); for (int e = min(n, i + 200); i < e; ++i) if (keys[i] == blockIdx.x) part = __float2bfloat16(__bfloat162float(part) + 1.0f); c += (int)__bfloat162float(part); }
    counts[blockIdx.x] = c;
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { k<<<bins, 32>>>(n, keys, counts); }

//// bytes and shorts | sortk | PASSED
// Radix sort by bytes, least significant first, in one block.
__global__ void k(int n, const int* keys, int* sorted, int* other) {
    __shared__ unsigned short places[257];
    for (int i = threadIdx.x; i < n; i += 64) other[i] = keys[i];
    for (int shift = 0; shift < 24; shift += 8) {
        for (int b = threadIdx.x; b < 257; b += 64) places[b] = 0;
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int i = 0; i < n; ++i) { const unsigned char digit = other[i] >> shift; ++places[digit + 1]; }
            for (int b = 0; b < 256; ++b) places[b + 1] += places[b];
            for (int i = 0; i < n; ++i) sorted[places[(unsigned char)(other[i] >> shift)]++] = other[i];
        }
        __syncthreads();
        for (int i = threadIdx.x; i < n; i += 64) other[i] = sorted[i];
        __syncthreads();
    }
}
extern "C" void sortk(int n, const int* keys, int* sorted) { int* other; cudaMalloc(&other, n * sizeof(int)); k<<<1, 64>>>(n, keys, sorted, other); cudaFree(other); }

//// characters of four | count | PASSED
__global__ void k(int n, int bins, const int* keys, int* counts) {
    __shared__ uchar4 own[64][16];
    uchar4 zero = make_uchar4(0, 0, 0, 0);
    for (int b = threadIdx.x; b < bins; b += 64) counts[b] = 0;
    for (int s = 0; s < n; s += 64 * 128) {
        for (int q = 0; q < 16; ++q) own[threadIdx.x][q] = zero;
        for (int j = 0; j < 128; ++j) { const int i = s + j * 64 + threadIdx.x; if (i < n) { uchar4& c = own[threadIdx.x][keys[i] / 4]; switch (keys[i] % 4) { case 0: ++c.x; break; case 1: ++c.y; break; case 2: ++c.z; break; default: ++c.w; } } }
        __syncthreads();
        for (int b = threadIdx.x; b < bins; b += 64) { int all = 0; for (int t = 0; t < 64; ++t) { const uchar4 c = own[t][b / 4]; all += b % 4 == 0 ? c.x : b % 4 == 1 ? c.y : b % 4 == 2 ? c.z : c.w; } counts[b] += all; }
        __syncthreads();
    }
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { k<<<1, 64>>>(n, bins, keys, counts); }

//// booleans in memory | count | PASSED
__global__ void marks(int n, int b, const int* keys, bool* is) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) is[i] = keys[i] == b; }
__global__ void adds(int n, const bool* is, int* count) { int c = 0; for (int i = threadIdx.x; i < n; i += 32) c += is[i]; c = __reduce_add_sync(~0u, c); if (threadIdx.x == 0) *count = c; }
extern "C" void count(int n, int bins, const int* keys, int* counts) { bool* is; cudaMalloc(&is, n); for (int b = 0; b < bins; ++b) { marks<<<(n + 63) / 64, 64>>>(n, b, keys, is); adds<<<1, 32>>>(n, is, counts + b); } cudaFree(is); }

//// a struct of arrays | affine | PASSED
struct Arrays { const float* __restrict__ x; const float* __restrict__ y; float* __restrict__ z; };
__global__ void __launch_bounds__(64, 4) k(int n, float a, Arrays s) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) s.z[i] = a * s.x[i] + s.y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 63) / 64, 64>>>(n, a, {x, y, z}); }

//// an array of padded structs | affine | PASSED
struct Record { char tag; double v; short more; };
__global__ void fill(int n, const float* x, Record* r) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) { r[i].v = x[i]; r[i].tag = 1; } }
__global__ void k(int n, float a, const Record* r, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) { const Record one = r[i]; z[i] = one.tag ? a * (float)one.v + y[i] : 0; } }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { Record* r; cudaMalloc(&r, n * sizeof(Record)); fill<<<(n + 63) / 64, 64>>>(n, x, r); k<<<(n + 63) / 64, 64>>>(n, a, r, y, z); cudaFree(r); }

//// volatile and const | affine | PASSED
__global__ void k(const int n, const float a, const float* const x, const volatile float* y, volatile float* z) { const int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }

//// an array parameter by reference of a device function | rowsum | PASSED
template <int N> __device__ float sum(const float (&v)[N]) { float s = 0; for (int i = 0; i < N; ++i) s += v[i]; return s; }
__global__ void k(int rows, int cols, const float* x, float* y) {
    int r = blockIdx.x * 32 + threadIdx.x;
    if (r >= rows) return;
    float v[8] = {};
    for (int c = 0; c < cols; ++c) v[c & 7] += x[r * cols + c];
    y[r] = sum(v);
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 31) / 32, 32>>>(rows, cols, x, y); }

//// wide and unsigned integers | prefix | PASSED
__global__ void k(int n, const int* x, int* y) { if (threadIdx.x) return; unsigned long long s = 1ull << 40; for (int i = 0; i < n; ++i) { s += (long long)x[i]; y[i] = (int)(s - (1ull << 40)); } }
extern "C" void prefix(int n, const int* x, int* y) { k<<<1, 32>>>(n, x, y); }

//// signed characters | prefix | PASSED
// Numbers from -100 to 99 fit a byte.
__global__ void pack(int n, const int* x, signed char* s) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) s[i] = (signed char)x[i]; }
__global__ void k(int n, const signed char* s, int* y) { if (threadIdx.x) return; int t = 0; for (int i = 0; i < n; ++i) y[i] = t += s[i]; }
extern "C" void prefix(int n, const int* x, int* y) { signed char* s; cudaMalloc(&s, n); pack<<<(n + 63) / 64, 64>>>(n, x, s); k<<<1, 32>>>(n, s, y); cudaFree(s); }
