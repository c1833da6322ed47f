#include <cstdint>

class Reader {
public:
    Reader(const uint8_t* at, const uint8_t* end) : at_(at), end_(end) {}

    // The next record's value; false where none is complete.
    bool next(uint32_t& value)
    {
        value = 0;
        for (int k = 0; at_ + k != end_ && k < 5; ++k) {
            value |= (uint32_t)(at_[k] & 0x7f) << (7 * k);
            if (at_[k] < 0x80 || k == 4) {
                at_ += k + 1;
                return true;
            }
        }
        return false;
    }
    const uint8_t* at() const { return at_; }

private:
    const uint8_t *at_, *end_;
};

void varint_lengths(int bytes, const uint8_t* stream, int32_t* start, uint32_t* value, int32_t* records)
{
    Reader reader(stream, stream + bytes);
    int count = 0;
    for (;;) {
        const int32_t begin = (int32_t)(reader.at() - stream);
        uint32_t read;
        if (!reader.next(read)) break;
        start[count] = begin;
        value[count++] = read;
    }
    *records = count;
}
