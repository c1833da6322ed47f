#include <cstddef>
#include <vector>

namespace spectral {

// out[r][s][a] = sum over i of w[a][i] in[i][r][s]: the first axis is transformed and becomes the last.
void turn(int n, const float* w, const float* in, float* out)
{
    for (int rest = 0; rest < n * n; ++rest)
        for (int a = 0; a < n; ++a) {
            float sum = 0.0f;
            for (int i = 0; i < n; ++i) sum += w[a * n + i] * in[i * n * n + rest];
            out[rest * n + a] = sum;
        }
}

}  // namespace spectral

void kron_rotate(int tensors, int n, const float* w, const float* in, float* out)
{
    const size_t size = (size_t)n * n * n;
    std::vector<float> first(size), second(size);
    for (int t = 0; t < tensors; ++t) {
        spectral::turn(n, w, in + t * size, first.data());
        spectral::turn(n, w, first.data(), second.data());
        spectral::turn(n, w, second.data(), out + t * size);
    }
}
