// Two passes: sizes of the partitions, then each record to the next free place of its own.
#include <vector>

static unsigned partition_of(unsigned key) { return key * 2654435761u >> 24; }

void radix_partition(int n, const unsigned* key, const int* payload, unsigned* key_out, int* payload_out, int* starts) {
    std::vector<int> next(256, 0);
    for (int i = 0; i < n; ++i) ++next[partition_of(key[i])];
    int before = 0;
    for (int p = 0; p < 256; ++p) {
        int own = next[p];
        starts[p] = next[p] = before;
        before += own;
    }
    starts[256] = before;
    for (int i = 0; i < n; ++i) {
        int place = next[partition_of(key[i])]++;
        key_out[place] = key[i];
        payload_out[place] = payload[i];
    }
}
