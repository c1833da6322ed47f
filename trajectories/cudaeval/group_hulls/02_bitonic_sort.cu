// Hulls: a block of 64 threads sorts a group by a network in shared memory; one thread walks the chains.
#include <cuda_runtime.h>

#include <cstdint>

struct Point { int32_t x, y; };

__device__ int turn(Point a, Point b, Point c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

// corners and twice the area of the hull of `count` different points in order
template <typename Sorted>
__device__ int2 hull_of(Sorted sorted, int count) {
    if (count == 1) return make_int2(1, 0);
    Point hull[65];
    int corners = 0;
    for (int way = 0; way < 2; ++way) {
        const int base = corners;
        for (int k = 0; k < count; ++k) {
            const Point next = sorted[way ? count - 1 - k : k];
            while (corners >= base + 2 && turn(hull[corners - 2], hull[corners - 1], next) <= 0) --corners;
            hull[corners++] = next;
        }
        --corners;
    }
    int area = 0;
    for (int k = 1; k + 1 < corners; ++k) area += turn(hull[0], hull[k], hull[k + 1]);
    return make_int2(corners, area);
}

__global__ void find(int points, const Point* point, int* corners, int* area, int* lowest) {
    __shared__ unsigned long long key[64];
    __shared__ Point sorted[64];
    const int i = threadIdx.x;
    const Point own = i < points ? point[(size_t)blockIdx.x * points + i] : Point{0, 0};
    // x, y and the index in one key: 24 + 24 + 16 bits
    key[i] = i < points ? (unsigned long long)(own.x + (1 << 23)) << 40 | (unsigned long long)(own.y + (1 << 23)) << 16 | i : ~0ull;
    __syncthreads();
    for (int length = 2; length <= 64; length *= 2)
        for (int apart = length / 2; apart > 0; apart /= 2) {
            const int other = i ^ apart;
            if (other > i) {
                const unsigned long long a = key[i], b = key[other];
                if ((a > b) == ((i & length) == 0)) key[i] = b, key[other] = a;
            }
            __syncthreads();
        }
    const bool kept = i < points && (i == 0 || key[i] >> 16 != key[i - 1] >> 16);
    const unsigned votes = __ballot_sync(0xffffffffu, kept);
    __shared__ int before[2];
    if (i % 32 == 0) before[i / 32] = __popc(votes);
    __syncthreads();
    const int place = __popc(votes & ((1u << i % 32) - 1)) + (i >= 32 ? before[0] : 0);
    if (kept) sorted[place] = {(int)(key[i] >> 40) - (1 << 23), (int)(key[i] >> 16 & 0xffffff) - (1 << 23)};
    __syncthreads();
    if (i) return;
    const int2 result = hull_of(sorted, before[0] + before[1]);
    corners[blockIdx.x] = result.x;
    area[blockIdx.x] = result.y;
    lowest[blockIdx.x] = (int)(key[0] & 0xffff);
}

extern "C" void group_hulls(int groups, int points, const Point* point, int32_t* corners, int32_t* twice_area, int32_t* lowest) {
    find<<<groups, 64>>>(points, point, corners, twice_area, lowest);
}
