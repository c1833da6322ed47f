#include <cstdint>
#include <limits>

struct Stamp {
    int16_t year;
    uint8_t month, day, hour, minute, second, zone;
};

static bool leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

static int length_of(int year, int month)
{
    switch (month) {
        case 2: return leap(year) ? 29 : 28;
        case 4:
        case 6:
        case 9:
        case 11: return 30;
        default: return 31;
    }
}

void civil_seconds(int lines, const Stamp* stamp, int64_t* seconds, int32_t* rejected)
{
    *rejected = 0;
    for (int i = 0; i < lines; ++i) {
        const Stamp& s = stamp[i];
        const int year = 1940 + s.year, month = s.month / 4, day = s.day / 2 + s.day % 2;  // as the scanner packs them
        const bool exists = month >= 1 && month <= 12 && day >= 1 && day <= length_of(year, month) && s.hour < 24 && s.minute < 60 && s.second < 60;
        if (!exists) {
            seconds[i] = std::numeric_limits<int64_t>::min();
            ++*rejected;
            continue;
        }
        int64_t days = day - 1;
        for (int y = 1970; y < year; ++y) days += leap(y) ? 366 : 365;
        for (int y = year; y < 1970; ++y) days -= leap(y) ? 366 : 365;
        for (int m = 1; m < month; ++m) days += length_of(year, m);
        seconds[i] = days * 86400 + s.hour * 3600 + s.minute * 60 + s.second - s.zone % 24 * 3600;
    }
}
