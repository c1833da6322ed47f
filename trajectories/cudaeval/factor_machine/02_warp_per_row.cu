// Factors: a warp takes a row, each lane a factor, so that a column's factors are read side by side.
#include <cuda_runtime.h>

__global__ void predict(int rows, int factors, float bias, const int* __restrict__ start, const int* __restrict__ column, const float* __restrict__ value,
                        const float* __restrict__ linear, const float* __restrict__ factor, float* score, int* chosen) {
    const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    const int from = start[r], to = start[r + 1];
    float total = 0, sum = 0, squares = 0;
    for (int k = from + lane; k < to; k += 32) total += linear[column[k]] * value[k];
    for (int k = from; k < to; ++k) {
        const float part = lane < factors ? factor[(size_t)column[k] * factors + lane] * value[k] : 0.0f;
        sum += part;
        squares += part * part;
    }
    total += (sum * sum - squares) / 2;
    for (int apart = 16; apart > 0; apart /= 2) total += __shfl_xor_sync(0xffffffffu, total, apart);
    if (lane) return;
    score[r] = bias + total;
    if (from == to) atomicAdd(chosen, 1);
}

extern "C" void factor_machine(int rows, int, int, int factors, float bias, const int* start, const int* column, const float* value, const float* linear,
                               const float* factor, float* score, int* chosen) {
    cudaMemsetAsync(chosen, 0, sizeof(int));
    predict<<<(rows + 3) / 4, 128>>>(rows, factors, bias, start, column, value, linear, factor, score, chosen);
}
