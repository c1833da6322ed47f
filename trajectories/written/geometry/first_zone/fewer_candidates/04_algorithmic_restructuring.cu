// First zone of each point; a grid of cells holds a bit mask of the zones whose boxes meet the cell.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kGrid = 32;        // cells along each axis
constexpr int kCellShift = 8;    // a cell is 256 units wide

__device__ int cell_of(int coordinate) { return max(0, min(kGrid - 1, coordinate >> kCellShift)); }

__device__ bool inside(int px, int py, int ox, int oy, int corners, const short* dx, const short* dy) {
    bool odd = false;
    int ax = ox + dx[corners - 1], ay = oy + dy[corners - 1];
    for (int i = 0; i < corners; ++i) {
        int bx = ox + dx[i], by = oy + dy[i];
        if ((ay > py) != (by > py)) {
            int left = (px - ax) * (by - ay), right = (py - ay) * (bx - ax);
            if ((left < right) == (by > ay)) odd = !odd;
        }
        ax = bx;
        ay = by;
    }
    return odd;
}

// The box of zone z: smallest x, smallest y, largest x, largest y.
__global__ void bound_zones(int zones, int corners, const int* zone_x, const int* zone_y, const short* dx,
                            const short* dy, int4* box) {
    int z = blockIdx.x * kThreads + threadIdx.x;
    if (z >= zones) return;
    const short *zdx = dx + (size_t)z * corners, *zdy = dy + (size_t)z * corners;
    int4 b = {zdx[0], zdy[0], zdx[0], zdy[0]};
    for (int i = 1; i < corners; ++i)
        b = {min(b.x, (int)zdx[i]), min(b.y, (int)zdy[i]), max(b.z, (int)zdx[i]), max(b.w, (int)zdy[i])};
    box[z] = {b.x + zone_x[z], b.y + zone_y[z], b.z + zone_x[z], b.w + zone_y[z]};
}

// Bit z % 32 of masks[cell * words + z / 32] says whether the box of zone z meets the cell.
__global__ void mask_cells(int zones, int words, const int4* box, unsigned int* masks) {
    int at = blockIdx.x * kThreads + threadIdx.x;
    if (at >= kGrid * kGrid * words) return;
    const int cell = at / words, first = at % words * 32, column = cell % kGrid, row = cell / kGrid;
    unsigned int mask = 0;
    for (int z = first; z < min(first + 32, zones); ++z) {
        const int4 b = box[z];
        bool meets = cell_of(b.x) <= column && column <= cell_of(b.z) && cell_of(b.y) <= row && row <= cell_of(b.w);
        mask |= (unsigned int)meets << (z - first);
    }
    masks[at] = mask;
}

__global__ void find_zone(int points, int corners, const int* x, const int* y, const int* zone_x,
                          const int* zone_y, const short* dx, const short* dy, const int4* box,
                          int words, const unsigned int* masks, int* zone) {
    int p = blockIdx.x * kThreads + threadIdx.x;
    if (p >= points) return;
    const int px = x[p], py = y[p];
    const unsigned int* own = masks + (cell_of(py) * kGrid + cell_of(px)) * words;
    int found = -1;
    for (int word = 0; word < words && found < 0; ++word) {
        for (unsigned int left = own[word]; left != 0 && found < 0; left &= left - 1) {
            const int z = word * 32 + __ffs(left) - 1;
            const int4 b = box[z];
            if (px < b.x || px > b.z || py < b.y || py > b.w) continue;
            const size_t first = (size_t)z * corners;
            if (inside(px, py, zone_x[z], zone_y[z], corners, dx + first, dy + first)) found = z;
        }
    }
    zone[p] = found;
}

extern "C" void first_zone(int points, int zones, int corners, const int* x, const int* y, const int* zone_x,
                           const int* zone_y, const short* dx, const short* dy, int* zone) {
    const int words = (zones - 1) / 32 + 1, cells = kGrid * kGrid * words;
    int4* box = nullptr;
    unsigned int* masks = nullptr;
    cudaMalloc(&box, zones * sizeof(int4));
    cudaMalloc(&masks, cells * sizeof(unsigned int));
    bound_zones<<<(zones - 1) / kThreads + 1, kThreads>>>(zones, corners, zone_x, zone_y, dx, dy, box);
    mask_cells<<<(cells - 1) / kThreads + 1, kThreads>>>(zones, words, box, masks);
    find_zone<<<(points - 1) / kThreads + 1, kThreads>>>(points, corners, x, y, zone_x, zone_y, dx, dy, box, words,
                                                         masks, zone);
    cudaFree(masks);
    cudaFree(box);
}
