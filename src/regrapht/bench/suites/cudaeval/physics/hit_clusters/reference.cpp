#include <algorithm>
#include <cstdint>

struct Cluster {
    int first = 0, width = 0, charge = 0, moment = 0, top = 0;

    void add(int strip, int reading)
    {
        if (width == 0) first = strip;
        moment += reading * width;
        charge += reading;
        top = std::max(top, reading);
        ++width;
    }
};

void hit_clusters(int events, int strips, int most, int32_t noise, int32_t seed, const uint16_t* reading, int32_t* first, int32_t* width, int32_t* charge,
                  int32_t* moment, int32_t* found)
{
    for (int e = 0; e < events; ++e) {
        const uint16_t* row = reading + (size_t)e * strips;
        const size_t base = (size_t)e * most;
        for (int k = 0; k < most; ++k) first[base + k] = -1, width[base + k] = charge[base + k] = moment[base + k] = 0;
        int count = 0;
        Cluster open;
        auto close = [&] {
            if (open.width && open.top >= seed) {
                if (count < most) {
                    first[base + count] = open.first;
                    width[base + count] = open.width;
                    charge[base + count] = open.charge;
                    moment[base + count] = open.moment;
                }
                ++count;
            }
            open = Cluster();
        };
        for (int s = 0; s < strips; ++s) {
            if (row[s] >= noise) open.add(s, row[s]);
            else close();
        }
        close();
        found[e] = count;
    }
}
