#include <cstddef>
#include <cstdint>
#include <vector>

typedef struct {
    int64_t code;
    int32_t times;
    int32_t first;
} slot_t;

static size_t slot_of(const std::vector<slot_t>& table, int64_t code)
{
    uint64_t h = (uint64_t)code * 0x9e3779b97f4a7c15ull;
    size_t at = (h >> 32) & (table.size() - 1);
    while (table[at].times && table[at].code != code)
        at = (at + 1) & (table.size() - 1);
    return at;
}

void barcode_tally(int scans, int asks, const int64_t* scanned, const int64_t* ask, int32_t* found, int32_t* where)
{
    size_t size = 2;
    while (size < 2 * (size_t)scans) size *= 2;
    std::vector<slot_t> table(size, slot_t{0, 0, -1});

    for (int i = 0; i < scans; i++) {
        slot_t& slot = table[slot_of(table, scanned[i])];
        if (slot.times++ == 0) {
            slot.code = scanned[i];
            slot.first = i;
        }
    }
    for (int q = 0; q < asks; q++) {
        const slot_t& slot = table[slot_of(table, ask[q])];
        found[q] = slot.times;
        where[q] = slot.first;
    }
}
