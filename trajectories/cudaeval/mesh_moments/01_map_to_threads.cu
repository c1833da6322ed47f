// Meshes: one mesh a thread.
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

__global__ void measure(int meshes, const int* start, const Triangle* triangle, const Point* vertex, int64_t* volume, Moment* moment, int* flat) {
    const int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= meshes) return;
    Sums sum;
    for (int t = start[m]; t < start[m + 1]; ++t) add(sum, vertex[triangle[t].a], vertex[triangle[t].b], vertex[triangle[t].c]);
    volume[m] = sum.d;
    moment[m] = {sum.x, sum.y, sum.z};
    flat[m] = sum.flat;
}

extern "C" void mesh_moments(int meshes, int triangles, int vertices, const int32_t* start, const Triangle* triangle, const Point* vertex, int64_t* volume,
                             Moment* moment, int32_t* flat) {
    measure<<<(meshes + 63) / 64, 64>>>(meshes, start, triangle, vertex, volume, moment, flat);
}
