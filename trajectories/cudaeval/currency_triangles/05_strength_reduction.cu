// Round trips: where all quotes of a moment are below 2^20, which a vote of the block finds, results are compared in 32 bits.
#include <cuda_runtime.h>

#include <cstdint>

// the greatest result of a block, with the lowest route among equals, and the count of trips that pay
__device__ void settle(long long best, int where, int count, int64_t* most, int* route, int* paying) {
    __shared__ long long part[8];
    __shared__ int at[8], sum[8];
    const int warp = threadIdx.x / 32;
    for (int apart = 16; apart > 0; apart /= 2) {
        const long long other = __shfl_xor_sync(0xffffffffu, best, apart);
        const int there = __shfl_xor_sync(0xffffffffu, where, apart);
        count += __shfl_xor_sync(0xffffffffu, count, apart);
        if (other > best || (other == best && there < where)) best = other, where = there;
    }
    if (threadIdx.x % 32 == 0) part[warp] = best, at[warp] = where, sum[warp] = count;
    __syncthreads();
    if (threadIdx.x) return;
    for (int w = 1; w < 8; ++w) {
        count += sum[w];
        if (part[w] > best || (part[w] == best && at[w] < where)) best = part[w], where = at[w];
    }
    *most = best;
    *route = best ? where : -1;
    *paying = count;
}

constexpr int kPitch = 65;  // a column of the table is read as fast as a row

// Trips of one block in the arithmetic of T, which holds every result; the greatest of them go on in 64 bits.
template <typename T>
__device__ void go_round(int n, int cost, const int* q, long long& best, int& where, int& count) {
    const T limit = 65536 + cost;  // costs are not negative
    T most = 0;
    for (int pair = threadIdx.x; pair < n * n; pair += 256) {
        const int j = pair / n, k = pair - j * n, end = j == k ? 0 : min(j, k);
        const unsigned middle = q[j * kPitch + k];
        for (int i = 0; i < end; ++i) {
            const T there = (T)((unsigned long long)(unsigned)q[i * kPitch + j] * middle >> 16);
            const T result = (T)((unsigned long long)there * (unsigned)q[k * kPitch + i] >> 16);
            count += result > limit;
            const int trip = i * n * n + pair;
            if (result > most || (result == most && trip < where)) most = result, where = trip;
        }
    }
    best = (long long)most;
}

__global__ void search(int n, int cost, const int* __restrict__ quote, int64_t* most, int* route, int* paying) {
    __shared__ int q[64 * kPitch];
    bool large = false;
    for (int e = threadIdx.x; e < n * n; e += 256) {
        const int own = quote[(size_t)blockIdx.x * n * n + e];
        q[e / n * kPitch + e % n] = own;
        large |= (unsigned)own >= 1u << 20;
    }
    large = __syncthreads_or(large);
    long long best = 0;
    int where = 0x7fffffff, count = 0;
    if (large)
        go_round<long long>(n, cost, q, best, where, count);
    else
        go_round<unsigned>(n, cost, q, best, where, count);  // below 2^20 a product of three less 32 bits is below 2^28
    settle(best, where, count, most + blockIdx.x, route + blockIdx.x, paying + blockIdx.x);
}

extern "C" void currency_triangles(int moments, int n, int32_t cost, const int32_t* quote, int64_t* most, int32_t* route, int32_t* paying) {
    search<<<moments, 256>>>(n, cost, quote, most, route, paying);
}
