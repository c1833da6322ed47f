#include <cstdint>
#include <vector>

// Damped Jacobi sweeps on an ELLPACK matrix with `width` slots in each row; a negative column is an empty slot. In place.
void ell_jacobi(int n, int width, int sweeps, float damping, const int32_t* column, const float* value, const float* diagonal,
                const float* b, float* x) {
    std::vector<float> old(n);
    for (int s = 0; s < sweeps; ++s) {
        for (int r = 0; r < n; ++r) old[r] = x[r];
        for (int r = 0; r < n; ++r) {
            float rest = b[r] - diagonal[r] * old[r];
            for (int k = 0; k < width; ++k) {
                const int32_t c = column[(long long)r * width + k];
                if (c >= 0) rest -= value[(long long)r * width + k] * old[c];
            }
            x[r] = old[r] + damping * rest / diagonal[r];
        }
    }
}
