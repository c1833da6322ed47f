#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

struct Lot {
    int shares;
    int price;
};

struct Position {
    std::vector<Lot> lots;
    size_t oldest = 0;
    int64_t gain = 0;
    int held = 0;
    int refused = 0;

    void buy(int shares, int price) {
        lots.push_back({shares, price});
        held += shares;
    }

    void sell(int shares, int price) {
        while (shares > 0 && oldest < lots.size()) {
            Lot& lot = lots[oldest];
            int taken = shares < lot.shares ? shares : lot.shares;
            gain += (int64_t)taken * (price - lot.price);
            lot.shares -= taken;
            shares -= taken;
            held -= taken;
            if (lot.shares == 0) ++oldest;
        }
        refused += shares;
    }
};

}  // namespace

void fifo_tax_lots(int accounts, int trades, const int* quantity, const int* price, int64_t* gain, int* held, int* refused) {
    Position position;
    for (int a = 0; a < accounts; ++a) {
        position.lots.clear();
        position.oldest = 0;
        position.gain = 0;
        position.held = position.refused = 0;
        for (int t = 0; t < trades; ++t) {
            size_t at = (size_t)a * trades + t;
            if (quantity[at] > 0) position.buy(quantity[at], price[at]);
            else position.sell(-quantity[at], price[at]);
        }
        gain[a] = position.gain;
        held[a] = position.held;
        refused[a] = position.refused;
    }
}
