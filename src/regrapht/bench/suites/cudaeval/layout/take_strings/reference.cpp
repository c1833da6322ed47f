#include <cstdint>
#include <cstring>
#include <vector>

namespace {

// A string column read from the front: where each row begins is found once.
class StringColumn {
public:
    StringColumn(int rows, const uint8_t* length, const uint8_t* heap) : length_(length), heap_(heap), begin_(rows) {
        int at = 0;
        for (int r = 0; r < rows; ++r) {
            begin_[r] = at;
            at += length[r];
        }
    }

    int copy_row(int row, uint8_t* to) const {
        std::memcpy(to, heap_ + begin_[row], length_[row]);
        return length_[row];
    }

private:
    const uint8_t* length_;
    const uint8_t* heap_;
    std::vector<int> begin_;
};

}  // namespace

void take_strings(int rows, int picks, const uint8_t* length, const uint8_t* heap, const int* pick, int* start, uint8_t* out, int* used) {
    StringColumn source(rows, length, heap);
    int end = 0;
    for (int k = 0; k < picks; ++k) {
        start[k] = end;
        end += source.copy_row(pick[k], out + end);
    }
    start[picks] = end;
    *used = end;
}
