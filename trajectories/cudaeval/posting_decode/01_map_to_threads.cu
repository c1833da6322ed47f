#include <cuda_runtime.h>

__global__ void decode(int lists, const unsigned char* code, const long long* start, unsigned* document, int* length) {
    int l = blockIdx.x * blockDim.x + threadIdx.x;
    if (l >= lists) return;
    unsigned* out = document + start[l];
    unsigned last = 0, gap = 0;
    int found = 0;
    for (long long i = start[l]; i < start[l + 1]; ++i) {
        unsigned byte = code[i];
        gap = (gap << 7) | (byte & 127u);
        if (byte & 128u) {
            last += gap;
            out[found++] = last;
            gap = 0;
        }
    }
    length[l] = found;
}

extern "C" void posting_decode(long long bytes, int lists, const unsigned char* code, const long long* start, unsigned* document,
                               int* length) {
    if (lists > 0) decode<<<(lists + 127) / 128, 128>>>(lists, code, start, document, length);
}
