// Trimming of low-quality ends and the expected number of errors in what is kept.
#include <cstddef>
#include <cstdint>

void phred_trim(int reads, int length, int threshold, const uint8_t* quality, const float* chance, int* cut,
                float* errors) {
    for (int r = 0; r < reads; ++r) {
        const uint8_t* q = quality + (size_t)r * length;
        int kept = length, best = 0;
        for (int k = length - 1, sum = 0; k >= 0; --k) {
            sum += threshold - q[k];
            if (sum < 0) break;
            if (sum > best) {
                best = sum;
                kept = k;
            }
        }
        float expected = 0.0f;
        for (int k = 0; k < kept; ++k) expected += chance[q[k]];
        cut[r] = kept;
        errors[r] = expected;
    }
}
