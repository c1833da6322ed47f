//// sum by compare and swap | total | PASSED
__device__ void add(float* at, float v) {
    int *p = (int*)at, old = *(volatile int*)p, seen;
    do { seen = old; old = atomicCAS(p, seen, __float_as_int(__int_as_float(seen) + v)); } while (old != seen);
}
__global__ void k(int n, const float* x, float* result) {
    float s = 0;
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += 64 * gridDim.x) s += x[i];
    add(result, s);
}
extern "C" void total(int n, const float* x, float* result) { cudaMemset(result, 0, 4); k<<<2, 64>>>(n, x, result); }

//// double sum by compare and swap | total | PASSED
__device__ double add(double* at, double v) {
    unsigned long long *p = (unsigned long long*)at, old = *p, seen;
    do { seen = old; old = atomicCAS(p, seen, __double_as_longlong(v + __longlong_as_double(seen))); } while (seen != old);
    return __longlong_as_double(old);
}
__global__ void k(int n, const float* x, float* result) {
    __shared__ double all;
    if (threadIdx.x == 0) all = 0;
    __syncthreads();
    double s = 0;
    for (int i = threadIdx.x; i < n; i += 96) s += x[i];
    add(&all, s);
    __syncthreads();
    if (threadIdx.x == 0) *result = all;
}
extern "C" void total(int n, const float* x, float* result) { k<<<1, 96>>>(n, x, result); }

//// the last block adds up | total | PASSED
__device__ float sums[16]; __device__ unsigned done = 0;
__global__ void k(int n, const float* x, float* result) {
    __shared__ float part[64]; __shared__ bool last;
    float s = 0;
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += 1024) s += x[i];
    part[threadIdx.x] = s;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int t = 1; t < 64; ++t) s += part[t];
        sums[blockIdx.x] = s;
        __threadfence();
        last = atomicInc(&done, 15) == 15;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) { __threadfence(); s = 0; for (int b = 0; b < 16; ++b) s += ((volatile float*)sums)[b]; *result = s; }
}
extern "C" void total(int n, const float* x, float* result) { k<<<16, 64>>>(n, x, result); }

//// a ticket a piece of work | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z, int* next) {
    __shared__ int start;
    for (;;) {
        if (threadIdx.x == 0) start = atomicAdd(next, 128);
        __syncthreads();
        const int mine = start, i = mine + threadIdx.x;
        __syncthreads();
        if (mine >= n) break;
        if (i < n) z[i] = a * x[i] + y[i];
    }
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    int* next;
    cudaMalloc(&next, sizeof(int)); cudaMemsetAsync(next, 0, sizeof(int));
    k<<<3, 128>>>(n, a, x, y, z, next);
    cudaFree(next);
}

//// exchange as a pointer of lists | count | PASSED
// A linked list a bin, then its length.
__global__ void init(int bins, int* heads) { for (int b = threadIdx.x; b < bins; b += 64) heads[b] = -1; }
__global__ void build(int n, const int* keys, int* heads, int* next) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) next[i] = atomicExch(&heads[keys[i]], i); }
__global__ void walk(int bins, const int* heads, const int* next, int* counts) {
    for (int b = threadIdx.x; b < bins; b += 64) { int c = 0; for (int i = heads[b]; i >= 0; i = next[i]) ++c; counts[b] = c; }
}
extern "C" void count(int n, int bins, const int* keys, int* counts) {
    int *heads, *next;
    cudaMalloc(&heads, bins * sizeof(int)); cudaMalloc(&next, n * sizeof(int));
    init<<<1, 64>>>(bins, heads); build<<<(n + 63) / 64, 64>>>(n, keys, heads, next); walk<<<1, 64>>>(bins, heads, next, counts);
    cudaFree(heads); cudaFree(next);
}

//// wide counters | count | PASSED
__global__ void zero(int bins, unsigned long long* c) { for (int b = threadIdx.x; b < bins; b += 64) c[b] = 0; }
__global__ void k(int n, const int* keys, unsigned long long* c) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) atomicAdd(&c[keys[i]], 1ull); }
__global__ void narrow(int bins, const unsigned long long* c, int* counts) { for (int b = threadIdx.x; b < bins; b += 64) counts[b] = (int)c[b]; }
extern "C" void count(int n, int bins, const int* keys, int* counts) {
    unsigned long long* c;
    cudaMalloc(&c, bins * sizeof *c);
    zero<<<1, 64>>>(bins, c); k<<<(n + 63) / 64, 64>>>(n, keys, c); narrow<<<1, 64>>>(bins, c, counts);
    cudaFree(c);
}

//// references that are atomic | count | PASSED
#include <cuda/atomic>
__global__ void zero(int bins, int* counts) { for (int b = threadIdx.x; b < bins; b += 64) counts[b] = 0; }
__global__ void k(int n, const int* keys, int* counts) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) { cuda::atomic_ref<int, cuda::thread_scope_device> c(counts[keys[i]]); c.fetch_add(1, cuda::memory_order_relaxed); }
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { zero<<<1, 64>>>(bins, counts); k<<<(n + 63) / 64, 64>>>(n, keys, counts); }

//// of a block in its own memory | count | PASSED
__global__ void k(int n, int bins, const int* keys, int* counts) {
    __shared__ int own[64];
    for (int b = threadIdx.x; b < bins; b += blockDim.x) own[b] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd_block(&own[keys[i]], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x) counts[b] = own[b];
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { k<<<1, 128>>>(n, bins, keys, counts); }

//// minimum of places | sortk | PASSED
// Selection by the smallest pair of key and place.
__global__ void k(int n, const int* keys, int* sorted) {
    __shared__ unsigned long long least; __shared__ unsigned long long before;
    if (threadIdx.x == 0) before = 0;
    for (int round = 0; round < n; ++round) {
        if (threadIdx.x == 0) least = ~0ull;
        __syncthreads();
        unsigned long long mine = ~0ull;
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
            const unsigned long long pair = ((unsigned long long)(unsigned)keys[i] << 32 | (unsigned)i) + 1;
            if (pair > before && pair < mine) mine = pair;
        }
        atomicMin(&least, mine);
        __syncthreads();
        if (threadIdx.x == 0) { sorted[round] = (int)((least - 1) >> 32); before = least; }
        __syncthreads();
    }
}
extern "C" void sortk(int n, const int* keys, int* sorted) { k<<<1, 128>>>(n, keys, sorted); }

//// a flag between blocks | prefix | PASSED
// Blocks hand their sums on in order, each waiting for the one before.
__device__ volatile int sums[64]; __device__ int ready[64];
__global__ void reset() { ready[threadIdx.x] = 0; }
__global__ void k(int n, const int* x, int* y) {
    __shared__ int s[64], before;
    const int i = blockIdx.x * 64 + threadIdx.x;
    s[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int t = 1; t < 64; ++t) s[t] += s[t - 1];
        int b = 0;
        if (blockIdx.x) { while (atomicAdd(&ready[blockIdx.x - 1], 0) == 0) {} __threadfence(); b = sums[blockIdx.x - 1]; }
        sums[blockIdx.x] = b + s[63];
        __threadfence();
        atomicExch(&ready[blockIdx.x], 1);
        before = b;
    }
    __syncthreads();
    if (i < n) y[i] = before + s[threadIdx.x];
}
extern "C" void prefix(int n, const int* x, int* y) { reset<<<1, 64>>>(); k<<<(n + 63) / 64, 64>>>(n, x, y); }

//// bits set together | count | PASSED
// Which keys equal a bin, as a mask of bits, then counted.
__global__ void k(int n, const int* keys, int* counts) {
    __shared__ unsigned bits[160];
    for (int w = threadIdx.x; w < 160; w += 64) bits[w] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 64) if (keys[i] == blockIdx.x) atomicOr(&bits[i / 32], 1u << i % 32);
    __syncthreads();
    if (threadIdx.x == 0) { int c = 0; for (int w = 0; w < 160; ++w) c += __popc(bits[w]); counts[blockIdx.x] = c; }
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { k<<<bins, 64>>>(n, keys, counts); }

//// a lock of the block | count | PASSED
__global__ void k(int n, int bins, const int* keys, int* counts) {
    __shared__ int lock, own[64];
    if (threadIdx.x == 0) lock = 0;
    if (threadIdx.x < bins) own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 64) {
        for (bool waiting = true; waiting;)
            if (atomicCAS(&lock, 0, 1) == 0) {
                __threadfence_block();
                ((volatile int*)own)[keys[i]] += 1;
                __threadfence_block();
                atomicExch(&lock, 0);
                waiting = false;
            }
    }
    __syncthreads();
    if (threadIdx.x < bins) counts[threadIdx.x] = own[threadIdx.x];
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { k<<<1, 64>>>(n, bins, keys, counts); }

//// float sums in hardware | rowsum | PASSED
__global__ void zero(int rows, float* y) { int r = blockIdx.x * 32 + threadIdx.x; if (r < rows) y[r] = 0; }
__global__ void k(int cols, const float* x, float* y) { if (threadIdx.x == 0) { float s = 0; for (int c = 0; c < cols; ++c) s += x[blockIdx.x * cols + c]; atomicAdd(&y[blockIdx.x], s); } }
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { zero<<<(rows + 31) / 32, 32>>>(rows, y); k<<<rows, 32>>>(cols, x, y); }
