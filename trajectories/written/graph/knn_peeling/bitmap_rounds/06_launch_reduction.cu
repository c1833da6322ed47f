// Peeling a nearest-neighbour graph: one cooperative launch, a grid barrier between rounds, eight lanes per vertex.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>

namespace cg = cooperative_groups;

constexpr int kThreads = 256;
constexpr int kLanes = 8;  // per vertex: a block covers the 32 vertices of one word
constexpr int kPerProcessor = 4;  // blocks at most: each of them has to arrive at every barrier
constexpr unsigned int kAll = 0xffffffffu;

__device__ bool is_alive(const unsigned int* alive, int v) { return alive[v / 32] >> (v % 32) & 1u; }

__global__ void peel(int vertices, int degree, int keep, int rounds, const int* neighbour, const unsigned char* start,
                     unsigned int* alive, unsigned int* next, int* removed_in) {
    __shared__ unsigned int word;
    auto grid = cg::this_grid();
    auto tile = cg::tiled_partition<kLanes>(cg::this_thread_block());
    const int lane = tile.thread_rank(), in_word = threadIdx.x / kLanes;
    const int words = (vertices - 1) / 32 + 1;

    for (int first = blockIdx.x * kThreads; first < vertices; first += gridDim.x * kThreads) {
        int v = first + threadIdx.x;
        bool living = v < vertices && start[v] != 0;
        unsigned int packed = __ballot_sync(kAll, living);
        if (v < vertices) removed_in[v] = living ? rounds + 1 : 0;
        if (v < vertices && v % 32 == 0) alive[v / 32] = packed;
    }
    grid.sync();
    for (int round = 1; round <= rounds; ++round) {
        for (int at = blockIdx.x; at < words; at += gridDim.x) {
            const int v = at * 32 + in_word;
            if (threadIdx.x == 0) word = 0;
            __syncthreads();
            if (v < vertices && is_alive(alive, v)) {  // the same for all lanes of the tile
                const int* list = neighbour + (size_t)v * degree;
                int support = 0;
                for (int begin = 0; support < keep && support + (degree - begin) >= keep; begin += kLanes) {
                    int j = begin + lane;
                    support += __popc(tile.ballot(j < degree && is_alive(alive, list[j])));
                }
                if (lane == 0) {
                    if (support >= keep)
                        atomicOr(&word, 1u << in_word);
                    else
                        removed_in[v] = round;
                }
            }
            __syncthreads();
            if (threadIdx.x == 0) next[at] = word;
        }
        grid.sync();
        unsigned int* swapped = alive;
        alive = next;
        next = swapped;
    }
}

extern "C" void knn_peeling(int vertices, int degree, int keep, int rounds, const int* neighbour,
                            const unsigned char* start, int* removed_in) {
    const int words = (vertices - 1) / 32 + 1;
    unsigned int* flags = nullptr;
    cudaMalloc(&flags, 2 * words * sizeof(unsigned int));
    unsigned int *alive = flags, *next = flags + words;
    int device = 0, processors = 0, resident = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, peel, kThreads, 0);
    const int blocks = std::min(words, processors * std::min(resident, kPerProcessor));
    void* arguments[] = {&vertices, &degree, &keep, &rounds, &neighbour, &start, &alive, &next, &removed_in};
    cudaLaunchCooperativeKernel(peel, dim3(blocks), dim3(kThreads), arguments, 0, nullptr);
    cudaFree(flags);
}
