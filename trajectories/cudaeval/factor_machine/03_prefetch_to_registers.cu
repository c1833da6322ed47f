// Factors: 32 entries are read at once, an entry a lane, and handed round by shuffles; with 16 factors or fewer the two halves of a warp take turns of entries.
#include <cuda_runtime.h>

__global__ void predict(int rows, int factors, float bias, const int* __restrict__ start, const int* __restrict__ column, const float* __restrict__ value,
                        const float* __restrict__ linear, const float* __restrict__ factor, float* score, int* chosen) {
    const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    const int from = start[r], to = start[r + 1], ways = factors <= 16 ? 2 : 1, f = ways == 2 ? lane % 16 : lane, turn = ways == 2 ? lane / 16 : 0;
    float total = 0, sum = 0, squares = 0;
    for (int part = from; part < to; part += 32) {
        const int k = part + lane, count = min(32, to - part);
        const int own = k < to ? column[k] : 0;
        const float much = k < to ? value[k] : 0.0f;
        if (k < to) total += linear[own] * much;
        for (int j = 0; j < count; j += ways) {
            const int c = __shfl_sync(0xffffffffu, own, (j + turn) % 32);
            const float v = __shfl_sync(0xffffffffu, much, (j + turn) % 32);
            const float each = f < factors && j + turn < count ? factor[(size_t)c * factors + f] * v : 0.0f;
            sum += each;
            squares += each * each;
        }
    }
    if (ways == 2) sum += __shfl_xor_sync(0xffffffffu, sum, 16);
    total += (turn == 0 ? sum * sum / 2 : 0.0f) - squares / 2;
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
