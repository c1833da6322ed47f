// Go: a block takes a position; stones take the lowest number of their group in rounds, and an empty point tells each group around it once.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void count(int side, const uint8_t* boards, int* liberties, int* captured) {
    __shared__ uint8_t board[361];
    __shared__ int label[361], freedom[361];
    __shared__ int dead;
    const int points = side * side;
    for (int i = threadIdx.x; i < points; i += blockDim.x) {
        board[i] = boards[(size_t)blockIdx.x * points + i];
        label[i] = i;
        freedom[i] = 0;
    }
    if (threadIdx.x == 0) dead = 0;
    __syncthreads();
    int changed = 1;
    while (__syncthreads_or(changed)) {
        changed = 0;
        for (int i = threadIdx.x; i < points; i += blockDim.x) {
            if (!board[i]) continue;
            const int y = i / side, x = i % side;
            int low = label[i];
            if (y > 0 && board[i - side] == board[i]) low = min(low, atomicAdd(&label[i - side], 0));
            if (y + 1 < side && board[i + side] == board[i]) low = min(low, atomicAdd(&label[i + side], 0));
            if (x > 0 && board[i - 1] == board[i]) low = min(low, atomicAdd(&label[i - 1], 0));
            if (x + 1 < side && board[i + 1] == board[i]) low = min(low, atomicAdd(&label[i + 1], 0));
            if (atomicMin(&label[i], low) > low) changed = 1;
        }
    }
    for (int i = threadIdx.x; i < points; i += blockDim.x) {
        if (board[i]) continue;
        const int y = i / side, x = i % side;
        int told[4], count = 0;
        for (int d = 0; d < 4; ++d) {
            const int v = y + (d == 0) - (d == 1), u = x + (d == 2) - (d == 3);
            if (v < 0 || u < 0 || v >= side || u >= side || !board[v * side + u]) continue;
            const int root = label[v * side + u];
            bool fresh = true;
            for (int k = 0; k < count; ++k) fresh = fresh && told[k] != root;
            if (!fresh) continue;
            told[count++] = root;
            atomicAdd(&freedom[root], 1);
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < points; i += blockDim.x) {
        const int free = board[i] ? freedom[label[i]] : 0;
        liberties[(size_t)blockIdx.x * points + i] = free;
        if (board[i] && !free) atomicAdd(&dead, 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) captured[blockIdx.x] = dead;
}

extern "C" void go_liberties(int positions, int side, const uint8_t* board, int32_t* liberties, int32_t* captured) {
    count<<<positions, 128>>>(side, board, liberties, captured);
}
