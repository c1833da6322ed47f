// Left-padded batch: rows on one grid axis, chunks of columns on the other.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

__global__ void pad_rows(int max_len, int pad_id, const int* row_start, const int* tokens, int* batch,
                         unsigned char* mask, int* kept) {
    int r = blockIdx.x, c = blockIdx.y * kThreads + threadIdx.x;
    if (c >= max_len) return;
    int end = row_start[r + 1];
    int length = min(end - row_start[r], max_len);
    int from_end = max_len - c;  // 1 for the last place
    bool valid = from_end <= length;
    size_t place = (size_t)r * max_len + c;
    batch[place] = valid ? tokens[end - from_end] : pad_id;
    mask[place] = valid;
    if (c == 0) kept[r] = length;
}

extern "C" void ragged_pad(int rows, int total, int max_len, int pad_id, const int* row_start, const int* tokens,
                           int* batch, unsigned char* mask, int* kept) {
    (void)total;
    dim3 grid(rows, (max_len - 1) / kThreads + 1);
    pad_rows<<<grid, kThreads>>>(max_len, pad_id, row_start, tokens, batch, mask, kept);
}
