// Slices: a warp takes a slice; rows are read along, 32 entries at a time, and leave through shared memory in the order of places.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void cut(int rows, int slices, int most, const int* __restrict__ start, const int* __restrict__ column, const float* __restrict__ value,
                    int* __restrict__ out_column, float* __restrict__ out_value, int* __restrict__ width, int* lost) {
    __shared__ int columns[4][16][33];
    __shared__ float values[4][16][33];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, s = blockIdx.x * 4 + warp;
    if (s >= slices) return;
    const int own_row = 16 * s + lane % 16;
    const int own_from = own_row < rows ? start[own_row] : 0, own_all = own_row < rows ? start[own_row + 1] - own_from : 0, own_length = min(own_all, most);
    const int longest = __reduce_max_sync(0xffffffffu, own_length), gone = __reduce_add_sync(0xffffffffu, lane < 16 ? own_all - own_length : 0);
    if (lane == 0) {
        width[s] = longest;
        if (gone) atomicAdd(lost, gone);
    }
    for (int part = 0; part < most; part += 32) {
        for (int r = 0; r < 16; ++r) {
            const int from = __shfl_sync(0xffffffffu, own_from, r), length = __shfl_sync(0xffffffffu, own_length, r), j = part + lane;
            columns[warp][r][lane] = j < length ? column[from + j] : -1;
            values[warp][r][lane] = j < length ? value[from + j] : 0.0f;
        }
        __syncwarp();
        const int count = 16 * min(32, most - part);
        for (int i = lane; i < count; i += 32) {
            const size_t place = ((size_t)s * most + part) * 16 + i;
            out_column[place] = columns[warp][i % 16][i / 16];
            out_value[place] = values[warp][i % 16][i / 16];
        }
        __syncwarp();
    }
}

extern "C" void sliced_rows(int rows, int, int, int most, const int32_t* start, const int32_t* column, const float* value, int32_t* out_column, float* out_value,
                            int32_t* width, int32_t* lost) {
    const int slices = (rows + 15) / 16;
    cudaMemsetAsync(lost, 0, sizeof(int32_t));
    cut<<<(slices + 3) / 4, 128>>>(rows, slices, most, start, column, value, out_column, out_value, width, lost);
}
