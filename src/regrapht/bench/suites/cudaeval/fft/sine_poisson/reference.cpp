#include <cmath>
#include <cstddef>
#include <vector>

// Sums of sines along a row, of n numbers: out[k] = sum over j of in[j] sin(pi (j + 1) (k + 1) / (n + 1)).
static void sine_sums(int n, const std::vector<float>& sine, const float* in, float scale, float* out) {
    for (int k = 0; k < n; ++k) {
        float sum = 0.0f;
        for (int j = 0; j < n; ++j) sum += in[j] * sine[(j + 1) * (k + 1) % (2 * n + 2)];
        out[k] = scale * sum;
    }
}

void sine_poisson(int rows, int n, const float* source, float* potential) {
    const double pi = 3.14159265358979323846;
    std::vector<float> sine(2 * n + 2), mode((size_t)rows * n), factor(rows);
    for (int i = 0; i < 2 * n + 2; ++i) sine[i] = (float)std::sin(pi * i / (n + 1));
    for (int y = 0; y < rows; ++y) sine_sums(n, sine, source + (size_t)y * n, 1.0f, &mode[(size_t)y * n]);
    for (int k = 0; k < n; ++k) {
        const float middle = (float)(4.0 - 2.0 * std::cos(pi * (k + 1) / (n + 1)));
        float before = 0.0f, carried = 0.0f;
        for (int y = 0; y < rows; ++y) {
            const float pivot = 1.0f / (middle - before);
            factor[y] = before = pivot;
            carried = (mode[(size_t)y * n + k] + carried) * pivot;
            mode[(size_t)y * n + k] = carried;
        }
        for (int y = rows - 2; y >= 0; --y) mode[(size_t)y * n + k] += factor[y] * mode[(size_t)(y + 1) * n + k];
    }
    for (int y = 0; y < rows; ++y) sine_sums(n, sine, &mode[(size_t)y * n], 2.0f / (float)(n + 1), potential + (size_t)y * n);
}
