// Base64 of `groups` groups of three bytes: four letters each.
static unsigned char letter(unsigned six) {
    if (six < 26) return (unsigned char)('A' + six);
    if (six < 52) return (unsigned char)('a' + six - 26);
    if (six < 62) return (unsigned char)('0' + six - 52);
    return six == 62 ? '+' : '/';
}

void base64_rows(int groups, const unsigned char* bytes, unsigned char* text) {
    for (int g = 0, in = 0, out = 0; g < groups; g++, in += 3, out += 4) {
        const unsigned word = ((unsigned)bytes[in] << 16) | ((unsigned)bytes[in + 1] << 8) | bytes[in + 2];
        text[out] = letter(word >> 18);
        text[out + 1] = letter((word >> 12) & 63u);
        text[out + 2] = letter((word >> 6) & 63u);
        text[out + 3] = letter(word & 63u);
    }
}
