#include <algorithm>
#include <cstdint>
#include <cstring>

typedef struct {
    int32_t *column;
    float *value;
    int most;
} slices;

static void put(slices *to, int row, int j, int32_t column, float value)
{
    size_t place = ((size_t)(row / 16) * to->most + j) * 16 + row % 16;
    to->column[place] = column;
    to->value[place] = value;
}

void sliced_rows(int rows, int entries, int columns, int most, const int32_t *start, const int32_t *column, const float *value, int32_t *out_column,
                 float *out_value, int32_t *width, int32_t *lost)
{
    slices to = {out_column, out_value, most};
    int count = (rows + 15) / 16, r, j;
    (void)entries;
    (void)columns;
    *lost = 0;
    for (int s = 0; s < count; s++) {
        width[s] = 0;
        for (r = 16 * s; r < 16 * s + 16; r++) {
            int length = r < rows ? start[r + 1] - start[r] : 0;
            if (length > most) {
                *lost += length - most;
                length = most;
            }
            if (length > width[s])
                width[s] = length;
            for (j = 0; j < length; j++)
                put(&to, r, j, column[start[r] + j], value[start[r] + j]);
            for (; j < most; j++)
                put(&to, r, j, -1, 0.0f);
        }
    }
}
