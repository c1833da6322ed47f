// Civil seconds: a stamp is one 8-byte load, taken apart in registers.
#include <cuda_runtime.h>

#include <cstdint>

struct Stamp {
    int16_t year;
    uint8_t month, day, hour, minute, second, zone;
};

__device__ bool leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

__device__ int length_of(int year, int month) {
    if (month == 2) return leap(year) ? 29 : 28;
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

__device__ long long days_to(int year, int month) {
    const int y = year - (month <= 2), era = (y >= 0 ? y : y - 399) / 400, of_era = y - era * 400;
    const int of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5;
    return era * 146097ll + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

__global__ void convert(int lines, const Stamp* stamp, int64_t* seconds, int32_t* rejected) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    union {
        uint2 word;
        Stamp parts;
    } loaded;
    loaded.word = i < lines ? __ldg(reinterpret_cast<const uint2*>(stamp) + i) : make_uint2(0, 0);
    const Stamp s = loaded.parts;
    const int year = 1940 + s.year, month = s.month / 4, day = s.day / 2 + s.day % 2;
    const bool wrong = month < 1 || month > 12 || day < 1 || day > length_of(year, month) || s.hour > 23 || s.minute > 59 || s.second > 59;
    const int count = __syncthreads_count(wrong && i < lines);
    if (threadIdx.x == 0 && count) atomicAdd(rejected, count);
    const long long whole = (days_to(year, month) + day - 1) * 86400 + s.hour * 3600 + s.minute * 60 + s.second - s.zone % 24 * 3600;
    if (i < lines) seconds[i] = wrong ? (int64_t)(1ull << 63) : whole;
}

extern "C" void civil_seconds(int lines, const Stamp* stamp, int64_t* seconds, int32_t* rejected) {
    cudaMemsetAsync(rejected, 0, sizeof(int32_t));
    convert<<<(lines + 255) / 256, 256>>>(lines, stamp, seconds, rejected);
}
