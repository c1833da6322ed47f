#include <cstdint>

namespace {

enum class Order { kNone, kEqual, kBetter };

Order compared(const uint8_t* one, const uint8_t* other) {
    bool better = false;
    for (int a = 0; a < 8; ++a) {
        if (one[a] > other[a]) return Order::kNone;
        better |= one[a] < other[a];
    }
    return better ? Order::kBetter : Order::kEqual;
}

}  // namespace

void dominance_counts(int n, const uint8_t* offer, int32_t* dominating) {
    for (int i = 0; i < n; ++i) {
        int32_t count = 0;
        for (int j = 0; j < n; ++j)
            if (compared(offer + 8 * (int64_t)j, offer + 8 * (int64_t)i) == Order::kBetter) ++count;
        dominating[i] = count;
    }
}
