#include <cstddef>
#include <cstdint>
#include <vector>

struct Return {
    int16_t x, y, z;
};

// Sums of a voxel, from its own corner.
struct Tally {
    uint32_t returns = 0, x = 0, y = 0, z = 0;

    void add(const Return& r, int edge) {
        ++returns;
        x += r.x % edge;
        y += r.y % edge;
        z += r.z % edge;
    }
};

void voxel_centroids(int points, int side, const int16_t* point, int32_t* place, int32_t* returns, int16_t* centre, int32_t* voxels) {
    const int edge = (4096 + side - 1) / side;
    const Return* cloud = reinterpret_cast<const Return*>(point);
    std::vector<Tally> tally((size_t)side * side * side);
    for (const Return* r = cloud; r != cloud + points; ++r) {
        tally[((size_t)(r->z / edge) * side + r->y / edge) * side + r->x / edge].add(*r, edge);
    }
    int32_t found = 0;
    for (int i = 0; i < side * side * side; ++i) {
        const Tally& t = tally[i];
        if (t.returns == 0) continue;
        place[found] = i;
        returns[found] = (int32_t)t.returns;
        centre[3 * found] = (int16_t)(i % side * edge + (int)(t.x / t.returns));
        centre[3 * found + 1] = (int16_t)(i / side % side * edge + (int)(t.y / t.returns));
        centre[3 * found + 2] = (int16_t)(i / side / side * edge + (int)(t.z / t.returns));
        ++found;
    }
    *voxels = found;
}
