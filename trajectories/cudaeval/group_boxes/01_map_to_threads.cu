// Group boxes: one point a thread, five atomics; the leftmost point by a second pass.
#include <cuda_runtime.h>

#include <cstdint>

struct Point {
    int32_t x, y;
};
struct Box {
    int32_t left, top, right, bottom;
};

__global__ void clear(int groups, Box* box, int32_t* count, int32_t* leftmost) {
    const int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= groups) return;
    box[g] = {0x7fffffff, 0x7fffffff, (int)0x80000000, (int)0x80000000};
    count[g] = 0;
    leftmost[g] = 0x7fffffff;
}

__global__ void enclose(int points, const Point* point, const int32_t* group, Box* box, int32_t* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= points) return;
    Box* own = box + group[i];
    atomicMin(&own->left, point[i].x);
    atomicMin(&own->top, point[i].y);
    atomicMax(&own->right, point[i].x);
    atomicMax(&own->bottom, point[i].y);
    atomicAdd(&count[group[i]], 1);
}

__global__ void touch(int points, const Point* point, const int32_t* group, const Box* box, int32_t* leftmost) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < points && point[i].x == box[group[i]].left) atomicMin(&leftmost[group[i]], i);
}

__global__ void finish(int groups, int32_t* leftmost) {
    const int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g < groups && leftmost[g] == 0x7fffffff) leftmost[g] = -1;
}

extern "C" void group_boxes(int points, int groups, const Point* point, const int32_t* group, Box* box, int32_t* count, int32_t* leftmost) {
    const int wide = (points + 255) / 256, narrow = (groups + 255) / 256;
    clear<<<narrow, 256>>>(groups, box, count, leftmost);
    enclose<<<wide, 256>>>(points, point, group, box, count);
    touch<<<wide, 256>>>(points, point, group, box, leftmost);
    finish<<<narrow, 256>>>(groups, leftmost);
}
