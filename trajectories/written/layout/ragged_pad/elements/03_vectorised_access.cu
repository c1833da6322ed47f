// Left-padded batch: four columns a thread, stored as vectors where rows are aligned.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 128;

struct Row {
    int end, length, max_len, pad_id;
    const int* tokens;

    __device__ bool valid(int c) const { return max_len - c <= length; }
    __device__ int token(int c) const { return valid(c) ? tokens[end - (max_len - c)] : pad_id; }
};

template <int kWide>
__global__ void pad_rows(int max_len, int pad_id, const int* row_start, const int* tokens, int* batch,
                         unsigned char* mask, int* kept) {
    int r = blockIdx.x, c = (blockIdx.y * kThreads + threadIdx.x) * kWide;
    if (c >= max_len) return;
    int end = row_start[r + 1];
    Row row{end, min(end - row_start[r], max_len), max_len, pad_id, tokens};
    size_t place = (size_t)r * max_len + c;
    if constexpr (kWide == 4) {
        *reinterpret_cast<int4*>(batch + place) =
            make_int4(row.token(c), row.token(c + 1), row.token(c + 2), row.token(c + 3));
        *reinterpret_cast<uchar4*>(mask + place) =
            make_uchar4(row.valid(c), row.valid(c + 1), row.valid(c + 2), row.valid(c + 3));
    } else {
        batch[place] = row.token(c);
        mask[place] = row.valid(c);
    }
    if (c == 0) kept[r] = row.length;
}

extern "C" void ragged_pad(int rows, int total, int max_len, int pad_id, const int* row_start, const int* tokens,
                           int* batch, unsigned char* mask, int* kept) {
    (void)total;
    bool wide = max_len % 4 == 0 && reinterpret_cast<uintptr_t>(batch) % 16 == 0 &&
                reinterpret_cast<uintptr_t>(mask) % 4 == 0;
    int per_block = kThreads * (wide ? 4 : 1);
    dim3 grid(rows, (max_len - 1) / per_block + 1);
    auto kernel = wide ? pad_rows<4> : pad_rows<1>;
    kernel<<<grid, kThreads>>>(max_len, pad_id, row_start, tokens, batch, mask, kept);
}
