// Civil seconds: one stamp a thread, with the calendar's loops.
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
    long long days = 0;
    for (int y = 1970; y < year; ++y) days += leap(y) ? 366 : 365;
    for (int y = year; y < 1970; ++y) days -= leap(y) ? 366 : 365;
    for (int m = 1; m < month; ++m) days += length_of(year, m);
    return days;
}

__global__ void convert(int lines, const Stamp* stamp, int64_t* seconds, int32_t* rejected) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lines) return;
    const Stamp s = stamp[i];
    const int year = 1940 + s.year, month = s.month / 4, day = s.day / 2 + s.day % 2;
    if (month < 1 || month > 12 || day < 1 || day > length_of(year, month) || s.hour > 23 || s.minute > 59 || s.second > 59) {
        seconds[i] = (int64_t)(1ull << 63);
        atomicAdd(rejected, 1);
        return;
    }
    seconds[i] = (days_to(year, month) + day - 1) * 86400 + s.hour * 3600 + s.minute * 60 + s.second - s.zone % 24 * 3600;
}

extern "C" void civil_seconds(int lines, const Stamp* stamp, int64_t* seconds, int32_t* rejected) {
    cudaMemsetAsync(rejected, 0, sizeof(int32_t));
    convert<<<(lines + 255) / 256, 256>>>(lines, stamp, seconds, rejected);
}
