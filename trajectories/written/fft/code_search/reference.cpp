// Walsh-Hadamard spectrum of each descrambled row, and where it is largest.
#include <cstddef>
#include <cstdlib>

void code_search(int rows, int n, const signed char* code, const short* chips, int* spectrum, int* peak) {
    for (int row = 0; row < rows; ++row) {
        int* s = spectrum + (size_t)row * n;
        for (int i = 0; i < n; ++i) s[i] = code[i] * chips[(size_t)row * n + i];
        for (int half = 1; half < n; half *= 2) {
            for (int i = 0; i < n; ++i) {
                if (i & half) continue;
                int a = s[i], b = s[i + half];
                s[i] = a + b;
                s[i + half] = a - b;
            }
        }
        int best = 0;
        for (int i = 1; i < n; ++i)
            if (std::abs(s[i]) > std::abs(s[best])) best = i;
        peak[row] = best;
    }
}
