#include <cstddef>
#include <cstdint>

// Which of the eight neighbours water runs to from each cell of a terrain: the steepest descent, codes 1 2 4 ... 128 from east clockwise.
void flow_direction(int rows, int cols, const int16_t* height, uint8_t* direction) {
    static const int down[8] = {0, 1, 1, 1, 0, -1, -1, -1};
    static const int right[8] = {1, 1, 0, -1, -1, -1, 0, 1};
    for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < cols; ++c) {
            int steepest = 0;
            uint8_t code = 0;
            for (int k = 0; k < 8; ++k) {
                const int y = r + down[k], x = c + right[k];
                if (y < 0 || y >= rows || x < 0 || x >= cols) continue;
                const int drop = height[(size_t)r * cols + c] - height[(size_t)y * cols + x];
                const int slope = drop * (k % 2 ? 70 : 99);
                if (slope > steepest) {
                    steepest = slope;
                    code = (uint8_t)(1u << k);
                }
            }
            direction[(size_t)r * cols + c] = code;
        }
    }
}
