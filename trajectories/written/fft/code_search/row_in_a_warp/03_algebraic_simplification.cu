// Walsh spectra: a warp for each row, n / 32 values in the registers of each lane.
#include <cuda_runtime.h>

constexpr int kWarps = 4;  // rows of a block
constexpr unsigned kAll = 0xffffffffu;

// Element 32 * k + lane of the row is v[k] of that lane.
template <int kPer>
__global__ void rows_in_warps(int rows, int n, const signed char* code, const short* chips, int* spectrum, int* peak) {
    int row = blockIdx.x * kWarps + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;  // whole warps leave
    size_t start = (size_t)row * n;
    int v[kPer];
#pragma unroll
    for (int k = 0; k < kPer; ++k) {
        int i = 32 * k + lane;
        v[k] = i < n ? code[i] * chips[start + i] : 0;
    }
    for (int half = 1; half < min(n, 32); half *= 2) {
        int mask = lane & half ? -1 : 0;  // negates by complement and increment
#pragma unroll
        for (int k = 0; k < kPer; ++k) {
            int other = __shfl_xor_sync(kAll, v[k], half);
            v[k] = other + ((v[k] ^ mask) - mask);
        }
    }
#pragma unroll
    for (int d = 1; d < kPer; d *= 2) {
#pragma unroll
        for (int k = 0; k < kPer; ++k) {
            if (k & d) continue;
            int a = v[k], b = v[k + d];
            v[k] = a + b;
            v[k + d] = a - b;
        }
    }
    unsigned long long best = 0;  // magnitude, then the lower index
#pragma unroll
    for (int k = 0; k < kPer; ++k) {
        int i = 32 * k + lane;
        if (i >= n) continue;
        spectrum[start + i] = v[k];
        best = max(best, (unsigned long long)abs(v[k]) << 32 | (unsigned)~i);
    }
    for (int d = 16; d > 0; d /= 2) best = max(best, __shfl_xor_sync(kAll, best, d));
    if (lane == 0) peak[row] = (int)~(unsigned)best;
}

extern "C" void code_search(int rows, int n, const signed char* code, const short* chips, int* spectrum, int* peak) {
    auto kernel = rows_in_warps<1>;
    if (n > 32) kernel = rows_in_warps<2>;
    if (n > 64) kernel = rows_in_warps<4>;
    if (n > 128) kernel = rows_in_warps<8>;
    if (n > 256) kernel = rows_in_warps<16>;
    if (n > 512) kernel = rows_in_warps<32>;
    if (n > 1024) kernel = rows_in_warps<64>;
    if (n > 2048) kernel = rows_in_warps<128>;
    kernel<<<(rows - 1) / kWarps + 1, 32 * kWarps>>>(rows, n, code, chips, spectrum, peak);
}
