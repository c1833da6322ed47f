// ADPCM: one block of sound a thread.
#include <cuda_runtime.h>

#include <cstdint>

struct Start {
    int16_t sample;
    uint8_t place, spare;
};

struct Decoder {
    const int32_t* step_size;
    int sample, place;

    __device__ int next(unsigned code) {
        const int step = step_size[place];
        int difference = step >> 3;
        if (code & 4) difference += step;
        if (code & 2) difference += step >> 1;
        if (code & 1) difference += step >> 2;
        sample = min(max(code & 8 ? sample - difference : sample + difference, -32768), 32767);
        place = min(max(place + ((code & 7) < 4 ? -1 : 2 * (int)(code & 3) + 2), 0), 88);
        return sample;
    }
};

__global__ void decode(int blocks, int length, const int32_t* step_size, const Start* first, const uint8_t* code, int16_t* sound) {
    const int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= blocks) return;
    Decoder decoder{step_size, first[b].sample, first[b].place};
    for (int k = 0; k < length; ++k) {
        const unsigned both = code[(long long)b * length + k];
        sound[2 * ((long long)b * length + k)] = (int16_t)decoder.next(both & 15);
        sound[2 * ((long long)b * length + k) + 1] = (int16_t)decoder.next(both >> 4);
    }
}

extern "C" void adpcm_decode(int blocks, int length, const int32_t* step_size, const Start* first, const uint8_t* code, int16_t* sound) {
    decode<<<(blocks - 1) / 64 + 1, 64>>>(blocks, length, step_size, first, code, sound);
}
