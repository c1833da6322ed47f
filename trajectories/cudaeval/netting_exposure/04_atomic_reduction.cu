// Exposure of netting sets: exposures are added up where they arise; the first kernel clears the sums.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void add_up(int paths, int dates, const int32_t* first_trade, const int32_t* value, int32_t* net, int64_t* expected,
                       int32_t* peak) {
    const long long place = (long long)blockIdx.x * blockDim.x + threadIdx.x, size = (long long)paths * dates;
    if (place >= size) return;
    const int s = blockIdx.y;
    if (place < dates) {
        expected[(long long)s * dates + place] = 0;
        peak[(long long)s * dates + place] = 0;
    }
    int sum = 0;
    for (int t = first_trade[s]; t < first_trade[s + 1]; ++t) sum += value[t * size + place];
    net[s * size + place] = sum;
}

// Exposures of one path in place of its net values.
__device__ int next(int net, int threshold, int least, int& collateral) {
    const int exposure = max(net - collateral, 0), asked = max(net - threshold, 0);
    if (abs(asked - collateral) >= least) collateral = asked;
    return exposure;
}

constexpr int kWarps = 8;

// A block takes 32 paths of a set; their dates pass through shared memory, 32 at a time. The first warp follows a path a lane, then
// a date's exposures are added up by one thread and join those of other blocks.
__global__ void call(int paths, int dates, const int32_t* threshold, const int32_t* least, const int32_t* net, int64_t* expected,
                     int32_t* peak) {
    __shared__ int tile[32][33];
    const int x = threadIdx.x, y = threadIdx.y, s = blockIdx.y, first = blockIdx.x * 32, count = min(32, paths - first);
    const int free = threshold[s], minimum = least[s];
    const int32_t* mine = net + ((long long)s * paths + first) * dates;
    int collateral = 0;
    for (int start = 0; start < dates; start += 32) {
        const int end = min(32, dates - start);
        for (int p = y; p < count; p += kWarps)
            if (x < end) tile[p][x] = mine[(long long)p * dates + start + x];
        __syncthreads();
        for (int d = 0; y == 0 && x < count && d < end; ++d) tile[x][d] = next(tile[x][d], free, minimum, collateral);
        __syncthreads();
        if (y == 0 && x < end) {
            int64_t sum = 0;
            int highest = 0;
            for (int p = 0; p < count; ++p) {
                sum += tile[p][x];
                highest = max(highest, tile[p][x]);
            }
            atomicAdd((unsigned long long*)&expected[(long long)s * dates + start + x], (unsigned long long)sum);
            atomicMax(&peak[(long long)s * dates + start + x], highest);
        }
        __syncthreads();
    }
}

extern "C" void netting_exposure(int sets, int trades, int paths, int dates, const int32_t* first_trade, const int32_t* value,
                                 const int32_t* threshold, const int32_t* least_transfer, int64_t* expected, int32_t* peak) {
    (void)trades;
    int32_t* net = nullptr;
    cudaMalloc(&net, sizeof(int32_t) * sets * paths * dates);
    add_up<<<dim3((unsigned)(((long long)paths * dates - 1) / 256 + 1), sets), 256>>>(paths, dates, first_trade, value, net, expected,
                                                                                     peak);
    call<<<dim3((paths - 1) / 32 + 1, sets), dim3(32, kWarps)>>>(paths, dates, threshold, least_transfer, net, expected, peak);
    cudaFree(net);
}
