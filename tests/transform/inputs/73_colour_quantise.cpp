#include <climits>

// Assigns each RGB pixel to the nearest palette colour (the first of equally near ones) and adds up size and colour of every group.
void colour_quantise(int pixels, int colours, const unsigned char* rgb, const unsigned char* palette, int* label, int* members,
                     long long* sums) {
    for (int c = 0; c < colours; c++) {
        members[c] = 0;
        sums[3 * c] = sums[3 * c + 1] = sums[3 * c + 2] = 0;
    }
    for (int p = 0; p < pixels; p++) {
        int nearest = 0, least = INT_MAX;
        for (int c = 0; c < colours; c++) {
            int d = 0;
            for (int k = 0; k < 3; k++) {
                const int off = rgb[3 * p + k] - palette[3 * c + k];
                d += off * off;
            }
            if (d < least) {
                least = d;
                nearest = c;
            }
        }
        label[p] = nearest;
        members[nearest]++;
        for (int k = 0; k < 3; k++)
            sums[3 * nearest + k] += rgb[3 * p + k];
    }
}
