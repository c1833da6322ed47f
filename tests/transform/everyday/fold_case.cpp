// shape: in = n
// shape: out = n
// shape: vowels = 1
// init: in = ints(32, 127)
// check: n=1; n=77; n=500
// random: n=1..900
void fold_case(const unsigned char* in, unsigned char* out, int* vowels, int n) {
#define IS_UPPER(c) ((c) >= 'A' && (c) <= 'Z')
    int count = 0;
    for (int i = 0; i < n; i++) {
        unsigned char c = in[i];
#if 0
        if (c == '\t') c = ' ';
#endif
        if (IS_UPPER(c)) c += 'a' - 'A';
#ifdef KEEP_DIGITS
        out[i] = c;
#else
        out[i] = (c >= '0' && c <= '9') ? '#' : c;
#endif
        switch (c) {
            case 'a':
            case 'e':
            case 'i':
            case 'o':
            case 'u': count++; break;
            default: break;
        }
    }
    *vowels = count;
#undef IS_UPPER
}
