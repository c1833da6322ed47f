#include <cstdint>

enum { kSlots = 2048, kEmpty = -1 };

struct Slot {
    int32_t key, limit;
};

static uint32_t first_slot(int32_t key) {
    return (uint32_t)key * 2654435769u >> 21;
}

void partition_join(int parts, int n, int m, const int32_t* customer, const int32_t* limit, const int32_t* order, int32_t* found,
                    int32_t* credit, int32_t* count) {
    static Slot table[kSlots];
    for (int p = 0; p < parts; ++p) {
        for (Slot& slot : table) slot.key = kEmpty;
        for (int c = 0; c < n; ++c, ++customer, ++limit) {
            uint32_t at = first_slot(*customer);
            while (table[at].key != kEmpty && table[at].key != *customer) at = (at + 1) % kSlots;
            if (table[at].key == kEmpty) table[at] = {*customer, *limit};
        }
        int32_t hits = 0;
        for (int o = 0; o < m; ++o) {
            uint32_t at = first_slot(order[o]);
            while (table[at].key != kEmpty && table[at].key != order[o]) at = (at + 1) % kSlots;
            if (table[at].key == kEmpty) continue;
            found[hits] = o;
            credit[hits++] = table[at].limit;
        }
        count[p] = hits;
        for (; hits < m; ++hits) found[hits] = credit[hits] = 0;
        order += m;
        found += m;
        credit += m;
    }
}
