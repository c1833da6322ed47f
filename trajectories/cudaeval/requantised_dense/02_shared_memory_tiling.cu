// Requantised dense layer: tiles of 32 x 32 activations and weights come through shared memory.
#include <cuda_runtime.h>

#include <cstdint>

__device__ uint8_t requantised(int acc, int multiplier, int shift, int zero_out) {
    const int high = (int)(((long long)acc * multiplier + (1ll << 30)) >> 31);
    const int mask = (1 << shift) - 1, threshold = (mask >> 1) + (high < 0);
    const int value = (high >> shift) + ((high & mask) > threshold) + zero_out;
    return (uint8_t)min(max(value, 0), 255);
}

__global__ void dense(int rows, int inputs, int outputs, int zero_in, int zero_out, const uint8_t* x, const int8_t* w, const int32_t* bias,
                      const int32_t* multiplier, const int32_t* shift, uint8_t* y) {
    __shared__ short left[32][33], right[32][33];
    const int o = blockIdx.x * 32 + threadIdx.x;
    int acc[4] = {};
    for (int from = 0; from < inputs; from += 32) {
        const int i = from + threadIdx.x;
        for (int k = threadIdx.y; k < 32; k += 8) {
            const int row = blockIdx.y * 32 + k, out = blockIdx.x * 32 + k;
            left[k][threadIdx.x] = row < rows && i < inputs ? (short)(x[(size_t)row * inputs + i] - zero_in) : (short)0;
            right[k][threadIdx.x] = out < outputs && i < inputs ? w[(size_t)out * inputs + i] : (short)0;
        }
        __syncthreads();
        for (int k = 0; k < 32; ++k) {
            const int b = right[threadIdx.x][k];
            for (int s = 0; s < 4; ++s) acc[s] += left[threadIdx.y + 8 * s][k] * b;
        }
        __syncthreads();
    }
    if (o >= outputs) return;
    for (int s = 0; s < 4; ++s) {
        const int r = blockIdx.y * 32 + threadIdx.y + 8 * s;
        if (r < rows) y[(size_t)r * outputs + o] = requantised(acc[s] + bias[o], multiplier[o], shift[o], zero_out);
    }
}

extern "C" void requantised_dense(int rows, int inputs, int outputs, int32_t zero_in, int32_t zero_out, const uint8_t* x, const int8_t* w,
                                  const int32_t* bias, const int32_t* multiplier, const int32_t* shift, uint8_t* y) {
    dense<<<dim3((outputs + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(rows, inputs, outputs, zero_in, zero_out, x, w, bias, multiplier, shift, y);
}
