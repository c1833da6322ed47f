// Requantised dense layer: where rows are whole words, four bytes are one load.
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
    __shared__ int left[32][33], right[32][33];  // four along the inputs in a word; activations less 128, to fit a signed byte
    const int o = blockIdx.x * 32 + threadIdx.x;
    int acc[4] = {}, sum = 0;
    for (int from = 0; from < inputs; from += 128) {
        const int i = from + 4 * threadIdx.x;
        for (int k = threadIdx.y; k < 32; k += 8) {
            const int row = blockIdx.y * 32 + k, out = blockIdx.x * 32 + k;
            unsigned a = 0x80808080u, b = 0;
            if (inputs % 4 == 0) {
                if (row < rows && i < inputs) a = *reinterpret_cast<const unsigned*>(x + (size_t)row * inputs + i);
                if (out < outputs && i < inputs) b = *reinterpret_cast<const unsigned*>(w + (size_t)out * inputs + i);
            }
            for (int c = 0; inputs % 4 && c < 4; ++c) {
                if (row < rows && i + c < inputs) a = (a & ~(0xffu << 8 * c)) | (unsigned)x[(size_t)row * inputs + i + c] << 8 * c;
                if (out < outputs && i + c < inputs) b |= (unsigned)(uint8_t)w[(size_t)out * inputs + i + c] << 8 * c;
            }
            left[k][threadIdx.x] = (int)(a ^ 0x80808080u);
            right[k][threadIdx.x] = (int)b;
        }
        __syncthreads();
        for (int k = 0; k < 32; ++k) {
            const int b = right[threadIdx.x][k];
            sum = __dp4a(b, 0x01010101, sum);
            for (int s = 0; s < 4; ++s) acc[s] = __dp4a(left[threadIdx.y + 8 * s][k], b, acc[s]);
        }
        __syncthreads();
    }
    if (o >= outputs) return;
    for (int s = 0; s < 4; ++s) acc[s] += (128 - zero_in) * sum;
    for (int s = 0; s < 4; ++s) {
        const int r = blockIdx.y * 32 + threadIdx.y + 8 * s;
        if (r < rows) y[(size_t)r * outputs + o] = requantised(acc[s] + bias[o], multiplier[o], shift[o], zero_out);
    }
}

extern "C" void requantised_dense(int rows, int inputs, int outputs, int32_t zero_in, int32_t zero_out, const uint8_t* x, const int8_t* w,
                                  const int32_t* bias, const int32_t* multiplier, const int32_t* shift, uint8_t* y) {
    dense<<<dim3((outputs + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(rows, inputs, outputs, zero_in, zero_out, x, w, bias, multiplier, shift, y);
}
