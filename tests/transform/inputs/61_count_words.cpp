static int is_blank(unsigned char c) {
    switch (c) {
    case ' ': case '\t': case '\n': case '\r': return 1;
    default: return 0;
    }
}

// Words in a text: runs of anything but spaces, tabs and line ends. One pass with a flag, as `wc` would.
long count_words(long length, const unsigned char* text) {
    long words = 0;
    int in_word = 0;
    for (long i = 0; i < length; i++) {
        if (is_blank(text[i])) {
            in_word = 0;
        } else if (!in_word) {
            in_word = 1;
            words++;
        }
    }
    return words;
}
