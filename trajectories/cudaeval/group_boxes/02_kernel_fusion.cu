// Group boxes: the left side and its first point are one 64-bit minimum, so that one pass is enough.
#include <cuda_runtime.h>

#include <cstdint>

struct Point {
    int32_t x, y;
};
struct Box {
    int32_t left, top, right, bottom;
};

__global__ void clear(int groups, Box* box, int32_t* count, unsigned long long* first) {
    const int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= groups) return;
    box[g] = {0x7fffffff, 0x7fffffff, (int)0x80000000, (int)0x80000000};
    count[g] = 0;
    first[g] = ~0ull;
}

__global__ void enclose(int points, const Point* point, const int32_t* group, Box* box, int32_t* count,
                        unsigned long long* first) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= points) return;
    Box* own = box + group[i];
    atomicMin(&first[group[i]], (unsigned long long)((unsigned)point[i].x ^ 0x80000000u) << 32 | (unsigned)i);
    atomicMin(&own->top, point[i].y);
    atomicMax(&own->right, point[i].x);
    atomicMax(&own->bottom, point[i].y);
    atomicAdd(&count[group[i]], 1);
}

__global__ void finish(int groups, const unsigned long long* first, Box* box, int32_t* leftmost) {
    const int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= groups) return;
    const bool empty = first[g] == ~0ull;
    leftmost[g] = empty ? -1 : (int)(unsigned)first[g];
    if (!empty) box[g].left = (int)((unsigned)(first[g] >> 32) ^ 0x80000000u);
}

extern "C" void group_boxes(int points, int groups, const Point* point, const int32_t* group, Box* box, int32_t* count, int32_t* leftmost) {
    const int wide = (points + 255) / 256, narrow = (groups + 255) / 256;
    unsigned long long* first = nullptr;
    cudaMallocAsync(&first, sizeof(unsigned long long) * groups, 0);
    clear<<<narrow, 256>>>(groups, box, count, first);
    enclose<<<wide, 256>>>(points, point, group, box, count, first);
    finish<<<narrow, 256>>>(groups, first, box, leftmost);
    cudaFreeAsync(first, 0);
}
