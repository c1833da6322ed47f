// Edge-aware demosaicing; a thread walks down four quads with a 6 x 6 window in registers.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int kBlockX = 32, kBlockY = 8;
constexpr int kQuads = 4;  // one below the other, per thread

struct Frame {
    int height, width;
    const unsigned short* data;

    __device__ int at(int y, int x) const {
        y = y < 0 ? -y : y >= height ? 2 * height - 2 - y : y;
        x = x < 0 ? -x : x >= width ? 2 * width - 2 - x : x;
        return data[(size_t)y * width + x];
    }
};

// The surroundings of a quad; indices count from the quad's first site and are constants once all is inlined.
struct Window {
    int value[6][6];

    __device__ __forceinline__ int at(int y, int x) const { return value[y + 2][x + 2]; }

    __device__ __forceinline__ void load_rows(int first, const unsigned short* from, size_t pitch) {
#pragma unroll
        for (int row = first; row < 6; ++row)
#pragma unroll
            for (int column = 0; column < 6; ++column)
                value[row][column] = from[(ptrdiff_t)(row - 2) * (ptrdiff_t)pitch + column - 2];
    }

    __device__ __forceinline__ void move_down() {
#pragma unroll
        for (int row = 0; row < 4; ++row)
#pragma unroll
            for (int column = 0; column < 6; ++column) value[row][column] = value[row + 2][column];
    }
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

__device__ void quad_at_rim(const Frame& f, int y, int x, unsigned short* rgb) {
    if (x >= f.width || y >= f.height) return;
    const ushort2 red = chroma_at(f, y, x);
    store(f, y, x, {red.x, green_at(f, y, x), red.y}, rgb);
    if (x + 1 < f.width) {
        const ushort2 upper = beside_green(f, y, x + 1);
        store(f, y, x + 1, {upper.x, (unsigned short)f.at(y, x + 1), upper.y}, rgb);
    }
    if (y + 1 >= f.height) return;
    const ushort2 lower = beside_green(f, y + 1, x);
    store(f, y + 1, x, {lower.y, (unsigned short)f.at(y + 1, x), lower.x}, rgb);
    if (x + 1 < f.width) {
        const ushort2 blue = chroma_at(f, y + 1, x + 1);
        store(f, y + 1, x + 1, {blue.y, green_at(f, y + 1, x + 1), blue.x}, rgb);
    }
}

__global__ void demosaic(Frame f, unsigned short* rgb) {
    const int rows = 2 * kQuads;  // of a thread
    const int left = 2 * kBlockX * blockIdx.x, top = rows * kBlockY * blockIdx.y;
    const int x = left + 2 * threadIdx.x, y0 = top + rows * threadIdx.y;
    if (left >= 2 && top >= 2 && left + 2 * kBlockX + 2 <= f.width && top + rows * kBlockY + 2 <= f.height) {
        Window s;
        s.load_rows(0, f.data + (size_t)y0 * f.width + x, f.width);
        for (int y = y0; y < y0 + rows; y += 2) {
            if (y > y0) {
                s.move_down();
                s.load_rows(4, f.data + (size_t)y * f.width + x, f.width);
            }
            const ushort2 red = chroma_at(s, 0, 0), blue = chroma_at(s, 1, 1);
            const ushort2 upper = beside_green(s, 0, 1), lower = beside_green(s, 1, 0);
            store(f, y, x, {red.x, green_at(s, 0, 0), red.y}, rgb);
            store(f, y, x + 1, {upper.x, (unsigned short)s.at(0, 1), upper.y}, rgb);
            store(f, y + 1, x, {lower.y, (unsigned short)s.at(1, 0), lower.x}, rgb);
            store(f, y + 1, x + 1, {blue.y, green_at(s, 1, 1), blue.x}, rgb);
        }
        return;
    }
    for (int y = y0; y < y0 + rows; y += 2) quad_at_rim(f, y, x, rgb);
}

extern "C" void edge_demosaic(int height, int width, const unsigned short* mosaic, unsigned short* rgb) {
    dim3 grid((width - 1) / (2 * kBlockX) + 1, (height - 1) / (2 * kQuads * kBlockY) + 1);
    demosaic<<<grid, dim3(kBlockX, kBlockY)>>>({height, width, mosaic}, rgb);
}
