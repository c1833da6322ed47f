// Rate limits: times by a scan, requests sorted by client (a stable counting sort), then one client a thread over its own requests.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kBlock = 256;

__device__ long long scanned(long long value, long long* shared) {
    shared[threadIdx.x] = value;
    __syncthreads();
    for (int apart = 1; apart < kBlock; apart *= 2) {
        const long long other = threadIdx.x >= apart ? shared[threadIdx.x - apart] : 0;
        __syncthreads();
        value += other;
        shared[threadIdx.x] = value;
        __syncthreads();
    }
    return value;
}

__global__ void block_sums(int count, const int32_t* in, long long* sum) {
    __shared__ long long shared[kBlock];
    const int i = blockIdx.x * kBlock + threadIdx.x;
    const long long all = scanned(i < count ? in[i] : 0, shared);
    if (threadIdx.x == kBlock - 1) sum[blockIdx.x] = all;
}

__global__ void sums_before(int blocks, long long* sum) {
    __shared__ long long shared[kBlock];
    long long carried = 0;
    for (int from = 0; from < blocks; from += kBlock) {
        const int i = from + threadIdx.x;
        const long long own = i < blocks ? sum[i] : 0, upto = scanned(own, shared);
        if (i < blocks) sum[i] = carried + upto - own;
        carried += shared[kBlock - 1];
        __syncthreads();
    }
}

// Inclusive sums where `exclusive` is false.
__global__ void spread_sums(int count, bool exclusive, const int32_t* in, const long long* sum, long long* out) {
    __shared__ long long shared[kBlock];
    const int i = blockIdx.x * kBlock + threadIdx.x, own = i < count ? in[i] : 0;
    const long long upto = sum[blockIdx.x] + scanned(own, shared);
    if (i < count) out[i] = exclusive ? upto - own : upto;
}

__global__ void count_clients(int requests, const int32_t* client, int32_t* count) {
    const int i = blockIdx.x * kBlock + threadIdx.x;
    if (i < requests) atomicAdd(&count[client[i]], 1);
}

__global__ void place(int requests, const int32_t* client, const long long* start, int32_t* taken, int32_t* mine) {
    const int i = blockIdx.x * kBlock + threadIdx.x;
    if (i < requests) mine[start[client[i]] + atomicAdd(&taken[client[i]], 1)] = i;
}

__global__ void limit(int clients, int burst, int refill, const long long* time, const long long* start, const int32_t* count, int32_t* mine,
                      uint8_t* pass, int32_t* spared) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= clients) return;
    int32_t* own = mine + start[c];
    const int n = count[c];
    for (int k = 1; k < n; ++k) {  // requests lie nearly in order
        const int value = own[k];
        int at = k;
        for (; at > 0 && own[at - 1] > value; --at) own[at] = own[at - 1];
        own[at] = value;
    }
    long long since = n ? time[own[0]] : 0;
    int tokens = burst;
    for (int k = 0; k < n; ++k) {
        const long long now = time[own[k]], gained = (now - since) / refill;
        since += gained * refill;
        tokens = (int)min((long long)burst, tokens + gained);
        pass[own[k]] = tokens > 0;
        if (tokens > 0) --tokens;
    }
    spared[c] = tokens;
}

static void scan(int count, bool exclusive, const int32_t* in, long long* sum, long long* out) {
    const int blocks = (count + kBlock - 1) / kBlock;
    block_sums<<<blocks, kBlock>>>(count, in, sum);
    sums_before<<<1, kBlock>>>(blocks, sum);
    spread_sums<<<blocks, kBlock>>>(count, exclusive, in, sum, out);
}

extern "C" void rate_limits(int requests, int clients, int burst, int refill, const int32_t* gap, const int32_t* client, uint8_t* pass,
                            int32_t* spared) {
    long long *time = nullptr, *start = nullptr, *sum = nullptr;
    int32_t *count = nullptr, *taken = nullptr, *mine = nullptr;
    cudaMallocAsync(&time, sizeof(long long) * requests, 0);
    cudaMallocAsync(&start, sizeof(long long) * clients, 0);
    cudaMallocAsync(&sum, sizeof(long long) * ((max(requests, clients) + kBlock - 1) / kBlock), 0);
    cudaMallocAsync(&count, sizeof(int32_t) * clients, 0);
    cudaMallocAsync(&taken, sizeof(int32_t) * clients, 0);
    cudaMallocAsync(&mine, sizeof(int32_t) * requests, 0);
    cudaMemsetAsync(count, 0, sizeof(int32_t) * clients);
    cudaMemsetAsync(taken, 0, sizeof(int32_t) * clients);
    scan(requests, false, gap, sum, time);
    count_clients<<<(requests + kBlock - 1) / kBlock, kBlock>>>(requests, client, count);
    scan(clients, true, count, sum, start);
    place<<<(requests + kBlock - 1) / kBlock, kBlock>>>(requests, client, start, taken, mine);
    limit<<<(clients + 127) / 128, 128>>>(clients, burst, refill, time, start, count, mine, pass, spared);
    cudaFreeAsync(time, 0);
    cudaFreeAsync(start, 0);
    cudaFreeAsync(sum, 0);
    cudaFreeAsync(count, 0);
    cudaFreeAsync(taken, 0);
    cudaFreeAsync(mine, 0);
}
