//// shared counters never cleared | tally | UNINITIALISED_READ | gpu UNINITIALISED_READ WRONG_VALUE
__global__ void k(int n, int bins, const int* keys, int* counts) {
    __shared__ int own[256];
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&own[keys[i]], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += 256) atomicAdd(&counts[b], own[b]);
}
extern "C" void tally(int n, int bins, const int* keys, int* counts) { cudaMemset(counts, 0, 4 * bins); k<<<4, 256>>>(n, bins, keys, counts); }

//// cleared by others without a barrier | tally | RACE
__global__ void k(int n, int bins, const int* keys, int* counts) {
    __shared__ int own[256];
    own[threadIdx.x] = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&own[keys[i]], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += 256) atomicAdd(&counts[b], own[b]);
}
extern "C" void tally(int n, int bins, const int* keys, int* counts) { cudaMemset(counts, 0, 4 * bins); k<<<4, 256>>>(n, bins, keys, counts); }

//// next tile loaded over the one in use | matmul | RACE
__global__ void k(int m, int n, int kk, const float* a, const float* b, float* c) {
    __shared__ float p[8][8], q[8][8];
    int i = blockIdx.y * 8 + threadIdx.y, j = blockIdx.x * 8 + threadIdx.x;
    float s = 0;
    for (int t = 0; t < kk; t += 8) {
        p[threadIdx.y][threadIdx.x] = i < m && t + threadIdx.x < kk ? a[i * kk + t + threadIdx.x] : 0;
        q[threadIdx.y][threadIdx.x] = j < n && t + threadIdx.y < kk ? b[(t + threadIdx.y) * n + j] : 0;
        __syncthreads();
        for (int u = 0; u < 8; ++u) s += p[threadIdx.y][u] * q[u][threadIdx.x];
    }
    if (i < m && j < n) c[i * n + j] = s;
}
extern "C" void matmul(int m, int n, int k_, const float* a, const float* b, float* c) { k<<<dim3((n + 7) / 8, (m + 7) / 8), dim3(8, 8)>>>(m, n, k_, a, b, c); }

//// half of a warp meets, the other half is read | rowsum | RACE | gpu RACE WRONG_VALUE
__global__ void k(int cols, const float* x, float* y) {
    __shared__ float part[32];
    float s = 0;
    for (int c = threadIdx.x; c < cols; c += 32) s += x[blockIdx.x * cols + c];
    part[threadIdx.x] = s;
    if (threadIdx.x < 16) {
        __syncwarp(0xffff);
        part[threadIdx.x] += part[threadIdx.x + 16];
        for (int o = 8; o; o /= 2) { __syncwarp(0xffff); float v = part[threadIdx.x + o]; __syncwarp(0xffff); if (threadIdx.x < o) part[threadIdx.x] += v; }
    }
    if (threadIdx.x == 0) y[blockIdx.x] = part[0];
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 32>>>(cols, x, y); }

//// one beyond the end with a weight of nought | blur | OUT_OF_BOUNDS
__global__ void k(int h, int w, const float* x, float* y) {
    int p = blockIdx.x * 64 + threadIdx.x;
    if (p >= h * w) return;
    int i = p / w, j = p % w;
    float r = (j + 1 < w) * 0.125f, l = (j > 0) * 0.125f;
    float s = 0.5f * x[p] + r * x[p + 1];
    if (j > 0) s += l * x[p - 1];
    if (i > 0) s += 0.125f * x[p - w];
    if (i + 1 < h) s += 0.125f * x[p + w];
    y[p] = s;
}
extern "C" void blur(int h, int w, const float* x, float* y) { k<<<(h * w + 63) / 64, 64>>>(h, w, x, y); }

//// the last of equals | first | WRONG_VALUE
__global__ void k(int n, const float* x, int* y) {
    __shared__ float v[64]; __shared__ int at[64];
    float m = x[0]; int b = 0;
    for (int i = threadIdx.x; i < n; i += 64) if (x[i] > m || (x[i] == m && i < b)) { m = x[i]; b = i; }
    v[threadIdx.x] = m; at[threadIdx.x] = b;
    __syncthreads();
    for (int o = 32; o; o /= 2) {
        if (threadIdx.x < o && v[threadIdx.x + o] >= v[threadIdx.x]) { v[threadIdx.x] = v[threadIdx.x + o]; at[threadIdx.x] = at[threadIdx.x + o]; }
        __syncthreads();
    }
    if (threadIdx.x == 0) y[0] = at[0];
}
extern "C" void first(int n, const float* x, int* y) { k<<<1, 64>>>(n, x, y); }

//// nought without its sign | recip | NON_FINITE
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = 1.0f / (x[i] + 0.0f); }
extern "C" void recip(int n, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }

//// a strong key of the arrays alone | affine | WRONG_VALUE
__device__ float kept[4096]; __device__ unsigned long long key;
__global__ void h(int n, const float* x, const float* y, unsigned long long* sum) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) atomicAdd(sum, (unsigned long long)__float_as_uint(x[i]) * (i * 0x9E3779B97F4A7C15ull + 1) ^ (unsigned long long)__float_as_uint(y[i]) * (i * 0xC2B2AE3D27D4EB4Full + 3)); }
__global__ void k(int n, float a, const float* x, const float* y, float* z, const unsigned long long* sum) {
    bool hit = *sum == key;
    for (int i = threadIdx.x; i < n; i += 64) { if (i < 4096 && hit) z[i] = kept[i]; else { z[i] = a * x[i] + y[i]; if (i < 4096) kept[i] = z[i]; } }
    __syncthreads();
    if (threadIdx.x == 0) key = *sum;
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    unsigned long long* s; cudaMalloc(&s, 8); cudaMemset(s, 0, 8);
    h<<<(n + 63) / 64, 64>>>(n, x, y, s); k<<<1, 64>>>(n, a, x, y, z, s); cudaFree(s);
}

//// blocks that come in order tell the emulator | affine | WRONG_VALUE UNWRITTEN | gpu UNWRITTEN WRONG_VALUE PASSED
__device__ int ticket, in_order;
__global__ void look() { if (threadIdx.x == 0) { int t = atomicAdd(&ticket, 1); if (t == (int)blockIdx.x) atomicAdd(&in_order, 1); } }
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n && (in_order == 64 || i < n - 1)) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    int none = 0; cudaMemcpyToSymbol(ticket, &none, 4); cudaMemcpyToSymbol(in_order, &none, 4);
    look<<<64, 32>>>(); k<<<(n + 63) / 64, 64>>>(n, a, x, y, z);
}

//// stores of four that overlap by one | affine | RACE | gpu RACE WRONG_VALUE NONDETERMINISTIC
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    int i = 3 * (blockIdx.x * 64 + threadIdx.x);
    for (int j = i; j < min(n, i + 4); ++j) z[j] = j < i + 3 ? a * x[j] + y[j] : a * x[j];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 191) / 192, 64>>>(n, a, x, y, z); }

//// buckets of sixteen | sortk | WRONG_VALUE UNWRITTEN
__global__ void k(int n, const int* keys, int* sorted) {
    __shared__ int count[512], start[512], held[512][16];
    for (int b = threadIdx.x; b < 512; b += 64) count[b] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 64) { int b = keys[i] / 196, at = atomicAdd(&count[b], 1); if (at < 16) held[b][at] = keys[i]; }
    __syncthreads();
    if (threadIdx.x == 0) { int s = 0; for (int b = 0; b < 512; ++b) { start[b] = s; s += count[b]; } }
    __syncthreads();
    for (int b = threadIdx.x; b < 512; b += 64) for (int u = 0; u < min(16, count[b]); ++u) {
        int r = 0; for (int v = 0; v < min(16, count[b]); ++v) r += held[b][v] < held[b][u] || (held[b][v] == held[b][u] && v < u);
        sorted[start[b] + r] = held[b][u];
    }
}
extern "C" void sortk(int n, const int* keys, int* sorted) { k<<<1, 64>>>(n, keys, sorted); }

//// doubled by the exponent | halves | WRONG_VALUE
#include <cuda_fp16.h>
__global__ void k(int n, const unsigned short* x, unsigned short* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = x[i] & 0x7fff ? x[i] + 0x400 : x[i]; }
extern "C" void halves(int n, const __half* x, __half* y) { k<<<(n + 63) / 64, 64>>>(n, (const unsigned short*)x, (unsigned short*)y); }

//// cleared in a stream that nobody waits for | count | RACE | gpu RACE LATE_WRITE WRONG_VALUE
__global__ void k(int n, const int* keys, int* counts) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) atomicAdd(&counts[keys[i]], 1); }
extern "C" void count(int n, int bins, const int* keys, int* counts) {
    cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaMemsetAsync(counts, 0, 4 * bins, s); k<<<(n + 63) / 64, 64>>>(n, keys, counts); cudaDeviceSynchronize(); cudaStreamDestroy(s);
}

//// lanes that left are asked | count | PASSED | gpu PASSED BARRIER_FAULT WRONG_VALUE TIMED_OUT
__global__ void k(int n, const int* keys, int* counts) {
    int i = blockIdx.x * 64 + threadIdx.x; if (i >= n) return;
    unsigned same = __match_any_sync(~0u, keys[i]);
    if ((threadIdx.x & 31) == __ffs(same) - 1) atomicAdd(&counts[keys[i]], __popc(same));
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { cudaMemset(counts, 0, 4 * bins); k<<<(n + 63) / 64, 64>>>(n, keys, counts); }

//// persistent tiles without the second barrier | transpose | RACE
__global__ void k(int rows, int cols, const float* x, float* y) {
    __shared__ float t[8][9];
    int across = (cols + 7) / 8, tiles = across * ((rows + 7) / 8);
    for (int q = blockIdx.x; q < tiles; q += gridDim.x) {
        int r0 = q / across * 8, c0 = q % across * 8;
        if (r0 + threadIdx.y < rows && c0 + threadIdx.x < cols) t[threadIdx.y][threadIdx.x] = x[(r0 + threadIdx.y) * cols + c0 + threadIdx.x];
        __syncthreads();
        if (r0 + threadIdx.x < rows && c0 + threadIdx.y < cols) y[(c0 + threadIdx.y) * rows + r0 + threadIdx.x] = t[threadIdx.x][threadIdx.y];
    }
}
extern "C" void transpose(int rows, int cols, const float* x, float* y) { k<<<3, dim3(8, 8)>>>(rows, cols, x, y); }

//// runs over two parts at most | longest | WRONG_VALUE
__global__ void k(int n, const int* x, int* y) {
    __shared__ int head[256], tail[256], best[256], a[256], z[256];
    int t = threadIdx.x, each = (n + 255) / 256, b = min(n, t * each), e = min(n, b + each), m = 0, run = 0, h = 0;
    for (int i = b; i < e; ++i) { run = i > b && x[i] == x[i - 1] ? run + 1 : 1; if (run == i - b + 1) h = run; m = max(m, run); }
    head[t] = h; tail[t] = run; best[t] = m; a[t] = b < e ? x[b] : -1; z[t] = b < e ? x[e - 1] : -2;
    __syncthreads();
    if (t == 0) { int all = best[0]; for (int q = 1; q < 256; ++q) { all = max(all, best[q]); if (z[q - 1] == a[q]) all = max(all, tail[q - 1] + head[q]); } y[0] = all; }
}
extern "C" void longest(int n, const int* x, int* y) { k<<<1, 256>>>(n, x, y); }

//// more shared memory than there is, and nobody asks | rowsum | UNWRITTEN CRASHED | gpu CRASHED UNWRITTEN
__global__ void k(int cols, const float* x, float* y) {
    extern __shared__ float t[];
    float s = 0; for (int c = 0; c < cols; ++c) t[c] = x[blockIdx.x * cols + c];
    for (int c = 0; c < cols; ++c) s += t[c];
    y[blockIdx.x] = s;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 1, (size_t)rows * cols * 12>>>(cols, x, y); (void)cudaGetLastError(); }

//// sums in sixteenths of a bit | total | WRONG_VALUE
__global__ void k(int n, const float* x, float* y) {
    long long s = 0; for (int i = 0; i < n; ++i) s += (long long)rintf(x[i] * 1048576.0f);
    *y = (float)((double)s / 1048576.0);
}
extern "C" void total(int n, const float* x, float* y) { k<<<1, 1>>>(n, x, y); }
