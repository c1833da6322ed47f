#include <cstdint>

struct Ballot {
    const int8_t* rank;
    bool before(int a, int b) const { return rank[a] >= 0 && (rank[b] < 0 || rank[a] < rank[b]); }
};

void ranked_ballots(int ballots, int n, const int8_t* rank, int32_t* prefer, int32_t* beats, int64_t* points, int32_t* winner)
{
    for (int i = 0; i < n * n; ++i) prefer[i] = 0;
    for (int v = 0; v < ballots; ++v) {
        const Ballot ballot{rank + (long)v * n};
        for (int a = 0; a < n; ++a)
            for (int b = 0; b < n; ++b) prefer[a * n + b] += ballot.before(a, b);
    }
    *winner = -1;
    for (int a = 0; a < n; ++a) {
        beats[a] = 0;
        points[a] = 0;
        for (int b = 0; b < n; ++b) {
            beats[a] += prefer[a * n + b] > prefer[b * n + a];
            points[a] += prefer[a * n + b];
        }
        if (beats[a] == n - 1) *winner = a;
    }
}
