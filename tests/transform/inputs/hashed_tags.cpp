// shape: ids = n
// shape: tags = n
// shape: weights = n
// check: n=1; n=37; n=300
static unsigned int mix(unsigned int x) {
    x ^= x >> 16;
    x *= 0x7FEB352Du;
    unsigned int rounds = 0;
    for (int i = 0; i < 3; ++i) rounds += (x >> i) & 1u;
    x ^= x >> (13 + rounds);
    return x;
}

static float faded(float x, int steps) {
    for (int i = 0; i < steps; ++i) x *= 0.5f;
    return x;
}

void hashed_tags(int n, const unsigned int* ids, unsigned int* tags, float* weights) {
    for (int i = 0; i < n; ++i) {
        unsigned int x = mix(ids[i] + 7u);
        tags[i] = x;
        weights[i] = faded((float)(x % 100u), (int)(x % 4u));
    }
}
