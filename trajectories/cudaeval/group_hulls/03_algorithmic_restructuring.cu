// Hulls: a point is a corner when all others lie within less than half a turn around it; each lane decides its own points, none is sorted.
#include <cuda_runtime.h>

#include <cstdint>

struct Point { int32_t x, y; };

__device__ int turn(Point a, Point b, Point c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

__global__ void find(int points, const Point* __restrict__ point, int* __restrict__ corners, int* __restrict__ area, int* __restrict__ lowest) {
    __shared__ Point own[64];
    __shared__ int count, twice;
    __shared__ unsigned long long first;
    const int i = threadIdx.x;
    if (i == 0) count = 0, twice = 0, first = ~0ull;
    if (i < points) own[i] = point[(size_t)blockIdx.x * points + i];
    __syncthreads();
    if (i < points) {
        const Point p = own[i];
        atomicMin(&first, (unsigned long long)(p.x + (1 << 23)) << 40 | (unsigned long long)(p.y + (1 << 23)) << 16 | i);
        // the rightmost direction to the others, counter-clockwise from it all others have to lie to the left, further points first on a line
        int next = -1;
        bool repeated = false;
        for (int k = 0; k < points; ++k) {
            const Point q = own[k];
            if (q.x == p.x && q.y == p.y) {
                repeated = repeated || k < i;
                continue;
            }
            if (next < 0) {
                next = k;
                continue;
            }
            const Point best = own[next];
            const int side = turn(p, best, q);
            const int far_best = (best.x - p.x) * (best.x - p.x) + (best.y - p.y) * (best.y - p.y), far = (q.x - p.x) * (q.x - p.x) + (q.y - p.y) * (q.y - p.y);
            if (side < 0 || (side == 0 && far > far_best)) next = k;
        }
        if (!repeated) {
            bool corner = true;
            if (next >= 0)
                for (int k = 0; k < points && corner; ++k) {
                    const Point q = own[k], n = own[next];
                    const int side = turn(p, n, q);
                    // left of the edge, or on it ahead of the point
                    if (side < 0 || (side == 0 && (q.x - p.x) * (n.x - p.x) + (q.y - p.y) * (n.y - p.y) < 0)) corner = false;
                }
            if (corner) {
                atomicAdd(&count, 1);
                if (next >= 0) atomicAdd(&twice, p.x * own[next].y - p.y * own[next].x);
            }
        }
    }
    __syncthreads();
    if (i) return;
    corners[blockIdx.x] = count;
    area[blockIdx.x] = twice;
    lowest[blockIdx.x] = (int)(first & 0xffff);
}

extern "C" void group_hulls(int groups, int points, const Point* point, int32_t* corners, int32_t* twice_area, int32_t* lowest) {
    find<<<groups, 64>>>(points, point, corners, twice_area, lowest);
}
