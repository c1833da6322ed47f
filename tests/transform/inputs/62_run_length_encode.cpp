// Run-length coding of bytes: pairs of (length, value), no run longer than 255; used[0] says how many pairs there are.
void run_length_encode(int n, const unsigned char* in, unsigned char* length, unsigned char* value, int* used) {
    int pairs = 0, i = 0;
    while (i < n) {
        const unsigned char v = in[i];
        int run = 1;
        while (run < 255 && i + run < n && in[i + run] == v) run++;
        length[pairs] = (unsigned char)run;
        value[pairs] = v;
        pairs++;
        i += run;
    }
    used[0] = pairs;
}
