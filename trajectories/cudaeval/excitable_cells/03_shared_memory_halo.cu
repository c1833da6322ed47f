// Waves: a block marks the excited cells of its tile and around it in shared memory, and only these wrap around the torus.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void step(int rows, int cols, int stages, int excited, int need, const uint8_t* __restrict__ state, uint8_t* __restrict__ next, int* waking) {
    __shared__ uint8_t lit[10][36];
    const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 340; i += 256) {
        const int v = (int)blockIdx.y * 8 - 1 + i / 34, u = (int)blockIdx.x * 32 - 1 + i % 34;
        const int other = v <= rows && u <= cols ? state[(v < 0 ? rows - 1 : v == rows ? 0 : v) * cols + (u < 0 ? cols - 1 : u == cols ? 0 : u)] : 0;
        lit[i / 34][i % 34] = other >= 1 && other <= excited;
    }
    __syncthreads();
    bool wakes = false;
    if (r < rows && c < cols) {
        const int own = state[r * cols + c], y = threadIdx.y + 1, x = threadIdx.x + 1;
        const int around = lit[y - 1][x - 1] + lit[y - 1][x] + lit[y - 1][x + 1] + lit[y][x - 1] + lit[y][x + 1] + lit[y + 1][x - 1] + lit[y + 1][x] +
                           lit[y + 1][x + 1];
        wakes = own == 0 && around >= need;
        next[r * cols + c] = own ? (own + 1 < stages ? own + 1 : 0) : wakes;
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
