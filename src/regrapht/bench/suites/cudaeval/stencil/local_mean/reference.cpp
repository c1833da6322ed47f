#include <algorithm>
#include <cstdint>
#include <vector>

static const int kRadius = 3;

// Local mean in a cube. Sums of columns of slices, and of columns of those, grow and shrink as the cube moves.
void local_mean(int depth, int height, int width, const uint16_t* volume, uint16_t* out) {
    const int64_t plane = (int64_t)height * width;
    std::vector<uint32_t> slab(plane, 0), line(width);
    const auto change = [](std::vector<uint32_t>& sum, int64_t count, const auto* from, bool enters) {
        for (int64_t i = 0; i < count; ++i) sum[i] += enters ? (uint32_t)from[i] : 0u - from[i];
    };
    for (int z = -kRadius; z < depth; ++z) {
        if (z + kRadius < depth) change(slab, plane, volume + (z + kRadius) * plane, true);
        if (z - kRadius - 1 >= 0) change(slab, plane, volume + (z - kRadius - 1) * plane, false);
        if (z < 0) continue;
        const int deep = std::min(z + kRadius, depth - 1) - std::max(z - kRadius, 0) + 1;
        std::fill(line.begin(), line.end(), 0u);
        for (int y = -kRadius; y < height; ++y) {
            if (y + kRadius < height) change(line, width, &slab[(int64_t)(y + kRadius) * width], true);
            if (y - kRadius - 1 >= 0) change(line, width, &slab[(int64_t)(y - kRadius - 1) * width], false);
            if (y < 0) continue;
            const int high = std::min(y + kRadius, height - 1) - std::max(y - kRadius, 0) + 1;
            for (int x = 0; x < width; ++x) {
                const int first = std::max(x - kRadius, 0), last = std::min(x + kRadius, width - 1);
                uint32_t sum = 0;
                for (int k = first; k <= last; ++k) sum += line[k];
                out[z * plane + (int64_t)y * width + x] = (uint16_t)(sum / (uint32_t)(deep * high * (last - first + 1)));
            }
        }
    }
}
