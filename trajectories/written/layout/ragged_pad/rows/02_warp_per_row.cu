// Left-padded batch: one warp per row.
#include <cuda_runtime.h>

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
    for (int c = lane; c < max_len; c += 32) {
        out[c] = c < padding ? pad_id : tokens[end - max_len + c];
        valid[c] = c >= padding;
    }
    if (lane == 0) kept[r] = length;
}

extern "C" void ragged_pad(int rows, int total, int max_len, int pad_id, const int* row_start, const int* tokens,
                           int* batch, unsigned char* mask, int* kept) {
    (void)total;
    pad_rows<<<(rows - 1) / kWarps + 1, dim3(32, kWarps)>>>(rows, max_len, pad_id, row_start, tokens, batch, mask, kept);
}
