#include <bitset>
#include <cstdint>

class Sudoku {
public:
    explicit Sudoku(uint8_t* cells) : cells_(cells) {}

    std::bitset<10> candidates(int r, int c) const
    {
        std::bitset<10> left("1111111110");
        for (int k = 0; k < 9; ++k) {
            left.reset(cells_[9 * r + k]);
            left.reset(cells_[9 * k + c]);
            left.reset(cells_[9 * (r / 3 * 3 + k / 3) + c / 3 * 3 + k % 3]);
        }
        return left;
    }

    bool fill_round()
    {
        uint8_t found[81];
        bool any = false;
        for (int i = 0; i < 81; ++i) {
            found[i] = cells_[i];
            if (found[i]) continue;
            const auto left = candidates(i / 9, i % 9);
            if (left.count() != 1) continue;
            while (!left[found[i]]) ++found[i];
            any = true;
        }
        for (int i = 0; i < 81; ++i) cells_[i] = found[i];
        return any;
    }

    bool stuck() const
    {
        for (int i = 0; i < 81; ++i)
            if (!cells_[i] && candidates(i / 9, i % 9).none()) return true;
        return false;
    }

private:
    uint8_t* cells_;
};

void sudoku_singles(int grids, uint8_t* grid, int32_t* rounds, uint8_t* stuck)
{
    for (int g = 0; g < grids; ++g) {
        Sudoku sudoku(grid + 81l * g);
        rounds[g] = 0;
        while (sudoku.fill_round()) ++rounds[g];
        stuck[g] = sudoku.stuck();
    }
}
