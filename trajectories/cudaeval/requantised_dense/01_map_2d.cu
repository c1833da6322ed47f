// Requantised dense layer: one output a thread.
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
    const int o = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    if (o >= outputs || r >= rows) return;
    int acc = bias[o];
    for (int i = 0; i < inputs; ++i) acc += ((int)x[(size_t)r * inputs + i] - zero_in) * w[(size_t)o * inputs + i];
    y[(size_t)r * outputs + o] = requantised(acc, multiplier[o], shift[o], zero_out);
}

extern "C" void requantised_dense(int rows, int inputs, int outputs, int32_t zero_in, int32_t zero_out, const uint8_t* x, const int8_t* w,
                                  const int32_t* bias, const int32_t* multiplier, const int32_t* shift, uint8_t* y) {
    dense<<<dim3((outputs + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(rows, inputs, outputs, zero_in, zero_out, x, w, bias, multiplier, shift, y);
}
