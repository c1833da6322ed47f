// How often each byte follows each other one: the statistics that a byte-pair tokeniser starts from.
void byte_pair_counts(unsigned long length, const unsigned char* text, unsigned* counts) {
    for (unsigned long i = 0; i < 65536; i++) counts[i] = 0;
    for (unsigned long i = 1; i < length; i++) {
        unsigned pair = ((unsigned)text[i - 1] << 8) | text[i];
        counts[pair]++;
    }
}
