// Union, intersection and parity of n rows of permission words, column by column; the loops go over rows outside, as the file is read.
void bitwise_summary(unsigned n, unsigned words, const unsigned* sets, unsigned* any, unsigned* all, unsigned* parity) {
    for (unsigned w = 0; w < words; w++) {
        any[w] = 0u;
        all[w] = ~0u;
        parity[w] = 0u;
    }
    for (unsigned i = 0; i < n; i++)
        for (unsigned w = 0; w < words; w++) {
            any[w] |= sets[i * words + w];
            all[w] &= sets[i * words + w];
            parity[w] ^= sets[i * words + w];
        }
}
