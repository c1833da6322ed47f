#include <algorithm>
#include <cstdint>
#include <vector>

struct Booking {
    int32_t begin, end;

    bool operator<(const Booking& other) const { return begin != other.begin ? begin < other.begin : end < other.end; }
};

void merge_bookings(int rows, int n, const int32_t* begin, const uint16_t* length, int32_t* from, int32_t* to, int32_t* count,
                    int32_t* covered) {
    std::vector<Booking> all(n);
    for (int r = 0; r < rows; ++r) {
        for (auto& b : all) {
            b = {*begin, *begin + *length++};
            ++begin;
        }
        std::sort(all.begin(), all.end());
        Booking open = all[0];
        int32_t found = 0, sum = 0;
        for (int i = 1; i <= n; ++i) {
            if (i < n && all[i].begin <= open.end) {
                open.end = std::max(open.end, all[i].end);
                continue;
            }
            from[found] = open.begin;
            to[found++] = open.end;
            sum += open.end - open.begin;
            if (i < n) open = all[i];
        }
        count[r] = found;
        covered[r] = sum;
        std::fill(from + found, from + n, 0);
        std::fill(to + found, to + n, 0);
        from += n;
        to += n;
    }
}
