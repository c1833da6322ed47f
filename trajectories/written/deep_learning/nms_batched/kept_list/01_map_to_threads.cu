// Non-maximum suppression: one thread per list.
#include <cuda_runtime.h>

#include <cstdint>

__device__ bool too_close(int2 a, int2 a_size, int2 b, int2 b_size) {
    int across = min(a.x + a_size.x, b.x + b_size.x) - max(a.x, b.x);
    int down = min(a.y + a_size.y, b.y + b_size.y) - max(a.y, b.y);
    if (across <= 0 || down <= 0) return false;
    int common = across * down;
    return 5 * common > 2 * (a_size.x * a_size.y + b_size.x * b_size.y - common);
}

__global__ void suppress(int images, int boxes, const int2* corner, const int2* extent, const uint8_t* label,
                         uint8_t* keep, int* kept) {
    int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= images) return;
    const size_t list = (size_t)m * boxes;
    int count = 0;
    for (int i = 0; i < boxes; ++i) {
        bool good = true;
        for (int j = 0; j < i && good; ++j)
            good = !(keep[list + j] && label[list + j] == label[list + i] &&
                     too_close(corner[list + j], extent[list + j], corner[list + i], extent[list + i]));
        keep[list + i] = good;
        count += good;
    }
    kept[m] = count;
}

extern "C" void nms_batched(int images, int boxes, const int* corner, const int* extent, const uint8_t* label,
                            uint8_t* keep, int* kept) {
    const int threads = 32;
    suppress<<<(images - 1) / threads + 1, threads>>>(images, boxes, reinterpret_cast<const int2*>(corner),
                                                      reinterpret_cast<const int2*>(extent), label, keep, kept);
}
