#include <cstdint>

struct Visit {
    uint32_t last;
    int32_t spent;
};

void click_sessions(int users, int n, uint32_t limit, const uint32_t* time, const uint16_t* amount, int32_t* session, int32_t* spent,
                    int32_t* sessions) {
    for (int u = 0; u < users; ++u) {
        int32_t* total = spent;
        Visit open = {time[0], amount[0]};
        session[0] = 0;
        for (int i = 1; i < n; ++i) {
            if (time[i] - open.last > limit) {
                *total++ = open.spent;
                open.spent = 0;
            }
            open.last = time[i];
            open.spent += amount[i];
            session[i] = (int32_t)(total - spent);
        }
        *total++ = open.spent;
        sessions[u] = (int32_t)(total - spent);
        while (total < spent + n) *total++ = 0;
        time += n;
        amount += n;
        session += n;
        spent += n;
    }
}
