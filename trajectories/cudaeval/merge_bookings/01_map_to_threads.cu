// Unions of intervals: one row a thread, which sorts by insertion.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void join(int rows, int n, const int32_t* begin, const uint16_t* length, int2* sorted, int32_t* from, int32_t* to,
                     int32_t* count, int32_t* covered) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    const long long row = (long long)r * n;
    int2* all = sorted + row;
    for (int i = 0; i < n; ++i) {
        const int2 mine = {begin[row + i], begin[row + i] + length[row + i]};
        int at = i;
        for (; at > 0 && all[at - 1].x > mine.x; --at) all[at] = all[at - 1];
        all[at] = mine;
    }
    int found = 0, sum = 0;
    int2 open = all[0];
    for (int i = 1; i <= n; ++i) {
        if (i < n && all[i].x <= open.y) {
            open.y = max(open.y, all[i].y);
            continue;
        }
        from[row + found] = open.x;
        to[row + found++] = open.y;
        sum += open.y - open.x;
        if (i < n) open = all[i];
    }
    count[r] = found;
    covered[r] = sum;
    for (int k = found; k < n; ++k) from[row + k] = to[row + k] = 0;
}

extern "C" void merge_bookings(int rows, int n, const int32_t* begin, const uint16_t* length, int32_t* from, int32_t* to,
                               int32_t* count, int32_t* covered) {
    int2* sorted = nullptr;
    cudaMalloc(&sorted, sizeof(int2) * rows * n);
    join<<<(rows - 1) / 32 + 1, 32>>>(rows, n, begin, length, sorted, from, to, count, covered);
    cudaFree(sorted);
}
