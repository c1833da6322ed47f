// shape: index = n
// shape: table = m
// shape: out = n
// init: index = ints(0, m)
// check: n=1,m=1; n=257,m=19; n=1000,m=3
#include <math.h>
static float squash(float v) {
    if (v < 0.0f) return 0.0f;
    return v > 1.0f ? 1.0f : v;
}

void gather_lookup(int n, int m, const int* index, const float* table, float* out) {
    if (n <= 0) return;
    for (int i = 0; i < n; i++) {
        if (index[i] % 3 == 0) continue;
        out[i] = squash(fabsf(table[index[i]]) * 1.5f);
    }
}
