//// counts of blocks in scratch of a stream | tally | PASSED
__global__ void per_block(int n, int bins, const int* keys, int* partial) {
    extern __shared__ int own[];
    for (int b = threadIdx.x; b < bins; b += blockDim.x) own[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[keys[i]], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x) partial[blockIdx.x * bins + b] = own[b];
}
__global__ void add_up(int blocks, int bins, const int* partial, int* counts) {
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= bins) return;
    int sum = 0;
    for (int k = 0; k < blocks; ++k) sum += partial[k * bins + b];
    counts[b] = sum;
}
extern "C" void tally(int n, int bins, const int* keys, int* counts) {
    const int blocks = n < 4096 ? 3 : 24;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    int* partial = nullptr;
    cudaMallocAsync((void**)&partial, sizeof(int) * blocks * bins, stream);
    per_block<<<blocks, 128, bins * sizeof(int), stream>>>(n, bins, keys, partial);
    add_up<<<(bins + 63) / 64, 64, 0, stream>>>(blocks, bins, partial, counts);
    cudaFreeAsync(partial, stream);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}
//// long sums by shuffles and an unsigned atomic | longsum | PASSED
__global__ void k(int n, const int* x, long long* y) {
    long long s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) s += x[i];
    for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(0xffffffffu, s, o);
    if ((threadIdx.x & 31) == 0) atomicAdd((unsigned long long*)y, (unsigned long long)s);
}
extern "C" void longsum(int n, const int* x, long long* y) {
    cudaMemsetAsync(y, 0, sizeof *y);
    k<<<8, 256>>>(n, x, y);
}
//// runs merged as a monoid | longest | PASSED
struct Runs { int length, head, tail, best, first, last; };
__device__ Runs merge(const Runs& a, const Runs& b) {
    if (a.length == 0) return b;
    if (b.length == 0) return a;
    Runs r{a.length + b.length, a.head, b.tail, max(a.best, b.best), a.first, b.last};
    if (a.last == b.first) {
        r.best = max(r.best, a.tail + b.head);
        if (a.head == a.length) r.head = a.length + b.head;
        if (b.tail == b.length) r.tail = b.length + a.tail;
    }
    return r;
}
__global__ void k(int n, const int* x, int* y) {
    __shared__ Runs part[256];
    const int each = (n + 255) / 256, begin = threadIdx.x * each, end = min(n, begin + each);
    Runs own{0, 0, 0, 0, 0, 0};
    for (int i = begin; i < end; ++i) own = merge(own, Runs{1, 1, 1, 1, x[i], x[i]});
    part[threadIdx.x] = own;
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        if (threadIdx.x % (2 * step) == 0) part[threadIdx.x] = merge(part[threadIdx.x], part[threadIdx.x + step]);
        __syncthreads();
    }
    if (threadIdx.x == 0) y[0] = part[0].best;
}
extern "C" void longest(int n, const int* x, int* y) { k<<<1, 256>>>(n, x, y); }
//// lanes that keep to their residue | bias | PASSED
__global__ void k(int n, const float* x, float* y) {
    __shared__ float warps[8][4];
    float s = 0;
    for (int i = threadIdx.x; i < n; i += 256) s += x[i];
    for (int o = 16; o >= 4; o /= 2) s += __shfl_xor_sync(~0u, s, o);
    if (threadIdx.x % 32 < 4) warps[threadIdx.x / 32][threadIdx.x % 4] = s;
    __syncthreads();
    if (threadIdx.x < 4) {
        float all = 0;
        for (int w = 0; w < 8; ++w) all += warps[w][threadIdx.x];
        y[threadIdx.x] = all;
    }
}
extern "C" void bias(int n, const float* x, float* y) { k<<<1, 256>>>(n, x, y); }
//// vectors behind an unaligned head | rowsum | PASSED
#include <cstdint>
__global__ void k(int cols, const float* x, float* y) {
    const float* row = x + (size_t)blockIdx.x * cols;
    int head = (int)(((16 - ((uintptr_t)row & 15)) & 15) / 4);
    if (head > cols) head = cols;
    const int vectors = (cols - head) / 4, tail = head + 4 * vectors;
    float s = 0;
    if (threadIdx.x < head) s += row[threadIdx.x];
    const float4* v = reinterpret_cast<const float4*>(row + head);
    for (int i = threadIdx.x; i < vectors; i += 32) { const float4 f = __ldg(v + i); s += (f.x + f.y) + (f.z + f.w); }
    if (tail + (int)threadIdx.x < cols) s += row[tail + threadIdx.x];
    for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(0xffffffff, s, o);
    if (threadIdx.x == 0) y[blockIdx.x] = s;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { if (rows > 0) k<<<rows, 32>>>(cols, x, y); }
//// looked back over packed states | prefix | PASSED
__device__ int next_tile;
__global__ void clear(int tiles, unsigned long long* state) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < tiles) state[i] = 0;
    if (i == 0) next_tile = 0;
}
__global__ void scan(int n, const int* x, int* y, unsigned long long* state) {
    __shared__ int tile, before, sums[128];
    if (threadIdx.x == 0) tile = atomicAdd(&next_tile, 1);
    __syncthreads();
    const int i = tile * 128 + threadIdx.x;
    sums[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    for (int o = 1; o < 128; o *= 2) {
        int add = threadIdx.x >= o ? sums[threadIdx.x - o] : 0;
        __syncthreads();
        sums[threadIdx.x] += add;
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        const unsigned total = (unsigned)sums[127];
        unsigned from = 0;
        if (tile > 0) {
            atomicExch(&state[tile], 1ull << 32 | total);
            for (int t = tile - 1; t >= 0;) {
                unsigned long long seen = atomicAdd(&state[t], 0ull);
                if (seen >> 32 == 0) continue;
                from += (unsigned)seen;
                if (seen >> 32 == 2) break;
                --t;
            }
        }
        atomicExch(&state[tile], 2ull << 32 | (unsigned)(from + total));
        before = (int)from;
    }
    __syncthreads();
    if (i < n) y[i] = before + sums[threadIdx.x];
}
extern "C" void prefix(int n, const int* x, int* y) {
    const int tiles = (n + 127) / 128;
    unsigned long long* state;
    cudaMalloc(&state, tiles * sizeof *state);
    clear<<<(tiles + 127) / 128, 128>>>(tiles, state);
    scan<<<tiles, 128>>>(n, x, y, state);
    cudaFree(state);
}
//// rows shared out over two streams with events | matmul | PASSED
template <int TILE> __global__ void product(int first, int last, int n, int kk, const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
    __shared__ float left[TILE][TILE], right[TILE][TILE + 1];
    const int i = first + blockIdx.y * TILE + threadIdx.y, j = blockIdx.x * TILE + threadIdx.x;
    float s = 0;
    for (int t = 0; t < kk; t += TILE) {
        left[threadIdx.y][threadIdx.x] = i < last && t + (int)threadIdx.x < kk ? a[i * kk + t + threadIdx.x] : 0.0f;
        right[threadIdx.y][threadIdx.x] = j < n && t + (int)threadIdx.y < kk ? b[(t + threadIdx.y) * n + j] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int u = 0; u < TILE; ++u) s = fmaf(left[threadIdx.y][u], right[u][threadIdx.x], s);
        __syncthreads();
    }
    if (i < last && j < n) c[i * n + j] = s;
}
extern "C" void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
    cudaStream_t other;
    cudaEvent_t begun, ended;
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&begun, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&ended, cudaEventDisableTiming);
    cudaEventRecord(begun, 0);
    cudaStreamWaitEvent(other, begun, 0);
    const int half = (m + 1) / 2;
    product<8><<<dim3((n + 7) / 8, (half + 7) / 8), dim3(8, 8)>>>(0, half, n, k, a, b, c);
    if (m > half) product<8><<<dim3((n + 7) / 8, (m - half + 7) / 8), dim3(8, 8), 0, other>>>(half, m, n, k, a, b, c);
    cudaEventRecord(ended, other);
    cudaStreamWaitEvent(0, ended, 0);
    cudaDeviceSynchronize();
    cudaEventDestroy(begun); cudaEventDestroy(ended); cudaStreamDestroy(other);
}
//// radix by two bits with ping and pong | sortk | PASSED
__global__ void one_pass(int n, int shift, const int* from, int* to) {
    __shared__ int start[4][65];
    const int each = (n + 63) / 64, begin = min(n, (int)threadIdx.x * each), end = min(n, begin + each);
    int own[4] = {};
    for (int i = begin; i < end; ++i) ++own[from[i] >> shift & 3];
    for (int d = 0; d < 4; ++d) start[d][threadIdx.x] = own[d];
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int d = 0; d < 4; ++d)
            for (int t = 0; t < 64; ++t) { int count = start[d][t]; start[d][t] = sum; sum += count; }
    }
    __syncthreads();
    for (int i = begin; i < end; ++i) to[start[from[i] >> shift & 3][threadIdx.x]++] = from[i];
}
extern "C" void sortk(int n, const int* keys, int* sorted) {
    int* two[2];
    cudaMalloc(&two[0], n * sizeof(int));
    cudaMalloc(&two[1], n * sizeof(int));
    const int* from = keys;
    for (int shift = 0, turn = 0; shift < 18; shift += 2, turn ^= 1) {
        int* to = shift == 16 ? sorted : two[turn];
        one_pass<<<1, 64>>>(n, shift, from, to);
        from = to;
    }
    cudaFree(two[0]);
    cudaFree(two[1]);
}
//// odd and even until the host sees no change | sortk | PASSED
__global__ void sweep(int n, int parity, int* v, int* changed) {
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + parity;
    if (i + 1 < n && v[i] > v[i + 1]) { int t = v[i]; v[i] = v[i + 1]; v[i + 1] = t; atomicExch(changed, 1); }
}
extern "C" void sortk(int n, const int* keys, int* sorted) {
    cudaMemcpy(sorted, keys, n * sizeof(int), cudaMemcpyDeviceToDevice);
    int* changed;
    cudaMallocManaged(&changed, sizeof(int));
    do {
        *changed = 0;
        for (int turn = 0; turn < 32; ++turn) sweep<<<(n / 2 + 128) / 128, 128>>>(n, turn & 1, sorted, changed);
        cudaDeviceSynchronize();
    } while (*changed);
    cudaFree(changed);
}
//// eight halves a load | halves | PASSED
#include <cuda_fp16.h>
#include <cstdint>
__global__ void k(int n, bool aligned, const __half* x, __half* y) {
    int i = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (aligned && i + 8 <= n) {
        uint4 raw = *reinterpret_cast<const uint4*>(x + i);
        __half2* p = reinterpret_cast<__half2*>(&raw);
#pragma unroll
        for (int j = 0; j < 4; ++j) p[j] = __hmul2(p[j], __float2half2_rn(2.0f));
        *reinterpret_cast<uint4*>(y + i) = raw;
    } else {
        for (int j = i; j < min(n, i + 8); ++j) y[j] = __float2half(2.0f * __half2float(x[j]));
    }
}
extern "C" void halves(int n, const __half* x, __half* y) {
    bool aligned = (((uintptr_t)x | (uintptr_t)y) & 15) == 0;
    k<<<(n + 8 * 64 - 1) / (8 * 64), 64>>>(n, aligned, x, y);
}
//// a sum copied from a symbol | total | PASSED
__device__ float sum_of_all;
__global__ void k(int n, const float* x) {
    double s = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) s += x[i];
    for (int o = 16; o; o >>= 1) s += __shfl_down_sync(~0u, s, o);
    __shared__ double warps[4];
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = s;
    __syncthreads();
    if (threadIdx.x == 0) sum_of_all = (float)(warps[0] + warps[1] + warps[2] + warps[3]);
}
extern "C" void total(int n, const float* x, float* result) {
    k<<<1, 128>>>(n, x);
    cudaMemcpyFromSymbolAsync(result, sum_of_all, sizeof(float), 0, cudaMemcpyDeviceToDevice, 0);
}
//// weights in constant memory, a grid of few blocks | blur | PASSED
__constant__ float weights[3][3];
__global__ void k(int h, int w, const float* __restrict__ x, float* __restrict__ y) {
    for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < h * w; p += gridDim.x * blockDim.x) {
        const int i = p / w, j = p - i * w;
        float s = 0;
        for (int a = -1; a <= 1; ++a)
            for (int b = -1; b <= 1; ++b) {
                const bool inside = i + a >= 0 && i + a < h && j + b >= 0 && j + b < w;
                if (inside && weights[a + 1][b + 1] != 0.0f) s += weights[a + 1][b + 1] * x[(i + a) * w + j + b];
            }
        y[p] = s;
    }
}
extern "C" void blur(int h, int w, const float* x, float* y) {
    static const float host[3][3] = {{0, .125f, 0}, {.125f, .5f, .125f}, {0, .125f, 0}};
    cudaMemcpyToSymbolAsync(weights, host, sizeof host, 0, cudaMemcpyHostToDevice, 0);
    k<<<3, 96>>>(h, w, x, y);
}
//// a captured graph of both kernels and a copy | decay | PASSED
__global__ void scale(int n, const float* x, float* t) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) t[i] = -8.0f * x[i]; }
__global__ void raise(int n, float* t) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) t[i] = expf(t[i]); }
extern "C" void decay(int n, const float* x, float* y) {
    float* t;
    cudaMalloc(&t, n * sizeof(float));
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal);
    scale<<<(n + 127) / 128, 128, 0, s>>>(n, x, t);
    raise<<<(n + 127) / 128, 128, 0, s>>>(n, t);
    cudaMemcpyAsync(y, t, n * sizeof(float), cudaMemcpyDeviceToDevice, s);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiateWithFlags(&ready, graph, 0);
    cudaGraphLaunch(ready, s);
    cudaStreamSynchronize(s);
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(s);
    cudaFree(t);
}
//// the last block of a fence adds up | longsum | PASSED
__device__ unsigned finished;
__device__ volatile long long sums[64];
__global__ void k(int n, const int* x, long long* y) {
    __shared__ long long part[128 + 4];
    __shared__ bool last;
    long long s = 0;
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) s += x[i];
    part[threadIdx.x] = s;
    __syncthreads();
    for (int o = 64; o; o /= 2) { if (threadIdx.x < o) part[threadIdx.x] += part[threadIdx.x + o]; __syncthreads(); }
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = part[0];
        __threadfence();
        last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
        if (last) { __threadfence(); long long all = 0; for (int b = 0; b < gridDim.x; ++b) all += sums[b]; *y = all; }
    }
}
extern "C" void longsum(int n, const int* x, long long* y) { k<<<min(64, (n + 127) / 128), 128>>>(n, x, y); }
//// counters of a block by references that are atomic | tally | PASSED
__global__ void k(int n, int bins, const int* keys, int* counts) {
    __shared__ unsigned short unused[2];
    __shared__ int own[2][256];
    int copy = (threadIdx.x >> 5) & 1;
    for (int b = threadIdx.x; b < 512; b += blockDim.x) (&own[0][0])[b] = 0;
    if (threadIdx.x < 2) unused[threadIdx.x] = 0;
    __syncthreads();
    const int begin = blockIdx.x * 1024;
    for (int i = begin + threadIdx.x; i < min(n, begin + 1024); i += blockDim.x) atomicAdd_block(&own[copy][keys[i]], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x) if (int c = own[0][b] + own[1][b]) atomicAdd(counts + b, c);
}
extern "C" void tally(int n, int bins, const int* keys, int* counts) {
    cudaMemset(counts, 0, bins * sizeof(int));
    k<<<(n + 1023) / 1024, 256>>>(n, bins, keys, counts);
}
//// sixteen squared in registers of a warp | transpose | PASSED
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int rows, int cols, const float* x, float* y) {
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int lane = tile.thread_rank(), r0 = blockIdx.y * 16, c0 = blockIdx.x * 16;
    float v[16];
#pragma unroll
    for (int r = 0; r < 16; ++r) v[r] = r0 + r < rows && c0 + lane < cols ? x[(r0 + r) * cols + c0 + lane] : 0.0f;
#pragma unroll
    for (int step = 1; step < 16; step *= 2)
#pragma unroll
        for (int r = 0; r < 16; ++r)
            if ((r & step) == 0) {
                const bool upper = lane & step;
                const float give = upper ? v[r] : v[r | step], got = tile.shfl_xor(give, step);
                if (upper) v[r] = got; else v[r | step] = got;
            }
#pragma unroll
    for (int c = 0; c < 16; ++c) if (c0 + c < cols && r0 + lane < rows) y[(c0 + c) * rows + r0 + lane] = v[c];
}
extern "C" void transpose(int rows, int cols, const float* x, float* y) {
    k<<<dim3((cols + 15) / 16, (rows + 15) / 16), 16>>>(rows, cols, x, y);
}
//// found by waiting lists in order of place | gather | PASSED
__global__ void heads(int m, int* head) { for (int i = threadIdx.x; i < m; i += blockDim.x) head[i] = -1; }
__global__ void link(int n, const int* at, int* head, int* next) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) next[i] = atomicExch(&head[at[i]], i);
}
__global__ void deal(int m, const float* x, const int* head, const int* next, float* y) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= m) return;
    const float v = 2 * x[j];
    for (int i = head[j]; i >= 0; i = next[i]) y[i] = v;
}
extern "C" void gather(int n, int m, const int* at, const float* x, float* y) {
    int* scratch;
    cudaMalloc(&scratch, sizeof(int) * (n + m));
    heads<<<1, 128>>>(m, scratch);
    link<<<5, 64>>>(n, at, scratch, scratch + m);
    deal<<<(m + 63) / 64, 64>>>(m, x, scratch, scratch + m, y);
    cudaDeviceSynchronize();
    cudaFree(scratch);
}
