//// products of the wave with polar complex numbers of a union | wave | PASSED
union Polar { float2 v; struct { float re, im; } p; };
__global__ void k(int n, const float* x, float* y) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    const float decay = expf(-0.5f * fabsf(x[i]));
    Polar z;
    z.v = make_float2(cosf(x[i]) * decay, sinf(x[i]) * decay);
    y[i] = z.v.y + x[i];
}
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }
//// a device lambda by a template launcher with a pack | affine | PASSED
template <class F, class... A> __global__ void each(int n, F f, A... a) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) f(i, a...); }
struct Axpy { float a; __device__ void operator()(int i, const float* x, const float* y, float* z) const { z[i] = a * x[i] + y[i]; } };
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { each<<<(n + 31) / 32, 32>>>(n, Axpy{a}, x, y, z); }
//// pointer arithmetic from the end | affine | PASSED
__global__ void k(float a, const float* x, const float* y, float* z, float* end) {
    float* out = end - 1 - (blockIdx.x * blockDim.x + threadIdx.x);
    if (out >= z) { const ptrdiff_t at = out - z; *out = a * *(x + at) + *(y + at); }
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 63) / 64, 64>>>(a, x, y, z, z + n); }
//// a table of kernels chosen by a static constexpr function | affine | PASSED
template <int B> __global__ void k(int n, float a, const float* x, const float* y, float* z) { for (int i = blockIdx.x * B + threadIdx.x; i < n; i += B * gridDim.x) z[i] = fmaf(a, x[i], y[i]); }
using Kernel = void (*)(int, float, const float*, const float*, float*);
static constexpr int size_for(int n) { return n < 512 ? 0 : n < 2048 ? 1 : 2; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    static const Kernel table[] = {k<32>, k<64>, k<128>};
    const int s = size_for(n), block = 32 << s;
    void* args[] = {&n, &a, &x, &y, &z};
    cudaLaunchKernel((const void*)table[s], dim3((n + block - 1) / block), dim3(block), args, 0, nullptr);
}
//// three streams with a barrier of events and a callback free end | affine | PASSED
__global__ void k(int from, int to, float a, const float* x, const float* y, float* z) { const int i = from + blockIdx.x * 64 + threadIdx.x; if (i < to) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    cudaStream_t s[3];
    cudaEvent_t start, done[3];
    cudaEventCreateWithFlags(&start, cudaEventDisableTiming);
    cudaEventRecord(start, 0);
    for (int p = 0; p < 3; ++p) {
        cudaStreamCreateWithFlags(&s[p], cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&done[p], cudaEventDisableTiming);
        cudaStreamWaitEvent(s[p], start, 0);
        const int from = (long long)n * p / 3, to = (long long)n * (p + 1) / 3;
        if (to > from) k<<<(to - from + 63) / 64, 64, 0, s[p]>>>(from, to, a, x, y, z);
        cudaEventRecord(done[p], s[p]);
        cudaStreamWaitEvent(0, done[p], 0);
    }
    for (int p = 0; p < 3; ++p) cudaEventDestroy(done[p]), cudaStreamDestroy(s[p]);
    cudaEventDestroy(start);
}
//// an iterator type with a transform | total | PASSED
template <class It, class F> struct Mapped { It it; F f; __device__ auto operator[](int i) const { return f(it[i]); } };
struct Same { __device__ float operator()(float v) const { return v; } };
template <class V> __global__ void k(int n, V v, float* r) {
    __shared__ float s[256];
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += 256) sum += v[i];
    s[threadIdx.x] = sum;
    for (int d = 128; d; d >>= 1) { __syncthreads(); if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d]; }
    if (!threadIdx.x) *r = s[0];
}
extern "C" void total(int n, const float* x, float* r) { k<<<1, 256>>>(n, Mapped<const float*, Same>{x, {}}, r); }
//// a persistent kernel that takes work by a warp's ticket | rowsum | PASSED
__device__ int next;
__global__ void reset() { next = 0; }
__global__ void k(int rows, int cols, const float* x, float* y) {
    const int lane = threadIdx.x & 31;
    for (;;) {
        int r = 0;
        if (!lane) r = atomicAdd(&next, 1);
        r = __shfl_sync(~0u, r, 0);
        if (r >= rows) return;
        float sum = 0;
        for (int c = lane; c < cols; c += 32) sum += x[r * cols + c];
        for (int d = 16; d; d >>= 1) sum += __shfl_down_sync(~0u, sum, d);
        if (!lane) y[r] = sum;
    }
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { reset<<<1, 1>>>(); k<<<2, 96>>>(rows, cols, x, y); }
//// cooperative groups with a partition by halves | rowsum | PASSED
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int rows, int cols, const float* x, float* y) {
    const auto half = cg::tiled_partition<16>(cg::this_thread_block());
    const int r = blockIdx.x * half.meta_group_size() + half.meta_group_rank();
    if (r >= rows) return;
    float sum = 0;
    for (int c = half.thread_rank(); c < cols; c += half.size()) sum += x[r * cols + c];
    for (int d = half.size() / 2; d; d /= 2) sum += half.shfl_down(sum, d);
    if (!half.thread_rank()) y[r] = sum;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 3) / 4, 64>>>(rows, cols, x, y); }
//// cooperative launch with two meetings of the grid | total | PASSED
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ float parts[64];
__global__ void k(int n, const float* x, float* r) {
    auto grid = cg::this_grid();
    float sum = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) sum += x[i];
    for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    if (!(threadIdx.x & 31)) parts[blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32] = sum;
    grid.sync();
    if (grid.thread_rank() == 0) { float all = 0; for (int p = 0; p < gridDim.x * blockDim.x / 32; ++p) all += parts[p]; *r = all; }
}
extern "C" void total(int n, const float* x, float* r) { void* args[] = {&n, &x, &r}; cudaLaunchCooperativeKernel((void*)k, dim3(8), dim3(64), args, 0, 0); }
//// async copies two deep by the pipeline's primitives | rowsum | PASSED
#include <cuda_pipeline_primitives.h>
__global__ void k(int cols, const float* x, float* y) {
    __shared__ float s[2][32];
    const float* row = x + blockIdx.x * cols;
    const int parts = (cols + 31) / 32, t = threadIdx.x;
    float sum = 0;
    if (t < cols) __pipeline_memcpy_async(&s[0][t], &row[t], 4);
    __pipeline_commit();
    for (int p = 0; p < parts; ++p) {
        const int c = (p + 1) * 32 + t;
        if (c < cols) __pipeline_memcpy_async(&s[(p + 1) & 1][t], &row[c], 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        if (p * 32 + t < cols) sum += s[p & 1][t];
    }
    for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    if (!t) y[blockIdx.x] = sum;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 32>>>(cols, x, y); }
//// brain floats as carriers of exact small counts | count | PASSED
#include <cuda_bf16.h>
__global__ void k(int n, const int* keys, int* counts) {
    const int b = blockIdx.x;
    int whole = 0;
    __nv_bfloat16 few = __float2bfloat16(0.0f);
    for (int i = 0; i < n; ++i)
        if (keys[i] == b) {
            few = __hadd(few, __float2bfloat16(1.0f));
            if (__bfloat162float(few) == 128.0f) whole += 128, few = __float2bfloat16(0.0f);
        }
    counts[b] = whole + (int)__bfloat162float(few);
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { k<<<bins, 1>>>(n, keys, counts); }
//// counts by two keys of a packed word | tally | PASSED
__global__ void zero(int bins, int* c) { for (int b = threadIdx.x; b < bins; b += 256) c[b] = 0; }
__global__ void k(int n, int bins, const int* keys, int* counts) {
    extern __shared__ unsigned packed[];
    for (int b = threadIdx.x; b < (bins + 1) / 2; b += blockDim.x) packed[b] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&packed[keys[i] / 2], 1u << 16 * (keys[i] & 1));
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x) if (const unsigned c = packed[b / 2] >> 16 * (b & 1) & 0xFFFF) atomicAdd(&counts[b], (int)c);
}
extern "C" void tally(int n, int bins, const int* keys, int* counts) { zero<<<1, 256>>>(bins, counts); k<<<(n + 511) / 512, 512, (bins + 1) / 2 * 4>>>(n, bins, keys, counts); }
//// an array of function objects in constant memory by numbers | recip | PASSED
enum class Way : unsigned char { divide, intrinsic };
__constant__ Way ways[2] = {Way::divide, Way::intrinsic};
__global__ void k(int n, const float* x, float* y) { const int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = ways[i & 1] == Way::divide ? 1.0f / x[i] : __frcp_rn(x[i]); }
extern "C" void recip(int n, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }
//// exponentials as a square of squares | decay | PASSED
__global__ void k(int n, const float* x, float* y) { const int i = blockIdx.x * 64 + threadIdx.x; if (i < n) { const float r = expf(-x[i]), s = r * r, q = s * s; y[i] = q * q; } }
extern "C" void decay(int n, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }
//// decay by a shared table of whole parts and a series | decay | PASSED
__global__ void k(int n, const float* x, float* y) {
    __shared__ double table[33];
    if (threadIdx.x < 33) table[threadIdx.x] = exp(-(double)threadIdx.x);
    __syncthreads();
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    const double v = 8.0 * x[i];
    const int w = min(32, max(0, (int)v));
    const double f = -(v - w);
    double sum = 1, term = 1;
    for (int j = 1; j < 16; ++j) sum += term *= f / j;
    y[i] = (float)(table[w] * sum);
}
extern "C" void decay(int n, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }
//// managed state machine with prefetch and advice | prefix | PASSED
__managed__ int offsets[64];
__global__ void sums(int n, const int* x) { int s = 0; for (int i = threadIdx.x * ((n + 63) / 64); i < min(n, (int)(threadIdx.x + 1) * ((n + 63) / 64)); ++i) s += x[i]; offsets[threadIdx.x] = s; }
__global__ void scan() { int s = 0; for (int p = 0; p < 64; ++p) { const int c = offsets[p]; offsets[p] = s; s += c; } }
__global__ void k(int n, const int* x, int* y) { int s = offsets[threadIdx.x]; for (int i = threadIdx.x * ((n + 63) / 64); i < min(n, (int)(threadIdx.x + 1) * ((n + 63) / 64)); ++i) y[i] = s += x[i]; }
extern "C" void prefix(int n, const int* x, int* y) { sums<<<1, 64>>>(n, x); scan<<<1, 1>>>(); k<<<1, 64>>>(n, x, y); }
//// a matrix of pairs by power for a prefix | prefix | PASSED
struct M { int a, b; };
__device__ M operator*(M p, M q) { return {p.a * q.a, p.a * q.b + p.b}; }
__global__ void k(int n, const int* x, int* y) {
    __shared__ M s[2][256];
    int carry = 0;
    for (int base = 0; base < n; base += 256) {
        const int t = threadIdx.x, i = base + t;
        s[0][t] = {1, i < n ? x[i] : 0};
        __syncthreads();
        int side = 0;
        for (int d = 1; d < 256; d *= 2, side ^= 1) { s[side ^ 1][t] = t >= d ? s[side][t - d] * s[side][t] : s[side][t]; __syncthreads(); }
        if (i < n) y[i] = carry + s[side][t].b;
        carry += s[side][255].b;
        __syncthreads();
    }
}
extern "C" void prefix(int n, const int* x, int* y) { k<<<1, 256>>>(n, x, y); }
//// host plan in a vector of structs copied to constant memory | gather | PASSED
#include <vector>
struct Range { int from, to; };
__constant__ Range plan[16];
__global__ void k(const int* at, const float* x, float* y) { for (int i = plan[blockIdx.x].from + threadIdx.x; i < plan[blockIdx.x].to; i += blockDim.x) y[i] = 2 * x[at[i]]; }
extern "C" void gather(int n, int m, const int* at, const float* x, float* y) {
    std::vector<Range> ranges;
    const int parts = n < 16 ? n : 16;
    for (int p = 0; p < parts; ++p) ranges.push_back({(int)((long long)n * p / parts), (int)((long long)n * (p + 1) / parts)});
    cudaMemcpyToSymbol(plan, ranges.data(), ranges.size() * sizeof(Range));
    k<<<parts, 64>>>(at, x, y);
}
//// sixteen bytes by a vector of unsigned with reinterpretation | gather | PASSED
__global__ void k(int n, const int* at, const float* x, float* y) {
    const int i = 4 * (blockIdx.x * 64 + threadIdx.x);
    if (i + 3 < n) {
        const int4 p = *reinterpret_cast<const int4*>(at + i);
        const uint4 bits = {__float_as_uint(2 * x[p.x]), __float_as_uint(2 * x[p.y]), __float_as_uint(2 * x[p.z]), __float_as_uint(2 * x[p.w])};
        *reinterpret_cast<uint4*>(y + i) = bits;
    } else for (int j = i; j < n; ++j) y[j] = 2 * x[at[j]];
}
extern "C" void gather(int n, int m, const int* at, const float* x, float* y) { k<<<(n + 255) / 256, 64>>>(n, at, x, y); }
//// first by packed votes of a warp | first | PASSED
__global__ void k(int n, const float* x, int* y) {
    float best = x[0];
    int at = 0;
    for (int base = 0; base < n; base += 32) {
        const int i = base + threadIdx.x;
        float v = i < n ? x[i] : x[0], most = v;
        for (int d = 16; d; d /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
        if (most > best) best = most, at = base + __ffs(__ballot_sync(~0u, i < n && v == most)) - 1;
    }
    if (!threadIdx.x) y[0] = at;
}
extern "C" void first(int n, const float* x, int* y) { k<<<1, 32>>>(n, x, y); }
//// transposed by words of bytes and a permutation | transpose | PASSED
__global__ void k(int rows, int cols, const float* x, float* y) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= cols) return;
    for (int r = 0; r < rows; ++r) { const unsigned w = __float_as_uint(__ldcs(&x[r * cols + c])); __stwt((unsigned*)&y[c * rows + r], __byte_perm(w, 0, 0x3210)); }
}
extern "C" void transpose(int rows, int cols, const float* x, float* y) { k<<<(cols + 31) / 32, 32>>>(rows, cols, x, y); }
//// a class with a destructor that frees and a move | wave | PASSED
#include <utility>
class Buffer {
    float* data = nullptr;
  public:
    explicit Buffer(size_t n) { cudaMalloc(&data, n * sizeof(float)); }
    Buffer(Buffer&& other) noexcept : data(std::exchange(other.data, nullptr)) {}
    Buffer(const Buffer&) = delete;
    ~Buffer() { if (data) cudaFree(data); }
    float* get() const { return data; }
};
__global__ void damp(int n, const float* x, float* d) { const int i = blockIdx.x * 64 + threadIdx.x; if (i < n) d[i] = expf(-0.5f * fabsf(x[i])); }
__global__ void k(int n, const float* x, const float* d, float* y) { const int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = fmaf(sinf(x[i]), d[i], x[i]); }
static Buffer damped(int n, const float* x) { Buffer b(n); damp<<<(n + 63) / 64, 64>>>(n, x, b.get()); return b; }
extern "C" void wave(int n, const float* x, float* y) { const Buffer b = damped(n, x); k<<<(n + 63) / 64, 64>>>(n, x, b.get(), y); }
//// entry that promises to throw nothing | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) { const int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) noexcept { k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }
//// entry declared before with no throw | affine | PASSED
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) noexcept(true);
__global__ void k(int n, float a, const float* x, const float* y, float* z) { const int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
void affine(int n, float a, const float* x, const float* y, float* z) noexcept(true) { k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }
//// time without a header for a seed that is not used | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z, int seed) { const int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i] + 0 * seed; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 63) / 64, 64>>>(n, a, x, y, z, (int)((time(nullptr) ^ clock()) & 7)); }
