// HPP lattice gas: particles move to the four neighbours, bounce off walls and scatter when two meet head-on.
#include <algorithm>
#include <cstddef>
#include <vector>

enum : unsigned { kEast = 1, kNorth = 2, kWest = 4, kSouth = 8, kWall = 16 };

void lattice_gas(int nx, int ny, int steps, unsigned char* cells) {
    std::vector<unsigned char> next((size_t)nx * ny);
    for (int step = 0; step < steps; ++step) {
        for (int y = 0; y < ny; ++y) {
            const unsigned char* row = cells + (size_t)y * nx;
            const unsigned char* below = cells + (size_t)(y > 0 ? y - 1 : ny - 1) * nx;
            const unsigned char* above = cells + (size_t)(y + 1 < ny ? y + 1 : 0) * nx;
            for (int x = 0; x < nx; ++x) {
                unsigned left = row[x > 0 ? x - 1 : nx - 1], right = row[x + 1 < nx ? x + 1 : 0];
                unsigned gas = (left & kEast) | (below[x] & kNorth) | (right & kWest) | (above[x] & kSouth);
                unsigned wall = row[x] & kWall;
                if (wall) gas = ((gas << 2) | (gas >> 2)) & 15;
                else if (gas == (kEast | kWest)) gas = kNorth | kSouth;
                else if (gas == (kNorth | kSouth)) gas = kEast | kWest;
                next[(size_t)y * nx + x] = (unsigned char)(gas | wall);
            }
        }
        std::copy(next.begin(), next.end(), cells);
    }
}
