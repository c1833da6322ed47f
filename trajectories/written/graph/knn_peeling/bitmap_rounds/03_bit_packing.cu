// Peeling a nearest-neighbour graph: one thread per vertex, the living in a bitmap that warps write by ballot.
#include <cuda_runtime.h>

#include <utility>

constexpr int kThreads = 256;
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
    int v = blockIdx.x * kThreads + threadIdx.x;
    bool living = v < vertices && is_alive(alive, v);
    int support = 0;
    if (living) {
        const int* list = neighbour + (size_t)v * degree;
        for (int j = 0; support < keep && support + (degree - j) >= keep; ++j) support += is_alive(alive, list[j]);
    }
    bool stays = living && support >= keep;
    unsigned int word = __ballot_sync(kAll, stays);  // every lane votes, also those past the last vertex
    if (v < vertices && v % 32 == 0) next[v / 32] = word;
    if (living && !stays) removed_in[v] = round;
}

extern "C" void knn_peeling(int vertices, int degree, int keep, int rounds, const int* neighbour,
                            const unsigned char* start, int* removed_in) {
    const int blocks = (vertices - 1) / kThreads + 1, words = (vertices - 1) / 32 + 1;
    unsigned int* flags = nullptr;
    cudaMalloc(&flags, 2 * words * sizeof(unsigned int));
    unsigned int *alive = flags, *next = flags + words;
    begin<<<blocks, kThreads>>>(vertices, rounds, start, alive, removed_in);
    for (int round = 1; round <= rounds; ++round) {
        peel<<<blocks, kThreads>>>(vertices, degree, keep, round, neighbour, alive, next, removed_in);
        std::swap(alive, next);
    }
    cudaFree(flags);
}
