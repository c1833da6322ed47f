// Calibration of sensor frames: four pixels of a row a thread, read and written as one word of 8 bytes where rows are aligned for it.
#include <cuda_runtime.h>

#include <cstdint>

__device__ int corrected(int raw, int dark, int gain) { return min(max(((raw - dark) * gain + 2048) >> 12, 0), 65535); }

// One pixel from its own values, or from its neighbours where it is dead.
__device__ uint16_t pixel(int x, int width, size_t p, size_t here, int raw_value, int dark_value, int gain_value, const uint16_t* dark,
                          const uint16_t* gain, const uint16_t* raw) {
    if (gain_value != 0) return (uint16_t)corrected(raw_value, dark_value, gain_value);
    int sum = 0, good = 0;
    if (x > 0 && gain[p - 1] != 0) {
        sum += corrected(raw[here - 1], dark[p - 1], gain[p - 1]);
        ++good;
    }
    if (x + 1 < width && gain[p + 1] != 0) {
        sum += corrected(raw[here + 1], dark[p + 1], gain[p + 1]);
        ++good;
    }
    return (uint16_t)(good == 0 ? 0 : good == 1 ? sum : sum / 2);
}

__global__ void calibrate_fours(int height, int width, const uint16_t* __restrict__ dark, const uint16_t* __restrict__ gain,
                                const uint16_t* __restrict__ raw, uint16_t* __restrict__ clean) {
    const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (x >= width) return;
    const size_t p = (size_t)blockIdx.y * width + x, here = (size_t)blockIdx.z * height * width + p;
    const ushort4 r = *(const ushort4*)(raw + here), d = *(const ushort4*)(dark + p), g = *(const ushort4*)(gain + p);
    ushort4 out;
    out.x = pixel(x, width, p, here, r.x, d.x, g.x, dark, gain, raw);
    out.y = pixel(x + 1, width, p + 1, here + 1, r.y, d.y, g.y, dark, gain, raw);
    out.z = pixel(x + 2, width, p + 2, here + 2, r.z, d.z, g.z, dark, gain, raw);
    out.w = pixel(x + 3, width, p + 3, here + 3, r.w, d.w, g.w, dark, gain, raw);
    *(ushort4*)(clean + here) = out;
}

__global__ void calibrate(int height, int width, const uint16_t* dark, const uint16_t* gain, const uint16_t* raw, uint16_t* clean) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    const size_t p = (size_t)blockIdx.y * width + x, here = (size_t)blockIdx.z * height * width + p;
    clean[here] = pixel(x, width, p, here, raw[here], dark[p], gain[p], dark, gain, raw);
}

extern "C" void flat_field(int frames, int height, int width, const uint16_t* dark, const uint16_t* gain, const uint16_t* raw,
                           uint16_t* clean) {
    const bool aligned = width % 4 == 0 && ((uintptr_t)dark | (uintptr_t)gain | (uintptr_t)raw | (uintptr_t)clean) % 8 == 0;
    if (aligned)
        calibrate_fours<<<dim3((width / 4 - 1) / 128 + 1, height, frames), 128>>>(height, width, dark, gain, raw, clean);
    else
        calibrate<<<dim3((width - 1) / 256 + 1, height, frames), 256>>>(height, width, dark, gain, raw, clean);
}
