// Go: stones are joined by finding and linking the first stones of their groups, once for each pair that touches.
#include <cuda_runtime.h>

#include <cstdint>

__device__ int first_of(const int* above, int i) {
    int up = atomicAdd(const_cast<int*>(above) + i, 0);
    while (up != i) {
        i = up;
        up = atomicAdd(const_cast<int*>(above) + i, 0);
    }
    return i;
}

__device__ void join(int* above, int a, int b) {
    while (true) {
        a = first_of(above, a);
        b = first_of(above, b);
        if (a == b) return;
        if (a < b) {
            const int other = a;
            a = b;
            b = other;
        }
        if (atomicCAS(&above[a], a, b) == a) return;
    }
}

__global__ void count(int side, const uint8_t* __restrict__ boards, int* __restrict__ liberties, int* __restrict__ captured) {
    __shared__ uint8_t board[361];
    __shared__ int above[361], root[361], freedom[361];
    __shared__ int dead;
    const int points = side * side;
    for (int i = threadIdx.x; i < points; i += blockDim.x) {
        board[i] = boards[(size_t)blockIdx.x * points + i];
        above[i] = i;
        freedom[i] = 0;
    }
    if (threadIdx.x == 0) dead = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < points; i += blockDim.x) {
        if (!board[i]) continue;
        if (i >= side && board[i - side] == board[i]) join(above, i, i - side);
        if (i % side && board[i - 1] == board[i]) join(above, i, i - 1);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < points; i += blockDim.x) {
        int at = i;
        while (above[at] != at) at = above[at];
        root[i] = board[i] ? at : -1;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < points; i += blockDim.x) {
        if (board[i]) continue;
        const int y = i / side, x = i % side;
        const int n = y > 0 ? root[i - side] : -1, w = x > 0 ? root[i - 1] : -1, e = x + 1 < side ? root[i + 1] : -1, s = y + 1 < side ? root[i + side] : -1;
        if (n >= 0) atomicAdd(&freedom[n], 1);
        if (w >= 0 && w != n) atomicAdd(&freedom[w], 1);
        if (e >= 0 && e != n && e != w) atomicAdd(&freedom[e], 1);
        if (s >= 0 && s != n && s != w && s != e) atomicAdd(&freedom[s], 1);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < points; i += blockDim.x) {
        const int free = root[i] >= 0 ? freedom[root[i]] : 0;
        liberties[(size_t)blockIdx.x * points + i] = free;
        if (root[i] >= 0 && !free) atomicAdd(&dead, 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) captured[blockIdx.x] = dead;
}

extern "C" void go_liberties(int positions, int side, const uint8_t* board, int32_t* liberties, int32_t* captured) {
    count<<<positions, 128>>>(side, board, liberties, captured);
}
