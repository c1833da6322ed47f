#include <cuda_runtime.h>

constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr unsigned kAll = 0xffffffffu;

// A warp a row: sums of gaps, so that an entry can be looked at without those before it.
__global__ void columns_of(int rows, const long long* __restrict__ first, const unsigned char* __restrict__ gap, int* __restrict__ column) {
    int r = blockIdx.x * kWarps + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    int so_far = 0;
    long long end = first[r + 1];
    for (long long base = first[r]; base < end; base += 32) {
        long long e = base + lane;
        int sum = e < end ? gap[e] : 0;
        for (int d = 1; d < 32; d *= 2) {
            int lower = __shfl_up_sync(kAll, sum, d);
            if (lane >= d) sum += lower;
        }
        if (e < end) column[e] = so_far + sum;
        so_far += __shfl_sync(kAll, sum, 31);
    }
}

// A warp a pair: each lane looks entries of the shorter row up in the longer one.
__global__ void count(int pairs, const long long* __restrict__ first, const int* __restrict__ column, const int* __restrict__ left,
                      const int* __restrict__ right, int* __restrict__ shared) {
    int p = blockIdx.x * kWarps + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (p >= pairs) return;
    int a = left[p], b = right[p];
    long long a_first = first[a], b_first = first[b];
    int a_count = (int)(first[a + 1] - a_first), b_count = (int)(first[b + 1] - b_first);
    const int* shorter = column + (a_count < b_count ? a_first : b_first);
    const int* longer = column + (a_count < b_count ? b_first : a_first);
    int few = min(a_count, b_count), many = max(a_count, b_count), common = 0;
    for (int k = lane; k < few; k += 32) {
        int wanted = shorter[k], low = 0, high = many;
        while (low < high) {
            int middle = (low + high) / 2;
            if (longer[middle] < wanted) low = middle + 1;
            else high = middle;
        }
        common += low < many && longer[low] == wanted;
    }
    for (int d = 16; d > 0; d /= 2) common += __shfl_xor_sync(kAll, common, d);
    if (lane == 0) shared[p] = common;
}

extern "C" void shared_features(int rows, long long entries, int pairs, const long long* first, const unsigned char* gap, const int* left,
                                const int* right, int* shared) {
    if (pairs <= 0) return;
    int* column = nullptr;
    cudaMalloc(&column, sizeof(int) * (size_t)entries);
    columns_of<<<(rows + kWarps - 1) / kWarps, kThreads>>>(rows, first, gap, column);
    count<<<(pairs + kWarps - 1) / kWarps, kThreads>>>(pairs, first, column, left, right, shared);
    cudaFree(column);
}
