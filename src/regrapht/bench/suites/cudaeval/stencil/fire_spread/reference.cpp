#include <cstdint>

enum : uint8_t { kBare = 0, kForest = 1, kFresh = 2, kDying = 4 };

// One step of a cellular model of wildfires.
void fire_spread(int rows, int cols, const uint8_t* state, const uint8_t* moisture, uint8_t* next) {
    const int64_t below = cols;
    for (int y = 0; y < rows; ++y) {
        for (int x = 0; x < cols; ++x, ++state, ++moisture, ++next) {
            switch (*state) {
                case kBare:
                    *next = kBare;
                    break;
                case kForest: {
                    int burning = 0;
                    for (int64_t dy = y > 0 ? -1 : 0; dy <= (y + 1 < rows ? 1 : 0); ++dy)
                        for (int64_t dx = x > 0 ? -1 : 0; dx <= (x + 1 < cols ? 1 : 0); ++dx) burning += state[dy * below + dx] >= kFresh;
                    *next = 40 * burning > *moisture ? kFresh : kForest;
                    break;
                }
                case kDying:
                    *next = kBare;
                    break;
                default:
                    *next = (uint8_t)(*state + 1);
            }
        }
    }
}
