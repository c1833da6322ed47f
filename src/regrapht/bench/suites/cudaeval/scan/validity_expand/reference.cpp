#include <cstdint>

struct Bits {
    const uint32_t* words;
    bool operator[](int r) const { return words[r / 32] >> r % 32 & 1; }
};

void validity_expand(int rows, int stored, int32_t none, const uint32_t* valid, const int32_t* dense, int32_t* out, int32_t* carried, int32_t* used)
{
    const Bits set{valid};
    int next = 0;
    int32_t last = none;
    for (int r = 0; r < rows; ++r) {
        out[r] = none;
        if (set[r]) {
            if (next < stored) last = out[r] = dense[next];
            ++next;
        }
        carried[r] = last;
    }
    *used = next;
}
