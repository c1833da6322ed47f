#include <algorithm>
#include <cstdint>

struct Suffix {
    int32_t begin, rank, next;

    bool before(const Suffix& other) const { return rank != other.rank ? rank < other.rank : next < other.next; }
};

static Suffix suffix[1024];
static int32_t rank_at[1024];

// Doubles how many letters ranks rest on until no two suffixes share one.
void suffix_order(int texts, int n, const uint8_t* letter, int32_t* order) {
    for (int t = 0; t < texts; ++t, letter += n, order += n) {
        for (int i = 0; i < n; ++i) rank_at[i] = letter[i];
        int ranks = 0;
        for (int length = 1; ranks < n; length *= 2) {
            for (int i = 0; i < n; ++i) suffix[i] = {i, rank_at[i], i + length < n ? rank_at[i + length] : -1};
            std::sort(suffix, suffix + n, [](const Suffix& a, const Suffix& b) { return a.before(b); });
            ranks = 0;
            for (int i = 0; i < n; ++i) {
                ranks += i == 0 || suffix[i - 1].before(suffix[i]);
                rank_at[suffix[i].begin] = ranks - 1;
            }
        }
        for (int i = 0; i < n; ++i) order[i] = suffix[i].begin;
    }
}
