// Meshes: warps take 128 triangles each, whatever mesh they are of, and add up at the end of each mesh's part in them.
#include <cuda_runtime.h>

#include <cstdint>

struct Point { int32_t x, y, z; };
struct Moment { int64_t x, y, z; };
struct Triangle { int32_t a, b, c; };

struct Sums {
    long long d = 0, x = 0, y = 0, z = 0;
    int flat = 0;
};

__device__ void add(Sums& sum, Point a, Point b, Point c) {
    const long long u = (long long)b.y * c.z - (long long)b.z * c.y, v = (long long)b.z * c.x - (long long)b.x * c.z, w = (long long)b.x * c.y - (long long)b.y * c.x;
    const long long d = a.x * u + a.y * v + a.z * w;
    sum.d += d;
    sum.x += d * (a.x + b.x + c.x);
    sum.y += d * (a.y + b.y + c.y);
    sum.z += d * (a.z + b.z + c.z);
    b = {b.x - a.x, b.y - a.y, b.z - a.z};
    c = {c.x - a.x, c.y - a.y, c.z - a.z};
    sum.flat += (long long)b.y * c.z == (long long)b.z * c.y && (long long)b.z * c.x == (long long)b.x * c.z && (long long)b.x * c.y == (long long)b.y * c.x;
}

__device__ void join(Sums& sum, int lanes) {
    for (int apart = lanes / 2; apart > 0; apart /= 2) {
        sum.d += __shfl_xor_sync(0xffffffffu, sum.d, apart);
        sum.x += __shfl_xor_sync(0xffffffffu, sum.x, apart);
        sum.y += __shfl_xor_sync(0xffffffffu, sum.y, apart);
        sum.z += __shfl_xor_sync(0xffffffffu, sum.z, apart);
        sum.flat += __shfl_xor_sync(0xffffffffu, sum.flat, apart);
    }
}

constexpr int kEach = 128;

__global__ void measure(int meshes, const int* __restrict__ start, const Triangle* __restrict__ triangle, const Point* __restrict__ vertex,
                        unsigned long long* volume, unsigned long long* moment, int* flat) {
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    const int from = warp * kEach, to = min(from + kEach, start[meshes]);
    if (from >= to) return;
    int low = 0, high = meshes - 1;  // the last mesh that begins at or before `from`
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (start[middle] <= from) low = middle;
        else high = middle - 1;
    }
    for (int m = low, at = from; at < to; ++m) {
        const int end = min(to, start[m + 1]);
        if (end <= at) continue;
        Sums sum;
        for (int t = at + lane; t < end; t += 32) {
            const Triangle own = triangle[t];
            add(sum, vertex[own.a], vertex[own.b], vertex[own.c]);
        }
        join(sum, 32);
        if (lane == 0) {
            atomicAdd(&volume[m], (unsigned long long)sum.d);
            atomicAdd(&moment[3ull * m], (unsigned long long)sum.x);
            atomicAdd(&moment[3ull * m + 1], (unsigned long long)sum.y);
            atomicAdd(&moment[3ull * m + 2], (unsigned long long)sum.z);
            if (sum.flat) atomicAdd(&flat[m], sum.flat);
        }
        at = end;
    }
}

extern "C" void mesh_moments(int meshes, int triangles, int vertices, const int32_t* start, const Triangle* triangle, const Point* vertex, int64_t* volume,
                             Moment* moment, int32_t* flat) {
    (void)vertices;
    cudaMemsetAsync(volume, 0, sizeof(int64_t) * meshes);
    cudaMemsetAsync(moment, 0, sizeof(Moment) * meshes);
    cudaMemsetAsync(flat, 0, sizeof(int32_t) * meshes);
    const int warps = (triangles + kEach - 1) / kEach;
    measure<<<(warps + 3) / 4, 128>>>(meshes, start, triangle, vertex, reinterpret_cast<unsigned long long*>(volume),
                                     reinterpret_cast<unsigned long long*>(moment), flat);
}
