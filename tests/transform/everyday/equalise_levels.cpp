// shape: in = n
// shape: out = n
// init: in = ints(0, 256)
// one thread: 15
// check: n=1; n=300; n=1000
// random: n=1..3000
#include <cstdlib>
#include <cstring>

void equalise_levels(const unsigned char* in, unsigned char* out, int n) {
    int* counts = (int*)calloc(256, sizeof(int));
    unsigned char* level = static_cast<unsigned char*>(malloc(256));
    for (int i = 0; i < n; i++) counts[in[i]]++;
    int below = 0;
    for (int v = 0; v < 256; v++) {
        below += counts[v];
        level[v] = (unsigned char)((255LL * below) / n);
    }
    for (int i = 0; i < n; i++) out[i] = level[in[i]];
    free(counts);
    free(level);
}
