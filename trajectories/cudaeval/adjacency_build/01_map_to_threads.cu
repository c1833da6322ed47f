// Adjacency rows: one link or one row a thread; one thread adds the sizes of rows up.
#include <cuda_runtime.h>

#include <cstdint>

struct Link {
    int32_t from, to;
};

__global__ void count(int links, const Link* link, int32_t* degree) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < links && link[e].from != link[e].to) atomicAdd(degree + link[e].from, 1);
}

// begin[v]: the sum of what lies before size[v]; `total` is the sum of all.
__global__ void add_up(int nodes, const int32_t* size, int32_t* begin, int32_t* total) {
    int sum = 0;
    for (int v = 0; v < nodes; ++v) {
        begin[v] = sum;
        sum += size[v];
    }
    begin[nodes] = *total = sum;
}

__global__ void scatter(int links, const Link* link, int32_t* next, int32_t* bag) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < links && link[e].from != link[e].to) bag[atomicAdd(next + link[e].from, 1)] = link[e].to;
}

// Sorts a row by insertion and leaves each number once.
__global__ void tidy(int nodes, const int32_t* begin, int32_t* bag, int32_t* kept) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes) return;
    int32_t* mine = bag + begin[v];
    const int all = begin[v + 1] - begin[v];
    int found = 0;
    for (int k = 0; k < all; ++k) {
        const int32_t to = mine[k];
        int at = found;
        while (at > 0 && mine[at - 1] > to) --at;
        if (at > 0 && mine[at - 1] == to) continue;
        for (int j = found; j > at; --j) mine[j] = mine[j - 1];
        mine[at] = to;
        ++found;
    }
    kept[v] = found;
}

__global__ void copy(int nodes, const int32_t* begin, const int32_t* bag, const int32_t* start, int32_t* row) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes) return;
    for (int k = 0; k < start[v + 1] - start[v]; ++k) row[start[v] + k] = bag[begin[v] + k];
}

extern "C" void adjacency_build(int nodes, int links, const Link* link, int32_t* start, int32_t* row, int32_t* total) {
    int32_t *degree = nullptr, *begin = nullptr, *next = nullptr, *bag = nullptr;
    cudaMalloc(&degree, sizeof(int32_t) * nodes);
    cudaMalloc(&begin, sizeof(int32_t) * (nodes + 1));
    cudaMalloc(&next, sizeof(int32_t) * nodes);
    cudaMalloc(&bag, sizeof(int32_t) * links);
    cudaMemsetAsync(degree, 0, sizeof(int32_t) * nodes);
    count<<<(links - 1) / 256 + 1, 256>>>(links, link, degree);
    add_up<<<1, 1>>>(nodes, degree, begin, total);
    cudaMemcpyAsync(next, begin, sizeof(int32_t) * nodes, cudaMemcpyDeviceToDevice);
    scatter<<<(links - 1) / 256 + 1, 256>>>(links, link, next, bag);
    tidy<<<(nodes - 1) / 128 + 1, 128>>>(nodes, begin, bag, degree);
    add_up<<<1, 1>>>(nodes, degree, start, total);
    copy<<<(nodes - 1) / 128 + 1, 128>>>(nodes, begin, bag, start, row);
    cudaFree(degree);
    cudaFree(begin);
    cudaFree(next);
    cudaFree(bag);
}
