// Code points of text fields: one thread a field.
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

__global__ void count(int fields, int width, const uint8_t* text, const int32_t* used, int32_t* code_points) {
    const int f = blockIdx.x * blockDim.x + threadIdx.x;
    if (f >= fields) return;
    const uint8_t* field = text + (long long)f * width;
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
    count<<<(fields - 1) / 128 + 1, 128>>>(fields, width, text, used, code_points);
}
