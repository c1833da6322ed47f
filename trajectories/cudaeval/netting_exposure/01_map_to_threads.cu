// Exposure of netting sets: one thread a net value, a path of a set, and a date of a set.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void add_up(int paths, int dates, const int32_t* first_trade, const int32_t* value, int32_t* net) {
    const long long place = (long long)blockIdx.x * blockDim.x + threadIdx.x, size = (long long)paths * dates;
    if (place >= size) return;
    const int s = blockIdx.y;
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

__global__ void call(int sets, int paths, int dates, const int32_t* threshold, const int32_t* least, int32_t* net) {
    const int path = blockIdx.x * blockDim.x + threadIdx.x, s = path / paths;
    if (s >= sets) return;
    int32_t* mine = net + (long long)path * dates;
    int collateral = 0;
    for (int d = 0; d < dates; ++d) mine[d] = next(mine[d], threshold[s], least[s], collateral);
}

__global__ void profile(int sets, int paths, int dates, const int32_t* exposure, int64_t* expected, int32_t* peak) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, s = i / dates, d = i % dates;
    if (s >= sets) return;
    const int32_t* mine = exposure + (long long)s * paths * dates + d;
    int64_t sum = 0;
    int highest = 0;
    for (int p = 0; p < paths; ++p) {
        const int e = mine[(long long)p * dates];
        sum += e;
        highest = max(highest, e);
    }
    expected[i] = sum;
    peak[i] = highest;
}

extern "C" void netting_exposure(int sets, int trades, int paths, int dates, const int32_t* first_trade, const int32_t* value,
                                 const int32_t* threshold, const int32_t* least_transfer, int64_t* expected, int32_t* peak) {
    (void)trades;
    int32_t* net = nullptr;
    cudaMalloc(&net, sizeof(int32_t) * sets * paths * dates);
    add_up<<<dim3((unsigned)(((long long)paths * dates - 1) / 256 + 1), sets), 256>>>(paths, dates, first_trade, value, net);
    call<<<(sets * paths - 1) / 128 + 1, 128>>>(sets, paths, dates, threshold, least_transfer, net);
    profile<<<(sets * dates - 1) / 64 + 1, 64>>>(sets, paths, dates, net, expected, peak);
    cudaFree(net);
}
