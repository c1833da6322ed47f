#include <cstdint>

namespace {

struct Board {
    uint64_t own, enemy;

    static bool inside(int r, int c) { return r >= 0 && r < 8 && c >= 0 && c < 8; }
    static uint64_t bit(int r, int c) { return 1ull << (8 * r + c); }

    bool captures(int r, int c, int dr, int dc) const
    {
        int taken = 0;
        for (r += dr, c += dc; inside(r, c) && (enemy & bit(r, c)); r += dr, c += dc) ++taken;
        return taken > 0 && inside(r, c) && (own & bit(r, c));
    }

    bool legal(int r, int c) const
    {
        if ((own | enemy) & bit(r, c)) return false;
        for (int dr = -1; dr <= 1; ++dr)
            for (int dc = -1; dc <= 1; ++dc)
                if ((dr || dc) && captures(r, c, dr, dc)) return true;
        return false;
    }
};

}  // namespace

void reversi_moves(int positions, const uint64_t* own, const uint64_t* enemy, uint64_t* moves, int32_t* mobility)
{
    for (int k = 0; k <= 64; ++k) mobility[k] = 0;
    for (int i = 0; i < positions; ++i) {
        const Board board{own[i], enemy[i] & ~own[i]};
        uint64_t found = 0;
        int count = 0;
        for (int r = 0; r < 8; ++r)
            for (int c = 0; c < 8; ++c)
                if (board.legal(r, c)) {
                    found |= Board::bit(r, c);
                    ++count;
                }
        moves[i] = found;
        ++mobility[count];
    }
}
