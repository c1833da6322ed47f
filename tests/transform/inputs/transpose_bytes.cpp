// shape: in = rows * cols
// shape: out = rows * cols
// check: rows=1,cols=1; rows=33,cols=31; rows=64,cols=70
#include <cstddef>
void transpose_bytes(size_t rows, size_t cols, const unsigned char* in, unsigned char* out) {
    for (size_t r = 0; r < rows; ++r)
        for (size_t c = 0; c < cols; ++c) out[c * rows + r] = in[r * cols + c];
}
