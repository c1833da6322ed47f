// Edges: all three minors of the determinant are areas; two of them are the triangles' own, so that one product less is needed and the flat test comes free.
#include <cuda_runtime.h>

#include <cstdint>

struct Point { int32_t x, y; };
struct Edge { int32_t a, b, c, d; };

__global__ void examine(int edges, const int2* __restrict__ point, const int4* __restrict__ edge, uint8_t* __restrict__ kind, int* flips) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= edges) return;
    const int4 own = edge[e];
    const int2 a = point[own.x], b = point[own.y], d = point[own.w];
    const long long ax = a.x - d.x, ay = a.y - d.y, bx = b.x - d.x, by = b.y - d.y;
    const long long right = ay * bx - ax * by;  // twice the area of b a d, seen from d
    int result = 2;
    if (right > 0) {
        const int2 c = point[own.z];
        const long long cx = c.x - d.x, cy = c.y - d.y, bc = bx * cy - by * cx, ac = ax * cy - ay * cx;
        if (bc - ac - right > 0) {
            const long long inside = (ax * ax + ay * ay) * bc - (bx * bx + by * by) * ac - (cx * cx + cy * cy) * right;
            result = inside > 0;
        }
    }
    kind[e] = result;
    if (result != 1) return;
    atomicAdd(&flips[own.x], 1);
    atomicAdd(&flips[own.y], 1);
}

extern "C" void delaunay_edges(int points, int edges, const Point* point, const Edge* edge, uint8_t* kind, int32_t* flips) {
    cudaMemsetAsync(flips, 0, sizeof(int32_t) * points);
    examine<<<(edges + 255) / 256, 256>>>(edges, reinterpret_cast<const int2*>(point), reinterpret_cast<const int4*>(edge), kind, flips);
}
