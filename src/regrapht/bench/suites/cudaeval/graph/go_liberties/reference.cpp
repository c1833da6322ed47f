#include <cstdint>
#include <set>
#include <vector>

namespace go {

struct Group {
    std::vector<int> stones;
    std::set<int> liberties;
};

class Board {
public:
    Board(const uint8_t* points, int side) : points_(points), side_(side), seen_(side * side) {}

    bool starts_group(int at) const { return points_[at] && !seen_[at]; }

    Group group(int at)
    {
        Group found;
        std::vector<int> open{at};
        seen_[at] = true;
        while (!open.empty()) {
            const int here = open.back();
            open.pop_back();
            found.stones.push_back(here);
            const int y = here / side_, x = here % side_;
            if (y > 0) touch(here, here - side_, found, open);
            if (y + 1 < side_) touch(here, here + side_, found, open);
            if (x > 0) touch(here, here - 1, found, open);
            if (x + 1 < side_) touch(here, here + 1, found, open);
        }
        return found;
    }

private:
    void touch(int here, int other, Group& found, std::vector<int>& open)
    {
        if (!points_[other]) {
            found.liberties.insert(other);
        } else if (points_[other] == points_[here] && !seen_[other]) {
            seen_[other] = true;
            open.push_back(other);
        }
    }

    const uint8_t* points_;
    int side_;
    std::vector<bool> seen_;
};

}  // namespace go

void go_liberties(int positions, int side, const uint8_t* board, int32_t* liberties, int32_t* captured)
{
    const int points = side * side;
    for (int p = 0; p < positions; ++p, board += points, liberties += points) {
        go::Board position(board, side);
        captured[p] = 0;
        for (int at = 0; at < points; ++at) {
            if (!board[at]) liberties[at] = 0;
            if (!position.starts_group(at)) continue;
            const go::Group group = position.group(at);
            for (const int stone : group.stones) liberties[stone] = (int32_t)group.liberties.size();
            if (group.liberties.empty()) captured[p] += (int32_t)group.stones.size();
        }
    }
}
