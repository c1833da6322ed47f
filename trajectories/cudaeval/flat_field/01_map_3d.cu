// Calibration of sensor frames: one pixel a thread, rows along y, frames along z.
#include <cuda_runtime.h>

#include <cstdint>

__device__ int corrected(int raw, int dark, int gain) { return min(max(((raw - dark) * gain + 2048) >> 12, 0), 65535); }

__global__ void calibrate(int height, int width, const uint16_t* dark, const uint16_t* gain, const uint16_t* raw, uint16_t* clean) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    const size_t p = (size_t)blockIdx.y * width + x, here = (size_t)blockIdx.z * height * width + p;
    int value = 0;
    if (gain[p] != 0) {
        value = corrected(raw[here], dark[p], gain[p]);
    } else {
        int sum = 0, good = 0;
        if (x > 0 && gain[p - 1] != 0) {
            sum += corrected(raw[here - 1], dark[p - 1], gain[p - 1]);
            ++good;
        }
        if (x + 1 < width && gain[p + 1] != 0) {
            sum += corrected(raw[here + 1], dark[p + 1], gain[p + 1]);
            ++good;
        }
        if (good > 0) value = sum / good;
    }
    clean[here] = (uint16_t)value;
}

extern "C" void flat_field(int frames, int height, int width, const uint16_t* dark, const uint16_t* gain, const uint16_t* raw,
                           uint16_t* clean) {
    calibrate<<<dim3((width - 1) / 256 + 1, height, frames), 256>>>(height, width, dark, gain, raw, clean);
}
