// Max pooling over 3 x 3 windows that overlap by one, with the place of each maximum for the way back; the first of equal ones.
void max_pool_argmax(int channels, int oh, int ow, const float* in, float* out, int* place) {
    const int ih = 2 * oh + 1, iw = 2 * ow + 1;
    for (int c = 0; c < channels; c++)
        for (int y = 0; y < oh; y++)
            for (int x = 0; x < ow; x++) {
                int at = (c * ih + 2 * y) * iw + 2 * x;
                float best = in[at];
                for (int k = 1; k < 9; k++) {
                    const int p = (c * ih + 2 * y + k / 3) * iw + 2 * x + k % 3;
                    if (in[p] > best) {
                        best = in[p];
                        at = p;
                    }
                }
                out[(c * oh + y) * ow + x] = best;
                place[(c * oh + y) * ow + x] = at;
            }
}
