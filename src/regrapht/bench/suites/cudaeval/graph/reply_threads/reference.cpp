#include <cstdint>

void reply_threads(int messages, const int32_t* back, int32_t* depth, int32_t* thread, int32_t* answers, int32_t* deepest)
{
    auto first = [&](int i) { return back[i] == 0 || back[i] > i; };
    *deepest = 0;
    for (int i = 0; i < messages; ++i) {
        const int above = i - back[i];
        depth[i] = first(i) ? 0 : depth[above] + 1;
        thread[i] = first(i) ? i : thread[above];
        answers[i] = 0;
        if (depth[i] > *deepest) *deepest = depth[i];
    }
    for (int i = messages - 1; i >= 0; --i)
        if (!first(i)) answers[i - back[i]] += answers[i] + 1;
}
