// Edges: one edge a thread, coordinates read where they are needed.
#include <cuda_runtime.h>

#include <cstdint>

struct Point { int32_t x, y; };
struct Edge { int32_t a, b, c, d; };

__global__ void examine(int edges, const Point* point, const Edge* edge, uint8_t* kind, int* flips) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= edges) return;
    const Point *a = point + edge[e].a, *b = point + edge[e].b, *c = point + edge[e].c, *d = point + edge[e].d;
    const long long left = (long long)(b->x - a->x) * (c->y - a->y) - (long long)(b->y - a->y) * (c->x - a->x);
    const long long right = (long long)(a->x - b->x) * (d->y - b->y) - (long long)(a->y - b->y) * (d->x - b->x);
    if (left <= 0 || right <= 0) {
        kind[e] = 2;
        return;
    }
    const long long ax = a->x - d->x, ay = a->y - d->y, bx = b->x - d->x, by = b->y - d->y, cx = c->x - d->x, cy = c->y - d->y;
    const long long inside = (ax * ax + ay * ay) * (bx * cy - by * cx) - (bx * bx + by * by) * (ax * cy - ay * cx) + (cx * cx + cy * cy) * (ax * by - ay * bx);
    kind[e] = inside > 0;
    if (inside > 0) {
        atomicAdd(&flips[edge[e].a], 1);
        atomicAdd(&flips[edge[e].b], 1);
    }
}

extern "C" void delaunay_edges(int points, int edges, const Point* point, const Edge* edge, uint8_t* kind, int32_t* flips) {
    cudaMemsetAsync(flips, 0, sizeof(int32_t) * points);
    examine<<<(edges + 255) / 256, 256>>>(edges, point, edge, kind, flips);
}
