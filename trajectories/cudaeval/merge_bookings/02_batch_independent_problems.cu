// Unions of intervals: one row a block, which sorts by counting.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

// A block a row. An interval's place is how many lie before it; the first thread joins them.
__global__ void join(int n, const int32_t* begin, const uint16_t* length, int2* sorted, int32_t* from, int32_t* to, int32_t* count,
                     int32_t* covered) {
    const long long row = (long long)blockIdx.x * n;
    begin += row, length += row, from += row, to += row;
    sorted += row;
    for (int i = threadIdx.x; i < n; i += kThreads) {
        int lower = 0;
        for (int j = 0; j < n; ++j) lower += begin[j] < begin[i] || (begin[j] == begin[i] && j < i);
        sorted[lower] = {begin[i], begin[i] + length[i]};
    }
    __syncthreads();
    if (threadIdx.x > 0) return;
    int found = 0, sum = 0;
    int2 open = sorted[0];
    for (int i = 1; i <= n; ++i) {
        if (i < n && sorted[i].x <= open.y) {
            open.y = max(open.y, sorted[i].y);
            continue;
        }
        from[found] = open.x;
        to[found++] = open.y;
        sum += open.y - open.x;
        if (i < n) open = sorted[i];
    }
    count[blockIdx.x] = found;
    covered[blockIdx.x] = sum;
    for (int k = found; k < n; ++k) from[k] = to[k] = 0;
}

extern "C" void merge_bookings(int rows, int n, const int32_t* begin, const uint16_t* length, int32_t* from, int32_t* to,
                               int32_t* count, int32_t* covered) {
    int2* sorted = nullptr;
    cudaMalloc(&sorted, sizeof(int2) * rows * n);
    join<<<rows, kThreads>>>(n, begin, length, sorted, from, to, count, covered);
    cudaFree(sorted);
}
