//// packed fields | tally | WRONG_VALUE
// Two counters of sixteen bits a word: room for what even keys put into each, and for no more.
__global__ void k(int n, int bins, const int* keys, int* counts) {
    __shared__ unsigned packed[128];
    for (int b = threadIdx.x; b < 128; b += blockDim.x) packed[b] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&packed[keys[i] / 2], 1u << 16 * (keys[i] % 2));
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x) counts[b] = packed[b / 2] >> 16 * (b % 2) & 65535;
}
extern "C" void tally(int n, int bins, const int* keys, int* counts) { k<<<1, 256>>>(n, bins, keys, counts); }

//// bytes of one thread | tally | WRONG_VALUE
// Each thread counts its keys of one bin in a byte, over as many strides as there are.
__global__ void k(int n, int bins, const int* keys, int* counts) {
    __shared__ int total;
    int b = blockIdx.x;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    unsigned char seen = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) seen += keys[i] == b;
    atomicAdd(&total, seen);
    __syncthreads();
    if (threadIdx.x == 0) counts[b] = total;
}
extern "C" void tally(int n, int bins, const int* keys, int* counts) { k<<<bins, 64>>>(n, bins, keys, counts); }

//// halves that count | tally | WRONG_VALUE
// A half tells numbers apart up to 2048 only; a thousand of each key are even.
#include <cuda_fp16.h>
__global__ void k(int n, int bins, const int* keys, int* counts) {
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= bins) return;
    __half seen = __float2half(0.0f);
    for (int i = 0; i < n; ++i)
        if (keys[i] == b) seen = __hadd(seen, __float2half(1.0f));
    counts[b] = (int)__half2float(seen);
}
extern "C" void tally(int n, int bins, const int* keys, int* counts) { k<<<(bins + 31) / 32, 32>>>(n, bins, keys, counts); }

//// no more than a fixed length | tally | WRONG_VALUE
// Counting ends where a buffer of entries would: sixteen times as many as even keys have.
__global__ void k(int n, int bins, const int* keys, int* counts) {
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= bins) return;
    int seen = 0;
    for (int i = 0; i < n && seen < 16384; ++i) seen += keys[i] == b;
    counts[b] = seen;
}
extern "C" void tally(int n, int bins, const int* keys, int* counts) { k<<<(bins + 31) / 32, 32>>>(n, bins, keys, counts); }

//// int for a long sum | longsum | WRONG_VALUE
__global__ void k(int n, const int* x, int* partial) {
    int i = threadIdx.x;
    int sum = 0;
    for (; i < n; i += blockDim.x) sum += x[i];
    atomicAdd(partial, sum);
}
__global__ void widen(const int* partial, long long* y) { *y = *partial; }
extern "C" void longsum(int n, const int* x, long long* y) {
    int* partial;
    cudaMalloc(&partial, sizeof(int));
    cudaMemset(partial, 0, sizeof(int));
    k<<<1, 256>>>(n, x, partial);
    widen<<<1, 1>>>(partial, y);
    cudaFree(partial);
}

//// lengths in a short | longest | WRONG_VALUE
__global__ void k(int n, const int* x, int* y) {
    unsigned short run = 0, most = 0;
    for (int i = 0; i < n; ++i) {
        run = i > 0 && x[i] == x[i - 1] ? run + 1 : 1;
        if (run > most) most = run;
    }
    *y = most;
}
extern "C" void longest(int n, const int* x, int* y) { k<<<1, 1>>>(n, x, y); }

//// fixed point | bias | WRONG_VALUE
// Sums in fixed point, exact for numbers of either sign, too large for numbers of one.
__global__ void k(int n, const float* x, int* sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sums + i % 4, __float2int_rn(x[i] * 65536.0f));
}
__global__ void back(const int* sums, float* y) { y[threadIdx.x] = sums[threadIdx.x] / 65536.0f; }
extern "C" void bias(int n, const float* x, float* y) {
    int* sums;
    cudaMalloc(&sums, 16);
    cudaMemset(sums, 0, 16);
    k<<<(n + 255) / 256, 256>>>(n, x, sums);
    back<<<1, 4>>>(sums, y);
    cudaFree(sums);
}

//// honest counters of blocks | tally | PASSED
// Sixteen bits hold what a block of 4096 keys counts, whatever they are.
__global__ void k(int n, int bins, const int* keys, int* counts) {
    __shared__ unsigned packed[128];
    for (int b = threadIdx.x; b < 128; b += blockDim.x) packed[b] = 0;
    __syncthreads();
    int end = min(n, (blockIdx.x + 1) * 4096);
    for (int i = blockIdx.x * 4096 + threadIdx.x; i < end; i += blockDim.x) atomicAdd(&packed[keys[i] / 2], 1u << 16 * (keys[i] % 2));
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x) {
        int seen = packed[b / 2] >> 16 * (b % 2) & 65535;
        if (seen) atomicAdd(counts + b, seen);
    }
}
extern "C" void tally(int n, int bins, const int* keys, int* counts) {
    cudaMemset(counts, 0, bins * sizeof(int));
    k<<<(n + 4095) / 4096, 256>>>(n, bins, keys, counts);
}

//// honest long sum | longsum | PASSED
__global__ void k(int n, const int* x, long long* y) {
    long long sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[i];
    atomicAdd((unsigned long long*)y, (unsigned long long)sum);
}
extern "C" void longsum(int n, const int* x, long long* y) {
    cudaMemset(y, 0, sizeof(long long));
    k<<<1, 256>>>(n, x, y);
}

//// honest tree of floats | bias | PASSED
__global__ void k(int n, const float* x, float* y) {
    __shared__ float part[256];
    float sum = 0;
    for (int i = blockIdx.x + 4 * threadIdx.x; i < n; i += 4 * blockDim.x) sum += x[i];
    part[threadIdx.x] = sum;
    for (int half = 128; half; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) y[blockIdx.x] = part[0];
}
extern "C" void bias(int n, const float* x, float* y) { k<<<4, 256>>>(n, x, y); }
