#include <cstdint>

// Reads the entries of one row, a byte stream.
class Reader {
public:
    Reader(const uint8_t* now, const uint8_t* end) : now_(now), end_(end) {}

    bool next(int32_t& gap, int32_t& value) {
        uint32_t number = 0;
        int shift = 0;
        do {
            if (now_ == end_) return false;
            number |= (uint32_t)(*now_ & 127) << shift;
            shift += 7;
        } while (*now_++ >= 128 && shift < 21);
        if (now_ == end_) return false;
        gap = (int32_t)number;
        value = (int8_t)*now_++;
        return true;
    }

private:
    const uint8_t *now_, *end_;
};

void gap_coded_product(int rows, int cols, int bytes, const int32_t* offset, const uint8_t* stream, const int32_t* x, int32_t* y,
                       int32_t* count) {
    (void)bytes;
    for (int r = 0; r < rows; ++r) {
        Reader reader(stream + offset[r], stream + offset[r + 1]);
        int32_t column = r % cols, gap, value;
        y[r] = count[r] = 0;
        while (reader.next(gap, value)) {
            column = (column + gap) % cols;
            y[r] += value * x[column];
            ++count[r];
        }
    }
}
