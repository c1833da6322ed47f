#include <cstdint>
#include <vector>

// Zhang and Suen's thinning: layers of a stroke's rim are taken away, two sides at a time, until strokes are one pixel wide.
void thin_strokes(int height, int width, uint8_t* image) {
    std::vector<int64_t> doomed;
    for (int pass = 0, idle = 0; idle < 2; pass = 1 - pass) {
        doomed.clear();
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                const int64_t at = (int64_t)y * width + x;
                if (image[at] == 0) continue;
                const bool up = y > 0, down = y + 1 < height, left = x > 0, right = x + 1 < width;
                const int p2 = up ? image[at - width] : 0, p3 = up && right ? image[at - width + 1] : 0;
                const int p4 = right ? image[at + 1] : 0, p5 = down && right ? image[at + width + 1] : 0;
                const int p6 = down ? image[at + width] : 0, p7 = down && left ? image[at + width - 1] : 0;
                const int p8 = left ? image[at - 1] : 0, p9 = up && left ? image[at - width - 1] : 0;
                const int ones = p2 + p3 + p4 + p5 + p6 + p7 + p8 + p9;
                if (ones < 2 || ones > 6) continue;
                const int rises = (p2 < p3) + (p3 < p4) + (p4 < p5) + (p5 < p6) + (p6 < p7) + (p7 < p8) + (p8 < p9) + (p9 < p2);
                if (rises != 1) continue;
                if (pass == 0 ? p4 * p6 * (p2 + p8) : p2 * p8 * (p4 + p6)) continue;
                doomed.push_back(at);
            }
        }
        for (const int64_t at : doomed) image[at] = 0;
        idle = doomed.empty() ? idle + 1 : 0;
    }
}
