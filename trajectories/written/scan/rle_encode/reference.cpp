#include <cstdint>

// Run-length encoding of a mask: the value and the length of every run, in order, and how many runs there are.
void rle_encode(int n, const uint8_t* mask, uint8_t* value, int32_t* length, int32_t* runs) {
    int k = -1;
    for (int i = 0; i < n; ++i) {
        if (i == 0 || mask[i] != mask[i - 1]) {
            ++k;
            value[k] = mask[i];
            length[k] = 0;
        }
        ++length[k];
    }
    runs[0] = k + 1;
}
