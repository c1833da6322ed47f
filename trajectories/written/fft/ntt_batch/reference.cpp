// Cooley-Tukey number-theoretic transform modulo 998244353, a factor for each block of each layer.
#include <cstddef>
#include <cstdint>

static const uint32_t kModulus = 998244353u;

void ntt_batch(int polys, int n, const uint32_t* roots, uint32_t* a) {
    for (int poly = 0; poly < polys; ++poly, a += n) {
        const uint32_t* z = roots + 1;
        for (int len = n / 2; len >= 1; len /= 2) {
            for (int start = 0; start < n; start += 2 * len, ++z) {
                for (int j = start; j < start + len; ++j) {
                    uint32_t t = (uint32_t)((uint64_t)*z * a[j + len] % kModulus);
                    uint32_t u = a[j];
                    a[j + len] = u >= t ? u - t : u + kModulus - t;
                    a[j] = u + t >= kModulus ? u + t - kModulus : u + t;
                }
            }
        }
    }
}
