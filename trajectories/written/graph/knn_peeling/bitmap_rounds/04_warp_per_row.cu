// Peeling a nearest-neighbour graph: eight lanes per vertex, a block produces one word of the bitmap.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <utility>

namespace cg = cooperative_groups;

constexpr int kThreads = 256;
constexpr int kLanes = 8;  // per vertex: a block covers the 32 vertices of one word
constexpr unsigned int kAll = 0xffffffffu;

__device__ bool is_alive(const unsigned int* alive, int v) { return alive[v / 32] >> (v % 32) & 1u; }

__global__ void begin(int vertices, int rounds, const unsigned char* start, unsigned int* alive, int* removed_in) {
    int v = blockIdx.x * kThreads + threadIdx.x;
    bool living = v < vertices && start[v] != 0;
    unsigned int word = __ballot_sync(kAll, living);
    if (v >= vertices) return;
    removed_in[v] = living ? rounds + 1 : 0;
    if (v % 32 == 0) alive[v / 32] = word;
}

__global__ void peel(int vertices, int degree, int keep, int round, const int* neighbour, const unsigned int* alive,
                     unsigned int* next, int* removed_in) {
    __shared__ unsigned int word;
    auto tile = cg::tiled_partition<kLanes>(cg::this_thread_block());
    const int lane = tile.thread_rank(), in_word = threadIdx.x / kLanes;
    const int v = blockIdx.x * 32 + in_word;
    if (threadIdx.x == 0) word = 0;
    __syncthreads();
    if (v < vertices && is_alive(alive, v)) {  // the same for all lanes of the tile
        const int* list = neighbour + (size_t)v * degree;
        int support = 0;
        for (int first = 0; support < keep && support + (degree - first) >= keep; first += kLanes) {
            int j = first + lane;
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
    if (threadIdx.x == 0) next[blockIdx.x] = word;
}

extern "C" void knn_peeling(int vertices, int degree, int keep, int rounds, const int* neighbour,
                            const unsigned char* start, int* removed_in) {
    const int blocks = (vertices - 1) / kThreads + 1, words = (vertices - 1) / 32 + 1;
    unsigned int* flags = nullptr;
    cudaMalloc(&flags, 2 * words * sizeof(unsigned int));
    unsigned int *alive = flags, *next = flags + words;
    begin<<<blocks, kThreads>>>(vertices, rounds, start, alive, removed_in);
    for (int round = 1; round <= rounds; ++round) {
        peel<<<words, kThreads>>>(vertices, degree, keep, round, neighbour, alive, next, removed_in);
        std::swap(alive, next);
    }
    cudaFree(flags);
}
