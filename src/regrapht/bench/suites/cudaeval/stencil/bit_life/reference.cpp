#include <cstdint>
#include <cstring>
#include <vector>

typedef std::vector<uint8_t> Cells;

static Cells unpacked(int rows, int words, const uint32_t *board)
{
    Cells cells((size_t)rows * words * 32);
    for (size_t i = 0; i < cells.size(); i++)
        cells[i] = board[i / 32] >> (i % 32) & 1;
    return cells;
}

void bit_life(int rows, int words, int generations, const uint32_t *board, uint32_t *next, int32_t *alive)
{
    const int cols = 32 * words;
    Cells now = unpacked(rows, words, board), then = now;
    for (int g = 0; g < generations; g++) {
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < cols; c++) {
                int around = 0;
                for (int dr = -1; dr <= 1; dr++)
                    for (int dc = -1; dc <= 1; dc++)
                        if (dr || dc)
                            around += now[(size_t)((r + dr + rows) % rows) * cols + (c + dc + cols) % cols];
                then[(size_t)r * cols + c] = around == 3 || (around == 2 && now[(size_t)r * cols + c]);
            }
        now.swap(then);
    }
    memset(next, 0, sizeof(uint32_t) * rows * words);
    for (int r = 0; r < rows; r++) {
        alive[r] = 0;
        for (int c = 0; c < cols; c++) {
            next[(size_t)r * words + c / 32] |= (uint32_t)now[(size_t)r * cols + c] << (c % 32);
            alive[r] += now[(size_t)r * cols + c];
        }
    }
}
