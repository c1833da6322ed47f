#include <cstdint>

static const int kSize = 256;
static const int64_t kPrime = 8380417;

// Products in the ring of polynomials modulo x^256 + 1 over a prime field, as taught at school.
void ring_products(int pairs, const uint32_t* a, const uint32_t* b, uint32_t* out) {
    int64_t sum[kSize];
    for (int64_t pair = 0; pair < pairs; ++pair) {
        const uint32_t *left = a + pair * kSize, *right = b + pair * kSize;
        for (int k = 0; k < kSize; ++k) sum[k] = 0;
        for (int i = 0; i < kSize; ++i) {
            const int64_t factor = left[i];
            for (int j = 0; j < kSize - i; ++j) sum[i + j] += factor * right[j];
            for (int j = kSize - i; j < kSize; ++j) sum[i + j - kSize] -= factor * right[j];
        }
        for (int k = 0; k < kSize; ++k) {
            const int64_t rest = sum[k] % kPrime;
            out[pair * kSize + k] = (uint32_t)(rest < 0 ? rest + kPrime : rest);
        }
    }
}
