// Requantised dense layer: words of the next tile are on their way while this one is multiplied, and two buffers leave one barrier a tile.
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

// base[o]: bias and what the zero points give, which is the same for all rows; a warp adds up one output's weights.
__global__ void add_up(int inputs, int outputs, int zero_in, const int8_t* __restrict__ w, const int32_t* __restrict__ bias, int* __restrict__ base) {
    const int o = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (o >= outputs) return;
    int sum = 0;
    for (int i = 4 * lane; i < inputs; i += 128) sum = __dp4a((int)fetch(w, o, outputs, i, inputs, 0), 0x01010101, sum);
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    if (lane == 0) base[o] = bias[o] + (128 - zero_in) * sum;
}

__global__ void dense(int rows, int inputs, int outputs, int zero_out, const uint8_t* __restrict__ x, const int8_t* __restrict__ w,
                      const int32_t* __restrict__ base, const int32_t* __restrict__ multiplier, const int32_t* __restrict__ shift, uint8_t* __restrict__ y) {
    __shared__ __align__(16) int left[2][16][68], right[2][16][68];  // [buffer][word along the inputs][row or output]; activations less 128, to fit a signed byte
    const int top = blockIdx.y * 64, first = blockIdx.x * 64, u = threadIdx.x % 16, v = threadIdx.x / 16;
    int acc[4][4] = {};
    unsigned one[4], two[4];  // words of the tile to come, on their way while this one is multiplied
    const auto ask = [&](int from) {
#pragma unroll
        for (int s = 0; s < 4; ++s) {
            one[s] = fetch(x, top + v + 16 * s, rows, from + 4 * u, inputs, 0x80808080u);
            two[s] = fetch(w, first + v + 16 * s, outputs, from + 4 * u, inputs, 0);
        }
    };
    ask(0);
    for (int from = 0, now = 0; from < inputs; from += 64, now ^= 1) {
#pragma unroll
        for (int s = 0; s < 4; ++s) left[now][u][v + 16 * s] = (int)(one[s] ^ 0x80808080u), right[now][u][v + 16 * s] = (int)two[s];
        __syncthreads();
        if (from + 64 < inputs) ask(from + 64);
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            const int4 p = *reinterpret_cast<const int4*>(&left[now][k][4 * v]), q = *reinterpret_cast<const int4*>(&right[now][k][4 * u]);
            const int a[4] = {p.x, p.y, p.z, p.w}, b[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
            for (int j = 0; j < 4; ++j)
#pragma unroll
                for (int i = 0; i < 4; ++i) acc[i][j] = __dp4a(a[i], b[j], acc[i][j]);
        }
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        const int o = first + 4 * u + j;
        if (o >= outputs) continue;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int r = top + 4 * v + i;
            if (r < rows) y[(size_t)r * outputs + o] = requantised(acc[i][j] + base[o], multiplier[o], shift[o], zero_out);
        }
    }
}

extern "C" void requantised_dense(int rows, int inputs, int outputs, int32_t zero_in, int32_t zero_out, const uint8_t* x, const int8_t* w,
                                  const int32_t* bias, const int32_t* multiplier, const int32_t* shift, uint8_t* y) {
    int* base = nullptr;
    cudaMallocAsync(&base, sizeof(int) * outputs, 0);
    add_up<<<(outputs + 3) / 4, 128>>>(inputs, outputs, zero_in, w, bias, base);
    dense<<<dim3((outputs + 63) / 64, (rows + 63) / 64), 256>>>(rows, inputs, outputs, zero_out, x, w, base, multiplier, shift, y);
    cudaFreeAsync(base, 0);
}
