// Random walks with restart; every step draws from a hash of the walk and the step.

static unsigned int mix(unsigned int x) {
    x ^= x >> 16;
    x *= 0x7FEB352Du;
    x ^= x >> 15;
    x *= 0x846CA68Bu;
    return x ^ (x >> 16);
}

void restart_walks(int vertices, int edges, int walks, int length, unsigned int seed, const int* row_ptr,
                   const int* next, const int* root, int* path) {
    (void)vertices;
    (void)edges;
    for (long long w = 0; w < walks; ++w) {
        int at = root[w];
        path[w * length] = at;
        for (int i = 1; i < length; ++i) {
            unsigned int h = mix(seed + (unsigned int)w * 0x9E3779B9u + (unsigned int)i * 0x85EBCA6Bu);
            unsigned int degree = (unsigned int)(row_ptr[at + 1] - row_ptr[at]);
            at = h % 8 == 0 || degree == 0 ? root[w] : next[row_ptr[at] + (int)((h >> 3) % degree)];
            path[w * length + i] = at;
        }
    }
}
