//// several arrays in dynamic memory | rowsum | PASSED
__global__ void k(int cols, const float* x, float* y) {
    extern __shared__ __align__(16) unsigned char raw[];
    double* sums = reinterpret_cast<double*>(raw);
    int* seen = reinterpret_cast<int*>(raw + 64 * sizeof(double));
    double sum = 0; int count = 0;
    for (int c = threadIdx.x; c < cols; c += 64) { sum += x[blockIdx.x * cols + c]; ++count; }
    sums[threadIdx.x] = sum; seen[threadIdx.x] = count;
    __syncthreads();
    if (threadIdx.x == 0) {
        int all = 0;
        sum = 0;
        for (int t = 0; t < 64; ++t) { sum += sums[t]; all += seen[t]; }
        y[blockIdx.x] = all == cols ? (float)sum : nanf("");
    }
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 64, 64 * (sizeof(double) + sizeof(int))>>>(cols, x, y); }

//// more than 48 KB | rowsum | PASSED
__global__ void k(int cols, const float* x, float* y) {
    extern __shared__ float row[];
    for (int c = threadIdx.x; c < cols; c += blockDim.x) row[c] = x[blockIdx.x * cols + c];
    __syncthreads();
    if (threadIdx.x == 0) { float s = 0; for (int c = 0; c < cols; ++c) s += row[c]; y[blockIdx.x] = s; }
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) {
    const int bytes = 60000;
    cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    k<<<rows, 32, bytes>>>(cols, x, y);
}

//// a struct in shared memory | total | PASSED
struct State { float sums[128]; int joined; };
__global__ void k(int n, const float* x, float* result) {
    __shared__ State s;
    if (threadIdx.x == 0) s.joined = 0;
    __syncthreads();
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += 128) sum += x[i];
    s.sums[threadIdx.x] = sum;
    atomicAdd(&s.joined, 1);
    __syncthreads();
    if (threadIdx.x == 0 && s.joined == 128) { sum = 0; for (float v : s.sums) sum += v; *result = sum; }
}
extern "C" void total(int n, const float* x, float* result) { k<<<1, 128>>>(n, x, result); }

//// a union in shared memory | transpose | PASSED
union Tile { float f[16][17]; unsigned u[16][17]; };
__global__ void k(int rows, int cols, const float* x, float* y) {
    __shared__ Tile t;
    int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
    if (r < rows && c < cols) t.f[threadIdx.y][threadIdx.x] = x[r * cols + c];
    __syncthreads();
    c = blockIdx.y * 16 + threadIdx.x, r = blockIdx.x * 16 + threadIdx.y;
    if (r < cols && c < rows) y[r * rows + c] = __uint_as_float(t.u[threadIdx.x][threadIdx.y]);
}
extern "C" void transpose(int rows, int cols, const float* x, float* y) { k<<<dim3((cols + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(rows, cols, x, y); }

//// a size from a template | rowsum | PASSED
template <int B> __global__ void k(int cols, const float* x, float* y) {
    __shared__ float part[B];
    float sum = 0;
    for (int c = threadIdx.x; c < cols; c += B) sum += x[blockIdx.x * cols + c];
    part[threadIdx.x] = sum;
    __syncthreads();
#pragma unroll
    for (int s = B / 2; s > 0; s /= 2) { if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s]; __syncthreads(); }
    if (threadIdx.x == 0) y[blockIdx.x] = part[0];
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { if (cols > 64) k<128><<<rows, 128>>>(cols, x, y); else k<32><<<rows, 32>>>(cols, x, y); }

//// shared in a device function | rowsum | PASSED
__device__ float block_sum(float v) {
    __shared__ float part[64];
    part[threadIdx.x] = v;
    __syncthreads();
    float sum = 0;
    for (int t = 0; t < 64; ++t) sum += part[t];
    __syncthreads();
    return sum;
}
__global__ void k(int cols, const float* x, float* y) {
    float v = 0, w = 0;
    for (int c = threadIdx.x; c < cols; c += 64) (c & 1 ? v : w) += x[blockIdx.x * cols + c];
    const float odd = block_sum(v), even = block_sum(w);
    if (threadIdx.x == 0) y[blockIdx.x] = odd + even;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 64>>>(cols, x, y); }

//// double buffer | matmul | PASSED
__global__ void mm(int m, int n, int k, const float* a, const float* b, float* c) {
    __shared__ float as[2][16][16], bs[2][16][16];
    const int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    auto load = [&](int s, int t) {
        const int ka = t * 16 + threadIdx.x, kb = t * 16 + threadIdx.y;
        as[s][threadIdx.y][threadIdx.x] = i < m && ka < k ? a[i * k + ka] : 0;
        bs[s][threadIdx.y][threadIdx.x] = kb < k && j < n ? b[kb * n + j] : 0;
    };
    const int tiles = (k + 15) / 16;
    float sum = 0;
    load(0, 0);
    __syncthreads();
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles) load((t + 1) & 1, t + 1);
        for (int q = 0; q < 16; ++q) sum += as[t & 1][threadIdx.y][q] * bs[t & 1][q][threadIdx.x];
        __syncthreads();
    }
    if (i < m && j < n) c[i * n + j] = sum;
}
extern "C" void matmul(int m, int n, int k, const float* a, const float* b, float* c) { mm<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(m, n, k, a, b, c); }

//// registers and tiles | matmul | PASSED
__global__ void mm(int m, int n, int k, const float* a, const float* b, float* c) {
    __shared__ float as[8][32], bs[8][32];
    float acc[2][2] = {};
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16, i0 = blockIdx.y * 32, j0 = blockIdx.x * 32;
    for (int t = 0; t < k; t += 8) {
        const int q = threadIdx.x / 32, l = threadIdx.x % 32;
        as[q][l] = i0 + l < m && t + q < k ? a[(i0 + l) * k + t + q] : 0;
        bs[q][l] = j0 + l < n && t + q < k ? b[(t + q) * n + j0 + l] : 0;
        __syncthreads();
        for (int p = 0; p < 8; ++p)
            for (int u = 0; u < 2; ++u)
                for (int v = 0; v < 2; ++v) acc[u][v] += as[p][ty * 2 + u] * bs[p][tx * 2 + v];
        __syncthreads();
    }
    for (int u = 0; u < 2; ++u)
        for (int v = 0; v < 2; ++v) {
            const int i = i0 + ty * 2 + u, j = j0 + tx * 2 + v;
            if (i < m && j < n) c[i * n + j] = acc[u][v];
        }
}
extern "C" void matmul(int m, int n, int k, const float* a, const float* b, float* c) { mm<<<dim3((n + 31) / 32, (m + 31) / 32), 256>>>(m, n, k, a, b, c); }

//// a queue in shared memory | sortk | PASSED
__global__ void k(int n, const int* keys, int* sorted) {
    extern __shared__ int s[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = keys[i];
    __syncthreads();
    for (int round = 0; round < n; ++round) {
        for (int i = 2 * threadIdx.x + (round & 1); i + 1 < n; i += 2 * blockDim.x)
            if (s[i] > s[i + 1]) { const int t = s[i]; s[i] = s[i + 1]; s[i + 1] = t; }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < n; i += blockDim.x) sorted[i] = s[i];
}
extern "C" void sortk(int n, const int* keys, int* sorted) { k<<<1, 128, n * sizeof(int)>>>(n, keys, sorted); }

//// bitonic with padding | sortk | PASSED
#include <climits>
__global__ void k(int n, int size, const int* keys, int* sorted) {
    extern __shared__ int s[];
    for (int i = threadIdx.x; i < size; i += blockDim.x) s[i] = i < n ? keys[i] : INT_MAX;
    for (int w = 2; w <= size; w *= 2)
        for (int d = w / 2; d; d /= 2) {
            __syncthreads();
            for (int i = threadIdx.x; i < size; i += blockDim.x) {
                const int j = i ^ d;
                if (j > i && (s[i] > s[j]) == !(i & w)) { const int t = s[i]; s[i] = s[j]; s[j] = t; }
            }
        }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) sorted[i] = s[i];
}
extern "C" void sortk(int n, const int* keys, int* sorted) { int size = 2; while (size < n) size *= 2; k<<<1, 128, size * sizeof(int)>>>(n, size, keys, sorted); }

//// private histograms | count | PASSED
__global__ void zero(int bins, int* counts) { if (threadIdx.x < bins) counts[threadIdx.x] = 0; }
__global__ void k(int n, int bins, const int* keys, int* counts) {
    extern __shared__ int own[];
    int* mine = own + threadIdx.x / 32 * bins;
    for (int b = threadIdx.x; b < bins * (blockDim.x / 32); b += blockDim.x) own[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[keys[i]], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x) {
        int all = 0;
        for (int w = 0; w < blockDim.x / 32; ++w) all += own[w * bins + b];
        if (all) atomicAdd(&counts[b], all);
    }
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { zero<<<1, 1024>>>(bins, counts); k<<<4, 128, 4 * bins * sizeof(int)>>>(n, bins, keys, counts); }

//// counts a thread in bytes | count | PASSED
// Counters of a byte for at most 255 keys a thread, added up before they can overflow.
__global__ void k(int n, int bins, const int* keys, int* counts) {
    __shared__ unsigned char own[32 * 64];
    for (int b = threadIdx.x; b < bins; b += 32) counts[b] = 0;
    for (int start = 0; start < n; start += 32 * 255) {
        for (int b = 0; b < bins; ++b) own[threadIdx.x * 64 + b] = 0;
        for (int j = 0; j < 255; ++j) { const int i = start + j * 32 + threadIdx.x; if (i < n) own[threadIdx.x * 64 + keys[i]]++; }
        __syncwarp();
        for (int b = threadIdx.x; b < bins; b += 32) { int s = 0; for (int t = 0; t < 32; ++t) s += own[t * 64 + b]; counts[b] += s; }
        __syncwarp();
    }
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { k<<<1, 32>>>(n, bins, keys, counts); }

//// scan of Hillis and Steele | prefix | PASSED
__global__ void k(int n, const int* x, int* y) {
    __shared__ int s[2][128];
    __shared__ int before;
    if (threadIdx.x == 0) before = 0;
    for (int start = 0; start < n; start += 128) {
        const int i = start + threadIdx.x;
        int in = 0;
        s[0][threadIdx.x] = i < n ? x[i] : 0;
        __syncthreads();
        for (int d = 1; d < 128; d *= 2) {
            s[in ^ 1][threadIdx.x] = s[in][threadIdx.x] + (threadIdx.x >= d ? s[in][threadIdx.x - d] : 0);
            in ^= 1;
            __syncthreads();
        }
        if (i < n) y[i] = before + s[in][threadIdx.x];
        __syncthreads();
        if (threadIdx.x == 127) before += s[in][127];
        __syncthreads();
    }
}
extern "C" void prefix(int n, const int* x, int* y) { k<<<1, 128>>>(n, x, y); }

//// scan of Blelloch | prefix | PASSED
__global__ void k(int n, const int* x, int* y) {
    __shared__ int s[256];
    int before = 0;
    for (int start = 0; start < n; start += 256) {
        for (int j = threadIdx.x; j < 256; j += 128) s[j] = start + j < n ? x[start + j] : 0;
        for (int d = 1; d < 256; d *= 2) { __syncthreads(); const int j = (threadIdx.x + 1) * d * 2 - 1; if (j < 256) s[j] += s[j - d]; }
        __syncthreads();
        const int all = s[255];
        __syncthreads();
        if (threadIdx.x == 0) s[255] = 0;
        for (int d = 128; d; d /= 2) { __syncthreads(); const int j = (threadIdx.x + 1) * d * 2 - 1; if (j < 256) { const int t = s[j - d]; s[j - d] = s[j]; s[j] += t; } }
        __syncthreads();
        for (int j = threadIdx.x; j < 256; j += 128) if (start + j < n) y[start + j] = before + s[j] + x[start + j];
        before += all;
        __syncthreads();
    }
}
extern "C" void prefix(int n, const int* x, int* y) { k<<<1, 128>>>(n, x, y); }

//// a lookup table staged | gather | PASSED
__global__ void k(int n, int m, const int* at, const float* x, float* y) {
    extern __shared__ float table[];
    for (int j = threadIdx.x; j < m; j += blockDim.x) table[j] = 2 * x[j];
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = table[at[i]];
}
extern "C" void gather(int n, int m, const int* at, const float* x, float* y) { k<<<3, 128, m * sizeof(float)>>>(n, m, at, x, y); }

//// garbage lanes thrown away | rowsum | PASSED
// Lanes beyond the data shuffle what nobody wrote; no one uses it.
__global__ void k(int cols, const float* x, float* y) {
    __shared__ float part[32];
    float sum = 0;
    for (int c = threadIdx.x; c < cols; c += 128) sum += x[blockIdx.x * cols + c];
    for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        float v = part[threadIdx.x];
        v = threadIdx.x < 4 ? v : 0;
        for (int d = 2; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
        if (threadIdx.x == 0) y[blockIdx.x] = v;
    }
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 128>>>(cols, x, y); }
