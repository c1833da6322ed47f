// Right-aligned rows of a padded batch, with their mask.
#include <algorithm>
#include <cstddef>

void ragged_pad(int rows, int total, int max_len, int pad_id, const int* row_start, const int* tokens, int* batch,
                unsigned char* mask, int* kept) {
    (void)total;
    for (int r = 0; r < rows; ++r) {
        const int* end = tokens + row_start[r + 1];
        int length = std::min(row_start[r + 1] - row_start[r], max_len);
        int* out = batch + (size_t)r * max_len;
        unsigned char* valid = mask + (size_t)r * max_len;
        std::fill(out, out + (max_len - length), pad_id);
        std::copy(end - length, end, out + (max_len - length));
        std::fill(valid, valid + (max_len - length), 0);
        std::fill(valid + (max_len - length), valid + max_len, 1);
        kept[r] = length;
    }
}
