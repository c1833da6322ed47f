#include <cstdint>

// Sorts blocks of 32 keys with a bitonic network: the partner of a place is found by flipping one bit.
void bitonic_blocks(int blocks, int64_t* keys) {
    for (int b = 0; b < blocks; b++) {
        int64_t* block = keys + 32 * b;
        for (int size = 2; size <= 32; size <<= 1)
            for (int gap = size >> 1; gap > 0; gap >>= 1)
                for (int i = 0; i < 32; i++) {
                    const int partner = i ^ gap;
                    if (partner <= i) continue;
                    const bool ascending = (i & size) == 0;
                    if ((block[i] > block[partner]) == ascending) {
                        const int64_t t = block[i];
                        block[i] = block[partner];
                        block[partner] = t;
                    }
                }
    }
}
