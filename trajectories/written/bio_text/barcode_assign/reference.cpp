// Assignment of barcodes to the nearest entry of a whitelist.
#include <cstddef>
#include <cstdint>

enum { kBases = 16, kUnknown = 4 };

static int differences(const uint8_t* a, const uint8_t* b) {
    int count = 0;
    for (int k = 0; k < kBases; ++k) count += a[k] != b[k] || a[k] == kUnknown;
    return count;
}

void barcode_assign(int reads, int listed, const uint8_t* read, const uint8_t* whitelist, int* owner,
                    uint8_t* distance) {
    for (int r = 0; r < reads; ++r) {
        int nearest = -1, least = kBases + 1;
        for (int w = 0; w < listed; ++w) {
            int count = differences(read + (size_t)r * kBases, whitelist + (size_t)w * kBases);
            if (count < least) {
                least = count;
                nearest = w;
            } else if (count == least) {
                nearest = -1;
            }
        }
        owner[r] = nearest;
        distance[r] = (uint8_t)least;
    }
}
