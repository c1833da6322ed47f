// Discs: the scan of the counts is one launch. The block that ends last adds up the totals, and readers add their part's offset.
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

// The sum of `value` over the threads of a block up to each.
__device__ int sum_up_to(int value) {
    __shared__ int sums[kScan / 32];
    const int lane = threadIdx.x % 32;
    for (int apart = 1; apart < 32; apart *= 2) {
        const int before = __shfl_up_sync(0xffffffffu, value, apart);
        if (lane >= apart) value += before;
    }
    __syncthreads();
    if (lane == 31) sums[threadIdx.x / 32] = value;
    __syncthreads();
    for (int w = 0; w < threadIdx.x / 32; ++w) value += sums[w];
    return value;
}

// The sums of start up to each place within a block's part; the block that ends last adds up the parts. A bin's discs begin at its start
// plus the offset of its part.
__global__ void scan(int bins, int parts, int* start, int* next, int* offset, int* finished) {
    __shared__ bool is_last;
    const int b = blockIdx.x * kScan + threadIdx.x, sum = sum_up_to(b <= bins ? start[b] : 0);
    if (b <= bins) start[b] = sum;
    if (b < bins) next[b] = sum;
    if (threadIdx.x == kScan - 1) {
        offset[blockIdx.x + 1] = sum;
        __threadfence();
        is_last = atomicAdd(finished, 1) == parts - 1;
    }
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    __shared__ int carry;
    if (threadIdx.x == 0) offset[0] = carry = 0;
    for (int first = 1; first <= parts; first += kScan) {
        const int p = first + threadIdx.x, up_to = sum_up_to(p <= parts ? __ldcg(&offset[p]) : 0) + carry;
        __syncthreads();
        if (p <= parts) offset[p] = up_to;
        if (threadIdx.x == kScan - 1) carry = up_to;
        __syncthreads();
    }
}

__device__ int begin(const int* start, const int* offset, int bin) { return start[bin] + offset[bin / kScan]; }

__global__ void scatter(int discs, int side, const float2* place, int* next, const int* offset, int* member, float2* sorted) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= discs) return;
    const float2 own = place[i];
    const int bin = column(own.y, side) * side + column(own.x, side), slot = atomicAdd(&next[bin], 1) + offset[bin / kScan];
    member[slot] = i;
    sorted[slot] = own;
}

__global__ void advance(int discs, int side, const float2* sorted, const int* start, const int* offset, const int* member,
                        float2* place, float2* speed) {
    const int i = (blockIdx.x * kThreads + threadIdx.x) / kTeam, lane = threadIdx.x % kTeam;
    const float2 own = sorted[min(i, discs - 1)];
    const int x = column(own.x, side), y = column(own.y, side);
    float2 sum = {};
    for (int dy = -1; dy <= 1; ++dy) {
        const int row = wrapped(y + dy, side) * side, last = begin(start, offset, row + min(x + 2, side));
        for (int m = begin(start, offset, row + max(x - 1, 0)) + lane; m < last; m += kTeam)
            add_push(own.x - sorted[m].x, own.y - sorted[m].y, side, sum);
        if (x > 0 && x < side - 1) continue;
        const int across = row + (x == 0 ? side - 1 : 0), last_across = begin(start, offset, across + 1);
        for (int m = begin(start, offset, across) + lane; m < last_across; m += kTeam)
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
    int* offset = nullptr;
    int* next = nullptr;
    int* member = nullptr;
    float2* sorted = nullptr;
    cudaMallocAsync(&start, sizeof(int) * (bins + 2), 0);
    cudaMallocAsync(&offset, sizeof(int) * (parts + 1), 0);
    cudaMallocAsync(&next, sizeof(int) * bins, 0);
    cudaMallocAsync(&member, sizeof(int) * discs, 0);
    cudaMallocAsync(&sorted, sizeof(float2) * discs, 0);
    float2 *at = reinterpret_cast<float2*>(place), *going = reinterpret_cast<float2*>(speed);
    cudaMemsetAsync(start, 0, sizeof(int) * (bins + 2));
    count<<<blocks, kThreads>>>(discs, side, at, start);
    scan<<<parts, kScan>>>(bins, parts, start, next, offset, start + bins + 1);
    scatter<<<blocks, kThreads>>>(discs, side, at, next, offset, member, sorted);
    advance<<<(discs - 1) / (kThreads / kTeam) + 1, kThreads>>>(discs, side, sorted, start, offset, member, at, going);
    cudaFreeAsync(start, 0);
    cudaFreeAsync(offset, 0);
    cudaFreeAsync(next, 0);
    cudaFreeAsync(member, 0);
    cudaFreeAsync(sorted, 0);
}
