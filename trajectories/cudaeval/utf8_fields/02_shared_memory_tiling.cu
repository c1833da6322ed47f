// Code points of text fields: a block reads its fields in one stretch and walks them in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

struct Range {
    int more, low, high;  // bytes that follow; bounds of the first of them. more < 0: no byte that may begin a code point
};

__device__ Range after(int lead) {
    if (lead < 0x80) return {0, 0, 0};
    if (lead >= 0xc2 && lead <= 0xdf) return {1, 0x80, 0xbf};
    if (lead >= 0xe0 && lead <= 0xef) return {2, lead == 0xe0 ? 0xa0 : 0x80, lead == 0xed ? 0x9f : 0xbf};
    if (lead >= 0xf0 && lead <= 0xf4) return {3, lead == 0xf0 ? 0x90 : 0x80, lead == 0xf4 ? 0x8f : 0xbf};
    return {-1, 0, 0};
}

constexpr int kFields = 64;  // of a block, one a thread

// Rows in shared memory are `pitch` bytes apart, an odd number of words.
__device__ void stage(int rows, int width, int pitch, const uint8_t* text, uint8_t* staged) {
    if (width % 4 == 0 && (uintptr_t)text % 4 == 0) {
        const int words = width / 4;
        for (int i = threadIdx.x; i < rows * words; i += kFields)
            *(uint32_t*)(staged + i / words * pitch + i % words * 4) = ((const uint32_t*)text)[i];
    } else {
        for (int i = threadIdx.x; i < rows * width; i += kFields) staged[i / width * pitch + i % width] = text[i];
    }
}

__global__ void count(int fields, int width, int pitch, const uint8_t* text, const int32_t* used, int32_t* code_points) {
    extern __shared__ __align__(16) uint8_t staged[];
    const int first = blockIdx.x * kFields, f = first + threadIdx.x;
    stage(min(kFields, fields - first), width, pitch, text + (long long)first * width, staged);
    __syncthreads();
    if (f >= fields) return;
    const uint8_t* field = staged + threadIdx.x * pitch;
    const int end = used[f];
    int at = 0, count = 0;
    while (at < end) {
        const Range r = after(field[at]);
        bool good = r.more >= 0 && at + r.more < end;
        for (int k = 1; good && k <= r.more; ++k) {
            const int b = field[at + k];
            good = b >= (k == 1 ? r.low : 0x80) && b <= (k == 1 ? r.high : 0xbf);
        }
        if (!good) {
            count = -1;
            break;
        }
        at += 1 + r.more;
        ++count;
    }
    code_points[f] = count;
}

extern "C" void utf8_fields(int fields, int width, const uint8_t* text, const int32_t* used, int32_t* code_points) {
    const int pitch = 4 * ((width + 3) / 4 | 1), bytes = kFields * pitch;
    cudaFuncSetAttribute(count, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    count<<<(fields - 1) / kFields + 1, kFields, bytes>>>(fields, width, pitch, text, used, code_points);
}
