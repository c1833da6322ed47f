#include <cstdint>
#include <numeric>
#include <vector>

void talus_slide(int rows, int cols, int rounds, int32_t talus, int32_t* heights, int64_t* moved)
{
    struct Slide { int to; int32_t amount; };
    std::vector<Slide> slides((std::size_t)rows * cols);
    for (int k = 0; k < rounds; ++k) {
        for (int r = 0; r < rows; ++r) {
            for (int c = 0; c < cols; ++c) {
                const int at = r * cols + c;
                int lowest = at;
                auto look = [&](bool inside, int other) {
                    if (inside && (lowest == at || heights[other] < heights[lowest])) lowest = other;
                };
                look(r > 0, at - cols);
                look(c > 0, at - 1);
                look(c + 1 < cols, at + 1);
                look(r + 1 < rows, at + cols);
                const int32_t above = heights[at] - heights[lowest] - talus;
                slides[at] = {lowest, above > 0 ? above / 2 : 0};
            }
        }
        moved[k] = 0;
        for (std::size_t at = 0; at < slides.size(); ++at) {
            heights[at] -= slides[at].amount;
            heights[slides[at].to] += slides[at].amount;
            moved[k] += slides[at].amount;
        }
    }
}
