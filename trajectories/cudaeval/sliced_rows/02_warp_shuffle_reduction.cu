// Slices: the sixteen lanes of a slice find its width by shuffles, and a warp what is lost.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void cut(int rows, int padded, int most, const int* start, const int* column, const float* value, int* out_column, float* out_value, int* width, int* lost) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    const int from = r < rows ? start[r] : 0, all = r < rows ? start[r + 1] - from : 0, length = min(all, most);
    for (int j = 0; j < most && r < padded; ++j) {
        const size_t place = ((size_t)(r / 16) * most + j) * 16 + r % 16;
        out_column[place] = j < length ? column[from + j] : -1;
        out_value[place] = j < length ? value[from + j] : 0.0f;
    }
    int longest = length, gone = all - length;
    for (int apart = 8; apart > 0; apart /= 2) longest = max(longest, __shfl_xor_sync(0xffffffffu, longest, apart));
    if (r < padded && r % 16 == 0) width[r / 16] = longest;
    gone = __reduce_add_sync(0xffffffffu, gone);
    if (threadIdx.x % 32 == 0 && gone) atomicAdd(lost, gone);
}

extern "C" void sliced_rows(int rows, int, int, int most, const int32_t* start, const int32_t* column, const float* value, int32_t* out_column, float* out_value,
                            int32_t* width, int32_t* lost) {
    const int slices = (rows + 15) / 16;
    cudaMemsetAsync(lost, 0, sizeof(int32_t));
    cut<<<(slices + 7) / 8, 128>>>(rows, 16 * slices, most, start, column, value, out_column, out_value, width, lost);
}
