// Cell lists: counts by atomics, starts by one block, places by atomics and a sort within each cell; one particle a thread counts.
#include <cuda_runtime.h>

#include <cstdint>

struct Place {
    int32_t x, y, z;
};

__device__ int cell_of(Place p, int side) { return ((p.z >> 10) * side + (p.y >> 10)) * side + (p.x >> 10); }

__device__ long long apart(int a, int b, int length) {
    const int d = abs(a - b);
    return min(d, length - d);
}

__global__ void count(int particles, int side, const Place* place, int* members) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < particles) atomicAdd(&members[cell_of(place[i], side)], 1);
}

__global__ void starts(int cells, const int* members, int32_t* begin, int* next) {
    __shared__ int shared[1024];
    int carried = 0;
    for (int from = 0; from < cells; from += 1024) {
        const int c = from + threadIdx.x, own = c < cells ? members[c] : 0;
        int upto = own;
        shared[threadIdx.x] = upto;
        __syncthreads();
        for (int step = 1; step < 1024; step *= 2) {
            const int other = threadIdx.x >= step ? shared[threadIdx.x - step] : 0;
            __syncthreads();
            shared[threadIdx.x] = upto += other;
            __syncthreads();
        }
        if (c < cells) begin[c] = next[c] = carried + upto - own;
        carried += shared[1023];
        __syncthreads();
    }
}

__global__ void fill(int particles, int side, const Place* place, int* next, int32_t* order) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < particles) order[atomicAdd(&next[cell_of(place[i], side)], 1)] = i;
}

__global__ void sort(int cells, const int32_t* begin, const int* members, int32_t* order) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= cells) return;
    int32_t* own = order + begin[c];
    for (int k = 1; k < members[c]; ++k) {
        const int value = own[k];
        int at = k;
        for (; at > 0 && own[at - 1] > value; --at) own[at] = own[at - 1];
        own[at] = value;
    }
}

__global__ void neighbours(int particles, int side, int reach, const Place* place, const int32_t* order, const int32_t* begin, const int* members,
                           int32_t* near) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= particles) return;
    const Place p = place[i];
    int found = -1;
    for (int n = 0; n < 27; ++n) {
        const int z = ((p.z >> 10) + n / 9 + side - 1) % side, y = ((p.y >> 10) + n / 3 % 3 + side - 1) % side, x = ((p.x >> 10) + n % 3 + side - 1) % side;
        const int c = (z * side + y) * side + x;
        for (int k = begin[c]; k < begin[c] + members[c]; ++k) {
            const Place o = place[order[k]];
            const long long a = apart(p.x, o.x, 1024 * side), b = apart(p.y, o.y, 1024 * side), d = apart(p.z, o.z, 1024 * side);
            found += a * a + b * b + d * d < (long long)reach * reach;
        }
    }
    near[i] = found;
}

extern "C" void cell_lists(int side, int particles, int reach, const Place* place, int32_t* order, int32_t* begin, int32_t* near) {
    const int cells = side * side * side, blocks = (particles + 127) / 128;
    int *members = nullptr, *next = nullptr;
    cudaMallocAsync(&members, sizeof(int) * cells, 0);
    cudaMallocAsync(&next, sizeof(int) * cells, 0);
    cudaMemsetAsync(members, 0, sizeof(int) * cells);
    count<<<blocks, 128>>>(particles, side, place, members);
    starts<<<1, 1024>>>(cells, members, begin, next);
    fill<<<blocks, 128>>>(particles, side, place, next, order);
    sort<<<(cells + 127) / 128, 128>>>(cells, begin, members, order);
    neighbours<<<blocks, 128>>>(particles, side, reach, place, order, begin, members, near);
    cudaFreeAsync(members, 0);
    cudaFreeAsync(next, 0);
}
