//// tiles of four by groups of the library | rowsum | PASSED
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(int rows, int cols, const float* x, float* y) {
    auto tile = cg::tiled_partition<4>(cg::this_thread_block());
    int r = blockIdx.x * (blockDim.x / 4) + tile.meta_group_rank();
    if (r >= rows) return;
    float s = 0;
    for (int c = tile.thread_rank(); c < cols; c += 4) s += x[r * cols + c];
    s = cg::reduce(tile, s, cg::plus<float>());
    if (tile.thread_rank() == 0) y[r] = s;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 31) / 32, 128>>>(rows, cols, x, y); }

//// whole grid in turns | prefix | PASSED
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int n, const int* x, int* y, int* t) {
    auto grid = cg::this_grid();
    for (int i = grid.thread_rank(); i < n; i += grid.size()) y[i] = x[i];
    grid.sync();
    for (int d = 1; d < n; d *= 2) {
        for (int i = grid.thread_rank(); i < n; i += grid.size()) t[i] = i >= d ? y[i] + y[i - d] : y[i];
        grid.sync();
        for (int i = grid.thread_rank(); i < n; i += grid.size()) y[i] = t[i];
        grid.sync();
    }
}
extern "C" void prefix(int n, const int* x, int* y) {
    int* t;
    cudaMalloc(&t, 4 * n);
    void* words[] = {&n, &x, &y, &t};
    cudaLaunchCooperativeKernel((const void*)k, dim3(4), dim3(64), words, 0, nullptr);
    cudaDeviceSynchronize();
    cudaFree(t);
}

//// fork and join of three streams | affine | PASSED
__global__ void part(int first, int last, float a, const float* x, const float* y, float* z) {
    int i = first + blockIdx.x * 128 + threadIdx.x;
    if (i < last) z[i] = fmaf(a, x[i], y[i]);
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    cudaStream_t s[3]; cudaEvent_t begun, done[3];
    cudaEventCreateWithFlags(&begun, cudaEventDisableTiming);
    cudaEventRecord(begun, 0);
    for (int j = 0; j < 3; ++j) {
        cudaStreamCreateWithFlags(&s[j], cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&done[j], cudaEventDisableTiming);
        cudaStreamWaitEvent(s[j], begun, 0);
        int first = (long long)n * j / 3, last = (long long)n * (j + 1) / 3;
        if (last > first) part<<<(last - first + 127) / 128, 128, 0, s[j]>>>(first, last, a, x, y, z);
        cudaEventRecord(done[j], s[j]);
        cudaStreamWaitEvent(0, done[j], 0);
    }
    for (int j = 0; j < 3; ++j) { cudaStreamDestroy(s[j]); cudaEventDestroy(done[j]); }
    cudaEventDestroy(begun);
}

//// a managed table made by the host | gather | PASSED
__global__ void k(int n, const int* at, const float* x, const float* factor, float* y) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) y[i] = factor[i & 3] * x[at[i]];
}
extern "C" void gather(int n, int m, const int* at, const float* x, float* y) {
    float* factor;
    cudaMallocManaged(&factor, 16);
    for (int j = 0; j < 4; ++j) factor[j] = 2.0f;
    k<<<(n + 255) / 256, 256>>>(n, at, x, factor, y);
    cudaDeviceSynchronize();
    cudaFree(factor);
}

//// pinned parameters by a copy that is waited for | affine | PASSED
struct Plan { int n; float a; };
__global__ void k(const Plan* plan, const float* x, const float* y, float* z) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < plan->n; i += gridDim.x * blockDim.x) z[i] = plan->a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    Plan *host, *device;
    cudaMallocHost(&host, sizeof(Plan));
    cudaMalloc(&device, sizeof(Plan));
    *host = Plan{n, a};
    cudaMemcpyAsync(device, host, sizeof(Plan), cudaMemcpyHostToDevice, 0);
    k<<<8, 64>>>(device, x, y, z);
    cudaStreamSynchronize(0);
    cudaFreeHost(host);
    cudaFree(device);
}

//// a lambda captured by value and run by a template | wave | PASSED
template <class Body>
__global__ void each(int n, Body body) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) body(i);
}
struct Wave {
    const float* x; float* y;
    __device__ void operator()(int i) const { y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i]; }
};
extern "C" void wave(int n, const float* x, float* y) { each<<<(n + 511) / 512, 128>>>(n, Wave{x, y}); }

//// constant weights copied in a stream | blur | PASSED
__constant__ float weights[9];
__global__ void k(int h, int w, const float* x, float* y) {
    int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 4 + threadIdx.y;
    if (i >= h || j >= w) return;
    float s = 0;
    for (int u = -1; u <= 1; ++u)
        for (int v = -1; v <= 1; ++v) {
            int r = i + u, c = j + v;
            if (r >= 0 && r < h && c >= 0 && c < w && weights[3 * u + v + 4] != 0) s += weights[3 * u + v + 4] * x[r * w + c];
        }
    y[i * w + j] = s;
}
extern "C" void blur(int h, int w, const float* x, float* y) {
    static const float values[9] = {0, 0.125f, 0, 0.125f, 0.5f, 0.125f, 0, 0.125f, 0};
    cudaMemcpyToSymbolAsync(weights, values, sizeof values, 0, cudaMemcpyHostToDevice, 0);
    k<<<dim3((w + 31) / 32, (h + 3) / 4), dim3(32, 4)>>>(h, w, x, y);
}

//// dynamic memory for two types | rowsum | PASSED
extern __shared__ unsigned char room[];
__global__ void k(int rows, int cols, const float* x, float* y) {
    double* sums = (double*)room;
    int* counts = (int*)(sums + blockDim.x);
    int r = blockIdx.x, t = threadIdx.x;
    double s = 0; int c = 0;
    for (int j = t; j < cols; j += blockDim.x) { s += x[r * cols + j]; ++c; }
    sums[t] = s; counts[t] = c;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d) { sums[t] += sums[t + d]; counts[t] += counts[t + d]; }
        __syncthreads();
    }
    if (t == 0) y[r] = counts[0] == cols ? (float)sums[0] : NAN;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 64, 64 * 12>>>(rows, cols, x, y); }

//// persistent blocks that draw tiles from a counter | transpose | PASSED
__device__ unsigned next_tile;
__global__ void begin() { next_tile = 0; }
__global__ void k(int rows, int cols, const float* x, float* y) {
    __shared__ float tile[16][17];
    __shared__ unsigned mine;
    int across = (cols + 15) / 16, all = across * ((rows + 15) / 16);
    for (;;) {
        if (threadIdx.x == 0 && threadIdx.y == 0) mine = atomicAdd(&next_tile, 1u);
        __syncthreads();
        int t = mine;
        if (t >= all) return;
        int r0 = t / across * 16, c0 = t % across * 16, r = r0 + threadIdx.y, c = c0 + threadIdx.x;
        if (r < rows && c < cols) tile[threadIdx.y][threadIdx.x] = x[r * cols + c];
        __syncthreads();
        int ro = r0 + threadIdx.x, co = c0 + threadIdx.y;
        if (ro < rows && co < cols) y[co * rows + ro] = tile[threadIdx.x][threadIdx.y];
        __syncthreads();
    }
}
extern "C" void transpose(int rows, int cols, const float* x, float* y) {
    begin<<<1, 1>>>();
    k<<<3, dim3(16, 16)>>>(rows, cols, x, y);
}

//// sixteen bytes with a scalar tail by pointers | affine | PASSED
__global__ void k(int n, float a, const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, vectors = n / 4;
    bool whole = (((unsigned long long)x | (unsigned long long)y | (unsigned long long)z) & 15) == 0;
    if (whole && i < vectors) {
        float4 u = ((const float4*)x)[i], v = ((const float4*)y)[i];
        ((float4*)z)[i] = make_float4(a * u.x + v.x, a * u.y + v.y, a * u.z + v.z, a * u.w + v.w);
    }
    for (int j = (whole ? 4 * vectors : 0) + i; j < n; j += gridDim.x * blockDim.x) z[j] = a * x[j] + y[j];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 255) / 256, 256>>>(n, a, x, y, z); }

//// nothing to do is said by the host | sortk | PASSED
__global__ void k(int n, const int* keys, int* sorted) {
    int i = blockIdx.x * 128 + threadIdx.x, r = 0;
    if (i >= n) return;
    for (int j = 0; j < n; ++j) r += keys[j] < keys[i] || (keys[j] == keys[i] && j < i);
    sorted[r] = keys[i];
}
extern "C" void sortk(int n, const int* keys, int* sorted) {
    if (n <= 0) return;
    if (n == 1) { cudaMemcpy(sorted, keys, sizeof(int), cudaMemcpyDeviceToDevice); k<<<1, 32>>>(n, keys, sorted); return; }
    k<<<(n + 127) / 128, 128>>>(n, keys, sorted);
}

//// ends of doubles found in two launches | firstd | PASSED
__global__ void most(int n, const double* x, unsigned long long* bits) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    long long b = __double_as_longlong(x[i] + 0.0);
    unsigned long long key = b < 0 ? ~(unsigned long long)b : (unsigned long long)b | 0x8000000000000000ull;
    atomicMax(bits, key);
}
__global__ void where(int n, const double* x, const unsigned long long* bits, int* y) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    long long b = __double_as_longlong(x[i] + 0.0);
    unsigned long long key = b < 0 ? ~(unsigned long long)b : (unsigned long long)b | 0x8000000000000000ull;
    if (key == *bits) atomicMin(y, i);
}
extern "C" void firstd(int n, const double* x, int* y) {
    unsigned long long* bits;
    cudaMalloc(&bits, 8);
    cudaMemset(bits, 0, 8);
    cudaMemset(y, 0x7f, 4);
    most<<<(n + 255) / 256, 256>>>(n, x, bits);
    where<<<(n + 255) / 256, 256>>>(n, x, bits, y);
    cudaFree(bits);
}

//// doubles in pairs with the places of equals | firstd | PASSED
struct Best { double v; int at; };
__device__ Best better(Best a, Best b) { return b.v > a.v || (b.v == a.v && b.at < a.at) ? b : a; }
__global__ void k(int n, const double* x, int* y) {
    __shared__ Best found[32];
    Best mine{x[0], 0};
    for (int i = threadIdx.x; i < n; i += blockDim.x) mine = better(mine, Best{x[i], i});
    for (int d = 16; d > 0; d /= 2) {
        Best other{__shfl_xor_sync(0xffffffffu, mine.v, d), __shfl_xor_sync(0xffffffffu, mine.at, d)};
        mine = better(mine, other);
    }
    if (threadIdx.x % 32 == 0) found[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned w = 1; w < blockDim.x / 32; ++w) mine = better(mine, found[w]);
        y[0] = mine.at;
    }
}
extern "C" void firstd(int n, const double* x, int* y) { k<<<1, 128>>>(n, x, y); }

//// bins by multiplying in another order | bind | PASSED
__global__ void k(int n, const double* x, int* y) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    double v = x[i] * 5.0;
    y[i] = (int)(v + v);
}
extern "C" void bind(int n, const double* x, int* y) { k<<<(n + 255) / 256, 256>>>(n, x, y); }

//// bins by searching an edge table | bind | PASSED
__global__ void k(int n, const double* x, int* y) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    double scaled = __fma_rn(x[i], 10.0, 0.0);
    int b = 0;
    while (b + 1 <= scaled) ++b;
    if (scaled < 0) while (b - 1 >= scaled) --b;
    y[i] = b;
}
extern "C" void bind(int n, const double* x, int* y) { k<<<(n + 255) / 256, 256>>>(n, x, y); }

//// double rows by a warp each | rowsumd | PASSED
__global__ void k(int rows, int cols, const double* x, double* y) {
    int r = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    double s = 0;
    for (int c = lane; c < cols; c += 32) s += x[(size_t)r * cols + c];
    for (int d = 16; d > 0; d >>= 1) s += __shfl_down_sync(0xffffffffu, s, d);
    if (lane == 0) y[r] = s;
}
extern "C" void rowsumd(int rows, int cols, const double* x, double* y) { k<<<(rows + 3) / 4, 128>>>(rows, cols, x, y); }

//// double rows with the errors carried | rowsumd | PASSED
__global__ void k(int rows, int cols, const double* x, double* y) {
    int r = blockIdx.x * 32 + threadIdx.x;
    if (r >= rows) return;
    double s = 0, lost = 0;
    for (int c = 0; c < cols; ++c) {
        double v = x[r * cols + c], t = s + v;
        lost += fabs(s) >= fabs(v) ? (s - t) + v : (v - t) + s;
        s = t;
    }
    y[r] = s + lost;
}
extern "C" void rowsumd(int rows, int cols, const double* x, double* y) { k<<<(rows + 31) / 32, 32>>>(rows, cols, x, y); }

//// local variables handed on within a thread | rowsum | PASSED
__device__ void add(float* to, const float* from, int count) { for (int i = 0; i < count; ++i) *to += from[i]; }
__device__ void parts(const float* x, int cols, float (&into)[4]) { for (int c = 0; c < cols; ++c) into[c & 3] += x[c]; }
__global__ void k(int rows, int cols, const float* x, float* y) {
    int r = blockIdx.x * 64 + threadIdx.x;
    if (r >= rows) return;
    float four[4] = {}, s = 0;
    parts(x + r * cols, cols, four);
    add(&s, four, 4);
    float* volatile hidden = &s;
    y[r] = *hidden;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 63) / 64, 64>>>(rows, cols, x, y); }

//// groups copy to and from local arrays | rowsum | PASSED
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void k(int rows, int cols, const float* x, float* y) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int r = blockIdx.x, lane = warp.thread_rank();
    float held[4] = {0, 0, 0, 0};
    for (int c = lane; c < cols; c += 32) held[(c / 32) & 3] += x[r * cols + c];
    float s = cg::inclusive_scan(warp, held[0] + held[1] + held[2] + held[3]);
    if (lane == 31) y[r] = s;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 32>>>(rows, cols, x, y); }

//// counts by sorting in registers of a thread | count | PASSED
__global__ void clear(int bins, int* counts) { for (int b = threadIdx.x; b < bins; b += blockDim.x) counts[b] = 0; }
__global__ void k(int n, const int* keys, int* counts) {
    int held[8], first = (blockIdx.x * 64 + threadIdx.x) * 8, many = min(8, n - first);
    if (many <= 0) return;
    for (int j = 0; j < many; ++j) {
        int v = keys[first + j], p = j;
        for (; p > 0 && held[p - 1] > v; --p) held[p] = held[p - 1];
        held[p] = v;
    }
    for (int j = 0; j < many;) {
        int e = j + 1;
        while (e < many && held[e] == held[j]) ++e;
        atomicAdd(&counts[held[j]], e - j);
        j = e;
    }
}
extern "C" void count(int n, int bins, const int* keys, int* counts) {
    clear<<<1, 128>>>(bins, counts);
    k<<<(n + 511) / 512, 64>>>(n, keys, counts);
}

//// halves by an array of eight in a union | halves | PASSED
#include <cuda_fp16.h>
union Pack { uint4 bits; __half2 pair[4]; };
__global__ void k(int n, const __half* x, __half* y) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (8 * i + 7 < n) {
        Pack p;
        for (int j = 0; j < 4; ++j) p.pair[j] = __halves2half2(x[8 * i + 2 * j], x[8 * i + 2 * j + 1]);
        for (int j = 0; j < 4; ++j) p.pair[j] = __hadd2(p.pair[j], p.pair[j]);
        for (int j = 0; j < 4; ++j) { y[8 * i + 2 * j] = __low2half(p.pair[j]); y[8 * i + 2 * j + 1] = __high2half(p.pair[j]); }
    } else
        for (int j = 8 * i; j < n; ++j) y[j] = __hadd(x[j], x[j]);
}
extern "C" void halves(int n, const __half* x, __half* y) { k<<<(n / 8 + 64) / 64, 64>>>(n, x, y); }

//// recipes chosen by a table of functions of templates | recip | PASSED
template <int Unroll>
__global__ void k(int n, const float* x, float* y) {
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * Unroll;
#pragma unroll
    for (int j = 0; j < Unroll; ++j) if (first + j < n) y[first + j] = __frcp_rn(x[first + j]);
}
using Kernel = void (*)(int, const float*, float*);
extern "C" void recip(int n, const float* x, float* y) {
    static const Kernel table[] = {k<1>, k<2>, k<4>};
    int which = n < 64 ? 0 : n < 512 ? 1 : 2, per = 1 << which;
    table[which]<<<(n + 64 * per - 1) / (64 * per), 64>>>(n, x, y);
}

//// merged in shared memory with ranks by search | sortk | PASSED
__global__ void k(int n, const int* keys, int* sorted) {
    __shared__ int a[2][1024];
    int t = threadIdx.x, from = 0;
    for (int i = t; i < n; i += blockDim.x) a[0][i] = keys[i];
    __syncthreads();
    for (int w = 1; w < n; w *= 2, from ^= 1) {
        for (int i = t; i < n; i += blockDim.x) {
            int run = i / (2 * w) * 2 * w, middle = min(run + w, n), end = min(run + 2 * w, n);
            bool left = i < middle;
            int lo = left ? middle : run, hi = left ? end : middle, v = a[from][i];
            int base = lo;
            while (lo < hi) {
                int m = (lo + hi) / 2;
                if (left ? a[from][m] < v : a[from][m] <= v) lo = m + 1; else hi = m;
            }
            a[from ^ 1][run + (left ? i - run : i - middle) + (lo - base)] = v;
        }
        __syncthreads();
    }
    for (int i = t; i < n; i += blockDim.x) sorted[i] = a[from][i];
}
__global__ void ranks(int n, const int* keys, int* sorted) {
    int i = blockIdx.x * 128 + threadIdx.x, r = 0;
    if (i >= n) return;
    for (int j = 0; j < n; ++j) r += keys[j] < keys[i] || (keys[j] == keys[i] && j < i);
    sorted[r] = keys[i];
}
extern "C" void sortk(int n, const int* keys, int* sorted) {
    if (n <= 1024) k<<<1, 256>>>(n, keys, sorted);
    else ranks<<<(n + 127) / 128, 128>>>(n, keys, sorted);
}

//// a graph made by hand of kernel nodes | wave | PASSED UNSUPPORTED
__global__ void k(int n, const float* x, float* y) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i];
}
extern "C" void wave(int n, const float* x, float* y) {
    cudaGraph_t graph; cudaGraphNode_t node; cudaGraphExec_t exec;
    void* words[] = {&n, &x, &y};
    cudaKernelNodeParams p = {};
    p.func = (void*)k; p.gridDim = dim3((n + 255) / 256); p.blockDim = dim3(256); p.kernelParams = words;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &p);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, 0);
    cudaStreamSynchronize(0);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}

//// rows staged three deep by asynchronous copies | rowsum | PASSED
#include <cuda_pipeline.h>
__global__ void k(int rows, int cols, const float* x, float* y) {
    __shared__ float stage[3][64];
    int r = blockIdx.x, t = threadIdx.x, tiles = (cols + 63) / 64;
    float s = 0;
    auto ask = [&](int tile) {
        if (tile < tiles && tile * 64 + t < cols) __pipeline_memcpy_async(&stage[tile % 3][t], &x[r * cols + tile * 64 + t], 4);
        __pipeline_commit();
    };
    ask(0);
    ask(1);
    for (int tile = 0; tile < tiles; ++tile) {
        ask(tile + 2);
        __pipeline_wait_prior(2);
        if (tile * 64 + t < cols) s += stage[tile % 3][t];
    }
    __shared__ float part[64];
    part[t] = s;
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) { if (t < d) part[t] += part[t + d]; __syncthreads(); }
    if (t == 0) y[r] = part[0];
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 64>>>(rows, cols, x, y); }

//// long sums of parts kept by an int2 in two halves | longsum | PASSED
__global__ void k(int n, const int* x, unsigned long long* y) {
    unsigned lo = 0; int hi = 0;
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) {
        unsigned before = lo;
        lo += (unsigned)x[i];
        hi += (x[i] < 0 ? -1 : 0) + (lo < before);
    }
    atomicAdd(y, (unsigned long long)(long long)hi << 32 | lo);
}
extern "C" void longsum(int n, const int* x, long long* y) {
    cudaMemsetAsync(y, 0, 8, 0);
    k<<<16, 128>>>(n, x, (unsigned long long*)y);
}
