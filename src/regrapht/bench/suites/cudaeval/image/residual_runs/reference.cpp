#include <cstdint>
#include <cstdlib>

enum { SIDE = 4, PLACES = SIDE * SIDE };

static const uint8_t zigzag[PLACES] = {0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15};

static void transform_line(int* line, int stride) {
    const int outer = line[0] + line[3 * stride], inner = line[stride] + line[2 * stride];
    const int bend = line[stride] - line[2 * stride], slope = line[0] - line[3 * stride];
    line[0] = outer + inner;
    line[stride] = 2 * slope + bend;
    line[2 * stride] = outer - inner;
    line[3 * stride] = slope - 2 * bend;
}

static int quantise(int place, int value, int coarseness) {
    static const int factor[3] = {13107, 8066, 5243};
    const int odd = (place & 1) + (place >> 2 & 1), shift = 15 + coarseness;
    const int size = (int)(((int64_t)abs(value) * factor[odd] + (1 << shift) / 3) >> shift);
    return value < 0 ? -size : size;
}

// One block's runs of zeros, each with the level that ends it; returns how many.
static int code_block(const int16_t* corner, int pitch, int coarseness, uint16_t* code) {
    int block[PLACES], written = 0, run = 0;
    for (int i = 0; i < PLACES; ++i) block[i] = corner[(i / SIDE) * (int64_t)pitch + i % SIDE];
    for (int y = 0; y < SIDE; ++y) transform_line(block + SIDE * y, 1);
    for (int x = 0; x < SIDE; ++x) transform_line(block + x, SIDE);
    for (int i = 0; i < PLACES; ++i) {
        const int level = quantise(zigzag[i], block[zigzag[i]], coarseness);
        if (level == 0) {
            ++run;
            continue;
        }
        code[written++] = (uint16_t)(run << 12 | (level & 0xfff));
        run = 0;
    }
    return written;
}

void residual_runs(int down, int across, int coarseness, const int16_t* residual, int32_t* start, uint16_t* code, int32_t* codes) {
    int32_t total = 0;
    for (int by = 0; by < down; ++by) {
        for (int bx = 0; bx < across; ++bx) {
            const int16_t* corner = residual + (int64_t)by * SIDE * SIDE * across + bx * SIDE;
            start[(int64_t)by * across + bx] = total;
            total += code_block(corner, SIDE * across, coarseness, code + total);
        }
    }
    *codes = total;
}
