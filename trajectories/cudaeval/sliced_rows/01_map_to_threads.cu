// Slices: one row a thread writes its places.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void cut(int rows, int padded, int most, const int* start, const int* column, const float* value, int* out_column, float* out_value, int* width, int* lost) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= padded) return;
    const int from = r < rows ? start[r] : 0, all = r < rows ? start[r + 1] - from : 0, length = min(all, most);
    for (int j = 0; j < most; ++j) {
        const size_t place = ((size_t)(r / 16) * most + j) * 16 + r % 16;
        out_column[place] = j < length ? column[from + j] : -1;
        out_value[place] = j < length ? value[from + j] : 0.0f;
    }
    atomicMax(&width[r / 16], length);
    if (all > most) atomicAdd(lost, all - most);
}

extern "C" void sliced_rows(int rows, int, int, int most, const int32_t* start, const int32_t* column, const float* value, int32_t* out_column, float* out_value,
                            int32_t* width, int32_t* lost) {
    const int slices = (rows + 15) / 16;
    cudaMemsetAsync(width, 0, sizeof(int32_t) * slices);
    cudaMemsetAsync(lost, 0, sizeof(int32_t));
    cut<<<(slices + 7) / 8, 128>>>(rows, 16 * slices, most, start, column, value, out_column, out_value, width, lost);
}
