// Peeling a nearest-neighbour graph: one thread per vertex, one launch per round, two arrays of flags.
#include <cuda_runtime.h>

#include <utility>

constexpr int kThreads = 256;

__global__ void begin(int vertices, int rounds, const unsigned char* start, unsigned char* alive, int* removed_in) {
    int v = blockIdx.x * kThreads + threadIdx.x;
    if (v >= vertices) return;
    alive[v] = start[v] != 0;
    removed_in[v] = start[v] != 0 ? rounds + 1 : 0;
}

__global__ void peel(int vertices, int degree, int keep, int round, const int* neighbour, const unsigned char* alive,
                     unsigned char* next, int* removed_in) {
    int v = blockIdx.x * kThreads + threadIdx.x;
    if (v >= vertices) return;
    const int* list = neighbour + (size_t)v * degree;
    int support = 0;
    for (int j = 0; j < degree; ++j) support += alive[list[j]];
    bool stays = alive[v] && support >= keep;
    next[v] = stays;
    if (alive[v] && !stays) removed_in[v] = round;
}

extern "C" void knn_peeling(int vertices, int degree, int keep, int rounds, const int* neighbour,
                            const unsigned char* start, int* removed_in) {
    const int blocks = (vertices - 1) / kThreads + 1;
    unsigned char* flags = nullptr;
    cudaMalloc(&flags, 2 * (size_t)vertices);
    unsigned char *alive = flags, *next = flags + vertices;
    begin<<<blocks, kThreads>>>(vertices, rounds, start, alive, removed_in);
    for (int round = 1; round <= rounds; ++round) {
        peel<<<blocks, kThreads>>>(vertices, degree, keep, round, neighbour, alive, next, removed_in);
        std::swap(alive, next);
    }
    cudaFree(flags);
}
