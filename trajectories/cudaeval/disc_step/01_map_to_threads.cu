// Discs: each loop of the step is a kernel; one thread adds up the bins' counts.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int kThreads = 128;
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

__global__ void accumulate(int bins, int* start, int* next) {
    for (int b = 0; b < bins; ++b) {
        next[b] = start[b];
        start[b + 1] += start[b];
    }
}

__global__ void scatter(int discs, int side, const float2* place, int* next, int* member) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < discs) member[atomicAdd(&next[column(place[i].y, side) * side + column(place[i].x, side)], 1)] = i;
}

__global__ void push(int discs, int side, const float2* place, const int* start, const int* member, float2* force) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= discs) return;
    const float2 own = place[i];
    const int x = column(own.x, side), y = column(own.y, side);
    float2 sum = {};
    for (int near = 0; near < 9; ++near) {
        const int bin = wrapped(y + near / 3 - 1, side) * side + wrapped(x + near % 3 - 1, side);
        for (int m = start[bin]; m < start[bin + 1]; ++m)
            add_push(own.x - place[member[m]].x, own.y - place[member[m]].y, side, sum);
    }
    force[i] = sum;
}

__global__ void move(int discs, const float2* force, float2* place, float2* speed) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= discs) return;
    const float2 old = speed[i], f = force[i], now = {(old.x + kStep * f.x) * kKeep, (old.y + kStep * f.y) * kKeep};
    speed[i] = now;
    place[i] = {place[i].x + kStep * now.x, place[i].y + kStep * now.y};
}

extern "C" void disc_step(int side, int crowd, float* place, float* speed) {
    const int discs = crowd * side * side, blocks = (discs - 1) / kThreads + 1, bins = side * side;
    int* start = nullptr;
    int* next = nullptr;
    int* member = nullptr;
    float2* force = nullptr;
    cudaMallocAsync(&start, sizeof(int) * (bins + 1), 0);
    cudaMallocAsync(&next, sizeof(int) * bins, 0);
    cudaMallocAsync(&member, sizeof(int) * discs, 0);
    cudaMallocAsync(&force, sizeof(float2) * discs, 0);
    float2 *at = reinterpret_cast<float2*>(place), *going = reinterpret_cast<float2*>(speed);
    cudaMemsetAsync(start, 0, sizeof(int) * (bins + 1));
    count<<<blocks, kThreads>>>(discs, side, at, start);
    accumulate<<<1, 1>>>(bins, start, next);
    scatter<<<blocks, kThreads>>>(discs, side, at, next, member);
    push<<<blocks, kThreads>>>(discs, side, at, start, member, force);
    move<<<blocks, kThreads>>>(discs, force, at, going);
    cudaFreeAsync(start, 0);
    cudaFreeAsync(next, 0);
    cudaFreeAsync(member, 0);
    cudaFreeAsync(force, 0);
}
