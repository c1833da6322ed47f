// Edge-aware demosaicing, one thread per site.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;

struct Frame {
    int height, width;
    const unsigned short* data;

    __device__ int at(int y, int x) const {
        y = y < 0 ? -y : y >= height ? 2 * height - 2 - y : y;
        x = x < 0 ? -x : x >= width ? 2 * width - 2 - x : x;
        return data[(size_t)y * width + x];
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

__global__ void demosaic(Frame f, unsigned short* rgb) {
    const int x = blockIdx.x * kBlockX + threadIdx.x, y = blockIdx.y * kBlockY + threadIdx.y;
    if (x >= f.width || y >= f.height) return;
    const size_t plane = (size_t)f.height * f.width, i = (size_t)y * f.width + x;
    const int colour = y % 2 + x % 2;  // 0 red, 1 green, 2 blue
    rgb[colour * plane + i] = f.data[i];
    if (colour == 1) {
        const int across = (f.at(y, x - 1) + f.at(y, x + 1) + 1) / 2;
        const int along = (f.at(y - 1, x) + f.at(y + 1, x) + 1) / 2;
        rgb[i] = (unsigned short)(y % 2 == 0 ? across : along);
        rgb[2 * plane + i] = (unsigned short)(y % 2 == 0 ? along : across);
    } else {
        rgb[plane + i] = green_at(f, y, x);
        const int diagonals = f.at(y - 1, x - 1) + f.at(y - 1, x + 1) + f.at(y + 1, x - 1) + f.at(y + 1, x + 1);
        rgb[(2 - colour) * plane + i] = (unsigned short)((diagonals + 2) / 4);
    }
}

extern "C" void edge_demosaic(int height, int width, const unsigned short* mosaic, unsigned short* rgb) {
    dim3 grid((width - 1) / kBlockX + 1, (height - 1) / kBlockY + 1);
    demosaic<<<grid, dim3(kBlockX, kBlockY)>>>({height, width, mosaic}, rgb);
}
