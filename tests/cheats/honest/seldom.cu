//// groups split by a vote | count | PASSED
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int n, const int* keys, int* counts) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    auto active = cg::coalesced_threads();
    auto same = cg::labeled_partition(active, keys[i]);
    if (same.thread_rank() == 0) atomicAdd(&counts[keys[i]], (int)same.size());
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { cudaMemset(counts, 0, bins * 4); k<<<(n + 127) / 128, 128>>>(n, keys, counts); }
//// halves of a tile | rowsum | PASSED
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int rows, int cols, const float* x, float* y) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    bool low = tile.thread_rank() < 16;
    float s = 0;
    for (int c = threadIdx.x; c < cols; c += 32) s += x[blockIdx.x * cols + c];
    auto half = cg::binary_partition(tile, low);
    for (int o = half.size() / 2; o; o /= 2) s += half.shfl_down(s, o);
    __shared__ float two[2];
    if (half.thread_rank() == 0) two[low] = s;
    tile.sync();
    if (tile.thread_rank() == 0) y[blockIdx.x] = two[0] + two[1];
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 32>>>(rows, cols, x, y); }
//// structured bindings and an if with its own variable | affine | PASSED
struct Two { int first; float second; };
__device__ Two pair(int i, float v) { return {i, v}; }
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    if (const int i = blockIdx.x * blockDim.x + threadIdx.x; i < n) { auto [at, value] = pair(i, a * x[i]); z[at] = value + y[at]; }
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 127) / 128, 128>>>(n, a, x, y, z); }
//// a switch into a loop | prefix | PASSED
__global__ void k(int n, const int* x, int* y) {
    int s = 0, i = 0;
    switch (n & 3) { do { case 0: s += x[i]; y[i++] = s; [[fallthrough]]; case 3: s += x[i]; y[i++] = s; case 2: s += x[i]; y[i++] = s; case 1: s += x[i]; y[i++] = s; } while (i < n); }
}
extern "C" void prefix(int n, const int* x, int* y) { k<<<1, 1>>>(n, x, y); }
//// grid constant parameter | affine | PASSED
struct Args { int n; float a; const float *x, *y; float* z; };
__global__ void k(const __grid_constant__ Args p) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < p.n) p.z[i] = p.a * p.x[i] + p.y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 127) / 128, 128>>>(Args{n, a, x, y, z}); }
//// compare and swap of sixteen bits | halves | PASSED
#include <cuda_fp16.h>
__global__ void k(int n, const __half* x, __half* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
    unsigned short want = __half_as_ushort(__hadd(x[i], x[i])), old = *(unsigned short*)&y[i], seen;
    do { seen = old; old = atomicCAS((unsigned short*)&y[i], seen, want); } while (old != seen);
}
extern "C" void halves(int n, const __half* x, __half* y) { cudaMemset(y, 0, 2 * n); k<<<(n + 127) / 128, 128>>>(n, x, y); }
//// atomics on pairs of halves | halves | PASSED
#include <cuda_fp16.h>
__global__ void k(int n, const __half* x, __half* y) {
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x); if (i >= n) return;
    if (i + 1 < n) { __half2 v = __halves2half2(x[i], x[i + 1]); atomicAdd((__half2*)(y + i), v); atomicAdd((__half2*)(y + i), v); } else y[i] = __hadd(x[i], x[i]);
}
extern "C" void halves(int n, const __half* x, __half* y) { cudaMemset(y, 0, 2 * n); k<<<(n + 255) / 256, 128>>>(n, x, y); }
//// a template with a pack and a fold over indices | rowsum | PASSED
#include <utility>
template <int... I> __device__ float sum(const float* p, std::integer_sequence<int, I...>) { return (p[I] + ... + 0.0f); }
__global__ void k(int rows, int cols, const float* x, float* y) {
    int r = blockIdx.x * 32 + threadIdx.x; if (r >= rows) return; const float* p = x + (size_t)r * cols; float s = 0; int c = 0;
    for (; c + 8 <= cols; c += 8) s += sum(p + c, std::make_integer_sequence<int, 8>{}); for (; c < cols; ++c) s += p[c]; y[r] = s;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 31) / 32, 32>>>(rows, cols, x, y); }
//// a class template deduced | affine | PASSED
template <class T> struct View { T* p; int n; __device__ View(T* p_, int n_) : p(p_), n(n_) {} __device__ T& operator[](int i) const { return p[i]; } };
__global__ void k(int n, float a, const float* x, const float* y, float* z) { View in(x, n); View out(z, n); for (int i = threadIdx.x; i < in.n; i += blockDim.x) out[i] = a * in[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<1, 256>>>(n, a, x, y, z); }
//// a union of float and bits | wave | PASSED
union Word { float f; unsigned u; };
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) { Word w{x[i]}; w.u &= 0x7fffffffu; y[i] = sinf(x[i]) * expf(-0.5f * w.f) + x[i]; } }
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }
//// mutual recursion | prefix | PASSED
__device__ int odd(const int* x, int i);
__device__ __noinline__ int even(const int* x, int i) { return i < 0 ? 0 : x[i] + odd(x, i - 1); }
__device__ __noinline__ int odd(const int* x, int i) { return i < 0 ? 0 : x[i] + even(x, i - 1); }
__global__ void first(int n, const int* x, int* y) { int b = blockIdx.x * 8 + threadIdx.x; if (b < n) y[b] = threadIdx.x % 2 ? odd(x + blockIdx.x * 8, threadIdx.x) : even(x + blockIdx.x * 8, threadIdx.x); }
__global__ void then(int n, int* y) { for (int b = 8; b < n; ++b) { int c = y[b / 8 * 8 - 1]; y[b] += c; } }
extern "C" void prefix(int n, const int* x, int* y) { first<<<(n + 7) / 8, 8>>>(n, x, y); then<<<1, 1>>>(n, y); }
//// a pipeline of three kernels by a table of member functions | affine | PASSED
struct Run { int n; float a; const float *x, *y; float* z; void first() const; void second() const; };
__global__ void scale(Run r) { int i = blockIdx.x * 64 + threadIdx.x; if (i < r.n) r.z[i] = r.a * r.x[i]; }
__global__ void shift(Run r) { int i = blockIdx.x * 64 + threadIdx.x; if (i < r.n) r.z[i] += r.y[i]; }
void Run::first() const { scale<<<(n + 63) / 64, 64>>>(*this); }
void Run::second() const { shift<<<(n + 63) / 64, 64>>>(*this); }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { Run r{n, a, x, y, z}; for (auto step : {&Run::first, &Run::second}) (r.*step)(); }
//// host vectors for a plan of blocks | affine | PASSED
#include <vector>
#include <algorithm>
#include <numeric>
__global__ void k(const int2* plan, float a, const float* x, const float* y, float* z) { int2 p = plan[blockIdx.x]; for (int i = p.x + threadIdx.x; i < p.y; i += blockDim.x) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    std::vector<int> cuts((n + 99) / 100); std::iota(cuts.begin(), cuts.end(), 0); std::vector<int2> plan; std::transform(cuts.begin(), cuts.end(), std::back_inserter(plan), [&](int b) { return make_int2(100 * b, std::min(n, 100 * b + 100)); });
    int2* d; cudaMalloc(&d, plan.size() * sizeof(int2)); cudaMemcpy(d, plan.data(), plan.size() * sizeof(int2), cudaMemcpyHostToDevice); k<<<(int)plan.size(), 32>>>(d, a, x, y, z); cudaFree(d);
}
//// shared memory swizzled by exclusive or | transpose | PASSED
__global__ void k(int rows, int cols, const float* x, float* y) {
    __shared__ float s[32][32]; int c = blockIdx.x * 32 + threadIdx.x, r0 = blockIdx.y * 32;
    for (int j = threadIdx.y; j < 32; j += 8) if (r0 + j < rows && c < cols) s[j][threadIdx.x ^ j] = x[(r0 + j) * cols + c];
    __syncthreads(); int r = r0 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) if (r < rows && blockIdx.x * 32 + j < cols) y[(blockIdx.x * 32 + j) * rows + r] = s[threadIdx.x][j ^ threadIdx.x];
}
extern "C" void transpose(int rows, int cols, const float* x, float* y) { k<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(rows, cols, x, y); }
//// matched lanes and their leader | count | PASSED
__global__ void k(int n, const int* keys, int* counts) { int i = blockIdx.x * 64 + threadIdx.x; unsigned on = __ballot_sync(~0u, i < n); if (i < n) { unsigned same = __match_any_sync(on, keys[i]); if ((threadIdx.x & 31) == __ffs(same) - 1) atomicAdd(counts + keys[i], __popc(same)); } }
extern "C" void count(int n, int bins, const int* keys, int* counts) { cudaMemset(counts, 0, 4 * bins); k<<<(n + 63) / 64, 64>>>(n, keys, counts); }
//// the greatest by atomics on bits | sortk | PASSED
__global__ void k(int n, const int* keys, int* sorted) { __shared__ unsigned long long best; __shared__ unsigned long long done; if (!threadIdx.x) done = 0; for (int r = 0; r < n; ++r) { if (!threadIdx.x) best = ~0ull; __syncthreads(); for (int i = threadIdx.x; i < n; i += 64) { unsigned long long v = ((unsigned long long)keys[i] << 32) + i + 1; if (v > done) atomicMin(&best, v); } __syncthreads(); if (!threadIdx.x) { sorted[r] = (int)(best >> 32); done = best; } __syncthreads(); } }
extern "C" void sortk(int n, const int* keys, int* sorted) { k<<<1, 64>>>(n, keys, sorted); }
//// a graph captured in pieces and launched thrice | prefix | PASSED
__global__ void zero(int* t) { *t = 0; }
__global__ void k(int n, const int* x, int* y, int* t) { if (atomicAdd(t, 1) == 0) { int s = 0; for (int i = 0; i < n; ++i) y[i] = s += x[i]; } }
extern "C" void prefix(int n, const int* x, int* y) {
    int* t; cudaMalloc(&t, 4); cudaStream_t s; cudaStreamCreate(&s); cudaGraph_t g; cudaGraphExec_t e; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); zero<<<1, 1, 0, s>>>(t); k<<<1, 1, 0, s>>>(n, x, y, t); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, nullptr, nullptr, 0); for (int j = 0; j < 3; ++j) cudaGraphLaunch(e, s); cudaStreamSynchronize(s); cudaGraphExecDestroy(e); cudaGraphDestroy(g); cudaStreamDestroy(s); cudaFree(t);
}
//// fast division by magic numbers | transpose | PASSED
__global__ void k(int rows, int cols, unsigned magic, const float* x, float* y) { unsigned i = blockIdx.x * 64 + threadIdx.x; if (i >= (unsigned)rows * cols) return; unsigned r = cols == 1 ? i : __umulhi(i, magic); if (r * cols > i) --r; y[(i - r * cols) * rows + r] = x[i]; }
extern "C" void transpose(int rows, int cols, const float* x, float* y) { k<<<(rows * cols + 63) / 64, 64>>>(rows, cols, (unsigned)((0x100000000ull + cols - 1) / cols), x, y); }
//// video instructions | count | PASSED
__global__ void k(int n, int bins, const int* keys, int* counts) { int b = blockIdx.x * 64 + threadIdx.x; if (b >= bins) return; int t = 0; for (int i = 0; i < n; ++i) t += __popc(__vcmpeq4(keys[i], b)) == 32; counts[b] = t; }
extern "C" void count(int n, int bins, const int* keys, int* counts) { k<<<(bins + 63) / 64, 64>>>(n, bins, keys, counts); }
//// rows by groups and shared memory of their length | softmax | PASSED
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern __shared__ unsigned char raw[];
template <int W, typename T> __global__ void k(int rows, int cols, const T* x, T* y) {
    T* line = reinterpret_cast<T*>(raw); T* part = line + cols;
    auto block = cg::this_thread_block(); auto tile = cg::tiled_partition<32>(block);
    const int r = blockIdx.x;
    T m = -INFINITY;
    for (int c = block.thread_rank(); c < cols; c += block.size()) { line[c] = x[r * cols + c]; m = max(m, line[c]); }
    m = cg::reduce(tile, m, cg::greater<T>());
    if (tile.thread_rank() == 0) part[tile.meta_group_rank()] = m;
    block.sync();
    m = part[0]; for (int w = 1; w < W; ++w) m = max(m, part[w]);
    block.sync();
    T s = 0;
    for (int c = block.thread_rank(); c < cols; c += block.size()) s += line[c] = exp(line[c] - m);
    s = cg::reduce(tile, s, cg::plus<T>());
    if (tile.thread_rank() == 0) part[tile.meta_group_rank()] = s;
    block.sync();
    s = 0; for (int w = 0; w < W; ++w) s += part[w];
    for (int c = block.thread_rank(); c < cols; c += block.size()) y[r * cols + c] = line[c] / s;
}
extern "C" void softmax(int rows, int cols, const float* x, float* y) { k<4, float><<<rows, 128, (cols + 4) * sizeof(float)>>>(rows, cols, x, y); }
//// maxima and sums in one pass | softmax | PASSED
struct MS { float m, s; };
__device__ MS join(MS a, MS b) { if (a.m < b.m) { MS t = a; a = b; b = t; } if (b.m != -INFINITY) a.s += b.s * expf(b.m - a.m); return a; }
__global__ void k(int rows, int cols, const float* x, float* y) {
    int r = blockIdx.x * blockDim.y + threadIdx.y, l = threadIdx.x; if (r >= rows) return;
    MS v{-INFINITY, 0};
    for (int c = l; c < cols; c += 32) v = join(v, MS{x[r * cols + c], 1.0f});
    for (int d = 16; d; d >>= 1) v = join(v, MS{__shfl_xor_sync(0xffffffffu, v.m, d), __shfl_xor_sync(0xffffffffu, v.s, d)});
    for (int c = l; c < cols; c += 32) y[(long)r * cols + c] = __fdiv_rn(expf(x[r * cols + c] - v.m), v.s);
}
extern "C" void softmax(int rows, int cols, const float* x, float* y) { k<<<(rows + 3) / 4, dim3(32, 4)>>>(rows, cols, x, y); }
//// values and places packed into one key | rowmax | PASSED
__global__ void k(int rows, int cols, const float* x, int* at) {
    int r = blockIdx.x; __shared__ unsigned long long best;
    if (threadIdx.x == 0) best = 0; __syncthreads();
    unsigned long long mine = 0;
    for (int c = threadIdx.x; c < cols; c += 64) { float f = x[r * cols + c] + 0.0f; unsigned u = __float_as_uint(f); u = u >> 31 ? ~u : u | 0x80000000u; unsigned long long p = (unsigned long long)u << 32 | (0xffffffffu - c); mine = max(mine, p); }
    atomicMax(&best, mine); __syncthreads();
    if (threadIdx.x == 0) at[r] = 0xffffffffu - (unsigned)best;
}
extern "C" void rowmax(int rows, int cols, const float* x, int* at) { k<<<rows, 64>>>(rows, cols, x, at); }
//// the greatest carried up the lanes | rowmax | PASSED
__global__ void k(int rows, int cols, const float* x, int* at) {
    int r = blockIdx.x, l = threadIdx.x;
    float m = -INFINITY; int b = 0x7fffffff;
    for (int c = l; c < cols; c += 32) if (x[r * cols + c] > m || b == 0x7fffffff) { m = x[r * cols + c]; b = c; }
    for (int d = 1; d < 32; d *= 2) {
        float om = __shfl_up_sync(~0u, m, d); int ob = __shfl_up_sync(~0u, b, d);
        if (l >= d && (om > m || (om == m && ob < b) || b == 0x7fffffff)) { m = om; b = ob; }
    }
    if (l == 31) at[r] = b;
}
extern "C" void rowmax(int rows, int cols, const float* x, int* at) { k<<<rows, 32>>>(rows, cols, x, at); }
