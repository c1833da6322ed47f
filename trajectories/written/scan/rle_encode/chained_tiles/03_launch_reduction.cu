// Run lengths: one pass; a tile's count is handed on to the next by a chain of flags.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;
constexpr int kTile = 2048;

__device__ bool starts(const uint8_t* mask, int i) { return i == 0 || mask[i] != mask[i - 1]; }

// The tile's number of starts, counted in strides that keep the reads contiguous.
__device__ int count(int n, const uint8_t* mask, long long begin) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    int found = 0;
    for (long long i = begin + threadIdx.x; i < min(begin + kTile, (long long)n); i += kThreads) found += starts(mask, i);
    found = __reduce_add_sync(0xffffffffu, found);
    if (threadIdx.x % 32 == 0) atomicAdd(&sum, found);
    __syncthreads();
    return sum;
}

// through[t] is 1 plus the number of runs that start in tiles 0 to t, or 0 while it is not known. Value and flag are one word, so
// that no fence is needed.
__device__ int runs_before(int tile, int own, int* through) {
    int before = 0;
    if (tile > 0) {
        while ((before = atomicAdd(through + tile - 1, 0)) == 0) {  // an atomic read
        }
        --before;
    }
    atomicExch(through + tile, before + own + 1);
    return before;
}

__global__ void write(int n, int tiles, const uint8_t* mask, int* through, int* next, uint8_t* value, int* start, int* runs) {
    __shared__ int warps[kThreads / 32], tile, before;
    if (threadIdx.x == 0) tile = atomicAdd(next, 1);  // in the order in which blocks start, so nobody waits for one that has not
    __syncthreads();
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    long long begin = (long long)tile * kTile;
    int own = count(n, mask, begin);
    if (threadIdx.x == 0) {
        before = runs_before(tile, own, through);
        if (tile == tiles - 1) *runs = before + own;
    }
    __syncthreads();
    int k0 = before;
    for (long long i0 = begin; i0 < min(begin + kTile, (long long)n); i0 += kThreads) {
        long long i = i0 + threadIdx.x;
        bool mine = i < n && starts(mask, i);
        unsigned ballot = __ballot_sync(0xffffffffu, mine);
        if (lane == 0) warps[warp] = __popc(ballot);
        __syncthreads();
        int k = k0 + __popc(ballot & ((1u << lane) - 1));
        for (int w = 0; w < kThreads / 32; ++w) {
            if (w < warp) k += warps[w];
            k0 += warps[w];
        }
        if (mine) value[k] = mask[i], start[k] = (int)i;
        __syncthreads();
    }
}

// The length of a run is the distance to the next run's start.
__global__ void lengths(int n, const int* start, const int* runs, int* length) {
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < *runs; k += gridDim.x * blockDim.x)
        length[k] = (k + 1 < *runs ? start[k + 1] : n) - start[k];
}

extern "C" void rle_encode(int n, const uint8_t* mask, uint8_t* value, int* length, int* runs) {
    int tiles = (n - 1) / kTile + 1;
    int *through = nullptr, *start = nullptr;  // one more behind `through`: the next tile's number
    cudaMalloc(&through, (tiles + 1) * sizeof(int));
    cudaMemsetAsync(through, 0, (tiles + 1) * sizeof(int));
    cudaMalloc(&start, (size_t)n * sizeof(int));
    write<<<tiles, kThreads>>>(n, tiles, mask, through, through + tiles, value, start, runs);
    lengths<<<1024, 256>>>(n, start, runs, length);
    cudaFree(through);
    cudaFree(start);
}
