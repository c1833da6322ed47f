// Edge-aware demosaicing, one thread per quad, from a tile with a reflected border in shared memory.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;

struct Frame {
    int height, width;
    const unsigned short* data;

    __device__ unsigned short reflected(int y, int x) const {
        y = y < 0 ? -y : y >= height ? max(0, 2 * height - 2 - y) : y;
        x = x < 0 ? -x : x >= width ? max(0, 2 * width - 2 - x) : x;
        return data[(size_t)y * width + x];
    }
};

constexpr int kHalo = 2, kTileX = 2 * kBlockX + 2 * kHalo, kTileY = 2 * kBlockY + 2 * kHalo;

// A block's part of the frame; indices count from the block's first site.
struct Tile {
    unsigned short value[kTileY][kTileX];

    __device__ int at(int y, int x) const { return value[y + kHalo][x + kHalo]; }
};

template <typename Source>
__device__ unsigned short green_at(const Source& f, int y, int x) {
    const int twice = 2 * f.at(y, x), l = f.at(y, x - 1), r = f.at(y, x + 1), a = f.at(y - 1, x), b = f.at(y + 1, x);
    const int bend_h = twice - f.at(y, x - 2) - f.at(y, x + 2), bend_v = twice - f.at(y - 2, x) - f.at(y + 2, x);
    const int gh = abs(l - r) + abs(bend_h), gv = abs(a - b) + abs(bend_v);
    const int across = 2 * (l + r) + bend_h, along = 2 * (a + b) + bend_v;
    const int green = gh < gv ? across / 4 : gv < gh ? along / 4 : (across + along) / 8;
    return (unsigned short)min(65535, max(0, green));
}

struct Site {
    unsigned short red, green, blue;
};

// A site with its own value, which is red or blue, and the other of the two from the diagonals.
template <typename Source>
__device__ ushort2 chroma_at(const Source& f, int y, int x) {
    const int diagonals = f.at(y - 1, x - 1) + f.at(y - 1, x + 1) + f.at(y + 1, x - 1) + f.at(y + 1, x + 1);
    return {(unsigned short)f.at(y, x), (unsigned short)((diagonals + 2) / 4)};
}

// At a green site: what its neighbours in the row and in the column give.
template <typename Source>
__device__ ushort2 beside_green(const Source& f, int y, int x) {
    const int across = (f.at(y, x - 1) + f.at(y, x + 1) + 1) / 2, along = (f.at(y - 1, x) + f.at(y + 1, x) + 1) / 2;
    return {(unsigned short)across, (unsigned short)along};
}

__device__ void store(const Frame& f, int y, int x, Site site, unsigned short* rgb) {
    if (y >= f.height || x >= f.width) return;
    const size_t plane = (size_t)f.height * f.width, i = (size_t)y * f.width + x;
    rgb[i] = site.red;
    rgb[plane + i] = site.green;
    rgb[2 * plane + i] = site.blue;
}

__global__ void demosaic(Frame f, unsigned short* rgb) {
    __shared__ Tile tile;
    const int left = 2 * kBlockX * blockIdx.x, top = 2 * kBlockY * blockIdx.y;
    for (int ty = threadIdx.y; ty < kTileY; ty += kBlockY)
        for (int tx = threadIdx.x; tx < kTileX; tx += kBlockX)
            tile.value[ty][tx] = f.reflected(top + ty - kHalo, left + tx - kHalo);
    __syncthreads();
    const int y = 2 * threadIdx.y, x = 2 * threadIdx.x;
    const ushort2 red = chroma_at(tile, y, x), blue = chroma_at(tile, y + 1, x + 1);
    const ushort2 upper = beside_green(tile, y, x + 1), lower = beside_green(tile, y + 1, x);
    store(f, top + y, left + x, {red.x, green_at(tile, y, x), red.y}, rgb);
    store(f, top + y, left + x + 1, {upper.x, (unsigned short)tile.at(y, x + 1), upper.y}, rgb);
    store(f, top + y + 1, left + x, {lower.y, (unsigned short)tile.at(y + 1, x), lower.x}, rgb);
    store(f, top + y + 1, left + x + 1, {blue.y, green_at(tile, y + 1, x + 1), blue.x}, rgb);
}

extern "C" void edge_demosaic(int height, int width, const unsigned short* mosaic, unsigned short* rgb) {
    dim3 grid((width - 1) / (2 * kBlockX) + 1, (height - 1) / (2 * kBlockY) + 1);
    demosaic<<<grid, dim3(kBlockX, kBlockY)>>>({height, width, mosaic}, rgb);
}
