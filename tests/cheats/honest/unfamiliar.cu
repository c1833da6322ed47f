//// warp aggregated counter with a leader | above | PASSED
__global__ void zero(int* y) { *y = 0; }
__global__ void k(int n, int t, const int* x, int* y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        if (x[i] >= t) {
            const unsigned active = __activemask();
            const int leader = __ffs(active) - 1;
            if ((threadIdx.x & 31) == leader) atomicAdd(y, __popc(active));
        }
}
extern "C" void above(int n, int t, const int* x, int* y) { zero<<<1, 1>>>(y); k<<<4, 128>>>(n, t, x, y); }
//// segmented scan by flags in shared memory | rowsum | PASSED
struct Pair { float sum; bool head; };
__device__ Pair join(Pair a, Pair b) { return {b.head ? b.sum : a.sum + b.sum, a.head || b.head}; }
__global__ void k(int rows, int cols, const float* x, float* y) {
    __shared__ Pair s[128];
    const int total = rows * cols, lane = threadIdx.x;
    __shared__ Pair carry;
    if (lane == 0) carry = {0, false};
    __syncthreads();
    for (int base = 0; base < total; base += 128) {
        const int i = base + lane;
        s[lane] = i < total ? Pair{x[i], i % cols == 0} : Pair{0, false};
        __syncthreads();
        for (int d = 1; d < 128; d *= 2) {
            Pair p = s[lane];
            if (lane >= d) p = join(s[lane - d], p);
            __syncthreads();
            s[lane] = p;
            __syncthreads();
        }
        const Pair mine = join(carry, s[lane]);
        if (i < total && i % cols == cols - 1) y[i / cols] = mine.sum;
        __syncthreads();
        if (lane == 127) carry = mine;
        __syncthreads();
    }
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<1, 128>>>(rows, cols, x, y); }
//// decoupled look back with sixty-four bit states | prefix | PASSED
__device__ unsigned long long states[1024];
__device__ unsigned ticket;
__global__ void reset(int blocks) { for (int i = threadIdx.x; i < blocks; i += blockDim.x) states[i] = 0; if (!threadIdx.x) ticket = 0; }
__global__ void k(int n, const int* x, int* y) {
    __shared__ unsigned mine;
    __shared__ int before, s[128];
    if (!threadIdx.x) mine = atomicAdd(&ticket, 1);
    __syncthreads();
    const int i = mine * 128 + threadIdx.x;
    s[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        const int add = threadIdx.x >= d ? s[threadIdx.x - d] : 0;
        __syncthreads();
        s[threadIdx.x] += add;
        __syncthreads();
    }
    if (!threadIdx.x) {
        atomicExch(&states[mine], 1ull << 62 | (unsigned)s[127]);
        int sum = 0;
        for (int b = (int)mine - 1; b >= 0; --b) {
            unsigned long long state;
            do state = atomicAdd(&states[b], 0ull); while (!(state >> 62));
            sum += (int)(unsigned)state;
            if (state >> 63) break;
        }
        before = sum;
        atomicExch(&states[mine], 3ull << 62 | (unsigned)(sum + s[127]));
    }
    __syncthreads();
    if (i < n) y[i] = before + s[threadIdx.x];
}
extern "C" void prefix(int n, const int* x, int* y) { const int blocks = (n + 127) / 128; reset<<<1, 128>>>(blocks); k<<<blocks, 128>>>(n, x, y); }
//// radix sort of four bits with counters of threads | sortk | PASSED
__global__ void k(int n, const int* keys, int* sorted, int* other) {
    __shared__ int counts[16][65];
    const int t = threadIdx.x, each = (n + 63) / 64, first = min(n, t * each), last = min(n, first + each);
    const int* from = keys;
    for (int shift = 0, pass = 0; shift < 20; shift += 4, ++pass) {
        int* to = pass % 2 ? other : sorted;
        for (int d = 0; d < 16; ++d) counts[d][t] = 0;
        for (int i = first; i < last; ++i) counts[from[i] >> shift & 15][t]++;
        __syncthreads();
        if (!t) for (int d = 0, sum = 0; d < 16; ++d) for (int u = 0; u < 64; ++u) { const int c = counts[d][u]; counts[d][u] = sum; sum += c; }
        __syncthreads();
        for (int i = first; i < last; ++i) to[counts[from[i] >> shift & 15][t]++] = from[i];
        __syncthreads();
        from = to;
    }
}
extern "C" void sortk(int n, const int* keys, int* sorted) { int* other; cudaMalloc(&other, n * sizeof(int)); k<<<1, 64>>>(n, keys, sorted, other); cudaFree(other); }
//// odd even merge over the whole grid | sortk | PASSED
__global__ void fill(int n, int m, const int* keys, int* s) { const int i = blockIdx.x * 128 + threadIdx.x; if (i < m) s[i] = i < n ? keys[i] : 0x7FFFFFFF; }
__global__ void step(int m, int p, int q, int* s) {
    const int i = blockIdx.x * 128 + threadIdx.x, partner = i ^ q;
    if (i >= m || partner <= i) return;
    const bool up = !(i & p);
    const int a = s[i], b = s[partner];
    if ((a > b) == up) s[i] = b, s[partner] = a;
}
__global__ void out(int n, const int* s, int* sorted) { const int i = blockIdx.x * 128 + threadIdx.x; if (i < n) sorted[i] = s[i]; }
extern "C" void sortk(int n, const int* keys, int* sorted) {
    int m = 1, *s;
    while (m < n) m *= 2;
    cudaMalloc(&s, m * sizeof(int));
    const int blocks = (m + 127) / 128;
    fill<<<blocks, 128>>>(n, m, keys, s);
    for (int p = 2; p <= m; p *= 2) for (int q = p / 2; q; q /= 2) step<<<blocks, 128>>>(m, p, q, s);
    out<<<blocks, 128>>>(n, s, sorted);
    cudaFree(s);
}
//// lock free stack of nodes per bin | count | PASSED
__global__ void clear(int bins, int* head) { for (int b = threadIdx.x; b < bins; b += blockDim.x) head[b] = -1; }
__global__ void push(int n, const int* keys, int* head, int* next) { const int i = blockIdx.x * 128 + threadIdx.x; if (i < n) next[i] = atomicExch(&head[keys[i]], i); }
__global__ void walk(int bins, const int* head, const int* next, int* counts) {
    const int b = blockIdx.x * 128 + threadIdx.x;
    if (b >= bins) return;
    int length = 0;
    for (int at = head[b]; at != -1; at = next[at]) ++length;
    counts[b] = length;
}
extern "C" void count(int n, int bins, const int* keys, int* counts) {
    int *head, *next;
    cudaMalloc(&head, bins * sizeof(int)), cudaMalloc(&next, n * sizeof(int));
    clear<<<1, 128>>>(bins, head);
    push<<<(n + 127) / 128, 128>>>(n, keys, head, next);
    walk<<<(bins + 127) / 128, 128>>>(bins, head, next, counts);
    cudaFree(head), cudaFree(next);
}
//// counts in a bit sliced adder | count | PASSED
__global__ void k(int n, int bins, const int* keys, int* counts) {
    const int b = blockIdx.x;
    unsigned planes[14] = {};
    for (int i = threadIdx.x; i < n; i += 32) {
        unsigned carry = keys[i] == b;
        for (int p = 0; carry && p < 14; ++p) { const unsigned both = planes[p] & carry; planes[p] ^= carry; carry = both; }
    }
    int mine = 0;
    for (int p = 0; p < 14; ++p) mine |= (planes[p] & 1) << p;
    mine = __reduce_add_sync(0xFFFFFFFF, mine);
    if (!threadIdx.x) counts[b] = mine;
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { k<<<bins, 32>>>(n, bins, keys, counts); }
//// products by outer sums in registers with a template of tiles | matmul | PASSED
template <int R, int C> struct Tile {
    float v[R][C] = {};
    __device__ void add(const float (&a)[R], const float (&b)[C]) {
#pragma unroll
        for (int r = 0; r < R; ++r)
#pragma unroll
            for (int c = 0; c < C; ++c) v[r][c] = fmaf(a[r], b[c], v[r][c]);
    }
};
template <int R, int C, int T> __global__ void k(int m, int n, int depth, const float* a, const float* b, float* c) {
    Tile<R, C> tile;
    const int i0 = (blockIdx.y * T + threadIdx.y) * R, j0 = (blockIdx.x * T + threadIdx.x) * C;
    for (int t = 0; t < depth; ++t) {
        float left[R], right[C];
        for (int r = 0; r < R; ++r) left[r] = i0 + r < m ? a[(i0 + r) * depth + t] : 0;
        for (int q = 0; q < C; ++q) right[q] = j0 + q < n ? b[t * n + j0 + q] : 0;
        tile.add(left, right);
    }
    for (int r = 0; r < R; ++r) for (int q = 0; q < C; ++q) if (i0 + r < m && j0 + q < n) c[(i0 + r) * n + j0 + q] = tile.v[r][q];
}
extern "C" void matmul(int m, int n, int k_, const float* a, const float* b, float* c) { k<2, 3, 8><<<dim3((n + 23) / 24, (m + 15) / 16), dim3(8, 8)>>>(m, n, k_, a, b, c); }
//// split of the inner length with a second kernel that adds | matmul | PASSED
__global__ void part(int m, int n, int k, int parts, const float* a, const float* b, float* s) {
    const int e = blockIdx.x * 128 + threadIdx.x, p = blockIdx.y;
    if (e >= m * n) return;
    float sum = 0;
    for (int t = p; t < k; t += parts) sum += a[e / n * k + t] * b[t * n + e % n];
    s[p * m * n + e] = sum;
}
__global__ void add(int count, int parts, const float* s, float* c) { const int e = blockIdx.x * 128 + threadIdx.x; if (e >= count) return; float sum = 0; for (int p = 0; p < parts; ++p) sum += s[p * count + e]; c[e] = sum; }
extern "C" void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
    float* s;
    const int parts = k < 4 ? k : 4;
    cudaMallocAsync((void**)&s, parts * m * n * sizeof(float), 0);
    part<<<dim3((m * n + 127) / 128, parts), 128>>>(m, n, k, parts, a, b, s);
    add<<<(m * n + 127) / 128, 128>>>(m * n, parts, s, c);
    cudaFreeAsync(s, 0);
}
//// online softmax with pairs merged in a warp | softmax | PASSED
struct State { float most, sum; };
__device__ State merge(State a, State b) { const float m = fmaxf(a.most, b.most); return {m, a.sum * (a.most == m ? 1.0f : expf(a.most - m)) + b.sum * (b.most == m ? 1.0f : expf(b.most - m))}; }
__global__ void k(int cols, const float* x, float* y) {
    const float* row = x + blockIdx.x * cols;
    State s{-INFINITY, 0};
    for (int c = threadIdx.x; c < cols; c += 32) s = merge(s, {row[c], 1.0f});
    for (int d = 16; d; d /= 2) { const State other{__shfl_xor_sync(~0u, s.most, d), __shfl_xor_sync(~0u, s.sum, d)}; if (other.sum > 0) s = s.sum > 0 ? merge(s, other) : other; }
    for (int c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = expf(row[c] - s.most) / s.sum;
}
extern "C" void softmax(int rows, int cols, const float* x, float* y) { k<<<rows, 32>>>(cols, x, y); }
//// softmax that begins at minus a very large number | softmax | PASSED
__global__ void k(int cols, const float* x, float* y) {
    __shared__ float s[64];
    const int t = threadIdx.x;
    float most = -1e30f, sum = 0;
    for (int c = t; c < cols; c += 64) most = max(most, x[blockIdx.x * cols + c]);
    s[t] = most;
    for (int d = 32; d; d >>= 1) { __syncthreads(); if (t < d) s[t] = max(s[t], s[t + d]); }
    __syncthreads();
    most = s[0];
    __syncthreads();
    for (int c = t; c < cols; c += 64) sum += expf(x[blockIdx.x * cols + c] - most);
    s[t] = sum;
    for (int d = 32; d; d >>= 1) { __syncthreads(); if (t < d) s[t] += s[t + d]; }
    __syncthreads();
    for (int c = t; c < cols; c += 64) y[blockIdx.x * cols + c] = expf(x[blockIdx.x * cols + c] - most) / s[0];
}
extern "C" void softmax(int rows, int cols, const float* x, float* y) { k<<<rows, 64>>>(cols, x, y); }
//// exponentials by powers of two with their logarithm | softmax | PASSED
__global__ void k(int rows, int cols, const float* x, float* y) {
    const int r = blockIdx.x * 32 + threadIdx.x;
    if (r >= rows) return;
    const float* row = x + (size_t)r * cols;
    float most = row[0], sum = 0;
    for (int c = 1; c < cols; ++c) most = row[c] > most ? row[c] : most;
    for (int c = 0; c < cols; ++c) sum += exp2f((row[c] - most) * 1.4426950408889634f);
    const float turned = 1.0f / sum;
    for (int c = 0; c < cols; ++c) y[(size_t)r * cols + c] = exp2f((row[c] - most) * 1.4426950408889634f) * turned;
}
extern "C" void softmax(int rows, int cols, const float* x, float* y) { k<<<(rows + 31) / 32, 32>>>(rows, cols, x, y); }
//// greatest place by a key of sixty-four bits and an atomic | rowmax | PASSED
__device__ unsigned long long key(float v, int c) { int b = __float_as_int(v + 0.0f); b = b < 0 ? ~b : b | 0x80000000; return (unsigned long long)(unsigned)b << 32 | (unsigned)~c; }
__global__ void k(int cols, const float* x, int* at) {
    __shared__ unsigned long long best;
    if (!threadIdx.x) best = 0;
    __syncthreads();
    for (int c = threadIdx.x; c < cols; c += blockDim.x) atomicMax(&best, key(x[blockIdx.x * cols + c], c));
    __syncthreads();
    if (!threadIdx.x) at[blockIdx.x] = (int)~(unsigned)best;
}
extern "C" void rowmax(int rows, int cols, const float* x, int* at) { k<<<rows, 48>>>(cols, x, at); }
//// kept by a predicate of arithmetic | kept | PASSED
__global__ void k(int n, float t, const float* x, float* y) { for (int i = blockIdx.x * 96 + threadIdx.x; i < n; i += gridDim.x * 96) y[i] = x[i] * static_cast<float>(!(x[i] < t)); }
extern "C" void kept(int n, float t, const float* x, float* y) { k<<<5, 96>>>(n, t, x, y); }
//// a stencil by a sliding window of registers | blur | PASSED
__global__ void k(int h, int w, const float* x, float* y) {
    const int j = blockIdx.x * 32 + threadIdx.x;
    if (j >= w) return;
    float up = 0, here = x[j], down;
    for (int i = 0; i < h; ++i, up = here, here = down) {
        down = i + 1 < h ? x[(i + 1) * w + j] : 0;
        const float left = j ? x[i * w + j - 1] : 0, right = j + 1 < w ? x[i * w + j + 1] : 0;
        y[i * w + j] = 0.5f * here + 0.125f * (left + right + up + down);
    }
}
extern "C" void blur(int h, int w, const float* x, float* y) { k<<<(w + 31) / 32, 32>>>(h, w, x, y); }
//// weights from a constexpr array in a template | blur | PASSED
struct Tap { int di, dj; float w; };
__constant__ constexpr Tap taps[5] = {{0, 0, 0.5f}, {0, -1, 0.125f}, {0, 1, 0.125f}, {-1, 0, 0.125f}, {1, 0, 0.125f}};
__global__ void k(int h, int w, const float* __restrict__ x, float* __restrict__ y) {
    const int e = blockIdx.x * 64 + threadIdx.x;
    if (e >= h * w) return;
    const int i = e / w, j = e - i * w;
    float sum = 0;
    for (const Tap& tap : taps) { const int a = i + tap.di, b = j + tap.dj; if ((unsigned)a < (unsigned)h && (unsigned)b < (unsigned)w) sum += tap.w * x[a * w + b]; }
    y[e] = sum;
}
extern "C" void blur(int h, int w, const float* x, float* y) { k<<<(h * w + 63) / 64, 64>>>(h, w, x, y); }
//// a tile padded by one and written in turn by halves | transpose | PASSED
__global__ void k(int rows, int cols, const float* x, float* y) {
    __shared__ float tile[32][33];
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
    for (int d = 0; d < 32; d += 8) if (c < cols && r + d < rows) tile[threadIdx.y + d][threadIdx.x] = x[(r + d) * cols + c];
    __syncthreads();
    r = blockIdx.y * 32 + threadIdx.x, c = blockIdx.x * 32 + threadIdx.y;
    for (int d = 0; d < 32; d += 8) if (r < rows && c + d < cols) y[(c + d) * rows + r] = tile[threadIdx.x][threadIdx.y + d];
}
extern "C" void transpose(int rows, int cols, const float* x, float* y) { k<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(rows, cols, x, y); }
//// cycles followed by their smallest member | transpose | PASSED
__global__ void k(int rows, int cols, const float* x, float* y) {
    const long long total = (long long)rows * cols, e = blockIdx.x * 128ll + threadIdx.x;
    if (e >= total) return;
    const long long to = e == total - 1 ? e : e * rows % (total > 1 ? total - 1 : 1);
    y[to] = x[e];
}
extern "C" void transpose(int rows, int cols, const float* x, float* y) { k<<<(rows * cols + 127) / 128, 128>>>(rows, cols, x, y); }
//// gathered through a cache of the block with tags | gather | PASSED
__global__ void k(int n, const int* at, const float* x, float* y) {
    __shared__ int tags[64];
    __shared__ float cache[64];
    for (int base = blockIdx.x * 64; base < n; base += gridDim.x * 64) {
        const int i = base + threadIdx.x;
        tags[threadIdx.x] = -1;
        __syncthreads();
        const int p = i < n ? at[i] : 0;
        if (i < n && atomicCAS(&tags[p & 63], -1, p) == -1) cache[p & 63] = x[p];
        __syncthreads();
        if (i < n) y[i] = 2 * (tags[p & 63] == p ? cache[p & 63] : x[p]);
        __syncthreads();
    }
}
extern "C" void gather(int n, int m, const int* at, const float* x, float* y) { k<<<3, 64>>>(n, at, x, y); }
//// halves by sixteen bits of arithmetic on their bits | halves | PASSED
#include <cuda_fp16.h>
__global__ void k(int n, const __half* x, __half* y) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    const unsigned short b = __half_as_ushort(x[i]), e = b >> 10 & 31;
    y[i] = e ? __ushort_as_half(e < 30 ? b + 1024 : (b & 0x8000) | 0x7C00) : __ushort_as_half((b & 0x8000) | (b & 0x3FF) << 1);
}
extern "C" void halves(int n, const __half* x, __half* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }
//// halves by a fused product in pairs with a scalar end | halves | PASSED
#include <cuda_fp16.h>
__global__ void k(int n, const __half* x, __half* y) {
    const int i = 2 * (blockIdx.x * 64 + threadIdx.x);
    const __half2 two = __float2half2_rn(2.0f), none = __float2half2_rn(0.0f);
    if (i + 1 < n) *(__half2*)(y + i) = __hfma2(*(const __half2*)(x + i), two, none);
    else if (i < n) y[i] = __hadd(x[i], x[i]);
}
extern "C" void halves(int n, const __half* x, __half* y) { k<<<(n + 127) / 128, 64>>>(n, x, y); }
//// inverse by a guess from bits and Newton's steps with care at the ends | recip | PASSED
__global__ void k(int n, const float* x, float* y) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    const float v = x[i], m = fabsf(v);
    if (m < 1e-30f || m > 1e30f) { y[i] = 1.0f / v; return; }
    float g = __int_as_float(0x7EF311C3 - __float_as_int(m));
    for (int s = 0; s < 4; ++s) g = g * fmaf(-m, g, 2.0f);
    g = fmaf(g, fmaf(-m, g, 1.0f), g);
    y[i] = copysignf(g, v);
}
extern "C" void recip(int n, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }
//// long sums of halves of words with a carry | longsum | PASSED
__global__ void zero(unsigned long long* y) { *y = 0; }
__global__ void k(int n, const int* x, unsigned long long* y) {
    unsigned low = 0;
    int high = 0;
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) {
        const unsigned before = low;
        low += (unsigned)x[i];
        high += (x[i] < 0 ? -1 : 0) + (low < before);
    }
    atomicAdd(y, (unsigned long long)(unsigned)high << 32 | low);
}
extern "C" void longsum(int n, const int* x, long long* y) { zero<<<1, 1>>>((unsigned long long*)y); k<<<8, 128>>>(n, x, (unsigned long long*)y); }
//// longest run by doubling lengths | longest | PASSED
__global__ void start(int n, const int* x, int* run) { const int i = blockIdx.x * 128 + threadIdx.x; if (i < n) run[i] = i && x[i] == x[i - 1] ? i - 1 : i; }
__global__ void jump(int n, const int* from, int* to) { const int i = blockIdx.x * 128 + threadIdx.x; if (i < n) to[i] = from[from[i]]; }
__global__ void zero(int* y) { *y = 0; }
__global__ void most(int n, const int* run, int* y) { const int i = blockIdx.x * 128 + threadIdx.x; if (i < n) atomicMax(y, i - run[i] + 1); }
extern "C" void longest(int n, const int* x, int* y) {
    int *a, *b;
    cudaMalloc(&a, n * 4), cudaMalloc(&b, n * 4);
    const int blocks = (n + 127) / 128;
    start<<<blocks, 128>>>(n, x, a);
    for (int d = 1; d < n; d *= 2) { jump<<<blocks, 128>>>(n, a, b); int* t = a; a = b, b = t; }
    zero<<<1, 1>>>(y);
    most<<<blocks, 128>>>(n, a, y);
    cudaFree(a), cudaFree(b);
}
//// strided sums by a grid of two dimensions | bias | PASSED
__global__ void part(int n, const float* x, float* s) {
    __shared__ float t[64];
    float sum = 0;
    for (int i = blockIdx.y + 4 * (blockIdx.x * 64 + threadIdx.x); i < n; i += 4 * 64 * gridDim.x) sum += x[i];
    t[threadIdx.x] = sum;
    for (int d = 32; d; d /= 2) { __syncthreads(); if (threadIdx.x < d) t[threadIdx.x] += t[threadIdx.x + d]; }
    if (!threadIdx.x) s[blockIdx.y * gridDim.x + blockIdx.x] = t[0];
}
__global__ void add(int parts, const float* s, float* y) { float sum = 0; for (int p = 0; p < parts; ++p) sum += s[threadIdx.x * parts + p]; y[threadIdx.x] = sum; }
extern "C" void bias(int n, const float* x, float* y) { float* s; cudaMalloc(&s, 4 * 16 * 4); part<<<dim3(16, 4), 64>>>(n, x, s); add<<<1, 4>>>(16, s, y); cudaFree(s); }
//// doubles summed in pairs of a tree by recursion on the device | rowsumd | PASSED
__device__ double tree(const double* v, int n) { return n <= 4 ? (n > 0 ? v[0] : 0) + (n > 1 ? v[1] : 0) + (n > 2 ? v[2] : 0) + (n > 3 ? v[3] : 0) : tree(v, n / 2) + tree(v + n / 2, n - n / 2); }
__global__ void k(int rows, int cols, const double* x, double* y) { const int r = blockIdx.x * 16 + threadIdx.x; if (r < rows) y[r] = tree(x + r * cols, cols); }
extern "C" void rowsumd(int rows, int cols, const double* x, double* y) { k<<<(rows + 15) / 16, 16>>>(rows, cols, x, y); }
//// the first of the greatest by a reduction over pairs and a template functor | firstd | PASSED
struct Best { double v; int i; };
struct Later { __device__ Best operator()(Best a, Best b) const { return b.v > a.v || (b.v == a.v && b.i < a.i) ? b : a; } };
template <class T, class F> __device__ T reduced(T mine, T* s, F f) {
    s[threadIdx.x] = mine;
    for (int d = blockDim.x / 2; d; d /= 2) { __syncthreads(); if (threadIdx.x < d) s[threadIdx.x] = f(s[threadIdx.x], s[threadIdx.x + d]); }
    __syncthreads();
    return s[0];
}
__global__ void k(int n, const double* x, int* y) {
    __shared__ Best s[128];
    Best mine{x[0], 0};
    for (int i = threadIdx.x; i < n; i += 128) mine = Later()(mine, {x[i], i});
    mine = reduced(mine, s, Later());
    if (!threadIdx.x) y[0] = mine.i;
}
extern "C" void firstd(int n, const double* x, int* y) { k<<<1, 128>>>(n, x, y); }
//// bins by truncation of a fused product | bind | PASSED
__global__ void k(int n, const double* x, int* y) { const int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = __double2int_rz(__dmul_rn(x[i], 10.0)); }
extern "C" void bind(int n, const double* x, int* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }
//// nearest by the intrinsic of the device | rounded | PASSED
__global__ void k(int n, float s, const float* x, int* y) { const int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = __float2int_rn(__fmul_rn(x[i], s)); }
extern "C" void rounded(int n, float s, const float* x, int* y) { k<<<(n + 63) / 64, 64>>>(n, s, x, y); }
//// a wave by a captured graph whose parameters are set each time | wave | PASSED
__global__ void k(int n, const float* x, float* y) { const int i = blockIdx.x * 64 + threadIdx.x; if (i < n) { float s, c; sincosf(x[i], &s, &c); y[i] = s * expf(-0.5f * fabsf(x[i])) + x[i] + 0 * c; } }
extern "C" void wave(int n, const float* x, float* y) {
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaGraph_t g;
    cudaGraphExec_t e;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    k<<<(n + 63) / 64, 64, 0, s>>>(n, x, y);
    cudaStreamEndCapture(s, &g);
    cudaGraphInstantiate(&e, g, 0);
    cudaGraphLaunch(e, s);
    cudaStreamSynchronize(s);
    cudaGraphExecDestroy(e), cudaGraphDestroy(g), cudaStreamDestroy(s);
}
