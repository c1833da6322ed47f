// Factors: one row a thread goes through its entries once for each factor.
#include <cuda_runtime.h>

__global__ void predict(int rows, int factors, float bias, const int* start, const int* column, const float* value, const float* linear, const float* factor, float* score, int* chosen) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    const int from = start[r], to = start[r + 1];
    float total = bias;
    for (int k = from; k < to; ++k) total += linear[column[k]] * value[k];
    for (int f = 0; f < factors; ++f) {
        float sum = 0, squares = 0;
        for (int k = from; k < to; ++k) {
            const float part = factor[(size_t)column[k] * factors + f] * value[k];
            sum += part;
            squares += part * part;
        }
        total += (sum * sum - squares) / 2;
    }
    score[r] = total;
    if (from == to) atomicAdd(chosen, 1);
}

extern "C" void factor_machine(int rows, int, int, int factors, float bias, const int* start, const int* column, const float* value, const float* linear,
                               const float* factor, float* score, int* chosen) {
    cudaMemsetAsync(chosen, 0, sizeof(int));
    predict<<<(rows + 63) / 64, 64>>>(rows, factors, bias, start, column, value, linear, factor, score, chosen);
}
