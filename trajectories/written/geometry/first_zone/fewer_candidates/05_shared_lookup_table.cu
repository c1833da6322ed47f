// First zone of each point; candidate masks by cell, packed corners in shared memory, persistent blocks.
#include <cuda_runtime.h>

#include <algorithm>

constexpr int kThreads = 256;
constexpr int kBlocks = 528;
constexpr int kGrid = 32;        // cells along each axis
constexpr int kCellShift = 8;    // a cell is 256 units wide
constexpr int kMostShared = 32 * 1024;

__device__ int cell_of(int coordinate) { return max(0, min(kGrid - 1, coordinate >> kCellShift)); }

struct Zones {
    int zones, corners;
    const int *x, *y;
    const short *dx, *dy;
};

__device__ short2 corner_of(const Zones& all, int z, int i) {
    size_t at = (size_t)z * all.corners + i;
    return {(short)(all.x[z] + all.dx[at]), (short)(all.y[z] + all.dy[at])};
}

// The box of zone z: smallest x, smallest y, largest x, largest y.
__global__ void bound_zones(Zones all, int4* box) {
    int z = blockIdx.x * kThreads + threadIdx.x;
    if (z >= all.zones) return;
    short2 c = corner_of(all, z, 0);
    int4 b = {c.x, c.y, c.x, c.y};
    for (int i = 1; i < all.corners; ++i) {
        c = corner_of(all, z, i);
        b = {min(b.x, (int)c.x), min(b.y, (int)c.y), max(b.z, (int)c.x), max(b.w, (int)c.y)};
    }
    box[z] = b;
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

template <bool kTable>
__device__ bool inside(const Zones& all, const short2* table, int z, int px, int py) {
    const int last = all.corners - 1;
    bool odd = false;
    short2 a = kTable ? table[z * all.corners + last] : corner_of(all, z, last);
    for (int i = 0; i <= last; ++i) {
        short2 b = kTable ? table[z * all.corners + i] : corner_of(all, z, i);
        if ((a.y > py) != (b.y > py)) {
            int left = (px - a.x) * (b.y - a.y), right = (py - a.y) * (b.x - a.x);
            if ((left < right) == (b.y > a.y)) odd = !odd;
        }
        a = b;
    }
    return odd;
}

template <bool kTable>
__global__ void find_zone(int points, Zones all, const int* x, const int* y, const int4* box, int words,
                          const unsigned int* masks, int* zone) {
    extern __shared__ short2 table[];
    if (kTable) {
        for (int at = threadIdx.x; at < all.zones * all.corners; at += kThreads) {
            const short2 corner = corner_of(all, at / all.corners, at % all.corners);
            table[at] = corner;
        }
        __syncthreads();
    }
    for (int p = blockIdx.x * kThreads + threadIdx.x; p < points; p += gridDim.x * kThreads) {
        const int px = x[p], py = y[p];
        const unsigned int* own = masks + (cell_of(py) * kGrid + cell_of(px)) * words;
        int found = -1;
        for (int word = 0; word < words && found < 0; ++word) {
            for (unsigned int left = own[word]; left != 0 && found < 0; left &= left - 1) {
                const int z = word * 32 + __ffs(left) - 1;
                const int4 b = box[z];
                if (px < b.x || px > b.z || py < b.y || py > b.w) continue;
                if (inside<kTable>(all, table, z, px, py)) found = z;
            }
        }
        zone[p] = found;
    }
}

extern "C" void first_zone(int points, int zones, int corners, const int* x, const int* y, const int* zone_x,
                           const int* zone_y, const short* dx, const short* dy, int* zone) {
    const Zones all = {zones, corners, zone_x, zone_y, dx, dy};
    const int words = (zones - 1) / 32 + 1, cells = kGrid * kGrid * words;
    int4* box = nullptr;
    unsigned int* masks = nullptr;
    cudaMalloc(&box, zones * sizeof(int4));
    cudaMalloc(&masks, cells * sizeof(unsigned int));
    bound_zones<<<(zones - 1) / kThreads + 1, kThreads>>>(all, box);
    mask_cells<<<(cells - 1) / kThreads + 1, kThreads>>>(zones, words, box, masks);
    const int blocks = std::min(kBlocks, (points - 1) / kThreads + 1);
    const size_t table_bytes = (size_t)zones * corners * sizeof(short2);
    if (table_bytes <= kMostShared)
        find_zone<true><<<blocks, kThreads, table_bytes>>>(points, all, x, y, box, words, masks, zone);
    else
        find_zone<false><<<blocks, kThreads>>>(points, all, x, y, box, words, masks, zone);
    cudaFree(masks);
    cudaFree(box);
}
