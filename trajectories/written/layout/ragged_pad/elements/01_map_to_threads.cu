// Left-padded batch: one thread per place of the batch.
#include <cuda_runtime.h>

__global__ void pad_rows(long long places, int max_len, int pad_id, const int* row_start, const int* tokens, int* batch,
                         unsigned char* mask, int* kept) {
    long long place = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (place >= places) return;
    int r = (int)(place / max_len), c = (int)(place % max_len);
    int end = row_start[r + 1];
    int length = min(end - row_start[r], max_len);
    int from_end = max_len - c;  // 1 for the last place
    bool valid = from_end <= length;
    batch[place] = valid ? tokens[end - from_end] : pad_id;
    mask[place] = valid;
    if (c == 0) kept[r] = length;
}

extern "C" void ragged_pad(int rows, int total, int max_len, int pad_id, const int* row_start, const int* tokens,
                           int* batch, unsigned char* mask, int* kept) {
    (void)total;
    const int threads = 256;
    long long places = (long long)rows * max_len;
    pad_rows<<<(unsigned int)((places - 1) / threads + 1), threads>>>(places, max_len, pad_id, row_start, tokens, batch,
                                                                      mask, kept);
}
