// Histogram of each colour channel with 64 bins.
#include <cstddef>

void rgb_histogram(int pixels, const unsigned char* rgb, unsigned int* counts) {
    for (int bin = 0; bin < 3 * 64; ++bin) counts[bin] = 0;
    for (int pixel = 0; pixel < pixels; ++pixel) {
        for (int channel = 0; channel < 3; ++channel) {
            unsigned char value = rgb[3 * (size_t)pixel + channel];
            counts[64 * channel + value / 4]++;
        }
    }
}
