#include <cstdint>
#include <vector>

class Table {
public:
    Table(int rows, int cols, int32_t* heights) : rows_(rows), cols_(cols), heights_(heights), falling_(rows * cols) {}

    int64_t topple()
    {
        int64_t lost = 0;
        for (int i = 0; i < rows_ * cols_; ++i) {
            falling_[i] = heights_[i] / 4;
            heights_[i] %= 4;
        }
        for (int r = 0; r < rows_; ++r)
            for (int c = 0; c < cols_; ++c)
                for (const auto& way : {Way{-1, 0}, Way{1, 0}, Way{0, -1}, Way{0, 1}}) {
                    const int32_t grains = falling_[r * cols_ + c];
                    if (inside(r + way.dr, c + way.dc)) heights_[(r + way.dr) * cols_ + c + way.dc] += grains;
                    else lost += grains;
                }
        return lost;
    }

private:
    struct Way { int dr, dc; };
    bool inside(int r, int c) const { return r >= 0 && r < rows_ && c >= 0 && c < cols_; }

    int rows_, cols_;
    int32_t* heights_;
    std::vector<int32_t> falling_;
};

void sand_pile(int rows, int cols, int rounds, int32_t* heights, int64_t* lost)
{
    Table table(rows, cols, heights);
    *lost = 0;
    for (int k = 0; k < rounds; ++k) *lost += table.topple();
}
