//// butterfly | rowsum | PASSED
__global__ void k(int rows, int cols, const float* x, float* y) {
    const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (r >= rows) return;
    float s = 0;
    for (int c = lane; c < cols; c += 32) s += x[r * cols + c];
    for (int d = 1; d < 32; d <<= 1) s += __shfl_xor_sync(0xffffffffu, s, d);
    if (lane == 31) y[r] = s;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 3) / 4, 128>>>(rows, cols, x, y); }

//// segments of eight lanes | rowsum | PASSED
__global__ void k(int rows, int cols, const float* x, float* y) {
    const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x & 7;
    float s = 0;
    if (r < rows) for (int c = lane; c < cols; c += 8) s += x[r * cols + c];
    s += __shfl_down_sync(~0u, s, 4, 8);
    s += __shfl_down_sync(~0u, s, 2, 8);
    s += __shfl_down_sync(~0u, s, 1, 8);
    if (r < rows && lane == 0) y[r] = s;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows * 8 + 63) / 64, 64>>>(rows, cols, x, y); }

//// scan by shuffles | prefix | PASSED
__global__ void k(int n, const int* x, int* y) {
    int before = 0;
    for (int s = 0; s < n; s += 32) {
        const int i = s + threadIdx.x;
        int v = i < n ? x[i] : 0;
        for (int d = 1; d < 32; d *= 2) { const int u = __shfl_up_sync(~0u, v, d); if (threadIdx.x >= d) v += u; }
        if (i < n) y[i] = before + v;
        before += __shfl_sync(~0u, v, 31);
    }
}
extern "C" void prefix(int n, const int* x, int* y) { k<<<1, 32>>>(n, x, y); }

//// scan of blocks through warps | prefix | PASSED
__device__ int warp_scan(int v) {
    const int lane = threadIdx.x & 31;
    for (int d = 1; d < 32; d *= 2) { const int u = __shfl_up_sync(~0u, v, d); if (lane >= d) v += u; }
    return v;
}
__global__ void k(int n, const int* x, int* y) {
    __shared__ int sums[32];
    int before = 0;
    for (int s = 0; s < n; s += blockDim.x) {
        const int i = s + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
        int v = warp_scan(i < n ? x[i] : 0);
        if (lane == 31) sums[warp] = v;
        __syncthreads();
        if (warp == 0) { const int t = warp_scan(lane < blockDim.x / 32 ? sums[lane] : 0); sums[lane] = t; }
        __syncthreads();
        if (warp) v += sums[warp - 1];
        if (i < n) y[i] = before + v;
        before += sums[blockDim.x / 32 - 1];
        __syncthreads();
    }
}
extern "C" void prefix(int n, const int* x, int* y) { k<<<1, 256>>>(n, x, y); }

//// ballot and count | count | PASSED
__global__ void k(int n, const int* keys, int* counts) {
    int c = 0;
    for (int s = 0; s < n; s += 32) {
        const int i = s + threadIdx.x;
        c += __popc(__ballot_sync(~0u, i < n && keys[i] == blockIdx.x));
    }
    if (threadIdx.x == 0) counts[blockIdx.x] = c;
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { k<<<bins, 32>>>(n, keys, counts); }

//// leaders of equal keys | count | PASSED
__global__ void zero(int bins, int* counts) { for (int b = threadIdx.x; b < bins; b += 32) counts[b] = 0; }
__global__ void k(int n, const int* keys, int* counts) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned here = __ballot_sync(~0u, i < n);
    if (i < n) {
        const unsigned same = __match_any_sync(here, keys[i]);
        if ((threadIdx.x & 31) == __ffs(same) - 1) atomicAdd(&counts[keys[i]], __popc(same));
    }
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { zero<<<1, 32>>>(bins, counts); k<<<(n + 127) / 128, 128>>>(n, keys, counts); }

//// reductions in one instruction | prefix | PASSED
__global__ void k(int n, const int* x, int* y) {
    const int i = blockIdx.x;
    int s = 0;
    for (int j = threadIdx.x; j <= i; j += 32) s += x[j];
    s = __reduce_add_sync(~0u, s);
    if (threadIdx.x == 0) y[i] = s;
}
extern "C" void prefix(int n, const int* x, int* y) { k<<<n, 32>>>(n, x, y); }

//// votes | wave | PASSED
__global__ void k(int n, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float v = i < n ? x[i] : 0;
    float s = 0;
    if (__any_sync(~0u, v != 0)) s = sinf(v);
    if (__all_sync(~0u, isfinite(v) || v != v)) s *= expf(-0.5f * fabsf(v));
    else s *= expf(-0.5f * fabsf(v));
    if (i < n) y[i] = s + v;
}
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }

//// tiles of a group | rowsum | PASSED
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int rows, int cols, const float* x, float* y) {
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    const int r = blockIdx.x * (blockDim.x / 16) + tile.meta_group_rank();
    float s = 0;
    if (r < rows) for (int c = tile.thread_rank(); c < cols; c += tile.size()) s += x[r * cols + c];
    for (int d = tile.size() / 2; d; d /= 2) s += tile.shfl_down(s, d);
    if (r < rows && tile.thread_rank() == 0) y[r] = s;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 7) / 8, 128>>>(rows, cols, x, y); }

//// reduce of a group | rowsum | PASSED
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(int cols, const float* x, float* y) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    float s = 0;
    for (int c = warp.thread_rank(); c < cols; c += warp.num_threads()) s += x[blockIdx.x * cols + c];
    s = cg::reduce(warp, s, cg::plus<float>());
    if (warp.thread_rank() == 0) y[blockIdx.x] = s;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 32>>>(cols, x, y); }

//// scan of a group | prefix | PASSED
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void k(int n, const int* x, int* y) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int before = 0;
    for (int s = 0; s < n; s += 32) {
        const int i = s + warp.thread_rank();
        const int v = cg::inclusive_scan(warp, i < n ? x[i] : 0);
        if (i < n) y[i] = before + v;
        before += warp.shfl(v, 31);
    }
}
extern "C" void prefix(int n, const int* x, int* y) { k<<<1, 32>>>(n, x, y); }

//// coalesced threads | count | PASSED
// How many keys are not the last one's, counted by one atomic a group of threads that are together; the other bins by each thread.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ void count_one(int* counter) {
    auto active = cg::coalesced_threads();
    if (active.thread_rank() == 0) atomicAdd(counter, (int)active.size());
}
__global__ void k(int n, int bins, const int* keys, int* counts) {
    for (int b = threadIdx.x; b < bins; b += blockDim.x) counts[b] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        if (keys[i] == 0) count_one(&counts[0]);
        else atomicAdd(&counts[keys[i]], 1);
    }
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { k<<<1, 64>>>(n, bins, keys, counts); }

//// a whole grid | total | PASSED
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int n, const float* x, float* sums, float* result) {
    cg::grid_group grid = cg::this_grid();
    __shared__ float part[64];
    float s = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) s += x[i];
    part[threadIdx.x] = s;
    __syncthreads();
    if (threadIdx.x == 0) { for (int t = 1; t < 64; ++t) s += part[t]; sums[blockIdx.x] = s; }
    grid.sync();
    if (grid.thread_rank() == 0) { s = 0; for (int b = 0; b < gridDim.x; ++b) s += sums[b]; *result = s; }
}
extern "C" void total(int n, const float* x, float* result) {
    float* sums;
    cudaMalloc(&sums, 8 * sizeof(float));
    void* args[] = {&n, &x, &sums, &result};
    cudaLaunchCooperativeKernel((void*)k, dim3(8), dim3(64), args, 0, 0);
    cudaFree(sums);
}

//// a thread block as an object | blur | PASSED
#include <cooperative_groups.h>
using namespace cooperative_groups;
__device__ void fill(thread_block b, float* row, const float* x, int w) { for (int j = b.thread_rank(); j < w; j += b.size()) row[j] = x[j]; b.sync(); }
__global__ void k(int h, int w, const float* x, float* y) {
    extern __shared__ float row[];
    thread_block b = this_thread_block();
    const int i = b.group_index().x;
    fill(b, row, x + i * w, w);
    for (int j = b.thread_index().x; j < w; j += b.group_dim().x)
        y[i * w + j] = 0.5f * row[j] + 0.125f * ((j ? row[j - 1] : 0) + (j + 1 < w ? row[j + 1] : 0) + (i ? x[(i - 1) * w + j] : 0) + (i + 1 < h ? x[(i + 1) * w + j] : 0));
}
extern "C" void blur(int h, int w, const float* x, float* y) { k<<<h, 48, w * sizeof(float)>>>(h, w, x, y); }

//// lanes by special numbers | rowsum | PASSED
__global__ void k(int cols, const float* x, float* y) {
    float s = 0;
    for (int c = threadIdx.x % warpSize; c < cols; c += warpSize) s += x[blockIdx.x * cols + c];
    s += __shfl_down_sync(__activemask(), s, 16);
    s += __shfl_down_sync(__activemask(), s, 8);
    s += __shfl_down_sync(__activemask(), s, 4);
    s += __shfl_down_sync(__activemask(), s, 2);
    s += __shfl_down_sync(__activemask(), s, 1);
    if (threadIdx.x == 0) y[blockIdx.x] = s;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 32>>>(cols, x, y); }

//// half of the warp works | rowsum | PASSED
__global__ void k(int cols, const float* x, float* y) {
    if (threadIdx.x < 16) {
        float s = 0;
        for (int c = threadIdx.x; c < cols; c += 16) s += x[blockIdx.x * cols + c];
        for (int d = 8; d; d /= 2) s += __shfl_xor_sync(0xffffu, s, d, 16);
        if (threadIdx.x == 0) y[blockIdx.x] = s;
    }
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 32>>>(cols, x, y); }

//// doubles and pairs by shuffle | total | PASSED
__global__ void k(int n, const float* x, float* result) {
    double s = 0; long long seen = 0;
    for (int i = threadIdx.x; i < n; i += 32) { s += x[i]; ++seen; }
    for (int d = 16; d; d /= 2) { s += __shfl_xor_sync(~0u, s, d); seen += __shfl_xor_sync(~0u, seen, d); }
    if (threadIdx.x == 0 && seen == n) *result = (float)s;
}
extern "C" void total(int n, const float* x, float* result) { k<<<1, 32>>>(n, x, result); }

//// transposed inside a warp | transpose | PASSED
// Columns are written by the lanes that get them by shuffles.
__global__ void k(int rows, int cols, const float* x, float* y) {
    const int r0 = blockIdx.y * 4, c0 = blockIdx.x * 8, a = threadIdx.x / 8, b = threadIdx.x % 8;
    const float v = r0 + a < rows && c0 + b < cols ? x[(r0 + a) * cols + c0 + b] : 0;
    const int c = threadIdx.x / 4, r = threadIdx.x % 4;
    const float u = __shfl_sync(~0u, v, r * 8 + c);
    if (r0 + r < rows && c0 + c < cols) y[(c0 + c) * rows + r0 + r] = u;
}
extern "C" void transpose(int rows, int cols, const float* x, float* y) { k<<<dim3((cols + 7) / 8, (rows + 3) / 4), 32>>>(rows, cols, x, y); }
