// Left-padded batch: one warp per row; the mask is written as words of four packed bytes.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWarps = 8;  // per block

__global__ void pad_rows(int rows, int max_len, int pad_id, const int* row_start, const int* tokens, int* batch,
                         unsigned char* mask, int* kept) {
    const int r = blockIdx.x * kWarps + threadIdx.y, lane = threadIdx.x;
    if (r >= rows) return;
    int end = row_start[r + 1];
    int length = min(end - row_start[r], max_len);
    int padding = max_len - length;
    int* out = batch + (size_t)r * max_len;
    unsigned char* valid = mask + (size_t)r * max_len;

    for (int c = lane; c < padding; c += 32) out[c] = pad_id;
    const int* source = tokens + (end - length);
#pragma unroll 4
    for (int k = lane; k < length; k += 32) out[padding + k] = source[k];

    if (reinterpret_cast<uintptr_t>(valid) % 4 == 0) {
        for (int w = lane; w < max_len / 4; w += 32) {
            int zeros = min(max(padding - 4 * w, 0), 4);  // leading bytes of this word under padding
            unsigned int ones = zeros == 4 ? 0u : 0x01010101u << 8 * zeros;
            reinterpret_cast<unsigned int*>(valid)[w] = ones;
        }
        for (int c = max_len / 4 * 4 + lane; c < max_len; c += 32) valid[c] = c >= padding;
    } else {
        for (int c = lane; c < max_len; c += 32) valid[c] = c >= padding;
    }
    if (lane == 0) kept[r] = length;
}

extern "C" void ragged_pad(int rows, int total, int max_len, int pad_id, const int* row_start, const int* tokens,
                           int* batch, unsigned char* mask, int* kept) {
    (void)total;
    pad_rows<<<(rows - 1) / kWarps + 1, dim3(32, kWarps)>>>(rows, max_len, pad_id, row_start, tokens, batch, mask, kept);
}
