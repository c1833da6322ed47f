#include <algorithm>
#include <cstdint>
#include <cstring>

enum { kStates = 8 };

struct Log {
    int32_t *spent, *stays, *longest, *changes;

    void leave(int state, int32_t duration) const {
        spent[state] += duration;
        longest[state] = std::max(longest[state], duration);
        ++stays[state];
    }
};

void machine_states(int machines, int n, const int32_t* time, const uint8_t* state, int32_t* spent, int32_t* stays, int32_t* longest,
                    int32_t* changes) {
    for (int m = 0; m < machines; ++m) {
        const Log log = {spent + kStates * m, stays + kStates * m, longest + kStates * m, changes + kStates * kStates * m};
        std::memset(log.spent, 0, kStates * sizeof(int32_t));
        std::memset(log.stays, 0, kStates * sizeof(int32_t));
        std::memset(log.longest, 0, kStates * sizeof(int32_t));
        std::memset(log.changes, 0, kStates * kStates * sizeof(int32_t));
        const int32_t* when = time + (int64_t)m * n;
        const uint8_t* now = state + (int64_t)m * n;
        int begun = 0;
        for (int i = 1; i < n; ++i) {
            if (now[i] == now[begun]) continue;
            log.leave(now[begun], when[i] - when[begun]);
            ++log.changes[kStates * now[begun] + now[i]];
            begun = i;
        }
        log.leave(now[begun], when[n - 1] - when[begun]);
    }
}
