#include <algorithm>
#include <cstdint>
#include <vector>

struct Bucket {
    bool seen = false;
    int64_t since = 0;  // when the last whole token was due
    int tokens = 0;
};

void rate_limits(int requests, int clients, int burst, int refill, const int32_t* gap, const int32_t* client, uint8_t* pass, int32_t* spared)
{
    std::vector<Bucket> buckets(clients);
    int64_t now = 0;
    for (int i = 0; i < requests; ++i) {
        now += gap[i];
        Bucket& b = buckets[client[i]];
        if (!b.seen) {
            b.seen = true;
            b.tokens = burst;
            b.since = now;
        }
        const int64_t gained = (now - b.since) / refill;
        b.since += gained * refill;
        b.tokens = (int)std::min<int64_t>(burst, b.tokens + gained);
        pass[i] = b.tokens > 0;
        if (pass[i]) --b.tokens;
    }
    for (int c = 0; c < clients; ++c) spared[c] = buckets[c].seen ? buckets[c].tokens : burst;
}
