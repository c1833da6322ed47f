#include <cstdint>
#include <vector>

using std::vector;

static vector<int32_t> joint(int height, int width, int shift, const uint8_t* first, const uint8_t* second)
{
    vector<int32_t> cells(256, 0);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const int partner = x + shift;
            if (partner < 0 || partner >= width) continue;
            const int a = first[(long)y * width + x] >> 4, b = second[(long)y * width + partner] >> 4;
            ++cells[16 * a + b];
        }
    return cells;
}

void joint_counts(int height, int width, int reach, const uint8_t* first, const uint8_t* second, int32_t* count)
{
    for (int shift = -reach; shift <= reach; ++shift) {
        const vector<int32_t> cells = joint(height, width, shift, first, second);
        for (int k = 0; k < 256; ++k) *count++ = cells[k];
    }
}
