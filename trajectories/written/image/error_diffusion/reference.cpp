// Error diffusion in raster order.
#include <cstddef>
#include <vector>

void error_diffusion(int pages, int height, int width, const unsigned char* grey, unsigned char* tone) {
    std::vector<int> here(width + 2), below(width + 2);  // shares for columns -1 .. width
    for (int p = 0; p < pages; ++p) {
        here.assign(width + 2, 0);
        for (int y = 0; y < height; ++y) {
            const size_t row = ((size_t)p * height + y) * width;
            below.assign(width + 2, 0);
            for (int x = 0; x < width; ++x) {
                const int v = grey[row + x] + here[x + 1];
                const int output = v >= 128 ? 255 : 0;
                const int e = v - output, right = e * 7 / 16, left = e * 3 / 16, down = e * 5 / 16;
                tone[row + x] = (unsigned char)output;
                here[x + 2] += right;
                below[x] += left;
                below[x + 1] += down;
                below[x + 2] += e - right - left - down;
            }
            here.swap(below);
        }
    }
}
