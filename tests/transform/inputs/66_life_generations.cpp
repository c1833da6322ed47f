// Conway's game of life on a torus for several generations, two at a time: from `board` to `other` and back.
static void generation(int h, int w, const unsigned char* now, unsigned char* then) {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int alive = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (dy != 0 || dx != 0) alive += now[((y + dy + h) % h) * w + (x + dx + w) % w];
            then[y * w + x] = alive == 3 || (alive == 2 && now[y * w + x]);
        }
}

void life_generations(int h, int w, int pairs, unsigned char* board, unsigned char* other) {
    for (int g = 0; g < pairs; g++) {
        generation(h, w, board, other);
        generation(h, w, other, board);
    }
}
