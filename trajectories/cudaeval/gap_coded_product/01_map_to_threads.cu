// Gap-coded rows: one row a thread.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void multiply(int rows, int cols, const int* offset, const uint8_t* stream, const int* x, int* y, int* count) {
    const int r = blockIdx.x * 128 + threadIdx.x;
    if (r >= rows) return;
    const int end = offset[r + 1];
    int now = offset[r], column = r % cols, sum = 0, entries = 0;
    while (now < end) {
        unsigned number = 0, byte = 128;
        for (int shift = 0; byte >= 128 && shift < 21 && now < end; shift += 7) {
            byte = stream[now++];
            number |= (byte & 127) << shift;
        }
        if (now == end) break;
        column = (column + number) % cols;
        sum += (int8_t)stream[now++] * x[column];
        ++entries;
    }
    y[r] = sum;
    count[r] = entries;
}

extern "C" void gap_coded_product(int rows, int cols, int bytes, const int32_t* offset, const uint8_t* stream, const int32_t* x, int32_t* y,
                                  int32_t* count) {
    (void)bytes;
    multiply<<<(rows + 127) / 128, 128>>>(rows, cols, offset, stream, x, y, count);
}
