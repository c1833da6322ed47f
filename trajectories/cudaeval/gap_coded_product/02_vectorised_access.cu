// Gap-coded rows: a row's bytes come four at a time, by aligned words; only those at the end of the stream come one by one.
#include <cuda_runtime.h>

#include <cstdint>

// Reads bytes in order.
struct Reader {
    const uint8_t* stream;
    int bytes, now;
    unsigned word;  // holds what is left of the word of `now`, unless that is at the start of one

    __device__ void fill() {
        if (now + 4 <= bytes) {
            word = *reinterpret_cast<const unsigned*>(stream + now);
        } else {
            word = 0;
            for (int k = 0; now + k < bytes; ++k) word |= (unsigned)stream[now + k] << 8 * k;
        }
    }
    __device__ void open(int first) {
        now = first & ~3;
        fill();
        word >>= 8 * (first & 3);
        now = first;
    }
    __device__ unsigned next() {
        if ((now & 3) == 0) fill();
        const unsigned byte = word & 255;
        word >>= 8;
        ++now;
        return byte;
    }
};

__global__ void multiply(int rows, int cols, int bytes, const int* __restrict__ offset, const uint8_t* __restrict__ stream,
                         const int* __restrict__ x, int* __restrict__ y, int* __restrict__ count) {
    const int r = blockIdx.x * 128 + threadIdx.x;
    if (r >= rows) return;
    const int end = offset[r + 1];
    int column = r % cols, sum = 0, entries = 0;
    Reader reader = {stream, bytes, 0, 0};
    reader.open(offset[r]);
    while (reader.now < end) {
        unsigned number = 0, byte = 128;
        for (int shift = 0; byte >= 128 && shift < 21 && reader.now < end; shift += 7) {
            byte = reader.next();
            number |= (byte & 127) << shift;
        }
        if (reader.now == end) break;
        column = (column + number) % cols;
        sum += (int8_t)reader.next() * x[column];
        ++entries;
    }
    y[r] = sum;
    count[r] = entries;
}

extern "C" void gap_coded_product(int rows, int cols, int bytes, const int32_t* offset, const uint8_t* stream, const int32_t* x, int32_t* y,
                                  int32_t* count) {
    multiply<<<(rows + 127) / 128, 128>>>(rows, cols, bytes, offset, stream, x, y, count);
}
