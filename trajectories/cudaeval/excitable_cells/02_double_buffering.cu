// Waves: two sets of states take turns; a warp adds its waking cells up once.
#include <cuda_runtime.h>

#include <cstdint>

__device__ int next_state(int rows, int cols, int stages, int excited, int need, const uint8_t* state, int r, int c) {
    const int own = state[r * cols + c];
    if (own) return own + 1 < stages ? own + 1 : 0;
    int around = 0;
    for (int k = 0; k < 9; ++k) {
        const int v = (r + k / 3 - 1 + rows) % rows, u = (c + k % 3 - 1 + cols) % cols, other = state[v * cols + u];
        around += k != 4 && other >= 1 && other <= excited;
    }
    return around >= need;
}

__global__ void step(int rows, int cols, int stages, int excited, int need, const uint8_t* __restrict__ state, uint8_t* __restrict__ next, int* waking) {
    const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    bool wakes = false;
    if (r < rows && c < cols) {
        const int now = next_state(rows, cols, stages, excited, need, state, r, c);
        next[r * cols + c] = now;
        wakes = now == 1 && state[r * cols + c] == 0;
    }
    const unsigned all = __ballot_sync(0xffffffffu, wakes);
    if (threadIdx.x == 0 && all) atomicAdd(waking, __popc(all));
}

extern "C" void excitable_cells(int rows, int cols, int steps, int32_t stages, int32_t excited, int32_t need, uint8_t* state, int32_t* waking) {
    const size_t cells = (size_t)rows * cols;
    uint8_t* next = nullptr;
    cudaMallocAsync(&next, cells, 0);
    cudaMemsetAsync(waking, 0, sizeof(int32_t) * steps);
    for (int s = 0; s < steps; ++s)
        step<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(rows, cols, stages, excited, need, s % 2 ? next : state, s % 2 ? state : next, waking + s);
    if (steps % 2) cudaMemcpyAsync(state, next, cells, cudaMemcpyDeviceToDevice);
    cudaFreeAsync(next, 0);
}
