// Discs: four lanes share a disc's neighbours, which come to a dozen or more in a row of bins.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int kThreads = 128, kTeam = 4;  // lanes a disc
constexpr float kStep = 0.05f, kKeep = 0.98f;

__device__ int wrapped(int k, int side) { return k < 0 ? k + side : k >= side ? k - side : k; }

__device__ int column(float v, int side) { return (((int)floorf(v) % side) + side) % side; }

// Adds the push of a disc that lies (dx, dy) away.
__device__ void add_push(float dx, float dy, int side, float2& force) {
    dx -= side * rintf(dx / side);
    dy -= side * rintf(dy / side);
    const float square = dx * dx + dy * dy;
    if (square >= 1.0f || square == 0.0f) return;
    const float push = 1.0f / sqrtf(square) - 1.0f;
    force.x += push * dx;
    force.y += push * dy;
}

__global__ void count(int discs, int side, const float2* place, int* start) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < discs) atomicAdd(&start[column(place[i].y, side) * side + column(place[i].x, side) + 1], 1);
}

constexpr int kScan = 256;

// The sums of start up to each place within a block's part, and of the part as a whole.
__global__ void scan_parts(int bins, int* start, int* total) {
    __shared__ int sums[kScan / 32];
    const int b = blockIdx.x * kScan + threadIdx.x, lane = threadIdx.x % 32;
    int sum = b <= bins ? start[b] : 0;
    for (int apart = 1; apart < 32; apart *= 2) {
        const int before = __shfl_up_sync(0xffffffffu, sum, apart);
        if (lane >= apart) sum += before;
    }
    if (lane == 31) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    for (int w = 0; w < threadIdx.x / 32; ++w) sum += sums[w];
    if (b <= bins) start[b] = sum;
    if (threadIdx.x == kScan - 1) total[blockIdx.x] = sum;
}

// The sum of the totals of the parts before this block's, known to all its threads.
__device__ int sum_before(const int* total, int part) {
    __shared__ int sums[kScan / 32];
    int sum = 0;
    for (int p = threadIdx.x; p < part; p += kScan) sum += total[p];
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
    for (int w = 0; w < kScan / 32; ++w) sum += sums[w];
    return sum;
}

__global__ void join_parts(int bins, const int* total, int* start, int* next) {
    const int b = blockIdx.x * kScan + threadIdx.x, before = sum_before(total, blockIdx.x);
    if (b > bins) return;
    start[b] += before;
    if (b < bins) next[b] = start[b];
}

__global__ void scatter(int discs, int side, const float2* place, int* next, int* member, float2* sorted) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= discs) return;
    const float2 own = place[i];
    const int slot = atomicAdd(&next[column(own.y, side) * side + column(own.x, side)], 1);
    member[slot] = i;
    sorted[slot] = own;
}

__global__ void advance(int discs, int side, const float2* sorted, const int* start, const int* member, float2* place, float2* speed) {
    const int i = (blockIdx.x * kThreads + threadIdx.x) / kTeam, lane = threadIdx.x % kTeam;
    const float2 own = sorted[min(i, discs - 1)];
    const int x = column(own.x, side), y = column(own.y, side);
    float2 sum = {};
    for (int dy = -1; dy <= 1; ++dy) {
        const int* row = start + wrapped(y + dy, side) * side;
        const int last = row[min(x + 2, side)];
        for (int m = row[max(x - 1, 0)] + lane; m < last; m += kTeam) add_push(own.x - sorted[m].x, own.y - sorted[m].y, side, sum);
        if (x > 0 && x < side - 1) continue;
        const int across = x == 0 ? side - 1 : 0, last_across = row[across + 1];
        for (int m = row[across] + lane; m < last_across; m += kTeam)
            add_push(own.x - sorted[m].x, own.y - sorted[m].y, side, sum);
    }
    for (int apart = kTeam / 2; apart > 0; apart /= 2) {
        sum.x += __shfl_xor_sync(0xffffffffu, sum.x, apart);
        sum.y += __shfl_xor_sync(0xffffffffu, sum.y, apart);
    }
    if (i >= discs || lane != 0) return;
    const float2 old = speed[member[i]], now = {(old.x + kStep * sum.x) * kKeep, (old.y + kStep * sum.y) * kKeep};
    speed[member[i]] = now;
    place[member[i]] = {own.x + kStep * now.x, own.y + kStep * now.y};
}

extern "C" void disc_step(int side, int crowd, float* place, float* speed) {
    const int discs = crowd * side * side, blocks = (discs - 1) / kThreads + 1, bins = side * side, parts = bins / kScan + 1;
    int* start = nullptr;
    int* total = nullptr;
    int* next = nullptr;
    int* member = nullptr;
    float2* sorted = nullptr;
    cudaMallocAsync(&start, sizeof(int) * (bins + 1), 0);
    cudaMallocAsync(&total, sizeof(int) * parts, 0);
    cudaMallocAsync(&next, sizeof(int) * bins, 0);
    cudaMallocAsync(&member, sizeof(int) * discs, 0);
    cudaMallocAsync(&sorted, sizeof(float2) * discs, 0);
    float2 *at = reinterpret_cast<float2*>(place), *going = reinterpret_cast<float2*>(speed);
    cudaMemsetAsync(start, 0, sizeof(int) * (bins + 1));
    count<<<blocks, kThreads>>>(discs, side, at, start);
    scan_parts<<<parts, kScan>>>(bins, start, total);
    join_parts<<<parts, kScan>>>(bins, total, start, next);
    scatter<<<blocks, kThreads>>>(discs, side, at, next, member, sorted);
    advance<<<(discs - 1) / (kThreads / kTeam) + 1, kThreads>>>(discs, side, sorted, start, member, at, going);
    cudaFreeAsync(start, 0);
    cudaFreeAsync(total, 0);
    cudaFreeAsync(next, 0);
    cudaFreeAsync(member, 0);
    cudaFreeAsync(sorted, 0);
}
