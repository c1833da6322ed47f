#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

struct Place {
    int32_t x, y, z;
};

static int apart(int a, int b, int length)
{
    const int d = std::abs(a - b);
    return std::min(d, length - d);
}

void cell_lists(int side, int particles, int reach, const Place* place, int32_t* order, int32_t* begin, int32_t* near)
{
    const auto cell_of = [&](const Place& p) { return ((p.z >> 10) * side + (p.y >> 10)) * side + (p.x >> 10); };
    std::vector<std::vector<int>> members(side * side * side);
    for (int i = 0; i < particles; ++i) members[cell_of(place[i])].push_back(i);
    int next = 0;
    for (size_t c = 0; c < members.size(); ++c) {
        begin[c] = next;
        for (int i : members[c]) order[next++] = i;
    }
    const int length = 1024 * side;
    for (int i = 0; i < particles; ++i) {
        const Place& p = place[i];
        near[i] = -1;  // itself
        for (int dz = side - 1; dz <= side + 1; ++dz)
            for (int dy = side - 1; dy <= side + 1; ++dy)
                for (int dx = side - 1; dx <= side + 1; ++dx) {
                    const int z = ((p.z >> 10) + dz) % side, y = ((p.y >> 10) + dy) % side, x = ((p.x >> 10) + dx) % side;
                    for (int j : members[(z * side + y) * side + x]) {
                        const long a = apart(p.x, place[j].x, length), b = apart(p.y, place[j].y, length), c = apart(p.z, place[j].z, length);
                        near[i] += a * a + b * b + c * c < (long)reach * reach;
                    }
                }
    }
}
