#include <cmath>
#include <cstdint>

void slice_agreement(int pairs, int n, const uint8_t* fixed, const uint8_t* moving, int32_t* joint, float* agreement) {
    for (int p = 0; p < pairs; ++p) {
        int32_t* cell = joint + 256 * p;
        int32_t by_fixed[16] = {0}, by_moving[16] = {0};
        for (int c = 0; c < 256; ++c) cell[c] = 0;
        for (int i = 0; i < n; ++i) {
            const int a = *fixed++ >> 4, b = *moving++ >> 4;
            cell[16 * a + b]++;
            by_fixed[a]++;
            by_moving[b]++;
        }
        float sum = 0;
        for (int a = 0; a < 16; ++a) {
            for (int b = 0; b < 16; ++b) {
                if (cell[16 * a + b] == 0) continue;
                const float both = (float)cell[16 * a + b] / n;
                const float alone = (float)by_fixed[a] / n * ((float)by_moving[b] / n);
                sum += both * std::log(both / alone);
            }
        }
        agreement[p] = sum;
    }
}
