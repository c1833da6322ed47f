// ADPCM: a table has what each code does at each place, so that a sample takes one look.
#include <cuda_runtime.h>

#include <cstdint>

struct Start {
    int16_t sample;
    uint8_t place, spare;
};

struct Decoder {
    const int32_t* change;
    int sample, place;

    __device__ int next(unsigned code) {
        const int both = change[16 * place + (int)code];  // what it does to the sample, and the place that follows
        sample = min(max(sample + (both >> 8), -32768), 32767);
        place = both & 255;
        return sample;
    }
};

// What code `code` at a place with this step does, 256 times, and the place that follows.
__device__ int change_of(int place, int step, int code) {
    int difference = step >> 3;
    if (code & 4) difference += step;
    if (code & 2) difference += step >> 1;
    if (code & 1) difference += step >> 2;
    const int next = min(max(place + ((code & 7) < 4 ? -1 : 2 * (code & 3) + 2), 0), 88);
    return (code & 8 ? -difference : difference) * 256 + next;
}

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
    __shared__ int32_t change[89 * 16];  // of a place and a code
    for (int i = threadIdx.x; i < 89 * 16; i += blockDim.x) change[i] = change_of(i / 16, step_size[i / 16], i % 16);
    __syncthreads();
    const int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= blocks) return;
    Decoder decoder{change, first[b].sample, first[b].place};
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
