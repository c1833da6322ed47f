#include <cstdint>
#include <unordered_map>

void join_probe(int small, int large, const int64_t* key, const int32_t* payload, const int64_t* probe, int32_t* matches, int64_t* sum, int64_t* joined)
{
    struct Group {
        int32_t rows = 0;
        int64_t total = 0;
    };
    std::unordered_map<int64_t, Group> groups;
    groups.reserve(small);
    for (int i = 0; i < small; ++i) {
        Group& group = groups[key[i]];
        ++group.rows;
        group.total += payload[i];
    }
    *joined = 0;
    for (int r = 0; r < large; ++r) {
        const auto found = groups.find(probe[r]);
        matches[r] = found == groups.end() ? 0 : found->second.rows;
        sum[r] = found == groups.end() ? 0 : found->second.total;
        *joined += matches[r];
    }
}
