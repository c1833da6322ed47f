#include <cstddef>
#include <cstdint>
#include <vector>

constexpr int kWindow = 24;
constexpr int kPerStage = 8;
constexpr int kVotes = 5;

// table has one more row and column than the image: the sum of all pixels above and to the left.
static void sum_up(int height, int width, const uint8_t* pixel, uint32_t* table) {
    const size_t pitch = (size_t)width + 1;
    for (int y = 0; y < height; ++y) {
        uint32_t row = 0;
        for (int x = 0; x < width; ++x) {
            row += pixel[(size_t)y * width + x];
            table[(y + 1) * pitch + x + 1] = table[y * pitch + x + 1] + row;
        }
    }
}

static uint32_t box_sum(const uint32_t* corner, size_t pitch, int columns, int rows) {
    return corner[rows * pitch + columns] - corner[rows * pitch] - corner[columns] + corner[0];
}

void cascade_windows(int height, int width, int stages, const uint8_t* pixel, const uint8_t* box, const int32_t* threshold,
                     uint8_t* stages_passed) {
    const size_t pitch = (size_t)width + 1;
    std::vector<uint32_t> table((height + 1) * pitch);
    sum_up(height, width, pixel, table.data());
    for (int y = 0; y + kWindow <= height; ++y) {
        for (int x = 0; x + kWindow <= width; ++x) {
            int passed = 0;
            while (passed < stages) {
                int votes = 0;
                for (int f = kPerStage * passed; f < kPerStage * (passed + 1); ++f) {
                    const uint8_t* shape = box + 4 * f;
                    const uint32_t* corner = &table[(y + shape[1]) * pitch + x + shape[0]];
                    int columns = 1 + shape[2] % 6, rows = 1 + shape[3] % 12;
                    uint32_t left = box_sum(corner, pitch, columns, rows);
                    uint32_t right = box_sum(corner + columns, pitch, columns, rows);
                    if ((int32_t)(left - right) > threshold[f]) ++votes;
                }
                if (votes < kVotes) break;
                ++passed;
            }
            stages_passed[(size_t)y * (width - kWindow + 1) + x] = (uint8_t)passed;
        }
    }
}
