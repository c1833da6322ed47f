#include <cstdint>

// Nearest molecule by Tanimoto similarity of 1024-bit fingerprints: common bits over all bits that either has.
void fingerprint_nearest(int queries, int molecules, const uint32_t* query, const uint32_t* library, int32_t* nearest, int32_t* common) {
    for (int q = 0; q < queries; ++q) {
        int best = -1, best_both = 0, best_any = 1;
        for (int m = 0; m < molecules; ++m) {
            int both = 0, any = 0;
            for (int w = 0; w < 32; ++w) {
                const uint32_t a = query[q * 32 + w], b = library[(long long)m * 32 + w];
                both += __builtin_popcount(a & b);
                any += __builtin_popcount(a | b);
            }
            if (best < 0 || both * best_any > best_both * any) {
                best = m;
                best_both = both;
                best_any = any;
            }
        }
        nearest[q] = best;
        common[q] = best_both;
    }
}
