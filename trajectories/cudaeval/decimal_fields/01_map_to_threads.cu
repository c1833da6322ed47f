// Decimal fields: one field a thread.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void read_fields(int fields, const uint8_t* text, int32_t* value, uint8_t* good) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= fields) return;
    const uint8_t *at = text + 8LL * i, *end = at + 8;
    bool negative = false;
    int digits = 0, number = 0;
    while (at < end && *at == ' ') ++at;
    if (at < end && (*at == '-' || *at == '+')) negative = *at++ == '-';
    for (; at < end && *at >= '0' && *at <= '9'; ++at, ++digits) number = 10 * number + (*at - '0');
    while (at < end && *at == ' ') ++at;
    const bool read = at == end && digits > 0;
    value[i] = read ? (negative ? -number : number) : 0;
    good[i] = read;
}

extern "C" void decimal_fields(int fields, const uint8_t* text, int32_t* value, uint8_t* good) {
    read_fields<<<(fields - 1) / 256 + 1, 256>>>(fields, text, value, good);
}
