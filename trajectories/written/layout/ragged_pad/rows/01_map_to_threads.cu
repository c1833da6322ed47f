// Left-padded batch: one thread per row.
#include <cuda_runtime.h>

__global__ void pad_rows(int rows, int max_len, int pad_id, const int* row_start, const int* tokens, int* batch,
                         unsigned char* mask, int* kept) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    int end = row_start[r + 1];
    int length = min(end - row_start[r], max_len);
    int padding = max_len - length;
    int* out = batch + (size_t)r * max_len;
    unsigned char* valid = mask + (size_t)r * max_len;
    for (int c = 0; c < max_len; ++c) {
        out[c] = c < padding ? pad_id : tokens[end - max_len + c];
        valid[c] = c >= padding;
    }
    kept[r] = length;
}

extern "C" void ragged_pad(int rows, int total, int max_len, int pad_id, const int* row_start, const int* tokens,
                           int* batch, unsigned char* mask, int* kept) {
    (void)total;
    const int threads = 128;
    pad_rows<<<(rows - 1) / threads + 1, threads>>>(rows, max_len, pad_id, row_start, tokens, batch, mask, kept);
}
