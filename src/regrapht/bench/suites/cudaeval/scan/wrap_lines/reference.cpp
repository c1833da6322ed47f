#include <cstdint>

struct Pen {
    int line = -1;
    int column = 0;  // behind the last word
};

static void write_word(Pen& pen, int letters, int width) {
    if (pen.line >= 0 && pen.column + 1 + letters <= width) {
        pen.column += 1 + letters;
        return;
    }
    ++pen.line;
    pen.column = letters;
}

void wrap_lines(int texts, int words, int width, const uint8_t* length, uint16_t* line) {
    for (int r = 0; r < texts; ++r) {
        Pen pen;
        for (int k = 0; k < words; ++k) {
            write_word(pen, *length++, width);
            *line++ = (uint16_t)pen.line;
        }
    }
}
