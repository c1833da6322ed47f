#include <array>
#include <cstdint>

class Decimator {
public:
    Decimator(uint32_t* integrator, uint32_t* comb) : integrator_(integrator), comb_(comb) {}

    void push(int32_t sample)
    {
        uint32_t value = (uint32_t)sample;
        for (int k = 0; k < 4; ++k) value = integrator_[k] += value;
    }

    uint32_t pull()
    {
        uint32_t value = integrator_[3];
        for (int k = 0; k < 4; ++k) {
            const uint32_t before = comb_[k];
            comb_[k] = value;
            value -= before;
        }
        return value;
    }

private:
    uint32_t *integrator_, *comb_;
};

void cic_decimator(int channels, int blocks, int rate, int32_t shift, const int32_t* samples, uint32_t* integrator, uint32_t* comb, int32_t* out)
{
    for (int c = 0; c < channels; ++c) {
        Decimator decimator(integrator + 4 * c, comb + 4 * c);
        for (int b = 0; b < blocks; ++b) {
            for (int k = 0; k < rate; ++k) decimator.push(*samples++);
            *out++ = (int32_t)decimator.pull() >> shift;
        }
    }
}
