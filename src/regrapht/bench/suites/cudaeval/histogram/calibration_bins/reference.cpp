#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>

struct Guess {
    int shown;
    int thousandths;

    Guess(const uint16_t* scores, int classes)
    {
        const uint16_t* top = std::max_element(scores, scores + classes);
        const int64_t sum = std::accumulate(scores, scores + classes, int64_t{0});
        shown = (int)(top - scores);
        thousandths = sum ? (int)(1000 * (int64_t)*top / sum) : 0;
    }

    int bin() const { return std::min(19, thousandths / 50); }
};

void calibration_bins(int samples, int classes, const int32_t* label, const uint16_t* score, int32_t* count, int32_t* right, int64_t* confidence, int64_t* gap)
{
    std::fill_n(count, 20, 0);
    std::fill_n(right, 20, 0);
    std::fill_n(confidence, 20, 0);
    for (int i = 0; i < samples; ++i) {
        const Guess guess(score + (long)i * classes, classes);
        ++count[guess.bin()];
        right[guess.bin()] += guess.shown == label[i];
        confidence[guess.bin()] += guess.thousandths;
    }
    *gap = 0;
    for (int b = 0; b < 20; ++b) *gap += std::llabs(1000ll * right[b] - confidence[b]);
}
