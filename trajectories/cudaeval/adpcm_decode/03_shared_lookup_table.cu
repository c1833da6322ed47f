// ADPCM: the steps lie in shared memory.
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

// Two samples, one above the other.
__device__ unsigned next_two(Decoder& decoder, unsigned codes) {
    const unsigned low = (unsigned)decoder.next(codes & 15) & 0xffff;
    return low | (unsigned)decoder.next(codes >> 4 & 15) << 16;
}

__device__ uint4 next_eight(Decoder& decoder, unsigned codes) {
    uint4 samples;
    samples.x = next_two(decoder, codes);
    samples.y = next_two(decoder, codes >> 8);
    samples.z = next_two(decoder, codes >> 16);
    samples.w = next_two(decoder, codes >> 24);
    return samples;
}

// `kWide`: blocks are multiples of four bytes, and arrays begin at multiples of 16.
template <bool kWide>
__global__ void decode(int blocks, int length, const int32_t* __restrict__ step_size, const Start* __restrict__ first,
                       const uint8_t* __restrict__ code, int16_t* __restrict__ sound) {
    __shared__ int32_t steps[89];
    for (int s = threadIdx.x; s < 89; s += blockDim.x) steps[s] = step_size[s];
    __syncthreads();
    const int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= blocks) return;
    Decoder decoder{steps, first[b].sample, first[b].place};
    code += (long long)b * length;
    sound += 2LL * b * length;
    if (kWide) {
        for (int k = 0; k < length; k += 4) *(uint4*)(sound + 2 * k) = next_eight(decoder, *(const unsigned*)(code + k));
    } else {
        for (int k = 0; k < length; ++k) {
            const unsigned samples = next_two(decoder, code[k]);
            sound[2 * k] = (int16_t)samples;
            sound[2 * k + 1] = (int16_t)(samples >> 16);
        }
    }
}

extern "C" void adpcm_decode(int blocks, int length, const int32_t* step_size, const Start* first, const uint8_t* code, int16_t* sound) {
    const int grid = (blocks - 1) / 64 + 1;
    if (length % 4 == 0 && ((uintptr_t)code | (uintptr_t)sound) % 16 == 0)
        decode<true><<<grid, 64>>>(blocks, length, step_size, first, code, sound);
    else
        decode<false><<<grid, 64>>>(blocks, length, step_size, first, code, sound);
}
