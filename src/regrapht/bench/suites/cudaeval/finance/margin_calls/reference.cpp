#include <cstdint>
#include <cstdlib>

class Book {
public:
    Book(const int32_t* instrument, const int32_t* lots, const int32_t* move, const int32_t* margin)
        : instrument_(instrument), lots_(lots), move_(move), margin_(margin) {}

    int64_t gain(int k) const { return (int64_t)lots_[k] * move_[instrument_[k]]; }
    int64_t margin(int k) const { return (int64_t)std::abs(lots_[k]) * margin_[instrument_[k]]; }

private:
    const int32_t *instrument_, *lots_, *move_, *margin_;
};

void margin_calls(int accounts, int positions, int instruments, const int32_t* row_start, const int32_t* instrument, const int32_t* lots,
                  const int32_t* move, const int32_t* margin, int64_t* balance, int64_t* need, uint8_t* called, int64_t* short_of)
{
    (void)positions;
    (void)instruments;
    const Book book(instrument, lots, move, margin);
    *short_of = 0;
    for (int a = 0; a < accounts; ++a) {
        need[a] = 0;
        for (int k = row_start[a]; k < row_start[a + 1]; ++k) {
            balance[a] += book.gain(k);
            need[a] += book.margin(k);
        }
        called[a] = balance[a] < need[a];
        if (called[a]) *short_of += need[a] - balance[a];
    }
}
