// Requantised dense layer: a block has 64 x 64 outputs, a thread sixteen of them in registers: eight words read from shared memory serve sixteen dp4a.
#include <cuda_runtime.h>

#include <cstdint>

__device__ uint8_t requantised(int acc, int multiplier, int shift, int zero_out) {
    const int high = (int)(((long long)acc * multiplier + (1ll << 30)) >> 31);
    const int mask = (1 << shift) - 1, threshold = (mask >> 1) + (high < 0);
    const int value = (high >> shift) + ((high & mask) > threshold) + zero_out;
    return (uint8_t)min(max(value, 0), 255);
}

// Four bytes of a row from i on, a multiple of four; bytes outside the matrix are those of `outside`.
__device__ unsigned fetch(const void* matrix, int row, int rows, int i, int inputs, unsigned outside) {
    if (row >= rows || i >= inputs) return outside;
    const uint8_t* at = static_cast<const uint8_t*>(matrix) + (size_t)row * inputs + i;
    if (inputs % 4 == 0) return *reinterpret_cast<const unsigned*>(at);
    unsigned word = outside;
    for (int c = 0; c < 4 && i + c < inputs; ++c) word = (word & ~(0xffu << 8 * c)) | (unsigned)at[c] << 8 * c;
    return word;
}

__global__ void dense(int rows, int inputs, int outputs, int zero_in, int zero_out, const uint8_t* __restrict__ x, const int8_t* __restrict__ w,
                      const int32_t* __restrict__ bias, const int32_t* __restrict__ multiplier, const int32_t* __restrict__ shift, uint8_t* __restrict__ y) {
    __shared__ int left[16][65], right[16][65];  // [word along the inputs][row or output]; activations less 128, to fit a signed byte
    const int top = blockIdx.y * 64, first = blockIdx.x * 64, u = threadIdx.x % 16, v = threadIdx.x / 16;
    int acc[4][4] = {}, sum[4] = {};
    for (int from = 0; from < inputs; from += 64) {
        for (int e = threadIdx.x; e < 64 * 16; e += 256) {
            const int k = e % 16, r = e / 16;
            left[k][r] = (int)(fetch(x, top + r, rows, from + 4 * k, inputs, 0x80808080u) ^ 0x80808080u);
            right[k][r] = (int)fetch(w, first + r, outputs, from + 4 * k, inputs, 0);
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            int a[4], b[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) a[i] = left[k][v + 16 * i], b[i] = right[k][u + 16 * i];
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                sum[j] = __dp4a(b[j], 0x01010101, sum[j]);
#pragma unroll
                for (int i = 0; i < 4; ++i) acc[i][j] = __dp4a(a[i], b[j], acc[i][j]);
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        const int o = first + u + 16 * j;
        if (o >= outputs) continue;
        const int base = bias[o] + (128 - zero_in) * sum[j];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int r = top + v + 16 * i;
            if (r < rows) y[(size_t)r * outputs + o] = requantised(acc[i][j] + base, multiplier[o], shift[o], zero_out);
        }
    }
}

extern "C" void requantised_dense(int rows, int inputs, int outputs, int32_t zero_in, int32_t zero_out, const uint8_t* x, const int8_t* w,
                                  const int32_t* bias, const int32_t* multiplier, const int32_t* shift, uint8_t* y) {
    dense<<<dim3((outputs + 63) / 64, (rows + 63) / 64), 256>>>(rows, inputs, outputs, zero_in, zero_out, x, w, bias, multiplier, shift, y);
}
