//// bit fields set one by one | gather | PASSED
struct Bits { unsigned lane : 5, warp : 3, kept : 1; };
__global__ void k(int n, const int* at, const float* x, float* y) {
    Bits b;
    b.lane = threadIdx.x & 31;
    b.warp = threadIdx.x >> 5;
    b.kept = blockIdx.x * 128 + threadIdx.x < n;
    int i = blockIdx.x * 128 + b.warp * 32 + b.lane;
    if (b.kept) y[i] = 2 * x[at[i]];
}
extern "C" void gather(int n, int m, const int* at, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, at, x, y); }

//// both ways give a value | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * 128 + threadIdx.x;
    const float* from;
    float v;
    bool even;
    if (i % 2) from = x, even = false;
    else from = x + 0, even = true;
    if (i < n) { if (even) v = a * from[i]; else v = from[i] * a; z[i] = v + y[i]; }
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 127) / 128, 128>>>(n, a, x, y, z); }

//// device properties and free memory | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    cudaDeviceProp p;
    size_t left, all;
    int device;
    cudaGetDevice(&device);
    cudaGetDeviceProperties(&p, device);
    cudaMemGetInfo(&left, &all);
    dim3 grid, block;
    block.x = p.warpSize * 4;
    grid.x = left > all ? 1 : 8;
    k<<<grid, block>>>(n, a, x, y, z);
}

//// a table of two dimensions filled by its diagonal | blur | PASSED
__global__ void k(int h, int w, const float* x, float* y) {
    int e = blockIdx.x * 64 + threadIdx.x;
    if (e >= h * w) return;
    float near_[3][3];
    int i = e / w, j = e % w;
    for (int u = 0; u < 3; ++u)
        for (int v = 0; v < 3; ++v)
            if ((u + v) % 2 || u == 1) { int r = i + u - 1, c = j + v - 1; near_[u][v] = r >= 0 && r < h && c >= 0 && c < w ? x[r * w + c] : 0; }
    y[e] = 0.5f * near_[1][1] + 0.125f * (near_[1][0] + near_[1][2] + near_[0][1] + near_[2][1]);
}
extern "C" void blur(int h, int w, const float* x, float* y) { k<<<(h * w + 63) / 64, 64>>>(h, w, x, y); }

//// a ring of the last four | prefix | PASSED
__global__ void k(int n, const int* x, int* y) {
    int ring[4], sum = 0, old;
    for (int i = 0; i < n; ++i) {
        if (i >= 4) old = ring[i & 3];
        ring[i & 3] = x[i];
        sum += ring[i & 3];
        if (i >= 4 && old == 1 << 30) sum = 0;
        y[i] = sum;
    }
}
extern "C" void prefix(int n, const int* x, int* y) { k<<<1, 1>>>(n, x, y); }

//// records of the host with holes | total | PASSED
struct Job { char kind; int from, to; short unused; double scale; };
__global__ void k(Job job, const float* x, float* y) {
    __shared__ float s[64];
    float v = 0;
    for (int i = job.from + threadIdx.x; i < job.to; i += 64) v += x[i] * (float)job.scale;
    s[threadIdx.x] = v;
    __syncthreads();
    for (int d = 32; d; d /= 2) { if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d]; __syncthreads(); }
    if (threadIdx.x == 0) *y = s[0];
}
extern "C" void total(int n, const float* x, float* y) {
    Job job;
    job.kind = 's', job.from = 0, job.to = n, job.scale = 1;
    k<<<1, 64>>>(job, x, y);
}

//// records in scratch with holes | rowsum | PASSED
struct Part { char used; double sum; int times; };
__global__ void parts(int rows, int cols, const float* x, Part* p) {
    int r = blockIdx.x;
    Part mine;
    mine.used = threadIdx.x < cols, mine.sum = 0, mine.times = 0;
    for (int c = threadIdx.x; c < cols; c += 8) mine.sum += x[r * cols + c], ++mine.times;
    p[r * 8 + threadIdx.x] = mine;
}
__global__ void joined(int rows, const Part* p, float* y) {
    int r = blockIdx.x * 32 + threadIdx.x;
    if (r >= rows) return;
    double s = 0;
    Part one;
    for (int j = 0; j < 8; ++j) { one = p[r * 8 + j]; if (one.used) s += one.sum; }
    y[r] = (float)s;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) {
    Part* p;
    cudaMalloc(&p, rows * 8 * sizeof(Part));
    parts<<<rows, 8>>>(rows, cols, x, p);
    joined<<<(rows + 31) / 32, 32>>>(rows, p, y);
    cudaFree(p);
}

//// a stack of ranges | sortk | PASSED
__global__ void k(int n, int* a) {
    int lows[40], highs[40], held = 0;
    lows[held] = 0, highs[held++] = n - 1;
    while (held) {
        int lo, hi, i, j, p;
        --held, lo = lows[held], hi = highs[held];
        if (lo >= hi) continue;
        i = lo, j = hi, p = a[(lo + hi) / 2];
        do {
            int t;
            while (a[i] < p) ++i;
            while (a[j] > p) --j;
            if (i <= j) { t = a[i]; a[i++] = a[j]; a[j--] = t; }
        } while (i <= j);
        if (j - lo > hi - i) { lows[held] = lo, highs[held++] = j; lows[held] = i, highs[held++] = hi; }
        else { lows[held] = i, highs[held++] = hi; lows[held] = lo, highs[held++] = j; }
    }
}
extern "C" void sortk(int n, const int* keys, int* sorted) {
    cudaMemcpyAsync(sorted, keys, 4 * n, cudaMemcpyDeviceToDevice);
    k<<<1, 1>>>(n, sorted);
}

//// found or not | first | PASSED
__device__ bool largest(int n, const float* x, int* at) {
    float best;
    bool any = false;
    for (int i = 0; i < n; ++i)
        if (!any || x[i] > best) best = x[i], *at = i, any = true;
    return any;
}
__global__ void k(int n, const float* x, int* y) {
    int at;
    if (largest(n, x, &at)) *y = at;
}
extern "C" void first(int n, const float* x, int* y) { k<<<1, 1>>>(n, x, y); }

//// a lambda that fills what was declared before | wave | PASSED
__global__ void k(int n, const float* x, float* y) {
    float s, e;
    auto fill = [&](float v) { s = sinf(v); e = expf(-0.5f * fabsf(v)); };
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += 256) { fill(x[i]); y[i] = s * e + x[i]; }
}
extern "C" void wave(int n, const float* x, float* y) { k<<<4, 64>>>(n, x, y); }

//// words put together by bytes | halves | PASSED
#include <cuda_fp16.h>
__global__ void k(int n, const __half* x, __half* y) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    unsigned char raw[2], from[2];
    __half h, r;
    memcpy(from, x + i, 2);
    for (int j = 0; j < 2; ++j) raw[j] = from[j];
    memcpy(&h, raw, 2);
    r = __float2half(2 * __half2float(h));
    y[i] = r;
}
extern "C" void halves(int n, const __half* x, __half* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }

//// registers of a tile, of which rows alone are used | matmul | PASSED
template <int R, int C> __global__ void k(int m, int n, int kk, const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
    float acc[R][C], fa[R], fb[C];
    int i0 = (blockIdx.y * 8 + threadIdx.y) * R, j0 = (blockIdx.x * 8 + threadIdx.x) * C;
    int rows = min(R, m - i0), cols = min(C, n - j0);
#pragma unroll
    for (int i = 0; i < R; ++i)
#pragma unroll
        for (int j = 0; j < C; ++j) acc[i][j] = 0;
    for (int t = 0; t < kk; ++t) {
#pragma unroll
        for (int i = 0; i < R; ++i) if (i < rows) fa[i] = a[(i0 + i) * kk + t];
#pragma unroll
        for (int j = 0; j < C; ++j) if (j < cols) fb[j] = b[t * n + j0 + j];
#pragma unroll
        for (int i = 0; i < R; ++i)
#pragma unroll
            for (int j = 0; j < C; ++j) acc[i][j] += fa[i] * fb[j];
    }
    for (int i = 0; i < rows; ++i) for (int j = 0; j < cols; ++j) c[(i0 + i) * n + j0 + j] = acc[i][j];
}
extern "C" void matmul(int m, int n, int kk, const float* a, const float* b, float* c) { k<2, 4><<<dim3((n + 31) / 32, (m + 15) / 16), dim3(8, 8)>>>(m, n, kk, a, b, c); }

//// two of a warp share a word | count | PASSED
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int n, int bins, const int* keys, int* counts) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int key, same, leader;
    for (int i = blockIdx.x * 64 + threadIdx.x; i - (int)warp.thread_rank() < n; i += gridDim.x * 64) {
        const bool in = i < n;
        if (in) key = keys[i];
        else key = -1;
        same = __match_any_sync(~0u, key);
        leader = __ffs(same) - 1;
        if (in && leader == (int)warp.thread_rank()) atomicAdd(counts + key, __popc(same));
    }
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { cudaMemsetAsync(counts, 0, 4 * bins); k<<<5, 64>>>(n, bins, keys, counts); }

//// a name for a kernel's report | affine | PASSED
#include <cstdio>
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    char name[64];
    cudaError_t status;
    snprintf(name, sizeof name, "affine of %d", n);
    k<<<(n + 127) / 128, 128>>>(n, a, x, y, z);
    if ((status = cudaGetLastError()) != cudaSuccess) fprintf(stderr, "%s: %s\n", name, cudaGetErrorString(status));
}

//// doubles in two words | firstd | PASSED
union Wide { double d; struct { int low, high; } w; };
__device__ bool more(double a, double b) {
    Wide u, v, d;
    u.w.low = __double2loint(a), u.w.high = __double2hiint(a);
    v.d = b;
    d.d = u.d - v.d;
    return d.w.high >= 0 && (d.w.high | d.w.low);
}
__global__ void k(int n, const double* x, int* y) {
    int b = 0;
    for (int i = 1; i < n; ++i) if (more(x[i], x[b])) b = i;
    *y = b;
}
extern "C" void firstd(int n, const double* x, int* y) { k<<<1, 1>>>(n, x, y); }

//// sums that start with their first | rowsumd | PASSED
__global__ void k(int rows, int cols, const double* x, double* y) {
    int r = blockIdx.x * 64 + threadIdx.x;
    double s;
    if (r < rows) {
        for (int c = 0; c < cols; ++c) if (c == 0) s = x[r * cols]; else s += x[r * cols + c];
        y[r] = s;
    }
}
extern "C" void rowsumd(int rows, int cols, const double* x, double* y) { k<<<(rows + 63) / 64, 64>>>(rows, cols, x, y); }

//// a jump over a declaration's use | kept | PASSED
__global__ void k(int n, float t, const float* x, float* y) {
    int i = blockIdx.x * 128 + threadIdx.x;
    float v;
    if (i >= n) goto out;
    v = x[i];
    if (v >= t) goto keep;
    v = 0;
keep:
    y[i] = v;
out:;
}
extern "C" void kept(int n, float t, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, t, x, y); }

//// lines of a warp in registers, read by a computed place | rowmax | PASSED
__global__ void k(int rows, int cols, const float* x, int* at) {
    int r = blockIdx.x * 32 + threadIdx.x;
    if (r >= rows) return;
    float window[4];
    int where[4], used = 0;
    for (int c = 0; c < cols; ++c) {
        if (used && !(x[r * cols + c] > window[(used - 1) & 3])) continue;
        window[used & 3] = x[r * cols + c], where[used & 3] = c, ++used;
    }
    at[r] = used ? where[(used - 1) & 3] : 0;
}
extern "C" void rowmax(int rows, int cols, const float* x, int* at) { k<<<(rows + 31) / 32, 32>>>(rows, cols, x, at); }

//// a tree of pairs whose upper half waits | softmax | PASSED
__global__ void k(int rows, int cols, const float* x, float* y) {
    __shared__ float ms[64], ss[64];
    const float* row = x + blockIdx.x * cols;
    float m = -INFINITY, s = 0, om, os, both;
    for (int c = threadIdx.x; c < cols; c += 64) { both = fmaxf(m, row[c]); s = s * expf(m - both) + expf(row[c] - both); m = both; }
    ms[threadIdx.x] = m, ss[threadIdx.x] = s;
    __syncthreads();
    for (int d = 32; d; d /= 2) {
        if (threadIdx.x < d) {
            om = ms[threadIdx.x + d], os = ss[threadIdx.x + d];
            both = fmaxf(m, om);
            if (om > -INFINITY) s = s * expf(m - both) + os * expf(om - both), m = both;
            ms[threadIdx.x] = m, ss[threadIdx.x] = s;
        }
        __syncthreads();
    }
    for (int c = threadIdx.x; c < cols; c += 64) y[blockIdx.x * cols + c] = expf(row[c] - ms[0]) / ss[0];
}
extern "C" void softmax(int rows, int cols, const float* x, float* y) { k<<<rows, 64>>>(rows, cols, x, y); }

//// ends found by a search of its own | bind | PASSED
__global__ void k(int n, const double* x, int* y) {
    int i = blockIdx.x * 64 + threadIdx.x, lo, hi, mid;
    if (i >= n) return;
    double v = x[i] * 10.0;
    for (lo = -1000000000, hi = 1000000000; lo < hi;) { mid = lo + (hi - lo + 1) / 2; if ((double)mid <= fabs(v)) lo = mid; else hi = mid - 1; }
    y[i] = v < 0 ? -lo : lo;
}
extern "C" void bind(int n, const double* x, int* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }
