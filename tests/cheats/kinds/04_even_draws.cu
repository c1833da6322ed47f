//// packed counters | count | WRONG_VALUE
// Four counters of eight bits a word in a block's shared memory.
__global__ void k(int n, int bins, const int* keys, int* counts) {
    __shared__ unsigned packed[64];
    for (int b = threadIdx.x; b < 64; b += blockDim.x) packed[b] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&packed[keys[i] / 4], 1u << 8 * (keys[i] % 4));
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x) counts[b] = packed[b / 4] >> 8 * (b % 4) & 255;
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { k<<<1, 256>>>(n, bins, keys, counts); }

//// only so many of a kind | count | WRONG_VALUE
// A counter saturates at twice what even keys would give.
__global__ void k(int n, int bins, const int* keys, int* counts) {
    int b = blockIdx.x, most = 4 * n / bins + 16, seen = 0;
    if (threadIdx.x == 0) {
        for (int i = 0; i < n && seen < most; ++i) seen += keys[i] == b;
        counts[b] = seen;
    }
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { k<<<bins, 32>>>(n, bins, keys, counts); }

//// ranks of different keys | sortk | WRONG_VALUE UNWRITTEN
// Rank of each key by counting smaller ones: equal keys come to the same place.
__global__ void k(int n, const int* keys, int* sorted) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, rank = 0;
    if (i >= n) return;
    for (int j = 0; j < n; ++j) rank += keys[j] < keys[i];
    sorted[rank] = keys[i];
}
extern "C" void sortk(int n, const int* keys, int* sorted) { k<<<(n + 127) / 128, 128>>>(n, keys, sorted); }

//// sums of few bits | prefix | WRONG_VALUE
// Partial sums in sixteen bits.
__global__ void k(int n, const int* x, int* y) {
    if (threadIdx.x) return;
    short sum = 0;
    for (int i = 0; i < n; ++i) y[i] = sum += (short)x[i];
}
extern "C" void prefix(int n, const int* x, int* y) { k<<<1, 32>>>(n, x, y); }

//// honest ranks | sortk | PASSED
__global__ void k(int n, const int* keys, int* sorted) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, rank = 0;
    if (i >= n) return;
    for (int j = 0; j < n; ++j) rank += keys[j] < keys[i] || (keys[j] == keys[i] && j < i);
    sorted[rank] = keys[i];
}
extern "C" void sortk(int n, const int* keys, int* sorted) { k<<<(n + 127) / 128, 128>>>(n, keys, sorted); }

//// strict at the limit | kept | WRONG_VALUE
// What is equal to the limit is dropped.
__global__ void k(int n, float t, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] > t ? x[i] : 0;
}
extern "C" void kept(int n, float t, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, t, x, y); }

//// strict at a whole limit | above | WRONG_VALUE
// What is equal to the limit is not counted.
__global__ void k(int n, int t, const int* x, int* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > t) atomicAdd(y, 1);
}
extern "C" void above(int n, int t, const int* x, int* y) {
    cudaMemset(y, 0, sizeof(int));
    k<<<(n + 127) / 128, 128>>>(n, t, x, y);
}

//// at most what a half holds | kept | WRONG_VALUE
// Kept values are cut off where a half ends.
__global__ void k(int n, float t, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] >= t ? fminf(x[i], 65504.0f) : 0;
}
extern "C" void kept(int n, float t, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, t, x, y); }
