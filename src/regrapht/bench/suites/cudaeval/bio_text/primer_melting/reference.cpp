#include <cmath>
#include <cstdint>
#include <string_view>

struct Pair { double h, s; };

void primer_melting(int primers, int bases, double molar, double end_enthalpy, double end_entropy, const int32_t* start, const uint8_t* code,
                    const double* enthalpy, const double* entropy, double* celsius)
{
    (void)bases;
    const double dilution = 1.987 * std::log(molar / 4);
    for (int i = 0; i < primers; ++i) {
        const std::basic_string_view<uint8_t> primer(code + start[i], start[i + 1] - start[i]);
        celsius[i] = -273.15;
        if (primer.size() < 2) continue;
        Pair sum{0, 0};
        for (const uint8_t end : {primer.front(), primer.back()})
            if (end == 0 || end == 3) sum = {sum.h + end_enthalpy, sum.s + end_entropy};
        for (std::size_t b = 1; b < primer.size(); ++b) {
            const int pair = 4 * primer[b - 1] + primer[b];
            sum.h += enthalpy[pair];
            sum.s += entropy[pair];
        }
        celsius[i] += 1000 * sum.h / (sum.s + dilution);
    }
}
